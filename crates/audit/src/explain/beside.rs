//! A statement that changes rows and looks at others besides, at READ COMMITTED of MariaDB and MySQL.
//!
//! Queries inside an `UPDATE` or an `INSERT` read as plain queries do: one state of the time of the statement, without
//! locks. The rows of the table itself are looked at one after the other, each as it is by then. If one is
//! changed, it is locked and stays as it is; if it is passed over, it may have been different by then.
//!
//! ```text
//!   UPDATE t SET v = (SELECT …) WHERE … ORDER BY … LIMIT …
//!          │          └ one state
//!          └ each row as of a moment of its own; those that are changed as they are at the end
//! ```
//!
//! So the statement is carried out on every combination of versions that the rows had in its time, with the queries in
//! every state of it. That is complete: whatever the server did, it did on one of these.

use super::attempt::Attempt;
use crate::statement::{Path, Ran};
use crate::world::At;

/// With more combinations, not all of them are tried.
pub(super) const MOST: usize = 256;

impl Attempt<'_, '_> {
    /// Whether a statement changes a row that is not as it is when the transaction ends.
    pub(super) fn changes_what_it_is_not(&self, at: &At, ran: &Ran, path: &Path) -> bool {
        let At::Rows { newest: None, .. } = at else { return false };
        let store = self.context.store;
        let now = self.moment.unwrap_or(self.now);
        ran.changes.iter().filter(|change| change.old.is_some()).any(|change| {
            let row = |state| store.row_of(self.world, change.key, state);
            path.own.get(change.key).is_none() && row(at.state_of(change.key)) != row(now)
        })
    }
}

//! Statements that begin and end transactions, and those that choose isolation levels.

mod set;
mod statement;

use crate::words::Words;

pub(crate) use set::{Assignment, assignments, changes_meaning};
pub use statement::control;

/// What a statement does to transactions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control {
    /// It begins one, maybe at a level of its own.
    Begin(Option<String>),
    /// It commits; with `chain`, the next transaction begins at once.
    Commit {
        /// Whether the next transaction begins at once.
        chain: bool,
    },
    /// It rolls back.
    Rollback {
        /// Whether the next transaction begins at once.
        chain: bool,
    },
    /// It leaves the transaction to a later `COMMIT PREPARED`.
    Prepare,
    /// It ends a transaction that was prepared, maybe by another session.
    EndPrepared,
    /// It marks a place.
    Savepoint(String),
    /// It forgets a marked place.
    Release(String),
    /// It goes back to a marked place.
    RollbackTo(String),
    /// It chooses a level.
    Level(Scope, String),
    /// The level that was chosen for all that follow does not count any more.
    Forget,
    /// From now on statements are transactions of their own, or are not.
    Autocommit(bool),
    /// It commits what was open, without being asked to.
    Implicit,
    /// Nothing.
    #[default]
    Nothing,
}

/// For which transactions a level is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The one that is open.
    This,
    /// The one that comes next.
    Next,
    /// All later transactions of the session.
    Session,
}

/// The level behind `ISOLATION LEVEL`.
fn level_among(mut words: Words<'_, '_>) -> Option<String> {
    while !words.is_empty() {
        if words.eat("isolation level") {
            let first = words.name()?;
            let two = matches!(first.as_str(), "read" | "repeatable");
            let second = if two { words.name() } else { None };
            return Some(
                second.map_or_else(|| first.clone(), |second| format!("{first}-{second}")),
            );
        }
        words.next();
    }
    None
}

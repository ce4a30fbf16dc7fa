//! A statement that reads in a state of its own.
//!
//! PostgreSQL takes a snapshot for the statement. A statement that changes rows waits for the transactions that
//! have changed them, and then looks again at the rows it found, as they are now: a row that does not fit any
//! more is left alone, and a row that only fits now is not found. When the statement is over the rows are
//! locked, so *now* may as well be the moment of the commit. `row_by_row.rs` tells what MariaDB and MySQL do.

use std::collections::BTreeSet;

use super::attempt::Attempt;
use crate::level::Kind;
use crate::statement::{Path, Statement};
use crate::world::{At, Key, Position};

impl Attempt<'_, '_> {
    /// The states of the time of a statement, the newest and the oldest.
    pub(super) fn statement_window(&self, step: usize) -> (Position, Position) {
        let drift = self.context.options.drift;
        let (begin, end) = (self.task.begin_of(step), self.task.end_of(step));
        let top = self.last_before(end.saturating_add(drift)).min(self.moment.unwrap_or(self.now));
        let low = self.context.store.first_after(self.world, begin.saturating_sub(drift));
        (top, low.min(top))
    }

    /// What a statement that changes rows sees if it finds them in this state.
    pub(super) fn looked_at_again(&self, state: Position) -> At {
        At::looked_at_again(state, self.moment.unwrap_or(self.now))
    }

    /// The rows that were looked at and written between two states.
    pub(super) fn written_between(&self, low: Position, top: Position) -> BTreeSet<Key> {
        let commits = (low..top).filter_map(|at| self.context.store.commit_of(self.world, at));
        let writes = commits.flat_map(|commit| &commit.writes);
        let seen = writes.filter(|write| self.footprint.is_touched(std::slice::from_ref(write)));
        seen.map(|write| write.key).collect()
    }

    /// Whether an INSERT may have found the keys of its rows taken at different moments. What it leaves out is not
    /// locked, so neither the keys of one moment nor those at the end of its transaction need explain it.
    pub(super) fn may_find_keys_at_several_moments(&self, statement: &Statement) -> bool {
        let first = self.context.store.first_after(self.world, self.task.begin);
        !self.context.options.level.is_serial()
            && statement.plan.prepared.may_skip_some()
            && self.next_lower(self.now, first, &self.footprint).is_some()
    }

    /// Whether MariaDB or MySQL may show something else than is known, because the transaction may have had several
    /// snapshots, or has changed rows in a way that leaves open what these hide.
    pub(super) fn is_shown_in_another_way(&self, statement: &Statement, path: &Path) -> bool {
        let level = self.context.options.level;
        let certain = self.context.sql.shown(&path.own, statement, level).certain;
        (!certain || self.task.unsettled && statement.kind() == Kind::Read)
            && self.next_lower(self.now, self.snapshot, &self.footprint).is_some()
    }
}

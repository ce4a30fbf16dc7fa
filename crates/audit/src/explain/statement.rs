//! A statement that reads in a state of its own.
//!
//! A database takes a snapshot for the statement. A statement that changes rows waits for those who
//! have changed them, and then looks again at the rows it found, as they are now: a row that does
//! not fit any more is left alone, and a row that only fits now is not found. When the statement is
//! over the rows are locked, so *now* may as well be the moment of the commit.

use std::collections::BTreeSet;

use super::attempt::Attempt;
use super::untried::Untried;
use crate::level::{AuditLevel, Kind};
use crate::statement::{Path, Script, Statement, Step, UnsupportedError};
use crate::store::View;
use crate::world::{At, Footprint, Key, Position};

impl Attempt<'_, '_> {
    /// The states of the time of a statement, the newest and the oldest.
    pub(super) fn statement_window(&self, step: usize) -> (Position, Position) {
        let drift = self.context.options.drift;
        let (begin, end) = (self.task.begin_of(step), self.task.end_of(step));
        let top = self.last_before(end.saturating_add(drift)).min(self.moment.unwrap_or(self.now));
        let low = self.context.store.first_after(self.world, begin.saturating_sub(drift));
        (top, low.min(top))
    }

    /// What a statement that changes rows sees if it reads in this state.
    pub(super) fn looked_at_again(
        &mut self,
        statement: &Statement,
        path: &Path,
        state: Position,
    ) -> Result<At, UnsupportedError> {
        let plain = At::State(state);
        let newest = self.moment.unwrap_or(self.now);
        if state >= newest {
            return Ok(plain);
        }
        let mut footprint = Footprint::default();
        std::mem::swap(&mut footprint, &mut self.footprint);
        let ran = self.run(statement, path, &plain, &mut Script::default())?;
        self.footprint.merge(footprint);
        let changed: BTreeSet<Key> = ran
            .changes
            .iter()
            .filter(|change| change.old.is_some() && path.own.get(change.key).is_none())
            .map(|change| change.key)
            .collect();
        let moved = changed.iter().any(|key| self.is_written_between(*key, state, newest));
        let Some(&(table, _)) = changed.first().filter(|_| moved) else { return Ok(plain) };
        if statement.reach.entangled {
            // What else it sees now, besides the row that it waited for, is the server's own affair.
            self.leave(Untried::BesidesLocked);
        }
        let rows = changed.iter().filter(|key| key.0 == table).map(|key| key.1).collect();
        Ok(At::Recheck { state, newest, table, rows })
    }

    /// The rows that were looked at and written between two states.
    pub(super) fn written_between(&self, low: Position, top: Position) -> BTreeSet<Key> {
        let commits = (low..top).filter_map(|at| self.context.store.commit_of(self.world, at));
        let writes = commits.flat_map(|commit| &commit.writes);
        let seen = writes.filter(|write| self.footprint.is_touched(std::slice::from_ref(write)));
        seen.map(|write| write.key).collect()
    }

    /// Whether a query finds a row in a state, if it depends on that row alone.
    pub(super) fn finds(
        &mut self,
        statement: &Statement,
        path: &Path,
        key: Key,
        state: Position,
    ) -> Result<bool, UnsupportedError> {
        let at = At::Recheck { state, newest: state, table: key.0, rows: BTreeSet::from([key.1]) };
        let mut footprint = Footprint::default();
        let newest = self.newest();
        let mut view = View {
            store: self.context.store,
            world: self.world,
            at: &at,
            own: &path.own,
            footprint: &mut footprint,
            wanted: None,
            newest,
        };
        let outcome = self.context.sql.answer(statement, &mut view, path)?;
        let rows = outcome.answer.ok().and_then(|answer| answer.rows);
        Ok(rows.is_some_and(|table| !table.rows.is_empty()))
    }

    /// Whether an INSERT may have found the keys of its rows taken at different moments. What it leaves out is not
    /// locked, so neither the keys of one moment nor those at the end of its transaction need explain it.
    pub(super) fn may_find_keys_at_several_moments(&self, statement: &Statement) -> bool {
        let first = self.context.store.first_after(self.world, self.task.begin);
        !self.context.options.level.is_serial()
            && statement.plan.prepared.may_skip_some()
            && self.next_lower(self.now, first, &self.footprint).is_some()
    }

    /// Whether MariaDB or MySQL may show something else than the snapshot and what the transaction wrote: a row that
    /// it inserted hides the one of the snapshot with the same key, an update that changes nothing leaves the
    /// row of the snapshot in sight, and after `ROLLBACK TO` there may be a new snapshot.
    pub(super) fn is_shown_in_another_way(
        &self,
        step: usize,
        statement: &Statement,
        path: &Path,
    ) -> bool {
        let level = self.context.options.level;
        let vendor =
            level == AuditLevel::MariaDbRepeatableRead && self.context.sql.locks_row_by_row();
        if !vendor || statement.kind() != Kind::Read {
            return false;
        }
        let undid = |earlier: &Step| matches!(earlier, Step::RollbackTo(_));
        (!path.own.is_empty() || self.task.steps[..step].iter().any(undid))
            && self.next_lower(self.now, self.snapshot, &self.footprint).is_some()
    }

    fn is_written_between(&self, key: Key, low: Position, top: Position) -> bool {
        (low..top).any(|state| {
            let commit = self.context.store.commit_of(self.world, state);
            commit.is_some_and(|commit| commit.writes.iter().any(|write| write.key == key))
        })
    }
}

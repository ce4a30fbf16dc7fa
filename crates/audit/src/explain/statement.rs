//! A statement that reads in a state of its own.
//!
//! A database takes a snapshot for the statement. A statement that changes rows waits for those who
//! have changed them, and then looks again at the rows it found, as they are now: a row that does
//! not fit any more is left alone, and a row that only fits now is not found. When the statement is
//! over the rows are locked, so *now* may as well be the moment of the commit.
//!
//! First the states of the time of the statement are tried, then older ones, then each row as of a
//! state of its own.

use std::collections::BTreeSet;

use super::{Attempt, Path};
use crate::level::Kind;
use crate::machine::{Script, Unsupported};
use crate::store::{At, Footprint, Key, Position};

impl Attempt<'_, '_> {
    /// Tries a statement wherever it can have read.
    pub(super) fn statement(
        &mut self,
        step: usize,
        path: &mut Path,
        kind: Kind,
    ) -> Result<(), Unsupported> {
        let (top, low) = self.statement_window(step);
        self.before.push(std::mem::take(&mut self.footprint));
        let mut matched = self.states(step, path, kind, top, low)?;
        let mut oldest = low;
        let weak = self.context.options.level.reads_old_states();
        if weak && (!matched || self.context.effort.full && kind == Kind::Write) {
            oldest = self.oldest().min(low);
            if oldest < low {
                let next = self.next_lower(low, oldest, &self.footprint);
                if let Some(next) = next {
                    matched |= self.states(step, path, kind, next, oldest)?;
                }
            }
        }
        let apart = kind != Kind::Read && self.context.machine.locks_row_by_row();
        if apart && self.next_lower(top, low, &self.footprint).is_some() {
            // Rows may be of different moments; that is not tried.
            self.context.notes.cut.set(true);
        }
        if weak && !matched && kind != Kind::Write {
            self.rows_apart(step, path, top, oldest)?;
        }
        if let Some(before) = self.before.pop() {
            self.footprint.merge(before);
        }
        Ok(())
    }

    /// Tries states from one down to another.
    fn states(
        &mut self,
        step: usize,
        path: &mut Path,
        kind: Kind,
        top: Position,
        low: Position,
    ) -> Result<bool, Unsupported> {
        let mut state = top;
        let mut matched = false;
        loop {
            let at = match kind {
                Kind::Write => self.looked_at_again(step, path, state)?,
                _ => At::State(state),
            };
            matched |= self.try_at(step, path, &at, kind)?;
            if matched && (kind != Kind::Write || self.is_done()) {
                return Ok(true);
            }
            match self.next_lower(state, low, &self.footprint) {
                Some(next) => state = next,
                None => return Ok(matched),
            }
        }
    }

    /// The states of the time of a statement, the newest and the oldest.
    fn statement_window(&self, step: usize) -> (Position, Position) {
        let drift = self.context.options.drift;
        let (begin, end) = (self.task.begin_of(step), self.task.end_of(step));
        let top = self.last_before(end.saturating_add(drift));
        let low = self.context.store.first_after(self.world, begin.saturating_sub(drift));
        (top, low.min(top))
    }

    /// What a statement that changes rows sees if it reads in this state.
    fn looked_at_again(
        &mut self,
        step: usize,
        path: &mut Path,
        state: Position,
    ) -> Result<At, Unsupported> {
        let plain = At::State(state);
        if state == self.now {
            return Ok(plain);
        }
        let mut footprint = Footprint::default();
        std::mem::swap(&mut footprint, &mut self.footprint);
        let (ran, _) = self.run(step, path, &plain, &mut Script::default())?;
        self.footprint.merge(footprint);
        let changed: BTreeSet<Key> = ran
            .changes
            .iter()
            .filter(|change| change.old.is_some() && path.own.get(change.key).is_none())
            .map(|change| change.key)
            .collect();
        let moved = changed.iter().any(|key| self.is_written_since(*key, state));
        let Some(&(table, _)) = changed.first().filter(|_| moved) else { return Ok(plain) };
        if self.task.looks_twice(step) {
            // What else it sees of this table now is the server's own affair.
            self.context.notes.cut.set(true);
        }
        let rows = changed.iter().filter(|key| key.0 == table).map(|key| key.1).collect();
        Ok(At::Recheck { state, newest: self.now, table, rows })
    }

    fn is_written_since(&self, key: Key, state: Position) -> bool {
        (state..self.now).any(|state| {
            let commit = self.context.store.commit_of(self.world, state);
            commit.is_some_and(|commit| commit.writes.iter().any(|write| write.key == key))
        })
    }
}

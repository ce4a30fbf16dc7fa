//! Through the statements of a transaction, one after the other, in all ways that explain them.
//!
//! A statement that reads in a state of its own is tried in the states of its time first, then in older
//! ones where the level allows them, then with each row as of a state of its own.

use super::attempt::Attempt;
use super::beside;
use super::untried::Untried;
use crate::level::{AuditLevel, Frame, Kind};
use crate::statement::{Path, Ran, Script, Statement, Step, UnsupportedError};
use crate::world::{At, Position, TableId};

impl Attempt<'_, '_> {
    /// Goes on with a step.
    pub(super) fn go(&mut self, step: usize, path: &mut Path) -> Result<(), UnsupportedError> {
        let statement = match self.task.steps.get(step) {
            None => {
                self.finish(path);
                return Ok(());
            }
            Some(Step::Savepoint(name)) => {
                let mut path = path.clone();
                path.save(name);
                return self.go(step + 1, &mut path);
            }
            Some(Step::RollbackTo(name)) => {
                let mut path = path.clone();
                path.roll_back(name);
                return self.go(step + 1, &mut path);
            }
            Some(Step::Run(statement)) => statement,
        };
        let before = self.moment.take();
        let serial = self.context.options.level.is_serial();
        let alone = !serial && self.task.is_of_its_moment(step);
        let done = match alone || self.shows_what_it_locks(statement) {
            true => self.at_some_moment(step, statement, path),
            false => self.try_step(step, statement, path).and_then(|matched| {
                let other = self.may_end_anywhere(statement) && !self.is_done();
                match other && (!matched || statement.kind() == Kind::Write) {
                    true => self.at_some_moment(step, statement, path),
                    false => Ok(()),
                }
            }),
        };
        self.moment = before;
        done
    }

    /// Whether a statement is a query whose rows are locked as they are at some moment of its time. Nothing else
    /// depends on that moment.
    fn shows_what_it_locks(&self, statement: &Statement) -> bool {
        let frame = self.context.options.level.frame(statement.kind());
        let row_by_row = self.context.sql.locks_row_by_row() && !statement.reach.entangled;
        statement.kind() == Kind::LockingRead
            && frame == Frame::Statement
            && (statement.looks_again() || row_by_row)
            && !self.keeps_its_locks(statement)
    }

    /// Whether everything that a statement looks at stays locked until its transaction ends, gaps between rows
    /// included, so that it sees the state in which the transaction takes effect: REPEATABLE READ of MariaDB and
    /// MySQL.
    fn keeps_its_locks(&self, statement: &Statement) -> bool {
        self.context.options.level == AuditLevel::MariaDbRepeatableRead
            && self.context.sql.locks_row_by_row()
            && statement.locks_what_it_sees()
    }

    /// Whether a locking query may read rows that it does not lock in the snapshot of its transaction.
    fn has_a_snapshot_besides(&self, statement: &Statement) -> bool {
        let level = self.context.options.level;
        statement.kind() == Kind::LockingRead
            && !statement.locks_what_it_sees()
            && level.frame(Kind::Read) == Frame::Snapshot
    }

    /// Whether a statement keeps its locks until its transaction ends, and that may be at any moment: one that changes
    /// nothing has no place in the order.
    fn may_end_anywhere(&self, statement: &Statement) -> bool {
        self.keeps_its_locks(statement) && !self.task.surely_writes
    }

    /// Whether a statement changes rows at a moment that is not the one at which its transaction takes effect, and
    /// does not undo that.
    fn changes_too_early(&self, step: usize, statement: &Statement, ran: &Ran) -> bool {
        self.moment.is_some_and(|moment| moment < self.now)
            && !ran.changes.is_empty()
            && self.may_end_anywhere(statement)
            && !self.task.is_of_its_moment(step)
    }

    /// Tries a statement that holds no locks when its transaction ends, or only shows what it locks, so that nothing
    /// else depends on it. It held them until it was over, so the rows that it locked and the keys that it found
    /// taken are all of one moment, the last one; and what it read is no younger.
    fn at_some_moment(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
    ) -> Result<(), UnsupportedError> {
        let (top, mut low) = self.statement_window(step);
        if self.context.options.level.reads_old_states() {
            low = self.oldest().min(low);
        }
        let mut moment = Some(top);
        while let Some(last) = moment {
            self.moment = Some(last);
            let matched = self.try_step(step, statement, path)?;
            if self.is_done() || matched && statement.kind() != Kind::Write {
                break;
            }
            moment = self.next_lower(last, low, &self.footprint);
        }
        Ok(())
    }

    /// Tries a statement where its level lets it read.
    fn try_step(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
    ) -> Result<bool, UnsupportedError> {
        match self.context.options.level.frame(statement.kind()) {
            Frame::Newest | Frame::Snapshot => {
                self.try_at(step, statement, path, &At::State(self.snapshot))
            }
            Frame::Statement if self.keeps_its_locks(statement) => {
                let newest = self.moment.unwrap_or(self.now);
                self.try_at(step, statement, path, &At::State(newest))
            }
            Frame::Statement => {
                let matched = self.anywhere(step, statement, path)?;
                if !matched && self.has_a_snapshot_besides(statement) {
                    self.leave(Untried::BesidesLocked);
                }
                Ok(matched)
            }
        }
    }

    /// Carries out one step, in all ways that it leaves open, and goes on where it is explained.
    fn try_at(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
        at: &At,
    ) -> Result<bool, UnsupportedError> {
        let mut script = Script::default();
        let mut matched = false;
        for _ in 0..self.context.options.attempts.max(1) {
            let ran = self.run(statement, path, at, &mut script)?;
            let fits = !self.changes_too_early(step, statement, &ran)
                && !self.changes_what_it_is_not(at, &ran, path);
            let pardoned = || self.context.notes.pardons(self.task.serial, step);
            if (ran.explains || pardoned()) && fits {
                matched = true;
                let known = self.task.end_of(step);
                let mark = path.mark();
                path.add(ran, at, &script, known);
                let gone_on = self.go(step + 1, path);
                path.back_to(mark);
                gone_on?;
                if statement.kind() != Kind::Write || self.is_done() {
                    return Ok(true);
                }
            }
            match script.next() {
                Some(next) => script = next,
                None => {
                    if !matched {
                        self.fail(step, path, at);
                        if self.may_find_keys_at_several_moments(statement) {
                            self.leave(Untried::Keys);
                        }
                        if self.is_shown_in_another_way(statement, path) {
                            self.leave(Untried::OwnChanges);
                        }
                    }
                    return Ok(matched);
                }
            }
        }
        self.leave(Untried::Results);
        Ok(matched)
    }

    /// Tries a statement wherever it can have read.
    fn anywhere(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
    ) -> Result<bool, UnsupportedError> {
        let kind = statement.kind();
        let (top, low) = self.statement_window(step);
        self.before.push(std::mem::take(&mut self.footprint));
        let row_by_row = kind != Kind::Read && self.context.sql.locks_row_by_row();
        let beside = statement.changes_beside().filter(|_| row_by_row);
        let mut matched = match beside {
            _ if row_by_row && !statement.reach.entangled => {
                self.row_by_row(step, statement, path, (top, low))?
            }
            Some(Some(table)) => self.beside(step, statement, path, table, (top, low))?,
            Some(None) | None => self.states(step, statement, path, (top, low))?,
        };
        let mut oldest = low;
        let weak = self.context.options.level.reads_old_states();
        if weak && (!matched || self.context.effort.full && kind == Kind::Write) {
            oldest = self.oldest().min(low);
            if oldest < low {
                let next = self.next_lower(low, oldest, &self.footprint);
                if let Some(next) = next {
                    matched |= self.states(step, statement, path, (next, oldest))?;
                }
            }
        }
        let differs = self.next_lower(top, oldest, &self.footprint).is_some();
        // A read has no effect on other transactions, so one explanation is enough.
        let open = kind == Kind::Write || !matched;
        let moved = self.has_moved_keys(statement, (top, oldest));
        let unclear = statement.reach.entangled && beside.is_none() && differs;
        if row_by_row && open && (unclear || moved) {
            self.leave(Untried::RowByRow);
        }
        let vague = kind == Kind::LockingRead && !statement.looks_again();
        let by_row = weak && kind != Kind::Write || vague;
        if vague && !matched && statement.reach.is_one_place() {
            matched = self.locked_rows(step, statement, path, (top, low))?;
        }
        if by_row && !matched {
            matched = self.rows_apart(step, statement, path, (top, oldest))?;
        }
        if differs && !matched && statement.has_moments_of_its_own() {
            self.leave(Untried::BesidesLocked);
        }
        if let Some(before) = self.before.pop() {
            self.footprint.merge(before);
        }
        Ok(matched)
    }

    /// Tries a statement that locks one row after the other. What happens to a row must depend on that row alone.
    fn row_by_row(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
        (top, low): (Position, Position),
    ) -> Result<bool, UnsupportedError> {
        let writes = statement.kind() == Kind::Write;
        let all = if writes { self.looked_at_again(top) } else { At::State(top) };
        let mut matched = self.try_at(step, statement, path, &all)?;
        if matched && !writes || self.is_done() {
            return Ok(matched);
        }
        for at in self.finding_less(statement, path, &all, (top, low))? {
            matched |= self.try_at(step, statement, path, &at)?;
            if matched && !writes || self.is_done() {
                break;
            }
        }
        Ok(matched)
    }

    /// Tries a statement that changes rows of this table and looks at others besides: each row as it is in the end
    /// first, and then as it may have been when it was passed over.
    fn beside(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
        table: TableId,
        (top, low): (Position, Position),
    ) -> Result<bool, UnsupportedError> {
        let mut matched = false;
        for first in [true, false] {
            let mut state = Some(top);
            while let Some(last) = state {
                let all = self.combinations_in(table, last, (top, low));
                let (skipped, most) = if first { (0, 1) } else { (1, beside::MOST) };
                let mut some = all.skip(skipped);
                for at in some.by_ref().take(most) {
                    matched |= self.try_at(step, statement, path, &at)?;
                    if self.is_done() {
                        return Ok(matched);
                    }
                }
                if !first && some.next().is_some() {
                    self.leave(Untried::RowByRow);
                }
                state = self.next_lower(last, low, &self.footprint);
            }
        }
        Ok(matched)
    }

    /// Tries states from one down to another.
    fn states(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
        (top, low): (Position, Position),
    ) -> Result<bool, UnsupportedError> {
        let writes = statement.kind() == Kind::Write;
        let weak = self.context.options.level.reads_old_states();
        let mut state = top;
        let mut matched = false;
        loop {
            let again = writes || statement.looks_again();
            let at = if again { self.looked_at_again(state) } else { At::State(state) };
            // By the letter of the paper's level, a query need not look again.
            if weak && !writes && at != At::State(state) {
                matched |= self.try_at(step, statement, path, &At::State(state))?;
            }
            matched |= self.try_at(step, statement, path, &at)?;
            if matched && (!writes || self.is_done()) {
                return Ok(true);
            }
            match self.next_lower(state, low, &self.footprint) {
                Some(next) => state = next,
                None => return Ok(matched),
            }
        }
    }

    /// Tries what a server does that waits for rows: those that it finds in one state are shown as they are in the
    /// newest one.
    fn locked_rows(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
        (top, low): (Position, Position),
    ) -> Result<bool, UnsupportedError> {
        let mut state = top;
        while let Some(lower) = self.next_lower(state, low, &self.footprint) {
            state = lower;
            let mut rows = Vec::new();
            for key in self.written_between(state, top) {
                if self.finds(statement, path, key, state)? {
                    rows.push((key, top));
                }
            }
            if self.try_at(step, statement, path, &At::Rows { state, rows, newest: None })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries each row as of a state of its own, in all combinations of versions: a row that had to be waited
    /// for is shown as it is then.
    fn rows_apart(
        &mut self,
        step: usize,
        statement: &Statement,
        path: &mut Path,
        (top, oldest): (Position, Position),
    ) -> Result<bool, UnsupportedError> {
        let mut combinations = self.combinations(top, oldest);
        for _ in 0..self.context.options.attempts {
            let Some(at) = combinations.next() else { return Ok(false) };
            if self.try_at(step, statement, path, &at)? {
                return Ok(true);
            }
        }
        if combinations.next().is_some() {
            self.leave(Untried::Versions);
        }
        Ok(false)
    }
}

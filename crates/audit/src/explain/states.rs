//! Which states a transaction can have read.
//!
//! Of states that differ in nothing it looked at only the newest is tried.

use super::attempt::Attempt;
use crate::model::Time;
use crate::world::{Footprint, Position};

impl Attempt<'_, '_> {
    /// The newest and the oldest state that the transaction can have taken as its snapshot.
    pub(super) fn snapshot_window(&self) -> (Position, Position) {
        let (store, level) = (self.context.store, self.context.options.level);
        let strict = store.first_after(self.world, self.task.begin);
        let lowest = if self.context.options.sessions { self.own_last() } else { 0 };
        if !level.snapshot_at_start() {
            return (self.now, strict.max(lowest));
        }
        let (moments, by) = (&self.world.moments, self.task.snapshot_by);
        let top = self.last_before(by).min(moments.upper_bound(by));
        (top, strict.max(lowest).max(moments.lower_bound(self.task.begin)))
    }

    /// Whether older states than those of its time are allowed and not yet tried.
    pub(super) fn looks_further(&self, lowest: Position) -> bool {
        let allowed = self.context.options.level.reads_old_states();
        let wanted = self.found.is_empty() || self.context.effort.full;
        allowed && wanted && lowest > self.oldest()
    }

    /// The oldest state that a weak level looks at.
    pub(super) fn oldest(&self) -> Position {
        let options = self.context.options;
        let horizon = self.context.store.horizon();
        let window = match self.context.effort.full || !options.heuristics.window {
            true => horizon,
            false => self.now.saturating_sub(options.window),
        };
        let own = if options.sessions { self.own_last() } else { 0 };
        window.max(horizon).max(own)
    }

    /// The state after the last commit of the same session.
    fn own_last(&self) -> Position {
        let store = self.context.store;
        let mut state = self.now;
        while state > store.horizon() {
            match store.commit_of(self.world, state - 1) {
                Some(commit) if commit.session != self.task.txn.session => state -= 1,
                _ => break,
            }
        }
        state
    }

    /// The last state that has nothing of which the commit was asked for only after this moment.
    pub(super) fn last_before(&self, moment: Time) -> Position {
        let store = self.context.store;
        let mut last = self.now;
        for state in (store.horizon()..self.now).rev() {
            match store.commit_of(self.world, state) {
                Some(commit) if commit.lo > moment => last = state,
                Some(commit) if commit.hi < self.task.begin => break,
                Some(_) => {}
                None => break,
            }
        }
        last
    }

    /// The next older state that differs in what was looked at.
    pub(super) fn next_lower(
        &self,
        state: Position,
        lowest: Position,
        footprint: &Footprint,
    ) -> Option<Position> {
        let store = self.context.store;
        (lowest..state).rev().find(|&lower| {
            let commit = store.commit_of(self.world, lower);
            commit.is_some_and(|commit| footprint.is_touched(&commit.writes))
        })
    }

    /// Whether it reads one state of its time, whatever it does.
    pub(super) fn one_state(&self) -> bool {
        let level = self.context.options.level;
        level.is_serial() || level.snapshot_at_start()
    }

    /// The oldest state in which everything looks as in this one.
    pub(super) fn looks_same_from(&self) -> Position {
        let lower = |footprint| self.next_lower(self.snapshot, self.lowest, footprint);
        let last = self.before.iter().chain([&self.footprint]).filter_map(lower).max();
        last.map_or(self.lowest, |lower| lower + 1).min(self.snapshot)
    }
}

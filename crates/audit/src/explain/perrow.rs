//! A statement that reads each row in a state of its own, as read committed allows at worst.
//!
//! Only rows that were written in between can differ, and only versions that look different count.

use std::collections::BTreeSet;

use super::attempt::Attempt;
use crate::world::{At, Key, Position, Row, TableId};

/// A row, and states that have different versions of it.
type Versions = (Key, Vec<Position>);

/// All combinations of versions, one after the other.
pub(super) struct Combinations {
    /// The state of all other rows.
    state: Position,
    /// Rows that are of one state in all of them.
    fixed: Vec<(Key, Position)>,
    versions: Vec<Versions>,
    /// Which version of each row comes next; `None` after the last combination.
    picks: Option<Vec<usize>>,
}

impl Attempt<'_, '_> {
    /// All combinations of the versions of two or more rows. With fewer, they are those of single states,
    /// and there is nothing to combine.
    pub(super) fn combinations(&self, top: Position, oldest: Position) -> Combinations {
        let versions = self.versions(top, oldest);
        let picks = (versions.len() >= 2).then(|| vec![0; versions.len()]);
        Combinations { state: top, fixed: Vec::new(), versions, picks }
    }

    /// All combinations of the versions of the rows of one table, with everything else in one state. The first one has the
    /// newest version of each.
    pub(super) fn combinations_in(
        &self,
        table: TableId,
        state: Position,
        (top, oldest): (Position, Position),
    ) -> Combinations {
        let mut versions = self.versions(top, oldest);
        versions.retain(|(key, _)| key.0 == table);
        let commits = (state..top).filter_map(|at| self.context.store.commit_of(self.world, at));
        let written = commits.flat_map(|commit| &commit.writes).map(|write| write.key);
        let is_open = |key: &Key| versions.iter().any(|(other, _)| other == key);
        let fixed: BTreeSet<Key> = written.filter(|key| key.0 == table && !is_open(key)).collect();
        let fixed = fixed.into_iter().map(|key| (key, top)).collect();
        let picks = Some(vec![0; versions.len()]);
        Combinations { state, fixed, versions, picks }
    }

    /// Rows that were looked at and differ between states, each with one state per version.
    fn versions(&self, top: Position, oldest: Position) -> Vec<Versions> {
        let store = self.context.store;
        let mut versions: Vec<Versions> = Vec::new();
        for state in (oldest..top).rev() {
            let Some(commit) = store.commit_of(self.world, state) else { break };
            for write in &commit.writes {
                if !self.footprint.is_touched(std::slice::from_ref(write)) {
                    continue;
                }
                match versions.iter_mut().find(|(key, _)| *key == write.key) {
                    Some((_, states)) => states.push(state),
                    None => versions.push((write.key, vec![top, state])),
                }
            }
        }
        for (key, states) in &mut versions {
            let mut seen: Vec<Option<&Row>> = Vec::new();
            states.retain(|&state| {
                let row = store.row_of(self.world, *key, state);
                let new = !seen.contains(&row);
                seen.push(row);
                new
            });
        }
        versions.retain(|(_, states)| states.len() > 1);
        versions
    }
}

impl Iterator for Combinations {
    type Item = At;

    fn next(&mut self) -> Option<At> {
        let mut picks = self.picks.take()?;
        let picked =
            self.versions.iter().zip(&picks).map(|((key, states), &pick)| (*key, states[pick]));
        let rows = picked.chain(self.fixed.iter().copied()).collect();
        let at = At::Rows { state: self.state, rows, newest: None };
        if advance(&mut picks, &self.versions) {
            self.picks = Some(picks);
        }
        Some(at)
    }
}

/// Goes to the next combination. Returns whether there is one.
fn advance(picks: &mut [usize], versions: &[Versions]) -> bool {
    for (pick, (_, states)) in picks.iter_mut().zip(versions) {
        *pick += 1;
        if *pick < states.len() {
            return true;
        }
        *pick = 0;
    }
    false
}

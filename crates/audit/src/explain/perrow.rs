//! A statement that reads each row in a state of its own, as read committed allows at worst.
//!
//! Only rows that were written in between can differ, and only versions that look different count.

use super::{Attempt, Path};
use crate::level::Kind;
use crate::machine::{Row, Unsupported};
use crate::store::{At, Key, Position};

/// A row, and states that have different versions of it.
type Versions = (Key, Vec<Position>);

impl Attempt<'_, '_> {
    /// Tries all combinations of versions.
    pub(super) fn rows_apart(
        &mut self,
        step: usize,
        path: &mut Path,
        top: Position,
        oldest: Position,
    ) -> Result<(), Unsupported> {
        let versions = self.versions(top, oldest);
        if versions.len() < 2 {
            return Ok(());
        }
        let mut picks = vec![0; versions.len()];
        for _ in 0..self.context.options.attempts {
            let rows =
                versions.iter().zip(&picks).map(|((key, states), &pick)| (*key, states[pick]));
            let at = At::Rows { state: top, rows: rows.collect() };
            if self.try_at(step, path, &at, Kind::Read)? {
                return Ok(());
            }
            if !advance(&mut picks, &versions) {
                return Ok(());
            }
        }
        self.context.notes.cut.set(true);
        Ok(())
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
                let row = self.world.row(store, *key, state);
                let new = !seen.contains(&row);
                seen.push(row);
                new
            });
        }
        versions.retain(|(_, states)| states.len() > 1);
        versions
    }
}

/// The next combination; says whether there is one.
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

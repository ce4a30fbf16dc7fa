//! Replay: run the transactions one after the other on a store, each when it would read what it read.
//!
//! Of the transactions that wait for no other, those can come next that would read what they read;
//! with a session for each of a few clients there are never many. If none can, the last step is taken
//! back and another one tried.
//!
//! ```text
//!   ready: waits for no other, reads what is there, replaces nothing that others have yet to read
//!     │
//!     ├─► run the one that brings the others closest to running ──► all have run: an execution
//!     └─► none: back, and states that were found to be dead ends are not visited again
//! ```

use rustc_hash::FxHashSet;

use super::super::context::Context;
use super::store::Store;
use super::visible::Visible;
use crate::budget::{Budget, Stop};
use crate::ir::Unit;

/// How many steps are taken per unit, at most.
const STEPS_EACH: usize = 24;

/// How many more steps are taken where there are not just a few units.
const STEPS: usize = 20_000;

/// How many units are compared at each step.
const COMPARED: usize = 48;

/// If more reads than this are looked at from the start, there are too many ways to begin.
const WATCHED: usize = 10_000;

/// How many units are tried at each step.
const TRIED: usize = 6;

/// The units in the order of an execution, if steps lead to one.
///
/// # Errors
/// If the budget is used up.
pub(super) fn order_of(
    context: &Context<'_>,
    visible: &Visible<'_>,
    budget: &Budget,
) -> Result<Option<Vec<Unit>>, Stop> {
    let store = Store::new(context, visible);
    if store.watched() > WATCHED {
        return Ok(None);
    }
    let mut search = Search::new(store);
    Ok(search.succeeds(budget)?.then(|| search.store.run().to_vec()))
}

/// A search for an execution.
struct Search<'a> {
    store: Store<'a>,
    /// What could run next, the best last.
    next: Vec<Unit>,
    /// Per unit that has run, what else could have run in its place.
    others: Vec<Vec<Unit>>,
    /// Stores that lead nowhere.
    dead: FxHashSet<u64>,
}

impl<'a> Search<'a> {
    fn new(store: Store<'a>) -> Self {
        let next = choices(&store);
        Self { store, next, others: Vec::new(), dead: FxHashSet::default() }
    }

    /// Whether all units have run in the end.
    fn succeeds(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let units = self.store.units();
        let mut ticker = budget.ticker();
        for step in 0..STEPS.min(units * units) + STEPS_EACH * units {
            ticker.tick()?;
            if self.store.run().len() == units {
                tracing::debug!(step, "a serial execution was found");
                return Ok(true);
            }
            if !self.step() {
                break;
            }
        }
        tracing::debug!(dead = self.dead.len(), "no serial execution was found");
        Ok(false)
    }

    /// Runs another unit, or undoes the last one. Returns false if there is none left.
    fn step(&mut self) -> bool {
        if let Some(unit) = self.next.pop() {
            self.store.take(unit);
            let next = match self.dead.contains(&self.store.hash()) {
                true => Vec::new(),
                false => choices(&self.store),
            };
            self.others.push(std::mem::replace(&mut self.next, next));
            return true;
        }
        self.dead.insert(self.store.hash());
        self.next = self.others.pop().unwrap_or_default();
        self.store.undo()
    }
}

/// What could run next, the best last.
fn choices(store: &Store<'_>) -> Vec<Unit> {
    let ready = store.ready().take(COMPARED);
    let mut ready: Vec<(f64, Unit)> = ready.map(|unit| (store.help(unit), unit)).collect();
    ready.sort_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
    let least = ready.len().saturating_sub(TRIED);
    ready.drain(least..).map(|(_, unit)| unit).collect()
}

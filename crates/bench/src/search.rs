//! A search for cliffs: histories with random parameters, and how much more they cost to decide than usual ones.
//!
//! A suite contains only the histories that its authors thought of. Here, workload, keys, values, sessions and
//! level are drawn at random. The cost of a history is divided by that of [`USUAL`] with as many transactions at
//! the same level, measured in the same run, so that ratios from different machines can be compared. The store
//! that generates the histories provides the level that is checked, so a reject is a wrong verdict.

use std::collections::BTreeMap;

use tristan_generate::Rng;

use crate::{BenchError, Case, Row, Runner, Store};

/// The workload that others are compared with.
const USUAL: &str = "blindw-rw";

/// Workloads whose shapes are drawn.
const WORKLOADS: [&str; 7] =
    ["blindw-rw", "blindw-wh", "duplicates", "deletes", "rmw", "random-range", "list-append"];

/// Levels that hold on a serializable store.
const LEVELS: [&str; 9] = [
    "serializable",
    "strong-session-serializable",
    "snapshot-isolation",
    "parallel-si",
    "consistent-view",
    "causal",
    "read-atomic",
    "read-committed",
    "strict-serializable",
];

/// The levels among these that a store with snapshot isolation provides as well.
const OF_SNAPSHOTS: std::ops::Range<usize> = 2..8;

/// CPU time is measured in hundredths of a second; anything less counts as one hundredth.
const LEAST_SECONDS: f64 = 0.01;

/// A case, and how much more it costs than the usual one.
#[derive(Clone, Debug)]
pub struct Cliff {
    /// What was measured.
    pub row: Row,
    /// Processor time per operation, divided by that of the usual workload at the same level.
    pub ratio: f64,
    /// Whether it was decided in time.
    pub is_decided: bool,
    /// Whether it was rejected, which is wrong.
    pub is_wrong: bool,
}

/// Draws and measures cases.
#[derive(Debug)]
pub struct Search {
    rng: Rng,
    /// What all cases have in common: size and limits.
    base: Case,
    /// Per level, processor time per operation of the usual workload.
    usual: BTreeMap<String, f64>,
}

impl Search {
    /// A search among cases with the size, the time limit, the threads and the seed of this one.
    pub fn new(base: Case) -> Self {
        Self { rng: Rng::new(base.seed), base, usual: BTreeMap::new() }
    }

    /// Draws the next case and measures it.
    ///
    /// # Errors
    /// If no process can be started.
    pub fn measure_next(&mut self, runner: &Runner) -> Result<Cliff, BenchError> {
        let case = self.draw()?;
        let usual = self.usual(&case.level, runner)?;
        let row = runner.run(&case)?;
        let run = row.median();
        let answer = run.map_or("died", |run| run.answer.as_str());
        let (is_decided, is_wrong) = (answer == "accept", answer == "reject");
        let ratio = run.map_or(f64::INFINITY, |run| per_operation(run.cpu, run.operations) / usual);
        Ok(Cliff { row, ratio, is_decided, is_wrong })
    }

    fn draw(&mut self) -> Result<Case, BenchError> {
        let txns = self.base.txns as u64;
        let rng = &mut self.rng;
        let store = if rng.percent(25) { Store::Si } else { Store::Ser };
        let level = match store {
            Store::Si => LEVELS[OF_SNAPSHOTS][rng.below(OF_SNAPSHOTS.len() as u64) as usize],
            Store::Ser => LEVELS[rng.below(LEVELS.len() as u64) as usize],
        };
        let workload = WORKLOADS[rng.below(WORKLOADS.len() as u64) as usize];
        let usual = Case::new(workload, level)?;
        let writes_any_value = ["duplicates", "deletes"].contains(&workload);
        let hot = ["uniform", "zipf:0.5", "zipf:0.9", "zipf:1.2", "90%:10"];
        let sessions = magnitude(rng, 2, txns) as usize;
        Ok(Case {
            name: "search".to_owned(),
            keys: magnitude(rng, 10, 4 * txns),
            ops: 1 + rng.below(16) as usize,
            values: (writes_any_value && rng.percent(70)).then(|| magnitude(rng, 2, 1000)),
            hot: hot[rng.below(hot.len() as u64) as usize].to_owned(),
            sessions,
            open: rng.percent(50),
            lost: if rng.percent(25) { 1 + rng.below(20) } else { 0 },
            store,
            times: usual.times || level.starts_with("strict") || rng.percent(20),
            seed: rng.below(1_000_000),
            txns: self.base.txns,
            time: self.base.time,
            threads: self.base.threads,
            ..usual
        })
    }

    fn usual(&mut self, level: &str, runner: &Runner) -> Result<f64, BenchError> {
        if let Some(&usual) = self.usual.get(level) {
            return Ok(usual);
        }
        let Case { txns, time, threads, .. } = self.base;
        let times = level.starts_with("strict");
        let case = Case { txns, time, threads, times, ..Case::new(USUAL, level)? };
        let row = runner.run(&case)?;
        let least = per_operation(LEAST_SECONDS, case.txns * case.ops);
        let cost = row.median().map_or(least, |run| per_operation(run.cpu, run.operations));
        let usual = cost.max(least);
        self.usual.insert(level.to_owned(), usual);
        Ok(usual)
    }
}

fn per_operation(seconds: f64, operations: usize) -> f64 {
    seconds / operations.max(1) as f64
}

/// A random number from `least` to `most` whose logarithm is uniform: small numbers are as likely as large.
fn magnitude(rng: &mut Rng, least: u64, most: u64) -> u64 {
    let (low, high) = ((least as f64).ln(), (most.max(least) as f64).ln());
    let at = low + (high - low) * rng.below(1_000) as f64 / 999.0;
    (at.exp().round() as u64).clamp(least, most.max(least))
}

/// Sorts cliffs, the worst first: wrong answers, then undecided ones, then by ratio.
pub fn worst(cliffs: &mut [Cliff]) {
    let rank = |cliff: &Cliff| (!cliff.is_wrong, cliff.is_decided);
    cliffs.sort_by(|a, b| rank(a).cmp(&rank(b)).then(b.ratio.total_cmp(&a.ratio)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_drawn_makes_sense() {
        let base = Case { txns: 50, ..Case::new(USUAL, "serializable").expect("a workload") };
        let mut search = Search::new(base);
        for _ in 0..300 {
            let case = search.draw().expect("a case");
            case.validate().expect("a case that makes sense");
            assert!(case.history().expect("a history").ops.len() <= 50 * 64, "{case:?}");
        }
    }

    #[test]
    fn magnitudes_reach_both_ends() {
        let mut rng = Rng::new(1);
        let drawn: Vec<u64> = (0..20_000).map(|_| magnitude(&mut rng, 2, 1000)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&2), Some(&1000)));
        let small = drawn.iter().filter(|&&number| number < 45).count();
        assert!((8_000..12_000).contains(&small), "{small}");
    }
}

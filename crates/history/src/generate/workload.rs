//! What clients do: the random workloads of the Boomslang paper (appendix A.5).
//!
//! ```text
//!                    read  write  delete  scan  iterate  read, then write
//!   RandomBench       25     25      5     10      10          25          values repeat
//!   RandomRange       25     25      5     20       0          25          values repeat
//!   RandomRMWRange     0      0      0     10       0          90          values are unique
//! ```
//!
//! In the last one a scan of everything comes before every other scan.

use super::{Rng, StoreLevel};
use crate::History;

/// A workload and how it is run.
///
/// ```
/// use tristan_history::generate::Workload;
/// let history = Workload { txns: 100, keys: 50, ..Workload::random_bench() }.run();
/// assert_eq!(history.txns.len(), 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// The shares of the operations.
    pub mix: Mix,
    /// Number of transactions that commit.
    pub txns: usize,
    /// Number of clients, each with one session.
    pub sessions: usize,
    /// Operations per transaction; a read and the write that follows it count as one.
    pub ops: usize,
    /// Keys are chosen from 1 up to this.
    pub keys: u64,
    /// What is written.
    pub values: Values,
    /// What the store promises.
    pub level: StoreLevel,
    /// What becomes of transactions that the store refuses to commit. All of them are tried again.
    pub aborted: Aborted,
    /// Whether begins and ends have times.
    pub times: bool,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// The shares of the operations, in percent; together 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mix {
    /// Point reads.
    pub read: u64,
    /// Writes.
    pub write: u64,
    /// Deletes.
    pub delete: u64,
    /// Reads of a whole range.
    pub scan: u64,
    /// Reads of the first few items of a range.
    pub iterate: u64,
    /// A read of a key and then a write of the same key.
    pub read_then_write: u64,
    /// Whether a scan of everything comes before every scan.
    pub everything_first: bool,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// No value twice.
    Unique,
    /// Numbers below this one, at random.
    Below(u64),
}

/// What becomes of transactions that the store refused to commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aborted {
    /// They are part of the history, as aborted ones.
    Recorded,
    /// They leave no trace.
    Forgotten,
}

impl Workload {
    /// Everything at once, with values that repeat.
    pub fn random_bench() -> Self {
        let mix = Mix {
            read: 25,
            write: 25,
            delete: 5,
            scan: 10,
            iterate: 10,
            read_then_write: 25,
            everything_first: false,
        };
        Self {
            mix,
            txns: 10_000,
            sessions: 24,
            ops: 8,
            keys: 10_000,
            values: Values::Below(50),
            level: StoreLevel::Serializable,
            aborted: Aborted::Forgotten,
            times: false,
            seed: 1,
        }
    }

    /// The same without iterators, with twice as many scans.
    pub fn random_range() -> Self {
        let bench = Self::random_bench();
        Self { mix: Mix { scan: 20, iterate: 0, ..bench.mix }, ..bench }
    }

    /// Reads that are followed by writes, unique values, and scans of everything.
    pub fn random_rmw_range() -> Self {
        let mix = Mix { scan: 10, read_then_write: 90, everything_first: true, ..Mix::default() };
        Self { mix, values: Values::Unique, ..Self::random_bench() }
    }

    /// Runs the clients, interleaved at random.
    ///
    /// Committed transactions are listed in commit order.
    pub fn run(&self) -> History {
        super::run::run(self)
    }
}

/// What a client is going to do next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Read(i64),
    Write(i64),
    Delete(i64),
    ScanEverything,
    Scan(i64, i64),
    Iterate(i64, i64, usize),
}

/// Widest range, in keys.
const WIDEST: u64 = 100;
/// Most items that an iterator takes.
const MOST_ITEMS: u64 = 10;

/// The steps of one transaction.
pub(super) fn plan(workload: &Workload, rng: &mut Rng) -> Vec<Step> {
    let mut steps = Vec::with_capacity(2 * workload.ops);
    for _ in 0..workload.ops {
        choose(workload, rng, &mut steps);
    }
    steps
}

fn choose(workload: &Workload, rng: &mut Rng, steps: &mut Vec<Step>) {
    let mix = &workload.mix;
    let key = 1 + rng.below(workload.keys) as i64;
    let mut dice = rng.below(100);
    let mut falls_on = |share: u64| {
        let hit = dice < share;
        dice = dice.wrapping_sub(share);
        hit
    };
    if falls_on(mix.read) {
        steps.push(Step::Read(key));
    } else if falls_on(mix.write) {
        steps.push(Step::Write(key));
    } else if falls_on(mix.delete) {
        steps.push(Step::Delete(key));
    } else if falls_on(mix.scan) {
        if mix.everything_first {
            steps.push(Step::ScanEverything);
        }
        steps.push(Step::Scan(key, end_of_range(key, rng)));
    } else if falls_on(mix.iterate) {
        let most = 1 + rng.below(MOST_ITEMS) as usize;
        steps.push(Step::Iterate(key, end_of_range(key, rng), most));
    } else {
        steps.extend([Step::Read(key), Step::Write(key)]);
    }
}

fn end_of_range(start: i64, rng: &mut Rng) -> i64 {
    start + 1 + rng.below(WIDEST) as i64
}

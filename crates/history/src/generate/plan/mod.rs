//! What clients are going to do, transaction by transaction.
//!
//! One file per kind of workload. A plan is made before the transaction runs and stays the same
//! if the transaction has to be tried again; only the values it writes are new.

mod blind;
mod lists;
mod mixed;
mod rubis;
mod tpcc;
mod twitter;
mod updates;

use super::skew::Draw;
use super::{Pattern, Rng, Workload};

/// What a client is going to do next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Read(i64),
    Write(i64),
    Delete(i64),
    ScanEverything,
    Scan(i64, i64),
    Iterate(i64, i64, usize),
    Append(i64),
    ReadList(i64),
}

/// Makes plans.
pub(super) trait Planner {
    /// Adds the steps of the next transaction.
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>);
}

/// The planner of a workload.
pub(super) fn planner(workload: &Workload) -> Box<dyn Planner> {
    let ops = workload.ops.max(1);
    let keys = Draw::new(workload.keys, workload.skew);
    match workload.pattern {
        Pattern::Mixed(mix) => Box::new(mixed::Mixed { mix, ops, keys }),
        Pattern::Blind { read_only_percent } => {
            Box::new(blind::Blind { read_only_percent, ops, keys })
        }
        Pattern::Updates => Box::new(updates::Updates { ops, keys }),
        Pattern::Lists { appends_per_key } => {
            Box::new(lists::Lists::new(workload.keys, appends_per_key, ops, keys))
        }
        Pattern::Tpcc => Box::new(tpcc::Tpcc::new(workload)),
        Pattern::Rubis => Box::new(rubis::Rubis::new(workload.keys, keys)),
        Pattern::Twitter => Box::new(twitter::Twitter::new(workload.keys, keys)),
    }
}

/// The key of a row: tables lie far from each other.
fn row(table: i64, id: i64) -> i64 {
    table * 1_000_000_000_000 + id
}

/// A number from `lo` up to and with `hi`.
fn between(rng: &mut Rng, lo: usize, hi: usize) -> usize {
    lo + rng.below((hi - lo + 1) as u64) as usize
}

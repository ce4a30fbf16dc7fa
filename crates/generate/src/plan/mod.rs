//! What clients are going to do, transaction by transaction.
//!
//! One file per kind of workload. A plan is made before the transaction runs and stays the same
//! if the transaction has to be tried again; only the values it writes are new.

mod bank;
mod blind;
mod groups;
mod lists;
mod mixed;
mod rubis;
mod templates;
mod tpcc;
mod twitter;
mod updates;

use super::skew::Draw;
use super::{Pattern, Rng, Workload};

/// What a client is going to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Read a key.
    Read(i64),
    /// Write a key.
    Write(i64),
    /// Read a key and write what it held plus an amount; an absent key holds nothing.
    Add(i64, i64),
    /// Delete a key.
    Delete(i64),
    /// Read all keys.
    ScanEverything,
    /// Read the keys from the first number up to, and without, the second.
    Scan(i64, i64),
    /// Read the first of these keys, at most so many.
    Iterate(i64, i64, usize),
    /// Append to a list.
    Append(i64),
    /// Read the list under a key.
    ReadList(i64),
}

/// Makes plans.
pub trait Planner: Send {
    /// Adds the steps of the next transaction.
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>);
}

impl Workload {
    /// What its transactions are going to do.
    pub fn planner(&self) -> Box<dyn Planner> {
        let ops = self.ops.max(1);
        let keys = Draw::new(self.keys, self.skew);
        match &self.pattern {
            Pattern::Mixed(mix) => Box::new(mixed::Mixed { mix: *mix, ops, keys }),
            Pattern::Blind { read_only_percent } => {
                Box::new(blind::Blind { read_only_percent: *read_only_percent, ops, keys })
            }
            Pattern::Updates => Box::new(updates::Updates { ops, keys }),
            Pattern::Lists { appends_per_key } => {
                Box::new(lists::Lists::new(self.keys, *appends_per_key, ops, keys))
            }
            Pattern::Tpcc => Box::new(tpcc::Tpcc::new(self)),
            Pattern::Rubis => Box::new(rubis::Rubis::new(self.keys, keys)),
            Pattern::Twitter => Box::new(twitter::Twitter::new(self.keys, keys)),
            Pattern::Bank => Box::new(bank::Bank { accounts: self.keys.max(2), keys }),
            Pattern::Pairs => Box::new(groups::Pairs { keys }),
            Pattern::LongFork => Box::new(groups::LongFork { group: self.ops, keys }),
            Pattern::WriteSkew => Box::new(groups::WriteSkew { group: self.ops, keys }),
            Pattern::Templates(templates) => {
                Box::new(templates::Templates { templates: templates.clone(), keys })
            }
        }
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

//! What is tried, one thing after the other: workloads in turn, in sizes that vary.

use std::time::Duration;

use tristan_generate::{Rng, Workload};
use tristan_record::Database;

use crate::args::HuntArgs;
use crate::commands::record::{Plan, fits, named};
use crate::exit::{CommandError, Exit};

/// Most anomalies need clients that get into each other's way: few keys, and many sessions.
const KEYS: [u64; 4] = [4, 10, 30, 100];
const SESSIONS: [usize; 4] = [4, 8, 16, 24];

/// A workload to run.
pub(super) struct Round {
    pub(super) plan: Plan,
}

impl Round {
    /// The workload and its sizes.
    pub(super) fn told(&self) -> String {
        let Plan { name, workload, .. } = &self.plan;
        let Workload { sessions, keys, seed, .. } = workload;
        format!("{name} with {sessions} sessions and {keys} keys, seed {seed}")
    }

    /// The flags that make `tristan record` do the same.
    pub(super) fn flags(&self) -> String {
        let Plan { name, workload, .. } = &self.plan;
        let Workload { sessions, keys, seed, txns, .. } = workload;
        format!("--workload {name} --txns {txns} --sessions {sessions} --keys {keys} --seed {seed}")
    }
}

/// Rounds without end.
pub(super) struct Rounds {
    workloads: Vec<(String, Workload)>,
    txns: usize,
    seed: u64,
    next: usize,
}

impl Rounds {
    /// The workloads that a database can run.
    pub(super) fn new(args: &HuntArgs, database: &dyn Database) -> Result<Self, CommandError> {
        let names: Vec<String> = match &args.workload {
            Some(name) => vec![name.clone()],
            None => ORDER.iter().map(|&name| name.to_owned()).collect(),
        };
        let mut workloads = Vec::new();
        for name in names {
            let workload = named(&name)?;
            if fits(&workload, database.offers()) {
                workloads.push((name, workload));
            }
        }
        if workloads.is_empty() {
            let message = format!("{} supports none of these workloads", database.describe());
            return Err(CommandError::new(Exit::Usage, message));
        }
        Ok(Self { workloads, txns: args.txns as usize, seed: args.seed, next: 0 })
    }
}

/// Those that show most in little time come first.
const ORDER: [&str; 11] = [
    "pairs",
    "write-skew",
    "long-fork",
    "list-append",
    "random-bench",
    "bank",
    "blindw-rw",
    "rmw",
    "random-range",
    "duplicates",
    "twitter",
];

impl Iterator for Rounds {
    type Item = Round;

    fn next(&mut self) -> Option<Round> {
        let (name, usual) = &self.workloads[self.next % self.workloads.len()];
        let seed = self.seed.wrapping_add(self.next as u64);
        self.next += 1;
        let mut rng = Rng::new(seed);
        let mut one_of = |count: usize| rng.below(count as u64) as usize;
        let sessions = SESSIONS[one_of(SESSIONS.len())];
        let workload = Workload {
            keys: KEYS[one_of(KEYS.len())],
            sessions,
            at_once: sessions,
            txns: self.txns,
            seed,
            ..usual.clone()
        };
        let plan = Plan { name: name.clone(), workload, think: Duration::ZERO, duration: None };
        Some(Round { plan })
    }
}

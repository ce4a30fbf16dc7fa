//! The number of threads changes no byte of a verdict.

use tristan_check::{Options, Silent, check_levels};
use tristan_history::History;
use tristan_history::generate::{Rng, StoreLevel, Workload, listed_by_session};
use tristan_oracle::random::{self, RandomShape};
use tristan_spec::{Catalog, Level};

/// The verdicts of all levels as JSON.
fn verdicts(history: &History, levels: &[Level], threads: usize) -> Vec<String> {
    let options = Options { threads, ..Options::default() };
    let reports = check_levels(history, levels, &options, &Silent);
    reports.iter().map(|report| report.verdict.to_json()).collect()
}

fn same_whatever_the_threads(what: &str, history: &History, levels: &[Level]) {
    let alone = verdicts(history, levels, 1);
    for threads in [2, 4] {
        assert!(alone == verdicts(history, levels, threads), "{what}: {threads} threads");
    }
}

fn some_levels() -> Vec<Level> {
    let catalog = Catalog::default();
    let names = ["read-committed", "snapshot-isolation", "serializable", "read-uncommitted"];
    names.iter().map(|name| catalog.find(name).expect("a level")).collect()
}

#[test]
fn random_histories() {
    let levels = Catalog::default().levels();
    for seed in 0..200 {
        let history = random::history(&mut Rng::new(seed), RandomShape::default());
        same_whatever_the_threads(&format!("seed {seed}"), &history, &levels);
    }
}

#[test]
fn workloads_that_are_worth_several_threads() {
    for name in ["blindw-rw", "twitter", "list-append"] {
        let workload = Workload::named(name).expect("a known name");
        for level in [StoreLevel::Serializable, StoreLevel::Snapshot] {
            let workload = Workload { txns: 20_000, sessions: 24, level, ..workload.clone() };
            let history = listed_by_session(&workload.run());
            same_whatever_the_threads(name, &history, &some_levels());
        }
    }
}

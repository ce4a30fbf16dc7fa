//! The number of threads changes no byte of a verdict.

use tristan_check::{Options, Silent, check_levels};
use tristan_generate::{StoreLevel, Workload, listed_by_session};
use tristan_history::History;
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

/// Smaller histories are judged on one thread.
#[test]
fn workloads_whose_levels_are_judged_side_by_side() {
    let levels = Catalog::default().levels();
    for name in ["blindw-rw", "twitter", "list-append"] {
        let workload = Workload::named(name).expect("a known name");
        for seed in 0..10 {
            let level = [StoreLevel::Serializable, StoreLevel::Snapshot][seed as usize % 2];
            let history = Workload { txns: 100, level, seed, ..workload.clone() }.run();
            same_whatever_the_threads(&format!("{name}, seed {seed}"), &history, &levels);
        }
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

//! Generated workloads keep the promise of the store they ran on.

use tristan_check::{Options, Silent, check};
use tristan_generate::{Skew, StoreLevel, Workload, listed_by_session};
use tristan_spec::Catalog;
use tristan_verdict::Answer;

fn accepts(workload: &Workload, level: &str) -> bool {
    let history = listed_by_session(&workload.run());
    let level = Catalog::default().find(level).expect("a level");
    let report = check(&history, &level, &Options::default(), &Silent);
    matches!(report.verdict.answer, Answer::Accept { .. })
}

/// Every workload, small, with everybody on the same keys and with a few favourites. Hundreds of deletes
/// of one key that are all alike are left out: no check decides them in time.
fn small() -> impl Iterator<Item = (&'static str, Workload)> {
    let hot = Skew::Hot { percent: 50, count: 2 };
    Workload::names().flat_map(move |name| {
        let workload = Workload::named(name).expect("a known name");
        let skews = [Skew::Uniform, hot].into_iter().take(if name == "deletes" { 1 } else { 2 });
        skews.map(move |skew| {
            let small = Workload { txns: 200, keys: 40, sessions: 6, skew, ..workload.clone() };
            (name, small)
        })
    })
}

#[test]
fn a_serializable_store_is_serializable() {
    for (name, workload) in small() {
        for seed in 1..3 {
            let workload = Workload { seed, ..workload.clone() };
            assert!(accepts(&workload, "strong-session-serializable"), "{name} {workload:?}");
        }
    }
}

#[test]
fn a_snapshot_store_is_snapshot_isolated() {
    for (name, workload) in small() {
        for seed in 1..3 {
            let workload = Workload { seed, level: StoreLevel::Snapshot, ..workload.clone() };
            assert!(accepts(&workload, "strong-session-snapshot-isolation"), "{name} {workload:?}");
        }
    }
}

#[test]
fn with_times_the_store_is_strict() {
    for (name, workload) in small() {
        let workload = Workload { times: true, ..workload };
        assert!(accepts(&workload, "strict-serializable"), "{name} {workload:?}");
        let workload = Workload { level: StoreLevel::Snapshot, ..workload };
        let level = "strong-generalized-snapshot-isolation";
        assert!(accepts(&workload, level), "{name} {workload:?}");
    }
}

#[test]
fn a_snapshot_store_is_not_serializable() {
    for (name, keys) in
        [("duplicates", 400), ("random-bench", 400), ("tpcc", 400), ("list-append", 40)]
    {
        let workload = Workload::named(name).expect("a known name");
        let level = StoreLevel::Snapshot;
        // On few keys writers would shut each other out, and nothing would be left to go wrong.
        let workload = Workload { txns: 1_000, keys, level, ..workload };
        assert!(!accepts(&workload, "serializable"), "{name} {workload:?}");
    }
}

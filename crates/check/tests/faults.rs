//! One lie in ten thousand transactions is found, with a small core, and told with its key and
//! its range.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Silent, check};
use tristan_generate::faults::{Fault, inject};
use tristan_generate::{StoreLevel, Workload};
use tristan_history::{History, OpKind};
use tristan_spec::Catalog;
use tristan_verdict::Answer;

const SEED: u64 = 7;

fn correct(level: StoreLevel) -> History {
    Workload { keys: 1_000, level, ..Workload::random_bench() }.run()
}

/// Every kind of fault, in a run that is otherwise correct at this level.
fn finds_all(store: StoreLevel, level: &str) {
    println!("seed {SEED}");
    let correct = correct(store);
    let level = Catalog::default().find(level).expect("it is in the library");
    for fault in Fault::ALL {
        let injected = inject(&correct, fault, SEED);
        let verdict = check(&injected.history, &level, &Options::default(), &Silent).verdict;
        let Answer::Reject { anomaly, refutation } = &verdict.answer else {
            panic!("{} is accepted: {}", fault.name(), injected.description)
        };
        println!("{}: {} - {}", fault.name(), injected.description, anomaly.sentence);
        assert!(refutation.core.len() <= 5, "{}: {:?}", fault.name(), refutation.core);
        assert!(refutation.minimal, "{}", fault.name());
        if let OpKind::Scan { range, .. } | OpKind::Iterate { range, .. } =
            &injected.history.op(injected.op).kind
        {
            let bound = range.lo.as_ref().map_or_else(String::new, |lo| format!("[{lo}, "));
            assert!(anomaly.sentence.contains(&bound), "the range is not named: {anomaly:?}");
        }
        let certified = certify(&injected.history, &level, 0, &verdict);
        assert_eq!(certified, Ok(Certified::Reject), "{}", fault.name());
    }
}

#[test]
fn one_lie_of_a_serializable_store_is_found() {
    finds_all(StoreLevel::Serializable, "strong-session-serializable");
}

#[test]
fn one_lie_of_a_snapshot_store_is_found() {
    finds_all(StoreLevel::Snapshot, "strong-session-snapshot-isolation");
}

#[test]
fn without_the_lie_nothing_is_wrong() {
    for (store, level) in [
        (StoreLevel::Serializable, "strong-session-serializable"),
        (StoreLevel::Snapshot, "strong-session-snapshot-isolation"),
    ] {
        let truth = inject(&correct(store), Fault::ALL[0], SEED).truth;
        let level = Catalog::default().find(level).expect("it is in the library");
        let verdict = check(&truth, &level, &Options::default(), &Silent).verdict;
        assert_eq!(certify(&truth, &level, 0, &verdict), Ok(Certified::Accept), "{}", level.name);
    }
}

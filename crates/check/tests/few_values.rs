//! Histories in which nearly every write is a possible source of a read.

use std::time::Duration;

use tristan_certify::{Certified, certify};
use tristan_check::budget::Limits;
use tristan_check::{Options, check};
use tristan_generate::{Values, Workload, into_listed_by_session};
use tristan_ground::Silent;
use tristan_history::History;
use tristan_spec::Catalog;
use tristan_verdict::Answer;

/// Whether a history is accepted, with a witness that the certifier accepts.
fn is_accepted(history: &History, level: &str) -> bool {
    let level = Catalog::default().find(level).expect("a level");
    let limits = Limits { time: Some(Duration::from_secs(300)), memory: None };
    let options = Options { limits, ..Options::default() };
    let verdict = check(history, &level, &options, &Silent).verdict;
    let certified = certify(history, &level, 0, &verdict).expect("the evidence is right");
    certified != Certified::NothingToCheck && matches!(verdict.answer, Answer::Accept { .. })
}

fn history(workload: Workload) -> History {
    into_listed_by_session(workload.run())
}

#[test]
fn reads_and_writes_of_two_values_are_accepted() {
    for seed in 1..4 {
        let booleans = Workload {
            txns: 300,
            keys: 100,
            ops: 8,
            values: Values::Below(2),
            seed,
            ..Workload::duplicates()
        };
        let history = history(booleans);
        for level in ["serializable", "snapshot-isolation", "read-committed"] {
            assert!(is_accepted(&history, level), "seed {seed}, {level}");
        }
    }
}

#[test]
fn a_few_values_on_hot_keys_are_accepted() {
    for seed in 1..4 {
        let skew = "zipf:0.9".parse().expect("a skew");
        let hot = Workload {
            txns: 1000,
            keys: 1000,
            skew,
            values: Values::Below(10),
            seed,
            ..Workload::duplicates()
        };
        assert!(is_accepted(&history(hot), "serializable"), "seed {seed}");
    }
}

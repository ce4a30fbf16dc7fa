//! Anomalies of the textbooks hidden in thousands of correct transactions: found, named, and told
//! in as few transactions as they have.

#![allow(clippy::panic, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Silent, check};
use tristan_generate::anomalies::{Anomaly, hide};
use tristan_generate::{Shape, atomic_store, listed_at_random, listed_by_session};
use tristan_history::History;
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Verdict};

const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;

fn correct(txns: usize, seed: u64) -> History {
    atomic_store(&Shape { txns, seed, ..Shape::default() })
}

fn judged(history: &History, level: &str) -> Verdict {
    let level = Catalog::default().find(level).expect("a level");
    let verdict = check(history, &level, &Options::default(), &Silent).verdict;
    let certified = certify(history, &level, 0, &verdict).expect("the evidence is right");
    assert_ne!(certified, Certified::NothingToCheck, "{}", verdict.to_json());
    verdict
}

/// The class of the anomaly that was found, and the number of transactions it takes to tell it.
fn rejected(history: &History, level: &str) -> (String, usize) {
    match judged(history, level).answer {
        Answer::Reject { anomaly, refutation, .. } => (anomaly.class, refutation.core.len()),
        other => panic!("{level}: {other:?}"),
    }
}

fn expected(anomaly: Anomaly) -> (&'static str, usize) {
    match anomaly {
        Anomaly::G1c => ("G1c", 3),
        Anomaly::LongFork => ("G-nonadjacent", 5),
        Anomaly::GSIb => ("G-single", 3),
    }
}

#[test]
fn each_is_found_in_two_and_in_five_thousand_transactions() {
    for (txns, seeds) in [(2_000, SEEDS), (5_000, SEEDS)] {
        for seed in seeds {
            let correct = correct(txns, seed);
            for anomaly in Anomaly::ALL {
                let history = listed_by_session(&hide(&correct, anomaly, seed));
                for level in ["snapshot-isolation", "strong-session-snapshot-isolation"] {
                    let (class, core) = rejected(&history, level);
                    let found = (class.as_str(), core);
                    assert_eq!(found, expected(anomaly), "{anomaly:?} at {level}, seed {seed}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_wrong_without_them() {
    for seed in SEEDS {
        let verdict = judged(&listed_by_session(&correct(2_000, seed)), "snapshot-isolation");
        assert!(matches!(verdict.answer, Answer::Accept { .. }), "seed {seed}");
    }
}

#[test]
fn the_listing_does_not_matter() {
    for anomaly in Anomaly::ALL {
        let history = hide(&correct(2_000, 1), anomaly, 1);
        for seed in SEEDS {
            let listed = listed_at_random(&history, seed);
            let (class, core) = rejected(&listed, "snapshot-isolation");
            assert_eq!((class.as_str(), core), expected(anomaly), "{anomaly:?}, listing {seed}");
        }
    }
}

#[test]
fn weaker_levels_allow_what_they_should() {
    for (anomaly, level, allowed) in [
        (Anomaly::G1c, "read-committed", false),
        (Anomaly::LongFork, "parallel-si", true),
        (Anomaly::GSIb, "read-committed", true),
    ] {
        let history = listed_by_session(&hide(&correct(500, 3), anomaly, 3));
        let accepted = matches!(judged(&history, level).answer, Answer::Accept { .. });
        assert_eq!(accepted, allowed, "{anomaly:?} at {level}");
    }
}

//! Histories in which hardly any order is known, because many sessions stay open for the whole run.

use std::time::Duration;

use tristan_certify::{Certified, certify};
use tristan_check::budget::Limits;
use tristan_check::{Options, check};
use tristan_generate::anomalies::{Anomaly, hide};
use tristan_generate::{Turns, Workload, into_listed_by_session};
use tristan_ground::Silent;
use tristan_history::History;
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Verdict};

/// As many transactions as sessions, which take turns at random.
fn workload(txns: usize) -> Workload {
    let blind = Workload::named("blindw-rw").expect("a known name");
    Workload { txns, sessions: txns, keys: txns as u64 / 5, turns: Turns::Random, ..blind }
}

/// The verdict on a history. Its evidence is certified.
fn judged(history: &History, level: &str, seconds: u64) -> (Verdict, Certified) {
    let level = Catalog::default().find(level).expect("a level");
    let limits = Limits { time: Some(Duration::from_secs(seconds)), memory: None };
    let options = Options { limits, ..Options::default() };
    let verdict = check(history, &level, &options, &Silent).verdict;
    let certified = certify(history, &level, 0, &verdict).expect("the evidence is right");
    (verdict, certified)
}

#[test]
fn many_sessions_that_stay_open_are_accepted() {
    for seed in 1..3 {
        let history = into_listed_by_session(Workload { seed, ..workload(10_000) }.run());
        for level in ["serializable", "snapshot-isolation"] {
            let (verdict, certified) = judged(&history, level, 120);
            assert!(matches!(verdict.answer, Answer::Accept { .. }), "seed {seed}, {level}");
            assert_ne!(certified, Certified::NothingToCheck, "seed {seed}, {level}");
        }
    }
}

#[test]
fn an_anomaly_among_many_open_sessions_is_not_accepted() {
    for anomaly in [Anomaly::LongFork, Anomaly::GSIb] {
        let history = hide(&workload(600).run(), anomaly, 1);
        let history = into_listed_by_session(history);
        let (verdict, _) = judged(&history, "serializable", 5);
        assert!(!matches!(verdict.answer, Answer::Accept { .. }), "{anomaly:?}");
    }
}

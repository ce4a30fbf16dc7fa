//! The smallest trace that still fails: an anomaly hidden among hundreds of transactions is found
//! again, nearly alone.

use tristan_check::budget::Limits;
use tristan_check::shrink::shrink;
use tristan_check::{Options, Silent, check};
use tristan_generate::Workload;
use tristan_generate::anomalies::{Anomaly, hide};
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Verdict};

fn class(verdict: &Verdict) -> Option<&str> {
    match &verdict.answer {
        Answer::Reject { anomaly, .. } => Some(&anomaly.class),
        _ => None,
    }
}

#[test]
fn a_hidden_anomaly_is_nearly_all_that_is_left() {
    let workload = Workload::named("blindw-rw").expect("a known name");
    let level = Catalog::default().find("snapshot-isolation").expect("a level");
    for (seed, anomaly) in (1..).zip(Anomaly::ALL) {
        let history = Workload { txns: 300, keys: 50, seed, ..workload.clone() }.run();
        let history = hide(&history, anomaly, seed);
        let options = Options::default();
        let whole = check(&history, &level, &options, &Silent).verdict;
        let found = class(&whole).expect("a rejection");
        let small = shrink(&history, &level, &options, &whole, &Limits::default())
            .expect("something smaller");
        assert_eq!(class(&small.verdict), Some(found), "{anomaly:?}");
        assert!(small.history.txns.len() <= 5, "{anomaly:?}: {} left", small.history.txns.len());
        assert!(small.history.ops.len() <= 10, "{anomaly:?}: {} left", small.history.ops.len());
        let again = check(&small.history, &level, &options, &Silent).verdict;
        assert_eq!(class(&again), Some(found));
    }
}

#[test]
fn an_accepted_trace_is_not_made_smaller() {
    let workload = Workload::named("blindw-rw").expect("a known name");
    let history = Workload { txns: 50, ..workload }.run();
    let level = Catalog::default().find("serializable").expect("a level");
    let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
    assert!(shrink(&history, &level, &Options::default(), &verdict, &Limits::default()).is_none());
}

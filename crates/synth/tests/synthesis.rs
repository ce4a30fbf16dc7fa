//! Histories that are known to be found, and sizes that are known to be the smallest.

#![allow(clippy::panic)]

use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::SearchLimits;
use tristan_synth::{
    Clocks, FoundHistory, HistoryOptions, Query, Scope, SynthesisOutcome, enumerate,
    same_but_for_names, smallest, synthesise,
};

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

fn query(positive: &[&str], negative: &[&str], txns: usize, keys: usize) -> Query {
    Query {
        positive: positive.iter().map(|name| level(name)).collect(),
        negative: negative.iter().map(|name| level(name)).collect(),
        scope: Scope { txns, keys, values: None },
        options: HistoryOptions::default(),
    }
}

/// A smallest answer, if there is one up to this size.
fn answer(positive: &[&str], negative: &[&str], txns: usize, keys: usize) -> Option<FoundHistory> {
    match smallest(&query(positive, negative, txns, keys), &SearchLimits::default()).outcome {
        SynthesisOutcome::Found(answer) => Some(*answer),
        SynthesisOutcome::None => None,
        SynthesisOutcome::Unknown(reason) => panic!("{reason}"),
    }
}

fn size(answer: &FoundHistory) -> (usize, usize, usize) {
    (answer.history.txns.len(), answer.history.keys.len(), answer.history.operations())
}

#[test]
fn the_read_only_anomaly_needs_three_transactions_and_two_keys() {
    for (positive, negative) in
        [(["be-si", "be-update-ser"], "be-ser"), (["cerone-si", "cerone-update-ser"], "cerone-ser")]
    {
        let found = answer(&positive, &[negative], 5, 3).expect("it exists");
        assert_eq!(size(&found), (3, 2, 4), "{}", found.history);
        // Without sessions the reader must have read what came before it.
        let mut asked = query(&positive, &[negative], 5, 3);
        asked.options.session_order = false;
        let SynthesisOutcome::Found(found) = smallest(&asked, &SearchLimits::default()).outcome
        else {
            panic!("it exists")
        };
        assert_eq!(size(&found), (3, 2, 5), "{}", found.history);
    }
}

#[test]
fn plume_misses_a_session_that_misses_its_own_write() {
    let found = answer(&["tap-ra"], &["be-ra"], 3, 2).expect("it exists");
    assert_eq!(found.history.to_string(), "w(x) > r(x,0)");
}

#[test]
fn no_lost_update_is_weaker_than_update_atomic() {
    let found = answer(&["cerone-nlu"], &["cerone-ua"], 4, 3).expect("it exists");
    assert_eq!((found.history.txns.len(), found.history.keys.len()), (3, 2), "{}", found.history);
    assert!(answer(&["cerone-ua"], &["cerone-nlu"], 4, 2).is_none());
}

#[test]
fn a_level_that_nobody_can_keep_is_violated() {
    let stale = answer(&["tap-ra"], &["cerone-ra"], 2, 1).expect("it exists");
    assert_eq!(stale.history.to_string(), "w(x) > r(x,0)");
    assert!(answer(&["tap-ra"], &["cerone-ser"], 2, 1).is_some());
    let fractured = answer(&["be-update-ser"], &["cerone-update-ser"], 2, 2).expect("it exists");
    assert_eq!(fractured.history.txns.len(), 2);
    assert!(answer(&["cerone-update-ser"], &["be-update-ser"], 3, 2).is_none());
}

#[test]
fn histories_with_one_key_collapse() {
    for txns in 1..=7 {
        for blind_writes in [false, true] {
            let mut query = query(&["be-si"], &["be-ser"], txns, 1);
            query.options.blind_writes = blind_writes;
            let found = synthesise(&query, &SearchLimits::default());
            assert_eq!(found.outcome, SynthesisOutcome::None, "{txns} {blind_writes}");
            let mut query = self::query(&["cerone-psi"], &["cerone-si"], txns, 1);
            query.options.blind_writes = blind_writes;
            let found = synthesise(&query, &SearchLimits::default());
            assert_eq!(found.outcome, SynthesisOutcome::None, "{txns} {blind_writes}");
        }
    }
}

#[test]
fn answers_differ_by_more_than_names() {
    let query = query(&["cerone-nlu"], &["cerone-ua"], 3, 2);
    let found = enumerate(&query, 100, &SearchLimits::default());
    assert!(found.complete && found.answers.len() == 6, "{found:?}");
    for (at, one) in found.answers.iter().enumerate() {
        assert_eq!(size(one), size(&found.answers[0]));
        for other in &found.answers[..at] {
            assert!(
                !same_but_for_names(&one.history, &other.history, Clocks::default()),
                "{} {}",
                one.history,
                other.history
            );
        }
    }
}

#[test]
fn options_are_obeyed() {
    let mut asked = query(&["be-si"], &["be-ser"], 4, 3);
    asked.options =
        HistoryOptions { blind_writes: false, read_only: false, ..HistoryOptions::default() };
    asked.options.operations = Some(3);
    let SynthesisOutcome::Found(found) = smallest(&asked, &SearchLimits::default()).outcome else {
        panic!("a write skew is one")
    };
    for txn in &found.history.txns {
        assert!(!txn.writes.is_empty() && txn.reads.len() + txn.writes.len() <= 3);
        assert!(txn.writes.iter().all(|key| txn.reads.iter().any(|read| read.key == *key)));
    }
    // Neither level speaks of sessions, but they are counted.
    let mut asked = query(&["snapshot-isolation"], &["serializable"], 3, 2);
    asked.options.sessions = Some(1);
    let SynthesisOutcome::Found(found) = smallest(&asked, &SearchLimits::default()).outcome else {
        panic!("a write skew within a session is one")
    };
    assert_eq!(found.history.sessions.len(), 1);
    let mut asked = query(&["be-ra"], &["be-cc"], 4, 2);
    asked.options.sessions = Some(1);
    assert_eq!(smallest(&asked, &SearchLimits::default()).outcome, SynthesisOutcome::None);
    asked.options = HistoryOptions { session_order: false, ..HistoryOptions::default() };
    let SynthesisOutcome::Found(found) = smallest(&asked, &SearchLimits::default()).outcome else {
        panic!("causality can be violated by reads alone")
    };
    assert_eq!(found.history.sessions.len(), found.history.txns.len());
}

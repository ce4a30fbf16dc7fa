//! A check stops when its budget says so, in whatever stage it is, and says which one that was.
//!
//! The clock is scripted: every look at it takes a millisecond. So a limit of n milliseconds ends
//! the check at the n-th look, on every machine.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tristan_check::budget::{Budget, Limits};
use tristan_check::{Options, Silent, check, check_levels};
use tristan_generate::Workload;
use tristan_ground::Steps;
use tristan_history::{History, HistoryBuilder, Outcome};
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, UnknownReason, Verdict};

fn level(name: &str) -> Level {
    Catalog::default().find(name).expect(name)
}

fn recorded() -> History {
    let workload = Workload::named("blindw-rw").expect("a known name");
    Workload { txns: 400, keys: 30, sessions: 6, ..workload }.run()
}

fn write_skew() -> History {
    let mut builder = HistoryBuilder::default();
    builder.begin("a").get("x", None).put("y", 1).end(Outcome::Committed);
    builder.begin("b").get("y", None).put("x", 1).end(Outcome::Committed);
    builder.begin("c").get("z", None).put("z", 1).end(Outcome::Committed);
    builder.finish()
}

/// Options with a budget that ends at the given look at the clock.
fn ending_at(look: u64) -> Options {
    let limits = Limits { time: Some(Duration::from_millis(look)), memory: None };
    let within = Budget::metered(&limits, Arc::new(Steps::timed()));
    Options { within, threads: 1, ..Options::default() }
}

fn stage(verdict: &Verdict, look: u64) -> Option<&str> {
    match &verdict.answer {
        Answer::Unknown { reason: UnknownReason::Time { millis, stage }, .. } => {
            assert_eq!(*millis, look);
            Some(stage)
        }
        Answer::Unknown { reason, .. } => panic!("unknown for another reason: {reason:?}"),
        _ => None,
    }
}

#[test]
fn a_check_ends_at_any_look_at_the_clock_and_names_its_stage() {
    let history = recorded();
    let mut stages = BTreeSet::new();
    let decided = (1..10_000).find(|&look| {
        let verdict = check(&history, &level("serializable"), &ending_at(look), &Silent).verdict;
        match stage(&verdict, look) {
            Some(name) => {
                stages.insert(name.to_owned());
                false
            }
            None => {
                assert!(matches!(verdict.answer, Answer::Accept { .. }));
                true
            }
        }
    });
    assert!(decided.is_some_and(|looks| looks > 10), "{decided:?}");
    let stages: Vec<&str> = stages.iter().map(String::as_str).collect();
    for name in ["asg", "lower", "saturate"] {
        assert!(stages.iter().any(|stage| stage.starts_with(name)), "{name} in {stages:?}");
    }
}

#[test]
fn a_rejection_found_in_time_is_kept_even_if_its_core_is_not_shown_to_be_minimal() {
    let history = write_skew();
    let (mut open, mut vague, mut minimal) = (0, 0, 0);
    for look in 1..400 {
        let verdict = check(&history, &level("serializable"), &ending_at(look), &Silent).verdict;
        match &verdict.answer {
            Answer::Reject { refutation, .. } if refutation.minimal => minimal += 1,
            Answer::Reject { refutation, .. } => {
                assert!(refutation.core.contains(&0) && refutation.core.contains(&1));
                vague += 1;
            }
            Answer::Unknown { .. } => {
                assert_eq!((vague, minimal), (0, 0), "{look} looks");
                open += 1;
            }
            Answer::Accept { .. } => panic!("a write skew is not serializable"),
        }
    }
    assert!(open > 0 && vague > 0 && minimal > 0, "{open} {vague} {minimal}");
}

#[test]
fn the_levels_that_are_decided_by_then_stay_decided() {
    let history = write_skew();
    let catalog = Catalog::default();
    let levels = catalog.levels();
    let all = check_levels(&history, &levels, &Options::default(), &Silent);
    let mut partly = 0;
    for look in (1..2_000).step_by(7) {
        let reports = check_levels(&history, &levels, &ending_at(look), &Silent);
        assert_eq!(reports.len(), levels.len());
        let open = reports.iter().filter(|one| stage(&one.verdict, look).is_some()).count();
        partly += usize::from(open > 0 && open < levels.len());
        for (report, whole) in reports.iter().zip(&all) {
            let same = std::mem::discriminant(&report.verdict.answer)
                == std::mem::discriminant(&whole.verdict.answer);
            let unknown = stage(&report.verdict, look).is_some();
            assert!(same || unknown, "{} after {look} looks", whole.verdict.level);
        }
    }
    assert!(partly > 0);
}

#[test]
fn memory_ends_a_check_as_well() {
    // Every measurement finds one megabyte more.
    let limits = Limits { time: None, memory: Some(3 << 20) };
    let within = Budget::metered(&limits, Arc::new(Steps::growing(1 << 20)));
    let options = Options { within, threads: 1, ..Options::default() };
    let verdict = check(&recorded(), &level("serializable"), &options, &Silent).verdict;
    let Answer::Unknown { reason: UnknownReason::Memory { bytes, stage }, decided } =
        verdict.answer
    else {
        panic!("expected unknown, found {:?}", verdict.answer)
    };
    assert_eq!(bytes, 3 << 20);
    assert!(!stage.is_empty() && !decided.is_empty());
    assert_eq!(verdict.trace.transactions, 400);
}

#[test]
fn limits_of_a_call_and_of_the_work_around_it_both_count() {
    let history = recorded();
    let limits = Limits { time: Some(Duration::ZERO), memory: None };
    let options = Options { limits, ..ending_at(1_000_000) };
    let verdict = check(&history, &level("serializable"), &options, &Silent).verdict;
    assert!(stage(&verdict, 0).is_some());
}

//! Proofs and searches stop when the budget says so, and an answer that comes in time is the same.

use std::sync::Arc;
use std::time::Duration;

use tristan_ground::{Budget, Limits, Steps};
use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::{SearchLimitError, SearchLimits};
use tristan_synth::proof::prove_within;
use tristan_synth::{ComparisonPlan, HistoryOptions, Implication, Scope, SynthesisError};

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

/// A budget that ends at the given look at its clock.
fn ending_at(look: u64) -> Budget {
    let limits = Limits { time: Some(Duration::from_millis(look)), memory: None };
    Budget::metered(&limits, Arc::new(Steps::timed()))
}

fn plan(within: Budget, prove: bool) -> ComparisonPlan {
    ComparisonPlan {
        scope: Scope { txns: 3, keys: 2, values: None },
        options: HistoryOptions::default(),
        limits: SearchLimits { within, ..SearchLimits::default() },
        prove,
    }
}

#[test]
fn a_proof_ends_with_its_budget_and_is_the_same_if_it_comes_in_time() {
    let (ser, si) = (level("be-ser"), level("be-si"));
    let whole = prove_within(&ser, &si, &Budget::default()).expect("it is proved");
    let mut late = 0;
    for look in [1, 2, 4, 8, 16, 1 << 20] {
        match prove_within(&ser, &si, &ending_at(look)) {
            Some(proof) => assert_eq!(proof, whole),
            None => late += 1,
        }
    }
    assert!((1..6).contains(&late), "{late}");
}

#[test]
fn a_comparison_that_runs_out_of_time_is_unknown() {
    let (ser, si) = (level("be-ser"), level("be-si"));
    for look in 1..6 {
        let answer = plan(ending_at(look), true).implies(&ser, &si);
        let late =
            matches!(answer, Implication::Unknown(SynthesisError::Limit(SearchLimitError::Time)));
        assert!(late || matches!(answer, Implication::Proved(_)), "{answer:?}");
        let answer = plan(ending_at(look), false).implies(&si, &ser);
        assert!(
            matches!(answer, Implication::Unknown(SynthesisError::Limit(SearchLimitError::Time))),
            "{look}: {answer:?}"
        );
    }
    let answer = plan(ending_at(1 << 20), false).implies(&si, &ser);
    assert!(matches!(answer, Implication::Refuted(_)), "{answer:?}");
}

#[test]
fn a_comparison_that_runs_out_of_memory_is_unknown() {
    let limits = Limits { time: None, memory: Some(0) };
    let within = Budget::metered(&limits, Arc::new(Steps::growing(1)));
    within.check().expect("the first measurement finds nothing");
    while within.check().is_ok() {}
    let answer = plan(within, true).implies(&level("be-ser"), &level("be-si"));
    assert!(
        matches!(answer, Implication::Unknown(SynthesisError::Limit(SearchLimitError::Memory))),
        "{answer:?}"
    );
}

//! What is found between two levels of the catalog is judged the same by the engine and by brute
//! force, real time included.

#![allow(clippy::panic)]

use tristan_check::{Options, Silent, check_levels};
use tristan_oracle::{Judgement, judge_all};
use tristan_spec::Catalog;
use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::{SearchBudget, SearchLimits};
use tristan_synth::{
    HistoryOptions, ObservedVerdict, Query, Scope, SynthesisOutcome, judge_history, smallest,
};
use tristan_verdict::Answer;

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

#[test]
fn every_answer_is_one_to_all_judges() {
    let levels = Catalog::default().levels();
    let mut found = 0;
    for allowed in &levels {
        for forbidden in levels.iter().filter(|other| other.name != allowed.name) {
            let query = Query {
                positive: vec![level(&allowed.name)],
                negative: vec![level(&forbidden.name)],
                scope: Scope { txns: 3, keys: 2, values: None },
                options: HistoryOptions::default(),
            };
            let outcome = smallest(&query, &SearchLimits::default()).outcome;
            let SynthesisOutcome::Found(answer) = outcome else {
                assert_eq!(outcome, SynthesisOutcome::None);
                continue;
            };
            found += 1;
            let native = answer.history.to_native();
            let pair = [allowed.clone(), forbidden.clone()];
            let names = format!("{} !{}: {}", allowed.name, forbidden.name, answer.history);
            let judged = judge_all(&native, &pair, 0);
            assert_eq!(judged, [Judgement::Accept, Judgement::Reject], "{names}");
            let reports = check_levels(&native, &pair, &Options::default(), &Silent);
            let accepted = |at: usize| matches!(reports[at].verdict.answer, Answer::Accept { .. });
            assert!(accepted(0) && !accepted(1), "{names}");
            for (level, holds) in
                query.positive.iter().zip([true]).chain(query.negative.iter().zip([false]))
            {
                let verdict = judge_history(level, &native, &SearchBudget::default());
                assert_eq!(matches!(verdict, ObservedVerdict::Holds(_)), holds, "{names}");
            }
        }
    }
    assert!(found > 1_000, "{found}");
}

//! The benchmark problems, at sizes that are quick without optimisation. `tristan bench --suite
//! isolde` does all of them.

use tristan_synth::gates::SearchLimits;
use tristan_synth::problems::PROBLEMS;
use tristan_synth::{SynthesisOutcome, synthesise};

#[test]
fn the_problems_have_the_answers_they_should_have() {
    for problem in PROBLEMS {
        for txns in 3..=5 {
            let found = match synthesise(&problem.query(txns), &SearchLimits::default()).outcome {
                SynthesisOutcome::Found(_) => Some(true),
                SynthesisOutcome::None => Some(false),
                SynthesisOutcome::Unknown(_) => None,
            };
            assert_eq!(found, Some(problem.has_answer(txns)), "{} {txns}", problem.name());
        }
    }
}

//! The classical small histories, judged by the levels as they are written, in every framework.

use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::SearchBudget;
use tristan_synth::{AbstractHistory, keeps, rewrite};

/// The levels of each column of the table, in every framework they exist in.
const COLUMNS: [&[&str]; 10] = [
    &["strong-session-read-committed"],
    &["read-atomic", "be-ra", "cerone-ra"],
    &["cerone-nlu"],
    &["update-atomic", "cerone-ua"],
    &["causal", "be-cc", "cerone-cc", "tap-cc"],
    &["parallel-si", "cerone-psi"],
    &["prefix", "be-pc", "cerone-pc"],
    &["strong-session-snapshot-isolation", "be-si", "cerone-si"],
    &["be-update-ser"],
    &["strong-session-serializable", "be-ser", "cerone-ser"],
];

/// Histories, and which columns accept them.
const TABLE: [(&str, &str); 17] = [
    ("w(x) r(y,2) | w(y) r(x,1)", "----------"),
    ("w(x) > r(x,0)", "+-------+-"),
    ("w(x) | r(x,1) > r(x,0)", "++++----+-"),
    ("w(x) > w(y) | r(y,2) r(x,0)", "++++----+-"),
    ("w(x) | r(x,1) > w(y) | r(y,3) r(x,0)", "++++----+-"),
    ("w(x) w(y) | r(x,1) r(y,0)", "+-------+-"),
    ("w(x) w(y) | w(x) w(y) | r(x,1) r(y,2)", "+-------+-"),
    ("r(x,0) w(x) | r(x,0) w(x)", "++--+-+---"),
    ("w(x) | r(x,1) w(y) | r(y,2) r(x,0)", "++++----+-"),
    ("r(x,0) w(x) w(y) | r(x,1) r(y,1) w(y) | r(x,0) r(y,2) w(y)", "+++-------"),
    ("w(x) | w(x) | r(x,1) > r(x,2) | r(x,2) > r(x,1)", "++++----+-"),
    ("w(x) | w(y) | r(x,1) r(y,0) | r(x,0) r(y,2)", "++++++--+-"),
    ("w(x) | w(y) | r(x,1) > r(y,0) | r(y,2) > r(x,0)", "++++++--+-"),
    ("r(x,0) r(y,0) w(x) | r(x,0) r(y,0) w(y)", "++++++++--"),
    ("r(x,0) w(y) | r(y,0) w(z) | r(z,0) w(x)", "++++++++--"),
    ("r(y,0) w(y) | r(x,0) r(y,1) | r(x,0) r(y,0) w(x)", "+++++++++-"),
    ("w(x) | r(x,0)", "++++++++++"),
];

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

#[test]
fn the_table_of_classical_histories() {
    for (text, accepted) in TABLE {
        let history: AbstractHistory = text.parse().expect(text);
        for (names, verdict) in COLUMNS.iter().zip(accepted.chars()) {
            for name in *names {
                let level = level(name);
                let forms = [
                    rewrite::eliminate_relations(&level),
                    rewrite::simplest(&level),
                    rewrite::textbook(&level),
                ];
                for form in forms.into_iter().chain([level]) {
                    let kept = keeps(&form, &history, &SearchBudget::default());
                    assert_eq!(kept, Ok(verdict == '+'), "{name}: {text}\n{:?}", form.checks);
                }
            }
        }
    }
}

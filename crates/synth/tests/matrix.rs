//! Which level allows what another forbids, and how small a history shows it.

#![allow(clippy::panic)]

use tristan_check::{Options, Silent, check};
use tristan_oracle::Judgement;
use tristan_spec::Catalog;
use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::SearchLimits;
use tristan_synth::{AbstractHistory, HistoryOptions, Query, Scope, SynthesisOutcome, smallest};
use tristan_verdict::Answer;

/// The levels of the table.
const LEVELS: [&str; 10] = [
    "strong-session-read-committed",
    "read-atomic",
    "cerone-nlu",
    "update-atomic",
    "causal",
    "parallel-si",
    "prefix",
    "strong-session-snapshot-isolation",
    "be-update-ser",
    "strong-session-serializable",
];

/// The same levels in the framework of Biswas and Enea, or of Cerone et al.
const ELSEWHERE: [&str; 10] = [
    "strong-session-read-committed",
    "be-ra",
    "cerone-nlu",
    "cerone-ua",
    "be-cc",
    "cerone-psi",
    "be-pc",
    "be-si",
    "be-update-ser",
    "be-ser",
];

/// For each level (row) that allows and each (column) that forbids: the least number of
/// transactions and, with these, of keys.
const MATRIX: [&str; 10] = [
    " .  21 21 21 21 21 21 21 21 21",
    " -  .  21 21 31 21 31 21 21 21",
    " -  -  .  32 31 31 31 31 22 22",
    " -  -  -  .  31 31 31 31 22 22",
    " -  -  21 21 .  21 42 21 21 21",
    " -  -  -  -  -  .  42 42 22 22",
    " -  -  21 21 -  21 .  21 21 21",
    " -  -  -  -  -  -  -  .  22 22",
    " -  21 21 21 21 21 21 21 .  21",
    " -  -  -  -  -  -  -  -  -  . ",
];

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

fn separation(allowed: &str, forbidden: &str, scope: Scope) -> Option<AbstractHistory> {
    let query = Query {
        positive: vec![level(allowed)],
        negative: vec![level(forbidden)],
        scope,
        options: HistoryOptions::default(),
    };
    match smallest(&query, &SearchLimits::default()).outcome {
        SynthesisOutcome::Found(answer) => Some(answer.history),
        SynthesisOutcome::None => None,
        SynthesisOutcome::Unknown(reason) => panic!("{allowed} !{forbidden}: {reason}"),
    }
}

fn cell(history: Option<&AbstractHistory>) -> String {
    history
        .map_or("-".to_owned(), |history| format!("{}{}", history.txns.len(), history.keys.len()))
}

fn recompute(names: [&str; 10], scope: Scope) {
    for (allowed, row) in names.iter().zip(MATRIX) {
        for (forbidden, expected) in names.iter().zip(row.split_whitespace()) {
            if allowed == forbidden {
                continue;
            }
            let found = separation(allowed, forbidden, scope);
            assert_eq!(cell(found.as_ref()), expected, "{allowed} !{forbidden}");
            if let Some(history) = found {
                others_agree(allowed, &history, true);
                others_agree(forbidden, &history, false);
            }
        }
    }
}

/// The engine and brute force say the same about a history that was found, if they know the level.
fn others_agree(name: &str, history: &AbstractHistory, allowed: bool) {
    let Ok(level) = Catalog::default().find(name) else { return };
    let native = history.to_native();
    let judged = tristan_oracle::judge(&native, &level, 0) == Judgement::Accept;
    assert_eq!(judged, allowed, "{name}: {history}");
    let report = check(&native, &level, &Options::default(), &Silent);
    let accepted = matches!(report.verdict.answer, Answer::Accept { .. });
    assert_eq!(accepted, allowed, "{name}: {history}");
}

#[test]
fn the_separation_matrix_of_dependency_levels() {
    recompute(LEVELS, Scope { txns: 5, keys: 3, values: None });
}

#[test]
fn the_separation_matrix_in_other_frameworks() {
    recompute(ELSEWHERE, Scope { txns: 4, keys: 2, values: None });
}

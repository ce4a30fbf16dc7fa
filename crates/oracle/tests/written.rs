//! Written levels mean what the levels of the same name mean: every witness is tried for the text,
//! and the axioms are judged as their sources state them.

#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;

use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::{History, OpKind};
use tristan_oracle::{Judgement, judge, judge_written, litmus, random};
use tristan_spec::Catalog;
use tristan_spec::iso::Library;

/// Levels written in other frameworks, with the level that they are another form of.
const SAME: [(&str, &str); 15] = [
    ("be-ra", "read-atomic"),
    ("be-cc", "causal"),
    ("be-pc", "prefix"),
    ("be-si", "strong-session-snapshot-isolation"),
    ("be-ser", "strong-session-serializable"),
    ("cerone-ra", "read-atomic"),
    ("cerone-ua", "update-atomic"),
    ("cerone-cc", "causal"),
    ("cerone-psi", "parallel-si"),
    ("cerone-pc", "prefix"),
    ("cerone-si", "strong-session-snapshot-isolation"),
    ("cerone-ser", "strong-session-serializable"),
    ("plain-be-si", "snapshot-isolation"),
    ("plain-cerone-ser", "serializable"),
    ("strong-be-ser", "strong-serializable"),
];

fn histories() -> u64 {
    let asked = std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse::<u64>().ok());
    asked.unwrap_or(15_000) / 10
}

/// Pairs of a level of the catalog and a written one that should be the same.
fn pairs() -> Vec<(tristan_spec::Level, tristan_spec::iso::IsoLevel)> {
    let catalog = Catalog::default();
    let library = Library::standard();
    let own = catalog.levels().into_iter().map(|level| (level.name.clone(), level.name));
    let other = SAME.into_iter().map(|(text, name)| (text.to_owned(), name.to_owned()));
    let found = |(text, name): (String, String)| {
        let known = catalog.find(&name).expect("it is in the catalog");
        (known, library.find(&text).expect("it is in the library"))
    };
    own.chain(other).map(found).collect()
}

/// Whether every transaction reads every key once at most, and no range: then the history is all
/// relations between transactions can tell.
fn is_abstract(history: &History) -> bool {
    history.txn_ids().all(|txn| {
        let mut read = BTreeSet::new();
        history.ops_of(txn).iter().all(|op| match &op.kind {
            OpKind::Get { key, .. }
            | OpKind::ReadModifyWrite { key, .. }
            | OpKind::ReadList { key, .. } => read.insert(*key),
            OpKind::Scan { .. } | OpKind::Iterate { .. } | OpKind::PutIf { .. } => false,
            OpKind::Delete { rows, .. } => rows.is_none(),
            _ => true,
        })
    })
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

#[test]
fn written_levels_agree_with_their_sources_on_random_histories() {
    let (seed, count, pairs) = (7_001, histories(), pairs());
    println!("seed {seed}, {count} histories, {} levels", pairs.len());
    let shape = random::RandomShape {
        txns: 4,
        keys: 2,
        sessions: 3,
        ops: 3,
        indeterminate: 1,
        explanations: 12,
        ..random::RandomShape::default()
    };
    let mut judged = 0_u64;
    for number in 0..count {
        let history = random::history(&mut Rng::new(seed + number), shape);
        if !is_abstract(&history) {
            continue;
        }
        for (known, written) in &pairs {
            let answer = judge_written(&history, written, 0);
            if answer == Judgement::Unsupported {
                continue;
            }
            judged += 1;
            assert_eq!(
                answer,
                judge(&history, known, 0),
                "seed {seed} history {number}: {} against {}\n{}",
                written.name,
                known.name,
                show(&history)
            );
        }
    }
    println!("{judged} judgements");
    assert!(judged > count * 10, "most histories are judged");
}

#[test]
fn the_litmus_table_holds_in_every_framework() {
    for row in litmus::TABLE.iter().filter(|row| row.history().txns.len() <= 4) {
        for (known, accepted) in row.verdicts() {
            for (text, _) in SAME.iter().filter(|(_, name)| *name == known) {
                let level = Library::standard().find(text).expect("it is in the library");
                let expected = if accepted { Judgement::Accept } else { Judgement::Reject };
                let answer = judge_written(&row.history(), &level, 0);
                assert_eq!(answer, expected, "{}: {text}", row.name);
            }
        }
    }
}

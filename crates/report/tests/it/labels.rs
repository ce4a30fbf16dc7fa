//! Labels of arrows, as they are drawn: each is nearer to its own arrow than to any other, and none
//! covers another label or a card.

use std::fs;

use tristan_generate::Rng;
use tristan_history::Datum;
use tristan_oracle::random::{self, RandomShape};
use tristan_verdict::{
    Answer, Conflict, Deed, Edge, EdgeKind, OpCard, Refutation, Rule, Source, TxnCard, Verdict,
};

use crate::common::drawn::{Drawn, overlap};
use crate::common::{self, root};

/// How much nearer a label has to be to its own arrow.
const CLEARLY: f64 = 8.0;

/// What is wrong with the labels of a drawing.
fn complaints(drawn: &Drawn) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, arrow) in drawn.arrows.iter().enumerate() {
        let (words, middle) = (&arrow.words, arrow.middle());
        let own = arrow.distance(middle);
        for (other, line) in drawn.arrows.iter().enumerate().filter(|(other, _)| *other != number) {
            let distance = line.distance(middle);
            if distance < own + CLEARLY {
                let (number, other) = (number + 1, other + 1);
                complaints.push(format!(
                    "{number} {words} is {own:.0} from its arrow, {distance:.0} from {other}"
                ));
            }
            if overlap(arrow.pill, line.pill) {
                complaints.push(format!("{words} covers {}", line.words));
            }
        }
        if drawn.cards.iter().any(|card| overlap(arrow.pill, *card)) {
            complaints.push(format!("{words} covers a card"));
        }
    }
    complaints
}

fn check(verdict: &Verdict, name: &str) {
    let svg = tristan_report::picture(std::slice::from_ref(verdict));
    let drawn = Drawn::of(&svg);
    if let complaints @ [_, ..] = complaints(&drawn).as_slice() {
        let file = root().join("target/wrong-labels.svg");
        fs::write(&file, svg).expect("a file");
        panic!("{name}, kept in {}:\n{}", file.display(), complaints.join("\n"));
    }
}

#[test]
fn labels_stand_at_their_own_arrow_in_random_cycles() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        check(&cycle(&mut rng), &format!("seed {seed}"));
    }
}

#[test]
fn labels_stand_at_their_own_arrow_in_real_cycles() {
    let mut drawn = 0;
    for folder in fs::read_dir(root().join("corpus")).expect("a folder").flatten() {
        let Ok(files) = fs::read_dir(folder.path()) else { continue };
        for file in files.flatten() {
            let path = file.path();
            if path.extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            let name = path.display().to_string();
            let history = tristan_formats::open(&path, None).expect("a trace");
            for level in ["strong-serializable", "serializable", "snapshot-isolation", "causal"] {
                let verdict = common::verdict(&history, level, &name);
                if matches!(verdict.answer, Answer::Reject { .. }) {
                    check(&verdict, &format!("{name} at {level}"));
                    drawn += 1;
                }
            }
        }
    }
    assert!(drawn > 50, "only {drawn} rejections");
}

#[test]
fn labels_stand_at_their_own_arrow_in_cycles_of_random_histories() {
    let mut drawn = 0;
    for seed in 0..300 {
        let history = random::history(&mut Rng::new(seed), RandomShape::default());
        let verdict = common::verdict(&history, "strong-serializable", "random");
        if matches!(verdict.answer, Answer::Reject { .. }) {
            check(&verdict, &format!("history {seed}"));
            drawn += 1;
        }
    }
    assert!(drawn > 50, "only {drawn} rejections");
}

#[test]
fn labels_stand_at_their_own_arrow_in_a_ring() {
    for size in [2, 3, 4, 5, 9, 12] {
        check(&common::ring(size), &format!("ring of {size}"));
    }
}

/// Some cycle through a few transactions, each with a few operations.
fn cycle(rng: &mut Rng) -> Verdict {
    let size = 2 + rng.below(6) as u32;
    let keys: Vec<Datum> = (0..4).map(|_| word(rng)).collect();
    let cards: Vec<TxnCard> = (0..size).map(|id| card(rng, id, &keys)).collect();
    let edges = (0..size).map(|from| edge(rng, &cards, from, (from + 1) % size, &keys)).collect();
    let mut verdict = common::write_skew();
    let Answer::Reject { refutation, .. } = &mut verdict.answer else { panic!("a reject") };
    *refutation = Refutation {
        conflicts: vec![Conflict { literals: Vec::new(), rule: Rule::Cycle(edges) }],
        core: (0..size).collect(),
        ..Refutation::default()
    };
    verdict.transactions = cards;
    verdict
}

fn word(rng: &mut Rng) -> Datum {
    let length = 1 + rng.below(14) as usize;
    let letters: String = (0..length).map(|_| char::from(b'a' + rng.below(26) as u8)).collect();
    Datum::from(letters.as_str())
}

fn card(rng: &mut Rng, id: u32, keys: &[Datum]) -> TxnCard {
    let op = |rng: &mut Rng, line: u32| {
        let key = keys[rng.below(keys.len() as u64) as usize].clone();
        match rng.below(2) {
            0 => OpCard {
                text: format!("read {key} → {line}"),
                line,
                deed: Some(Deed::Read { key, saw: None }),
            },
            _ => OpCard {
                text: format!("write {key} ← {line}"),
                line,
                deed: Some(Deed::Write { key, value: None, void: false, saw: None }),
            },
        }
    };
    let count = 1 + rng.below(8) as u32;
    TxnCard {
        id,
        label: format!("T{id}"),
        session: Datum::from("s"),
        outcome: "committed".to_owned(),
        lines: (1, count),
        times: None,
        error: None,
        ops: (0..count).map(|line| op(rng, line)).collect(),
    }
}

fn edge(rng: &mut Rng, cards: &[TxnCard], from: u32, to: u32, keys: &[Datum]) -> Edge {
    let kinds = [EdgeKind::Wr, EdgeKind::Ww, EdgeKind::Rw, EdgeKind::So, EdgeKind::Rt];
    let kind = kinds[rng.below(kinds.len() as u64) as usize];
    let reader = if kind == EdgeKind::Rw { from } else { to };
    let ops = cards[reader as usize].ops.len() as u64;
    let (key, read_op) = match kind {
        EdgeKind::So | EdgeKind::Rt => (None, None),
        _ => {
            let key = keys[rng.below(keys.len() as u64) as usize].clone();
            (Some(key), Some(rng.below(ops) as u32))
        }
    };
    let over = (kind == EdgeKind::Rw).then_some(Source::Initial);
    Edge { from, to, kind, key, read_op, over }
}

//! The certifier believes nothing: verdicts of the engine, damaged in every way we can think of.
//!
//! Some damage is always wrong (a point of the order is missing, a cycle does not close): it must
//! be refused. Other damage may by luck be right again (two unrelated points trade places, a
//! verdict is presented with another trace): then whatever is still certified must be what the
//! brute-force oracle says.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeMap;

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::{History, Observed, OpKind, Outcome, TxnId, ValueId};
use tristan_oracle::{Judgement, judge, random};
use tristan_spec::{Catalog, Level};
use tristan_verdict::{
    Answer, BadKind, Conflict, Fact, Literal, Point, PointKind, Refutation, Rule, Source, Verdict,
    Witness,
};

const SEED: u64 = 5_000_001;
const HISTORIES: u64 = 3_000;
const LEVELS_PER_HISTORY: usize = 4;

/// Whether the damage can leave a verdict that is right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Luck {
    Never,
    Perhaps,
}
use Luck::{Never, Perhaps};

/// Damaged copies of one verdict.
struct Damage<'v> {
    verdict: &'v Verdict,
    done: Vec<(&'static str, Luck, Verdict)>,
}

impl Damage<'_> {
    fn answer(&mut self, name: &'static str, luck: Luck, answer: Answer) {
        self.done.push((name, luck, Verdict { answer, ..self.verdict.clone() }));
    }

    fn witness(&mut self, name: &'static str, luck: Luck, change: impl FnOnce(&mut Witness)) {
        let Answer::Accept { mut witness } = self.verdict.answer.clone() else { return };
        change(&mut witness);
        self.answer(name, luck, Answer::Accept { witness });
    }

    fn refutation(&mut self, name: &'static str, luck: Luck, change: impl FnOnce(&mut Refutation)) {
        let Answer::Reject { anomaly, mut refutation } = self.verdict.answer.clone() else {
            return;
        };
        change(&mut refutation);
        self.answer(name, luck, Answer::Reject { anomaly, refutation });
    }
}

fn damaged(history: &History, verdict: &Verdict) -> Vec<(&'static str, Luck, Verdict)> {
    let mut damage = Damage { verdict, done: Vec::new() };
    let other = Verdict { level: "my-own".to_owned(), ..verdict.clone() };
    damage.done.push(("another level's name", Never, other));
    match &verdict.answer {
        Answer::Accept { witness } => {
            damage_order(&mut damage, history, witness);
            damage_sources(&mut damage, history, witness);
        }
        Answer::Reject { refutation, .. } => {
            relabel_reject(&mut damage, history);
            damage_core(&mut damage, history, refutation);
            damage_bad(&mut damage, refutation);
            for number in 0..refutation.conflicts.len() {
                damage_conflict(&mut damage, history, refutation, number);
            }
        }
        Answer::Unknown { .. } => {}
    }
    damage.done
}

fn damage_order(damage: &mut Damage<'_>, history: &History, witness: &Witness) {
    let points = &witness.order;
    for (at, point) in points.iter().enumerate() {
        damage.witness("a point dropped", Never, |witness| {
            witness.order.remove(at);
        });
        damage.witness("a point twice", Never, |witness| witness.order.push(*point));
        damage.witness("a point of nobody", Never, |witness| {
            witness.order[at].txn = history.txns.len() as u32;
        });
        for (later, next) in points.iter().enumerate().skip(at + 1) {
            let swap = |witness: &mut Witness| witness.order.swap(at, later);
            if point.txn == next.txn {
                damage.witness("begin and commit swapped", Never, swap);
            } else if point.at == next.at && point.at != PointKind::Begin {
                let listed = listed_together(history, TxnId(point.txn), TxnId(next.txn));
                let luck = if listed { Never } else { Perhaps };
                let name = if listed { "two listed points swapped" } else { "two points swapped" };
                damage.witness(name, luck, swap);
            }
        }
    }
    if let Some(known) = history.txns.iter().position(|txn| txn.outcome != Outcome::Unknown) {
        damage.witness("a known outcome chosen", Never, |witness| {
            witness.committed.push(known as u32);
        });
    }
    if !witness.committed.is_empty() {
        damage.witness("an unknown outcome forgotten", Never, |witness| {
            witness.committed.pop();
        });
    }
}

/// Whether a committed transaction read a list with appends of both, by others than itself.
fn listed_together(history: &History, one: TxnId, two: TxnId) -> bool {
    let appended = |txn: TxnId, list: &[ValueId]| {
        history.ops_of(txn).iter().any(|op| match op.kind {
            OpKind::Append { element, .. } => list.contains(&element),
            _ => false,
        })
    };
    let others = history.txn_ids().filter(|&txn| txn != one && txn != two);
    let mut reads = others
        .filter(|&txn| history.txn(txn).outcome == Outcome::Committed)
        .flat_map(|txn| history.ops_of(txn))
        .filter(|op| op.status == tristan_history::OpStatus::Done);
    reads.any(|op| match &op.kind {
        OpKind::ReadList { elements: Some(list), .. } => appended(one, list) && appended(two, list),
        _ => false,
    })
}

fn damage_sources(damage: &mut Damage<'_>, history: &History, witness: &Witness) {
    for (at, chosen) in witness.sources.iter().enumerate() {
        damage.witness("a source dropped", Never, |witness| {
            witness.sources.remove(at);
        });
        damage.witness("a source twice", Never, |witness| witness.sources.push(chosen.clone()));
        damage.witness("the reader as its source", Never, |witness| {
            witness.sources[at].from = Source::Txn(chosen.txn);
        });
        damage.witness("a source of no read", Never, |witness| witness.sources[at].op = 99);
        let txns = history.txn_ids().map(|txn| Source::Txn(txn.0)).chain([Source::Initial]);
        for from in txns.filter(|&from| from != chosen.from && from != Source::Txn(chosen.txn)) {
            damage.witness("another source", Perhaps, |witness| witness.sources[at].from = from);
        }
    }
    let refutation = Refutation::default();
    let anomaly = tristan_verdict::Anomaly {
        class: "G0".to_owned(),
        title: None,
        sentence: "Believe me.".to_owned(),
    };
    damage.answer("accept made a reject", Never, Answer::Reject { anomaly, refutation });
}

fn relabel_reject(damage: &mut Damage<'_>, history: &History) {
    let witness = Witness::default();
    damage.answer("reject made an accept", Never, Answer::Accept { witness });
    let committed = history.txn_ids().filter(|&t| history.txn(t).outcome == Outcome::Committed);
    let order = committed.map(|txn| Point { txn: txn.0, at: PointKind::Whole }).collect();
    let witness = Witness { order, ..Witness::default() };
    damage.answer("an order out of the blue", Never, Answer::Accept { witness });
}

/// The transactions that a fact names; they may be part of a core.
fn named(fact: &Fact) -> Vec<u32> {
    match fact {
        Fact::OnlyVersions { txns, .. } | Fact::OnlyWrites { txns, .. } => txns.clone(),
        Fact::ListShows { txn, first, then, .. } => vec![*txn, *first, *then],
        Fact::TookEffect { txn, reader, .. } => vec![*txn, *reader],
    }
}

fn damage_core(damage: &mut Damage<'_>, history: &History, refutation: &Refutation) {
    let named: Vec<u32> = refutation.facts.iter().flat_map(named).collect();
    let is_bystander = |txn: &u32| !refutation.core.contains(txn) && !named.contains(txn);
    let outside = history.txn_ids().map(|txn| txn.0).find(is_bystander);
    if let Some(txn) = outside {
        damage.refutation("a bystander in the core", Never, |refutation| {
            refutation.core.push(txn);
            refutation.core.sort_unstable();
        });
    }
    damage.refutation("an empty core", Never, |refutation| refutation.core.clear());
    for (at, choice) in refutation.choices.iter().enumerate() {
        damage.refutation("a choice with a source less", Never, |refutation| {
            refutation.choices[at].sources.pop();
        });
        damage.refutation("a choice dropped", Perhaps, |refutation| {
            refutation.choices.remove(at);
        });
        damage.refutation("a choice of another operation", Never, |refutation| {
            refutation.choices[at].op = choice.op + 99;
        });
    }
}

fn damage_bad(damage: &mut Damage<'_>, refutation: &Refutation) {
    let Some(bad) = &refutation.bad else { return };
    damage.refutation("no bad read after all", Never, |refutation| refutation.bad = None);
    let mut change = |name, luck, change: fn(&mut tristan_verdict::Bad)| {
        damage.refutation(name, luck, |refutation| refutation.bad.iter_mut().for_each(change));
    };
    change("a bad read of no operation", Never, |bad| bad.op = 99);
    change("a bad read of another key", Never, |bad| bad.key = "no such key".into());
    change("a bad read of nobody", Never, |bad| bad.txn = 99);
    change("a bad read by the next one", Perhaps, |bad| bad.txn += 1);
    for kind in KINDS.into_iter().filter(|&kind| kind != bad.kind) {
        damage.refutation("another kind of bad read", Perhaps, |refutation| {
            refutation.bad.iter_mut().for_each(|bad| bad.kind = kind);
        });
    }
}

const KINDS: [BadKind; 7] = [
    BadKind::ThinAir,
    BadKind::Aborted,
    BadKind::Intermediate,
    BadKind::Future,
    BadKind::NotOwnWrite,
    BadKind::DuplicateElement,
    BadKind::IncompatibleOrder,
];

fn damage_conflict(damage: &mut Damage<'_>, history: &History, of: &Refutation, number: usize) {
    damage.refutation("a conflict dropped", Perhaps, |refutation| {
        refutation.conflicts.remove(number);
    });
    let conflict = &of.conflicts[number];
    let mut change = |name, luck, change: &dyn Fn(&mut Conflict)| {
        damage.refutation(name, luck, |refutation| change(&mut refutation.conflicts[number]));
    };
    for (at, literal) in conflict.literals.iter().enumerate() {
        change("a literal dropped", Perhaps, &|conflict| {
            conflict.literals.remove(at);
        });
        let (luck, turned) = match literal.clone() {
            Literal::Reads { txn, op, key, .. } => {
                (Never, Literal::Reads { txn, op, key, from: Source::Txn(txn) })
            }
            Literal::Before { key, first, then } => {
                (Perhaps, Literal::Before { key, first: then, then: first })
            }
        };
        change("a literal turned", luck, &|conflict| conflict.literals[at] = turned.clone());
    }
    let Rule::Cycle(edges) = &conflict.rule else { return };
    change("a cycle called a clash", Perhaps, &|conflict| conflict.rule = Rule::InitialClash);
    for (at, edge) in edges.iter().enumerate() {
        let mut edit = |name, luck, edit: &dyn Fn(&mut Vec<tristan_verdict::Edge>)| {
            change(name, luck, &|conflict| {
                if let Rule::Cycle(edges) = &mut conflict.rule {
                    edit(edges);
                }
            });
        };
        edit("an edge dropped", Never, &|edges| {
            edges.remove(at);
        });
        for to in history.txn_ids().map(|txn| txn.0).filter(|&to| to != edge.to) {
            edit("an edge redirected", Never, &|edges| edges[at].to = to);
            edit("two edges redirected", Perhaps, &|edges| {
                let next = (at + 1) % edges.len();
                edges[at].to = to;
                edges[next].from = to;
            });
        }
        for (kind, name) in EDGE_KINDS.into_iter().filter(|(kind, _)| *kind != edge.kind) {
            edit(name, Perhaps, &|edges| edges[at].kind = kind);
        }
        if edge.key.is_some() {
            edit("an edge over no such key", Never, &|edges| {
                edges[at].key = Some("no such key".into());
            });
        }
    }
}

const EDGE_KINDS: [(tristan_verdict::EdgeKind, &str); 4] = [
    (tristan_verdict::EdgeKind::Ww, "an edge called ww"),
    (tristan_verdict::EdgeKind::Rw, "an edge called rw"),
    (tristan_verdict::EdgeKind::So, "an edge called so"),
    (tristan_verdict::EdgeKind::Rt, "an edge called rt"),
];

/// The trace with one thing changed.
fn edited(history: &History, rng: &mut Rng) -> History {
    let mut edited = history.clone();
    let txn = rng.below(edited.txns.len() as u64) as usize;
    if edited.ops.is_empty() || rng.percent(25) {
        let outcomes = [Outcome::Committed, Outcome::Aborted, Outcome::Unknown];
        edited.txns[txn].outcome = outcomes[rng.below(3) as usize];
        return edited;
    }
    let value = ValueId(rng.below(edited.values.len().max(1) as u64) as u32);
    let some_value = !edited.values.is_empty();
    let op = rng.below(edited.ops.len() as u64) as usize;
    match &mut edited.ops[op].kind {
        OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => {
            let absent = rng.percent(30) || !some_value;
            *seen = if absent { Observed::Absent } else { Observed::Value(value) };
        }
        OpKind::Put { value: written, .. } if some_value => *written = value,
        OpKind::ReadList { elements: Some(list), .. } => {
            let shorter = list.len().saturating_sub(1);
            *list = list[..shorter].into();
        }
        _ => edited.txns[txn].outcome = Outcome::Committed,
    }
    edited
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

/// How often each damage was refused, and how often it was certified all the same.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, [u64; 2]>);

impl Tally {
    /// Presents a damaged verdict; what is certified must be what the oracle says.
    fn present(
        &mut self,
        name: &'static str,
        luck: Luck,
        history: &History,
        level: &Level,
        verdict: &Verdict,
    ) {
        let certified = certify(history, level, 0, verdict);
        self.0.entry(name).or_default()[usize::from(certified.is_ok())] += 1;
        let told = || format!("{name}\n{}\n{}", show(history), verdict.to_json());
        match certified {
            Err(_) => {}
            Ok(_) if luck == Never => panic!("certified: {}", told()),
            Ok(Certified::NothingToCheck) => panic!("nothing to check: {}", told()),
            Ok(certified) => {
                let judgement = judge(history, level, 0);
                let wrong = match certified {
                    Certified::Accept => Judgement::Reject,
                    _ => Judgement::Accept,
                };
                assert_ne!(judgement, wrong, "{}: {certified:?} {}", level.name, told());
            }
        }
    }
}

#[test]
fn damaged_verdicts_are_refused() {
    println!("seed {SEED}, {HISTORIES} histories");
    let levels = Catalog::default().levels();
    let mut tally = Tally::default();
    let (mut previous, mut latest): (Option<Verdict>, Option<Verdict>) = (None, None);
    let mut turn = 0;
    for number in 0..HISTORIES {
        let mut rng = Rng::new(SEED + number);
        let history = random::history(&mut rng, Default::default());
        for _ in 0..LEVELS_PER_HISTORY {
            turn += 1;
            let level = &levels[turn % levels.len()];
            let verdict = check(&history, level, &Options::default(), &Silent).verdict;
            for (name, luck, damaged) in damaged(&history, &verdict) {
                tally.present(name, luck, &history, level, &damaged);
            }
            for _ in 0..4 {
                let edited = edited(&history, &mut rng);
                tally.present("an edited trace", Perhaps, &edited, level, &verdict);
            }
            let other = &levels[rng.below(levels.len() as u64) as usize];
            let moved = Verdict { level: other.name.clone(), ..verdict.clone() };
            tally.present("evidence of another level", Perhaps, &history, other, &moved);
            if let Some(foreign) = previous.clone() {
                let moved = Verdict { level: level.name.clone(), ..foreign };
                tally.present("evidence of another trace", Perhaps, &history, level, &moved);
            }
            latest = Some(verdict);
        }
        previous = latest.take();
    }
    let mut total = 0;
    for (name, [refused, certified]) in &tally.0 {
        println!("{name:32} refused {refused:7}, certified {certified:7}");
        assert!(refused + certified >= 20, "{name} was tried too seldom");
        total += refused;
    }
    println!("{total} refused");
    assert!(total >= 100_000, "only {total} were refused");
}

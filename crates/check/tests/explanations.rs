//! Explanations are true: no reason names another writer than the one that the store remembers,
//! unless it is told as one of the candidates, and a core carries its evidence.
//!
//! `TRISTAN_EXPLANATIONS` says how many rejected histories to look at.

#![allow(clippy::panic, clippy::print_stdout)]

#[path = "explanations/store.rs"]
mod store;

use std::collections::{BTreeMap, BTreeSet};

use store::Told;
use tristan_certify::certify;
use tristan_check::asg::{Asg, Seen};
use tristan_check::budget::Limits;
use tristan_check::internals;
use tristan_check::shrink::{Shrunk, shrink};
use tristan_check::{Options, Silent, check};
use tristan_formats::{self as formats, compact};
use tristan_history::excerpt::{Aspect, Kept, excerpt};
use tristan_history::{Datum, History, HistoryBuilder, OpKind, Outcome, TxnId};
use tristan_spec::{Catalog, Level};
use tristan_verdict::{
    Answer, Choice, Conflict, Edge, EdgeKind, Fact, Literal, Refutation, Rule, Source, Verdict,
};

fn rejected() -> u64 {
    std::env::var("TRISTAN_EXPLANATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

fn levels() -> Vec<Level> {
    let names =
        ["serializable", "snapshot-isolation", "read-committed", "causal", "strong-serializable"];
    names.map(|name| Catalog::default().find(name).expect("a level")).into()
}

fn refutation(verdict: &Verdict) -> Option<&Refutation> {
    match &verdict.answer {
        Answer::Reject { refutation, .. } => Some(refutation),
        _ => None,
    }
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn every_named_writer_is_the_true_one() {
    let (wanted, levels) = (rejected(), levels());
    let (mut seen, mut seed) = (0, 1);
    println!("seeds from {seed}, {wanted} rejected histories");
    while seen < wanted {
        let told = store::told(seed, 8);
        for level in &levels {
            seen += u64::from(examine(seed, &told, level));
        }
        seed += 1;
    }
}

/// Checks what is said about a history at a level; whether it is rejected.
fn examine(seed: u64, told: &Told, level: &Level) -> bool {
    let history = &told.history;
    let verdict = check(history, level, &Options::default(), &Silent).verdict;
    let Some(refuted) = refutation(&verdict) else { return false };
    let context =
        || format!("seed {seed}, {}\n{}\n{}", level.name, verdict.to_json(), show(history));
    if let Err(problem) = is_true(told, refuted) {
        panic!("{problem}: {}", context());
    }
    let certified = certify(history, level, 0, &verdict);
    assert!(certified.is_ok(), "{certified:?}: {}", context());
    carries_its_evidence(history, level, refuted, &context);
    let small = shrink(history, level, &Options::default(), &verdict, &Limits::default())
        .expect("a rejection");
    is_a_true_part(told, level, &small, &context);
    true
}

/// What is left is rejected by itself, and its reasons are true of the whole.
fn is_a_true_part(told: &Told, level: &Level, small: &Shrunk, context: &dyn Fn() -> String) {
    let told_of_small =
        || format!("{}\n{}\nof {}", small.whole.to_json(), compact(&small.history), context());
    assert!(small.finished, "{}", told_of_small());
    let whole = refutation(&small.whole).expect("a rejection");
    if let Err(problem) = is_true(told, whole) {
        panic!("{problem}: {}", told_of_small());
    }
    let certified = certify(&told.history, level, 0, &small.whole);
    assert!(certified.is_ok(), "of the whole: {certified:?}: {}", told_of_small());
    let certified = certify(&small.history, level, 0, &small.verdict);
    assert!(certified.is_ok(), "of the part: {certified:?}: {}", told_of_small());
    let again = check(&small.history, level, &Options::default(), &Silent).verdict;
    assert!(refutation(&again).is_some(), "{}", told_of_small());
}

/// Every writer that is named without alternatives is the true one, every choice has the true one
/// among its sources, and every order that is named without alternatives is the true one.
fn is_true(told: &Told, refutation: &Refutation) -> Result<(), String> {
    for choice in &refutation.choices {
        let Choice { txn, op, key, sources } = choice;
        let truth = told.truth.get(&(*txn, *op, key.clone()));
        if !truth.is_some_and(|source| sources.contains(source)) {
            return Err(format!("the true source of {choice:?} is {truth:?}"));
        }
    }
    for conflict in &refutation.conflicts {
        let Rule::Cycle(edges) = &conflict.rule else { continue };
        for edge in edges {
            edge_is_true(told, refutation, conflict, edge)?;
        }
    }
    for fact in &refutation.facts {
        if let Fact::ListShows { first, then, .. } = fact
            && first >= then
        {
            return Err(format!("{fact:?} has the order the wrong way round"));
        }
    }
    Ok(())
}

fn edge_is_true(
    told: &Told,
    refutation: &Refutation,
    conflict: &Conflict,
    edge: &Edge,
) -> Result<(), String> {
    let (reader, named) = match edge.kind {
        EdgeKind::Wr | EdgeKind::Pwr => (edge.to, Some(Source::Txn(edge.from))),
        EdgeKind::Rw | EdgeKind::Prw => (edge.from, edge.over),
        EdgeKind::Ww => {
            let key = edge.key.clone().ok_or("an edge without a key")?;
            let (first, then) = (edge.from, edge.to);
            let assumed = conflict.literals.contains(&Literal::Before { key, first, then });
            return match assumed || edge.from < edge.to {
                true => Ok(()),
                false => Err(format!("{edge:?} has the order the wrong way round")),
            };
        }
        _ => return Ok(()),
    };
    let (Some(op), Some(key)) = (edge.read_op, &edge.key) else {
        return Err(format!("{edge:?} names no read"));
    };
    let is_choice = |choice: &Choice| (choice.txn, choice.op, &choice.key) == (reader, op, key);
    let truth = told.truth.get(&(reader, op, key.clone())).copied();
    match refutation.choices.iter().any(is_choice) || truth == named {
        true => Ok(()),
        false => Err(format!("{edge:?}: the true source is {truth:?}")),
    }
}

/// The core alone is rejected, and if it is called minimal, it is not without any one of its
/// transactions. A read counts only if all its possible sources are there.
fn carries_its_evidence(
    history: &History,
    level: &Level,
    refutation: &Refutation,
    context: &dyn Fn() -> String,
) {
    if refutation.bad.is_some() {
        return;
    }
    let core: BTreeSet<TxnId> = refutation.core.iter().map(|&txn| TxnId(txn)).collect();
    let asg = internals::asg(history);
    let fails = |txns: &BTreeSet<TxnId>| {
        let part = excerpt(history, &supported(history, &asg, txns)).history;
        self::refutation(&check(&part, level, &Options::default(), &Silent).verdict).is_some()
    };
    // A list in the trace cannot be cut down to the elements that matter, so its other writers are
    // needed, too.
    let mut whole_lists = core.clone();
    for &txn in &core {
        for (op, _) in (0..).zip(history.ops_of(txn)) {
            whole_lists.extend(internals::shown_in(&asg, txn, op));
        }
    }
    assert!(fails(&whole_lists), "the core does not carry its evidence: {}", context());
    for left_out in core.iter().filter(|_| refutation.minimal) {
        let rest = core.iter().copied().filter(|txn| txn != left_out).collect();
        assert!(!fails(&rest), "{left_out:?} can be left out: {}", context());
    }
}

/// The writes of some transactions, and those of their reads whose sources are all among them.
fn supported(history: &History, asg: &Asg<'_>, txns: &BTreeSet<TxnId>) -> Kept {
    let mut kept = Kept::new();
    for &txn in txns {
        let ops = kept.entry(txn).or_default();
        for (number, op) in (0..).zip(history.ops_of(txn)) {
            let writes = match op.kind {
                OpKind::Put { .. } | OpKind::Append { .. } => true,
                OpKind::PutIf { rows, .. } | OpKind::Delete { rows, .. } => rows != Some(0),
                _ => false,
            };
            if writes {
                ops.insert(number, BTreeSet::from([Aspect::Write]));
            }
        }
        for read in asg.reads_of(txn) {
            let mut complete = match read.seen {
                Seen::List(_) => {
                    let shown = internals::shown_in(asg, txn, read.op);
                    shown.iter().all(|writer| txns.contains(writer))
                }
                _ => true,
            };
            asg.for_each_source(&read, |source| {
                complete &= source.is_none_or(|source| txns.contains(&source));
            });
            if complete {
                let is_range =
                    matches!(history.ops_of(txn)[read.op as usize].kind, OpKind::Scan { .. });
                let aspect = if is_range { Aspect::Key(read.key) } else { Aspect::Whole };
                let aspects = ops.entry(read.op).or_default();
                aspects.remove(&Aspect::Write);
                aspects.insert(aspect);
            }
        }
    }
    kept
}

#[test]
fn the_reader_of_a_list_that_shows_an_order_is_part_of_the_core() {
    let mut builder = HistoryBuilder::default();
    builder.begin(0).append("x", 1).append("y", 1).end(Outcome::Committed);
    builder.begin(1).append("x", 2).list("y", &[]).end(Outcome::Committed);
    let reader = builder.begin(2).list("x", &[1, 2]).end(Outcome::Committed);
    let history = builder.finish();
    let level = Catalog::default().find("serializable").expect("a level");
    let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
    let refuted = refutation(&verdict).expect("a rejection");
    assert_eq!((refuted.core.as_slice(), refuted.minimal), (&[0, 1, 2][..], true));
    let key = Datum::from("x");
    let shown = Fact::ListShows { txn: reader.0, op: 0, key, first: 0, then: 1 };
    assert!(refuted.facts.contains(&shown), "{refuted:?}");
    assert!(certify(&history, &level, 0, &verdict).is_ok());
    let small = shrink(&history, &level, &Options::default(), &verdict, &Limits::default())
        .expect("a rejection");
    assert_eq!(small.history.txns.len(), 3, "{}", compact(&small.history));
}

/// The list that shows the order was read by a transaction of unknown outcome. It took effect,
/// because another one has read from it: without that one, its list shows nothing.
#[test]
fn the_reader_that_shows_an_order_is_shown_to_have_taken_effect() {
    let mut builder = HistoryBuilder::default();
    builder.begin(0).append("x", 2).list("x", &[7, 2]).end(Outcome::Committed);
    builder.begin(1).append("x", 7).end(Outcome::Committed);
    let reader = builder.begin(2).append("y", 3).list("x", &[2, 7]).end(Outcome::Unknown);
    let witness = builder.begin(3).list("y", &[3]).end(Outcome::Committed);
    let history = builder.finish();
    let level = Catalog::default().find("serializable").expect("a level");
    let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
    let refuted = refutation(&verdict).expect("a rejection");
    let key = Datum::from("x");
    let shown = Fact::ListShows { txn: reader.0, op: 1, key, first: 0, then: 1 };
    let effect = Fact::TookEffect { txn: reader.0, reader: witness.0, op: 0 };
    assert!(refuted.facts.contains(&shown), "{refuted:?}");
    assert!(refuted.facts.contains(&effect), "{refuted:?}");
    assert_eq!((refuted.core.as_slice(), refuted.minimal), (&[0, 1, 2, 3][..], true));
    assert!(certify(&history, &level, 0, &verdict).is_ok());
}

/// A scan returned what T1 wrote, and much later another transaction wrote the same and something
/// that the scan did not see.
#[test]
fn a_reader_is_not_blamed_on_a_later_writer_of_the_same_value() {
    let mut builder = HistoryBuilder::default();
    builder.begin(0).put("a", 9).end(Outcome::Committed);
    builder
        .begin(1)
        .scan_keys("a".."z", &[("a", 9)])
        .get("n", None)
        .put("n", 1)
        .end(Outcome::Committed);
    builder.begin(2).put("a", 9).put("c", 5).get("n", None).put("n", 2).end(Outcome::Committed);
    let history = builder.finish();
    let level = Catalog::default().find("snapshot-isolation").expect("a level");
    let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
    let small = shrink(&history, &level, &Options::default(), &verdict, &Limits::default())
        .expect("a rejection");
    let conflicts = &refutation(&small.verdict).expect("a rejection").conflicts;
    let blamed = |edge: &Edge| edge.kind == EdgeKind::Wr && edge.key == Some(Datum::from("a"));
    let blamed = conflicts.iter().any(|conflict| match &conflict.rule {
        Rule::Cycle(edges) => conflict.literals.is_empty() && edges.iter().any(blamed),
        _ => false,
    });
    assert!(!blamed, "{}", small.verdict.to_json());
    assert!(certify(&history, &level, 0, &small.whole).is_ok());
}

/// An update of one row needs the insert that made it present.
#[test]
fn the_writer_that_made_a_key_present_stays() {
    let mut builder = HistoryBuilder::default();
    builder.begin(0).put("k", 1).end(Outcome::Committed);
    let update = |builder: &mut HistoryBuilder, session: i64, value: i64, other: &str| {
        let (key, value) = (builder.key("k"), builder.value(value));
        let when = tristan_history::Presence::Present;
        let update = OpKind::PutIf { key, value, when, rows: Some(1) };
        builder.begin(session).get("n", None).op(update).put(other, 1).end(Outcome::Committed);
    };
    update(&mut builder, 1, 2, "n");
    update(&mut builder, 2, 3, "n");
    let history = builder.finish();
    let level = Catalog::default().find("serializable").expect("a level");
    let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
    let small = shrink(&history, &level, &Options::default(), &verdict, &Limits::default())
        .expect("a rejection");
    let updates = small.history.ops.iter().filter(|op| matches!(op.kind, OpKind::PutIf { .. }));
    let inserts = small.history.ops.iter().filter(|op| {
        matches!(op.kind, OpKind::Put { key, .. }
        if small.history.key(key) == &Datum::from("k"))
    });
    assert!(updates.count() == 0 || inserts.count() > 0, "{}", compact(&small.history));
    assert!(certify(&history, &level, 0, &small.whole).is_ok());
}

/// A scan of many keys with many writers each is cut down to the keys that matter.
#[test]
fn a_small_trace_is_not_much_larger_than_its_core() {
    let mut builder = HistoryBuilder::default();
    for round in 0..30 {
        for key in 0..40 {
            builder.begin(key).put(key, round % 3).end(Outcome::Committed);
        }
    }
    let items: BTreeMap<i64, i64> = (0..40).map(|key| (key, 2)).collect();
    let items: Vec<(i64, i64)> = items.into_iter().collect();
    builder.begin(90).scan_keys(0..99, &items).put(70, 1).end(Outcome::Committed);
    builder.begin(91).scan_keys(0..99, &items).put(71, 1).end(Outcome::Committed);
    let history = builder.finish();
    let level = Catalog::default().find("serializable").expect("a level");
    let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
    let small = shrink(&history, &level, &Options::default(), &verdict, &Limits::default())
        .expect("a rejection");
    assert!(small.finished && small.history.txns.len() == 2, "{}", compact(&small.history));
    assert!(certify(&history, &level, 0, &small.whole).is_ok());
}

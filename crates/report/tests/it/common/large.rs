//! Verdicts as large as they get.

use tristan_history::Datum;
use tristan_verdict::{
    Answer, Chosen, Conflict, Edge, EdgeKind, Literal, Point, PointKind, Refutation, Rule, Source,
    Verdict,
};

/// A witness of a million transactions, and many choices.
pub fn accept() -> Verdict {
    const TXNS: u32 = 1_000_000;
    let mut verdict = super::accepted();
    let Answer::Accept { witness } = &mut verdict.answer else { panic!("an accept") };
    witness.order = (0..TXNS).map(|txn| Point { txn, at: PointKind::Whole }).collect();
    witness.sources =
        (0..TXNS).map(|txn| Chosen { txn, op: 0, key: None, from: Source::Txn(txn / 2) }).collect();
    verdict.trace.transactions = TXNS as usize;
    verdict
}

/// A refutation through ten thousand transactions, each with many operations and long values.
pub fn reject() -> Verdict {
    const TXNS: u32 = 10_000;
    let mut verdict = super::ring(30);
    let model = verdict.transactions[0].clone();
    let mut op = model.ops[0].clone();
    op.text = format!("read x → {}", "9".repeat(2_000));
    verdict.transactions = (0..TXNS)
        .map(|id| {
            let mut card = model.clone();
            (card.id, card.label) = (id, format!("T{id}"));
            card.ops = vec![op.clone(); 50];
            card
        })
        .collect();
    let edge = |from: u32| Edge {
        from,
        to: (from + 1) % TXNS,
        kind: EdgeKind::Rw,
        key: Some(Datum::Int(from.into())),
        read_op: Some(0),
        over: Some(Source::Initial),
    };
    let literal = |txn: u32| Literal::Before { key: Datum::Int(0), first: txn, then: txn + 1 };
    let conflict = |number: u32| Conflict {
        literals: vec![literal(number)],
        rule: Rule::Cycle((0..TXNS / 100).map(edge).collect()),
    };
    let long = Conflict { literals: vec![], rule: Rule::Cycle((0..TXNS).map(edge).collect()) };
    let conflicts = (0..200).map(conflict).chain([long]).collect();
    let core = (0..TXNS).collect();
    let refutation = Refutation { conflicts, core, ..Refutation::default() };
    let Answer::Reject { refutation: own, .. } = &mut verdict.answer else { panic!("a reject") };
    *own = refutation;
    verdict.trace.transactions = 1_000_000;
    verdict
}

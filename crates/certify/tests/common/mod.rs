//! Verdicts written by hand.
#![allow(dead_code, reason = "each test file uses some of these")]

use tristan_certify::{Certified, CertifyError, certify};
use tristan_history::{Datum, History, HistoryBuilder};
use tristan_spec::{Catalog, Level};
use tristan_verdict::{
    Anomaly, Answer, Bad, BadKind, Choice, Chosen, Conflict, Context, Edge, EdgeKind, Literal,
    Point, PointKind, Refutation, Rule, SCHEMA_VERSION, Source, TraceSummary, Verdict, Witness,
};

pub const START: Source = Source::Initial;

pub fn history(write: impl FnOnce(&mut HistoryBuilder)) -> History {
    let mut builder = HistoryBuilder::default();
    write(&mut builder);
    builder.finish()
}

pub fn level(name: &str) -> Level {
    Catalog::default().find(name).expect(name)
}

pub fn verdict(level: &Level, answer: Answer) -> Verdict {
    Verdict {
        schema: SCHEMA_VERSION.to_owned(),
        level: level.name.clone(),
        definition: level.formula.to_string(),
        semantics: None,
        own_writes: None,
        trace: TraceSummary::default(),
        answer,
        assumptions: Vec::new(),
        transactions: Vec::new(),
        context: Context::default(),
    }
}

pub fn accept(history: &History, at: &str, witness: &Witness) -> Result<Certified, CertifyError> {
    let level = level(at);
    let answer = Answer::Accept { witness: witness.clone() };
    certify(history, &level, 0, &verdict(&level, answer))
}

pub fn reject(
    history: &History,
    at: &str,
    refutation: &Refutation,
) -> Result<Certified, CertifyError> {
    let level = level(at);
    let anomaly = Anomaly { class: "G2".to_owned(), title: None, sentence: String::new() };
    let answer = Answer::Reject { anomaly, refutation: refutation.clone() };
    certify(history, &level, 0, &verdict(&level, answer))
}

pub fn order(txns: &[u32]) -> Witness {
    let point = |&txn: &u32| Point { txn, at: PointKind::Whole };
    Witness { order: txns.iter().map(point).collect(), ..Witness::default() }
}

pub fn chosen(txn: u32, op: u32, from: Source) -> Chosen {
    Chosen { txn, op, key: None, from }
}

pub fn chosen_of(txn: u32, op: u32, key: &str, from: Source) -> Chosen {
    Chosen { txn, op, key: Some(Datum::from(key)), from }
}

pub fn refutation(conflicts: Vec<Conflict>, core: &[u32]) -> Refutation {
    Refutation { conflicts, core: core.to_vec(), ..Refutation::default() }
}

pub fn cycle(literals: Vec<Literal>, edges: Vec<Edge>) -> Conflict {
    Conflict { literals, rule: Rule::Cycle(edges) }
}

pub fn before(key: &str, first: u32, then: u32) -> Literal {
    Literal::Before { key: Datum::from(key), first, then }
}

pub fn reads(txn: u32, op: u32, from: Source) -> Literal {
    Literal::Reads { txn, op, key: None, from }
}

pub fn reads_of(txn: u32, op: u32, key: &str, from: Source) -> Literal {
    Literal::Reads { txn, op, key: Some(Datum::from(key)), from }
}

pub fn choice(txn: u32, op: u32, key: &str, sources: &[Source]) -> Choice {
    Choice { txn, op, key: Datum::from(key), sources: sources.to_vec() }
}

pub fn bad(kind: BadKind, txn: u32, op: u32, key: &str, writer: Option<u32>) -> Refutation {
    let mut core = vec![txn];
    core.extend(writer);
    core.sort_unstable();
    core.dedup();
    let bad = Bad { kind, txn, op, key: Datum::from(key), writer, other: None };
    Refutation { bad: Some(bad), ..refutation(vec![], &core) }
}

pub fn wr(from: u32, to: u32, key: &str, read_op: u32) -> Edge {
    let key = Some(Datum::from(key));
    Edge { from, to, kind: EdgeKind::Wr, key, read_op: Some(read_op), over: None }
}

pub fn ww(from: u32, to: u32, key: &str) -> Edge {
    Edge { from, to, kind: EdgeKind::Ww, key: Some(Datum::from(key)), read_op: None, over: None }
}

pub fn rw(from: u32, to: u32, key: &str, read_op: u32, over: Source) -> Edge {
    let key = Some(Datum::from(key));
    Edge { from, to, kind: EdgeKind::Rw, key, read_op: Some(read_op), over: Some(over) }
}

pub fn prw(from: u32, to: u32, key: &str, read_op: u32, over: Source) -> Edge {
    Edge { kind: EdgeKind::Prw, ..rw(from, to, key, read_op, over) }
}

pub fn pwr(from: u32, to: u32, key: &str, read_op: u32) -> Edge {
    Edge { kind: EdgeKind::Pwr, ..wr(from, to, key, read_op) }
}

pub fn order_edge(from: u32, to: u32, kind: EdgeKind) -> Edge {
    Edge { from, to, kind, key: None, read_op: None, over: None }
}

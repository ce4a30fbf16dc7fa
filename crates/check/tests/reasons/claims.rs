//! Every claim of a refutation, recomputed from the trace.

use std::collections::BTreeMap;

use tristan_history::{Datum, KeyId, Outcome, TxnId};
use tristan_verdict::{BadKind, Conflict, Edge, EdgeKind, Fact, Literal, Refutation, Rule, Source};

use crate::reading::{Reading, Seen};
use crate::store::Place;

/// What is known about one refutation.
pub struct Claims<'a> {
    pub reading: &'a Reading<'a>,
    pub truth: &'a BTreeMap<Place, Source>,
    pub refutation: &'a Refutation,
    /// What was found to be untrue.
    pub untrue: Vec<String>,
}

impl<'a> Claims<'a> {
    /// The untrue claims of a refutation.
    pub fn untrue(
        reading: &'a Reading<'a>,
        truth: &'a BTreeMap<Place, Source>,
        refutation: &'a Refutation,
    ) -> Vec<String> {
        let mut claims = Self { reading, truth, refutation, untrue: Vec::new() };
        refutation.facts.iter().for_each(|fact| claims.fact(fact));
        for choice in &refutation.choices {
            let seen = reading.read(choice.txn, choice.op, &choice.key);
            let all = seen.map(|seen| reading.candidates(seen)).unwrap_or_default();
            let mut told = choice.sources.clone();
            told.sort_unstable();
            claims.expect(told == sorted(all), || format!("all sources of {choice:?}"));
        }
        claims.bad();
        for conflict in &refutation.conflicts {
            claims.conflict(conflict);
        }
        claims.untrue
    }

    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.untrue.push(format!("untrue: {}", what()));
        }
    }

    fn in_core(&mut self, txn: u32, why: &str) {
        let holds = self.refutation.core.contains(&txn);
        self.expect(holds, || format!("{why} {txn} is in the core"));
    }

    fn key(&self, key: Option<&Datum>) -> Option<KeyId> {
        self.reading.history.keys.find(key?).map(KeyId)
    }

    fn fact(&mut self, fact: &Fact) {
        let reading = self.reading;
        let holds = match fact {
            Fact::OnlyVersions { key, content, txns } => {
                *txns == reading.writers(key, content, false)
            }
            Fact::OnlyWrites { key, content, txns } => *txns == reading.writers(key, content, true),
            Fact::ListShows { txn, op, key, first, then } => {
                self.in_core(*txn, "the reader of a list");
                let seen = reading.read(*txn, *op, key);
                seen.is_some_and(|seen| reading.shows(seen, TxnId(*first), TxnId(*then)))
            }
            Fact::TookEffect { txn, reader, op } => {
                let mut reads =
                    reading.reads.iter().filter(|seen| (seen.txn.0, seen.op) == (*reader, *op));
                reads.any(|seen| {
                    reading.candidates(seen) == [Source::Txn(*txn)]
                        || reading.appenders(seen).contains(&TxnId(*txn))
                })
            }
        };
        self.expect(holds, || format!("{fact:?}"));
    }

    fn bad(&mut self) {
        let Some(bad) = self.refutation.bad.clone() else { return };
        self.in_core(bad.txn, "the reader");
        if let Some(writer) = bad.writer {
            self.in_core(writer, "the writer");
        }
        if let Some((other, _)) = bad.other {
            self.in_core(other, "the other reader");
        }
        let Some(seen) = self.reading.read(bad.txn, bad.op, &bad.key) else {
            return self.expect(false, || format!("{bad:?} is an external read"));
        };
        let wrote = self.reading.ever_wrote(seen);
        let others: Vec<TxnId> = wrote.iter().copied().filter(|&txn| txn != seen.txn).collect();
        let writer = bad.writer.map(TxnId);
        let holds = match bad.kind {
            BadKind::ThinAir => wrote.is_empty() && self.reading.candidates(seen).is_empty(),
            BadKind::Aborted => {
                writer.is_some_and(|txn| others.contains(&txn) && self.reading.is_aborted(txn))
            }
            BadKind::Intermediate => {
                writer.is_some_and(|txn| others.contains(&txn) && !self.reading.is_aborted(txn))
            }
            BadKind::Future => others.is_empty() && wrote == [seen.txn],
            _ => true,
        };
        self.expect(holds, || format!("{bad:?}"));
        let truth = self.truth.get(&(bad.txn, bad.op, bad.key.clone()));
        if let (Some(writer), Some(&truth)) = (bad.writer, truth) {
            let one_of = others.len() > 1 && others.contains(&TxnId(writer));
            self.expect(truth == Source::Txn(writer) || one_of, || {
                format!("{writer} wrote what {bad:?} saw; it was {truth:?}")
            });
        }
    }

    fn conflict(&mut self, conflict: &Conflict) {
        for literal in &conflict.literals {
            match literal {
                Literal::Reads { txn, op, key, from } => {
                    self.in_core(*txn, "the reader");
                    if let Source::Txn(writer) = from {
                        self.in_core(*writer, "the source");
                    }
                    let seen = self.seen(*txn, *op, key.as_ref());
                    self.source(seen, *from, &format!("{literal:?}"));
                }
                Literal::Before { key, first, then } => {
                    let key = self.key(Some(key));
                    for txn in [*first, *then] {
                        self.in_core(txn, "the writer");
                        self.installs(TxnId(txn), key);
                    }
                }
            }
        }
        match &conflict.rule {
            Rule::Cycle(edges) => edges.iter().for_each(|edge| self.edge(conflict, edge)),
            Rule::ListOrder(txn, op) => {
                self.in_core(*txn, "the reader of a list");
                let shows = conflict.literals.iter().any(|literal| match literal {
                    Literal::Before { key, first, then } => {
                        let seen = self.reading.read(*txn, *op, key);
                        seen.is_some_and(|s| self.reading.shows(s, TxnId(*then), TxnId(*first)))
                    }
                    Literal::Reads { .. } => false,
                });
                self.expect(shows, || format!("{conflict:?}"));
            }
            Rule::NoSource(txn, op) => {
                self.in_core(*txn, "the reader");
                let mut reads =
                    self.reading.reads.iter().filter(|s| (s.txn.0, s.op) == (*txn, *op));
                let none = reads.any(|seen| {
                    let list = matches!(seen.look, crate::reading::Look::List(_));
                    list || self.reading.candidates(seen).is_empty()
                });
                self.expect(none, || format!("{conflict:?}"));
            }
            Rule::InitialClash => {}
        }
    }

    fn installs(&mut self, txn: TxnId, key: Option<KeyId>) {
        let holds = key.is_some_and(|key| self.reading.installs(txn, key));
        let effective = !self.reading.is_aborted(txn);
        self.expect(holds && effective, || format!("{txn:?} installed a version of {key:?}"));
    }

    /// The read that a literal or an edge names; a literal of a point read does not name the key.
    fn seen(&self, txn: u32, op: u32, key: Option<&Datum>) -> Option<&'a Seen> {
        let named = |s: &Seen| key.is_none_or(|key| self.reading.history.key(s.key) == key);
        self.reading.reads.iter().find(|s| (s.txn.0, s.op) == (txn, op) && named(s))
    }

    /// Whether a source is the true one, or is told as one of several.
    fn source(&mut self, seen: Option<&Seen>, named: Source, claim: &str) {
        let Some(seen) = seen else { return self.expect(false, || format!("a read: {claim}")) };
        let all = self.reading.candidates(seen);
        let key = self.reading.history.key(seen.key).clone();
        let holds = match all.as_slice() {
            [only] => {
                let truth = self.truth.get(&(seen.txn.0, seen.op, key));
                *only == named && truth.is_none_or(|&truth| truth == named)
            }
            several => {
                several.contains(&named)
                    && self.refutation.choices.iter().any(|choice| {
                        (choice.txn, choice.op) == (seen.txn.0, seen.op) && choice.key == key
                    })
            }
        };
        self.expect(holds, || format!("{claim}: sources are {all:?}"));
    }

    fn edge(&mut self, conflict: &Conflict, edge: &Edge) {
        self.in_core(edge.from, "an end of an edge");
        self.in_core(edge.to, "an end of an edge");
        let claim = format!("{edge:?} in {conflict:?}");
        match edge.kind {
            EdgeKind::Wr | EdgeKind::Pwr => {
                let source = Source::Txn(edge.from);
                self.dependency(conflict, edge, edge.to, source, &claim);
            }
            EdgeKind::Rw | EdgeKind::Prw => {
                let Some(over) = edge.over else { return self.expect(false, || claim) };
                self.dependency(conflict, edge, edge.from, over, &claim);
                self.installs(TxnId(edge.to), self.key(edge.key.as_ref()));
                if let Source::Txn(writer) = over {
                    self.in_core(writer, "what was overwritten");
                    self.ordered(conflict, edge.key.as_ref(), writer, edge.to, &claim);
                }
            }
            EdgeKind::Ww => {
                for txn in [edge.from, edge.to] {
                    self.installs(TxnId(txn), self.key(edge.key.as_ref()));
                }
                self.ordered(conflict, edge.key.as_ref(), edge.from, edge.to, &claim);
            }
            EdgeKind::So | EdgeKind::Rt | EdgeKind::Cc | EdgeKind::Bc => self.time(edge, &claim),
        }
    }

    /// A read dependency, direct or through what was overwritten.
    fn dependency(
        &mut self,
        conflict: &Conflict,
        edge: &Edge,
        reader: u32,
        source: Source,
        claim: &str,
    ) {
        let seen = edge.read_op.and_then(|op| self.seen(reader, op, edge.key.as_ref()));
        self.source(seen, source, claim);
        let Some(seen) = seen else { return };
        let predicate = matches!(edge.kind, EdgeKind::Pwr | EdgeKind::Prw);
        self.expect(seen.predicate == predicate, || format!("predicate or not: {claim}"));
        if self.reading.candidates(seen).len() > 1 {
            let chosen = conflict.literals.iter().any(|literal| match literal {
                Literal::Reads { txn, op, key, from } => {
                    let same_key = key.as_ref().is_none_or(|key| edge.key.as_ref() == Some(key));
                    (*txn, Some(*op), *from) == (reader, edge.read_op, source) && same_key
                }
                Literal::Before { .. } => false,
            });
            self.expect(chosen, || format!("the source is a literal: {claim}"));
        }
    }

    /// An order of versions: assumed by the conflict, or shown by a list.
    fn ordered(
        &mut self,
        conflict: &Conflict,
        key: Option<&Datum>,
        first: u32,
        then: u32,
        claim: &str,
    ) {
        let assumed = conflict.literals.iter().any(|literal| match literal {
            Literal::Before { key: of, first: f, then: t } => {
                (Some(of), *f, *t) == (key, first, then)
            }
            Literal::Reads { .. } => false,
        });
        let shown = self.refutation.facts.iter().any(|fact| match fact {
            Fact::ListShows { key: of, first: f, then: t, .. } => {
                (Some(of), *f, *t) == (key, first, then)
            }
            _ => false,
        });
        self.expect(assumed || shown, || {
            format!("{first} before {then}, assumed or shown: {claim}")
        });
    }

    fn time(&mut self, edge: &Edge, claim: &str) {
        let [from, to] = [edge.from, edge.to].map(|txn| self.reading.history.txn(TxnId(txn)));
        let committed = from.outcome == Outcome::Committed;
        let ended = from.end().ret.filter(|_| committed);
        let earlier = |one: Option<i64>, two: Option<i64>| matches!((one, two), (Some(one), Some(two)) if one < two);
        let first_commit = to.end().call.or(to.begin().ret).or(to.begin().call);
        let holds = match edge.kind {
            EdgeKind::So => committed && from.session == to.session && edge.from < edge.to,
            EdgeKind::Rt => earlier(ended, to.begin().call),
            EdgeKind::Cc => earlier(ended, first_commit),
            _ => earlier(from.begin().ret.or(from.end().call).or(ended), first_commit),
        };
        self.expect(holds, || claim.to_owned());
    }
}

fn sorted(mut sources: Vec<Source>) -> Vec<Source> {
    sources.sort_unstable();
    sources
}

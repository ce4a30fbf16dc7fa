//! The operations that a refutation speaks of.

use std::collections::BTreeSet;

use tristan_history::excerpt::Aspect;
use tristan_history::{Datum, History, KeyId, OpKind, OpRef, TxnId};
use tristan_verdict::{Bad, BadKind, Edge, EdgeKind, Fact, Literal, Refutation, Rule, Source};

use super::closure::Root;
use crate::asg::program::written;

/// What of a trace a refutation of it speaks of; of range reads only the keys in question, if they may
/// be narrowed.
pub(super) fn roots(history: &History, refutation: &Refutation, narrow: bool) -> BTreeSet<Root> {
    let mut roots = Roots { history, narrow, found: BTreeSet::new() };
    roots.refutation(refutation);
    roots.found
}

/// Every operation of some transactions.
pub(super) fn whole(history: &History, txns: impl Iterator<Item = TxnId>) -> BTreeSet<Root> {
    let whole = |txn: TxnId| {
        let ops = (0..history.txn(txn).op_count).map(|op| Some((op, Aspect::Whole)));
        std::iter::once(None).chain(ops).map(move |op| (txn, op))
    };
    txns.flat_map(whole).collect()
}

struct Roots<'h> {
    history: &'h History,
    narrow: bool,
    found: BTreeSet<Root>,
}

impl Roots<'_> {
    fn refutation(&mut self, refutation: &Refutation) {
        self.found.extend(refutation.core.iter().map(|&txn| (TxnId(txn), None)));
        for case in &refutation.cases {
            for fate in &case.fates {
                self.whole(fate.txn, fate.op);
            }
            self.refutation(&case.refutation);
        }
        if let Some(bad) = &refutation.bad {
            self.bad(bad);
        }
        for conflict in &refutation.conflicts {
            for literal in &conflict.literals {
                match literal {
                    Literal::Reads { txn, op, key, .. } => self.read(*txn, *op, key.as_ref()),
                    Literal::Before { key, first, then } => {
                        self.writes(*first, key);
                        self.writes(*then, key);
                    }
                }
            }
            match &conflict.rule {
                Rule::Cycle(edges) => edges.iter().for_each(|edge| self.edge(edge)),
                Rule::NoSource(txn, op) | Rule::ListOrder(txn, op) => self.whole(*txn, *op),
                Rule::InitialClash => {}
            }
        }
        for fact in &refutation.facts {
            if let Fact::ListShows { txn: reader, op, .. } | Fact::TookEffect { reader, op, .. } =
                fact
            {
                self.whole(*reader, *op);
            }
        }
    }

    fn bad(&mut self, bad: &Bad) {
        match bad.kind {
            BadKind::OutsideRange | BadKind::RepeatedKey | BadKind::OutOfOrder => {
                self.whole(bad.txn, bad.op);
            }
            _ => self.read(bad.txn, bad.op, Some(&bad.key)),
        }
        if let Some((txn, op)) = bad.other {
            self.whole(txn, op);
        }
    }

    fn edge(&mut self, edge: &Edge) {
        let Some(key) = &edge.key else { return };
        let reader = match edge.kind {
            EdgeKind::Wr | EdgeKind::Pwr => edge.to,
            EdgeKind::Rw | EdgeKind::Prw => {
                self.writes(edge.to, key);
                if let Some(Source::Txn(over)) = edge.over {
                    self.writes(over, key);
                }
                edge.from
            }
            _ => {
                self.writes(edge.from, key);
                return self.writes(edge.to, key);
            }
        };
        if let Some(op) = edge.read_op {
            self.read(reader, op, Some(key));
        }
    }

    /// What an operation saw of a key: of a range read, nothing else.
    fn read(&mut self, txn: u32, op: u32, key: Option<&Datum>) {
        let kind = &self.history.op(OpRef { txn: TxnId(txn), op }).kind;
        let is_range = matches!(kind, OpKind::Scan { .. } | OpKind::Iterate { .. });
        let key =
            key.filter(|_| is_range && self.narrow).and_then(|key| self.history.keys.find(key));
        let aspect = key.map_or(Aspect::Whole, |key| Aspect::Key(KeyId(key)));
        self.found.insert((TxnId(txn), Some((op, aspect))));
    }

    fn whole(&mut self, txn: u32, op: u32) {
        self.found.insert((TxnId(txn), Some((op, Aspect::Whole))));
    }

    /// What a transaction wrote to a key.
    fn writes(&mut self, txn: u32, key: &Datum) {
        let Some(key) = self.history.keys.find(key).map(KeyId) else { return };
        let txn = TxnId(txn);
        for (number, op) in (0..).zip(self.history.ops_of(txn)) {
            let appends = matches!(op.kind, OpKind::Append { key: of, .. } if of == key);
            if appends || written(op).is_some_and(|(of, _)| of == key) {
                self.found.insert((txn, Some((number, Aspect::Write))));
            }
        }
    }
}

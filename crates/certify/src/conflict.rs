//! One conflict: do its literals really run into its rule?
//!
//! In: a [`Conflict`] and the trace. A conflict stands if every execution that explains the
//! trace and makes all its literals true breaks the rule. For a cycle that means: every
//! transaction on it took effect, every edge follows from the trace and the literals, and the
//! level's formula is violated by these edges alone. Formulas are monotone, so it is violated
//! by any execution that has them.

use tristan_history::{KeyId, Outcome, TxnId};
use tristan_spec::{Level, Rel};
use tristan_verdict::{Conflict, Edge, EdgeKind, Literal, Rule, Source};

use crate::clock;
use crate::cycle::CycleEdges;
use crate::error::CertifyError;
use crate::evaluation::violation;
use crate::grounds::Grounds;
use crate::mentions::mentioned_by;
use crate::operations::Seen;
use crate::reading::{Read, Reading};
use crate::support::Effective;

/// Everything a conflict is checked against.
pub(crate) struct Court<'r> {
    pub(crate) reading: &'r Reading<'r>,
    pub(crate) level: &'r Level,
    pub(crate) drift: i64,
    /// Transactions that took effect; during a check also those that the literals demand.
    pub(crate) effective: Effective,
    /// Per key, the writers of the longest list that was surely read, each with its place.
    shown: Vec<Vec<(TxnId, usize)>>,
    /// Per key, list reads that `shown` does not cover.
    lists: Vec<Vec<Read>>,
    /// What the conflicts checked so far rest on.
    pub(crate) grounds: Grounds,
}

impl<'r> Court<'r> {
    /// Prepares the checks.
    pub(crate) fn new(reading: &'r Reading<'r>, level: &'r Level, drift: i64) -> Self {
        let effective = Effective::certain(reading);
        let mut longest: Vec<Option<(usize, Read)>> = vec![None; reading.history.keys.len()];
        let mut lists = vec![Vec::new(); reading.history.keys.len()];
        for read in &reading.reads {
            let Seen::List(length) = read.seen else { continue };
            let key = read.key.index();
            // Lists of committed readers are prefixes of one another, or the trace is rejected for
            // that alone, so the longest stands for all; others may contradict it.
            let committed = reading.history.txn(read.txn).outcome == Outcome::Committed;
            if reading.is_dirty(read.txn) || !committed {
                lists[key].push(*read);
            } else if longest[key].is_none_or(|(most, _)| most < length) {
                longest[key] = Some((length, *read));
            }
        }
        let places = |found: &Option<(usize, Read)>| {
            let writers = found.and_then(|(_, read)| reading.list_writers(&read).ok());
            let mut places: Vec<(TxnId, usize)> =
                writers.unwrap_or_default().into_iter().zip(0..).collect();
            places.sort_unstable();
            places
        };
        let shown = longest.iter().map(places).collect();
        Self { reading, level, drift, effective, shown, lists, grounds: Grounds::default() }
    }

    /// Checks one conflict, whose literals are known to make sense.
    pub(crate) fn check(&mut self, number: usize, conflict: &Conflict) -> Result<(), CertifyError> {
        let mut added = Vec::new();
        for literal in &conflict.literals {
            if let Literal::Reads { txn, from, .. } = literal {
                added.extend(self.effective.add(self.reading, TxnId(*txn)));
                if let (Source::Txn(writer), false) = (from, self.reading.is_dirty(TxnId(*txn))) {
                    added.extend(self.effective.add(self.reading, TxnId(*writer)));
                }
            }
        }
        let wrong = |problem: &str| CertifyError::Conflict {
            conflict: number,
            problem: problem.to_owned(),
        };
        let result = match &conflict.rule {
            Rule::Cycle(edges) => self.check_cycle(number, &conflict.literals, edges),
            Rule::InitialClash if self.initial_clash(&conflict.literals) => Ok(()),
            Rule::InitialClash => Err(wrong("no two of its reads clash over the initial state")),
            Rule::NoSource(txn, op) => {
                let shown = self.no_source(TxnId(*txn), *op).then_some(());
                shown.ok_or_else(|| wrong("the read has a source, or need not have taken effect"))
            }
            Rule::ListOrder(txn, op) => {
                let shown = self.list_order(&conflict.literals, TxnId(*txn), *op);
                shown.then_some(()).ok_or_else(|| wrong("the list does not contradict the order"))
            }
        };
        self.note_grounds(conflict);
        self.effective.remove(&added);
        result
    }

    /// Notes what the conflict rests on, while its literals are taken for true.
    fn note_grounds(&mut self, conflict: &Conflict) {
        let (txns, keys, operations) = mentioned_by(conflict);
        for (txn, op) in operations {
            self.grounds.operation(self.reading, TxnId(txn), op);
        }
        for key in keys.into_iter().filter_map(|key| self.reading.history.keys.find(key)) {
            self.note_key(KeyId(key));
        }
        for txn in txns {
            self.note_txn(TxnId(txn));
        }
    }

    /// Notes a key, and the list reads of it whose readers need not have committed.
    pub(crate) fn note_key(&mut self, key: KeyId) {
        self.grounds.key(key);
        for read in &self.lists[key.index()] {
            self.grounds.txn(self.reading, &self.effective, read.txn);
        }
    }

    /// Notes a transaction.
    pub(crate) fn note_txn(&mut self, txn: TxnId) {
        if txn.index() < self.reading.history.txns.len() {
            self.grounds.txn(self.reading, &self.effective, txn);
        }
    }

    /// Whether a list read that took effect shows this order of two versions.
    pub(crate) fn list_fact(&self, key: KeyId, first: TxnId, then: TxnId) -> bool {
        let shown = &self.shown[key.index()];
        let place = |txn| shown.binary_search_by_key(&txn, |&(writer, _)| writer).ok();
        let covered = match (place(first), place(then)) {
            (Some(early), Some(late)) => shown[early].1 < shown[late].1,
            (Some(_), None) => self.reading.install(then, key).is_some(),
            (None, _) => false,
        };
        covered
            || self.lists[key.index()].iter().any(|read| {
                self.effective.contains(read.txn) && self.reading.list_shows(read, first, then)
            })
    }

    /// Whether the operation took effect although nothing explains what it saw.
    fn no_source(&self, txn: TxnId, op: u32) -> bool {
        self.effective.contains(txn) && self.reading.is_impossible(txn, op)
    }

    fn initial_clash(&self, literals: &[Literal]) -> bool {
        let reads: Vec<Read> = literals
            .iter()
            .filter_map(|literal| match literal {
                Literal::Reads { txn, op, key, from: Source::Initial } => {
                    let named = self.reading.named_read(TxnId(*txn), *op, key.as_ref());
                    named.ok().map(|(_, read)| read)
                }
                _ => None,
            })
            .filter(|read| self.reading.initial(read.key).is_none())
            .filter(|read| !matches!(read.seen, Seen::List(_)))
            .collect();
        let clash = |a: &Read, b: &Read| a.key == b.key && !a.seen.compatible(b.seen);
        reads.iter().any(|one| reads.iter().any(|other| clash(one, other)))
    }

    fn list_order(&self, literals: &[Literal], reader: TxnId, op: u32) -> bool {
        let Ok((_, read)) = self.reading.named_read(reader, op, None) else { return false };
        let contrary = |literal: &Literal| match literal {
            Literal::Before { key, first, then } => {
                self.reading.history.key(read.key) == key
                    && self.reading.list_shows(&read, TxnId(*then), TxnId(*first))
            }
            Literal::Reads { .. } => false,
        };
        self.effective.contains(reader) && literals.iter().any(contrary)
    }

    fn check_cycle(
        &self,
        conflict: usize,
        literals: &[Literal],
        edges: &[Edge],
    ) -> Result<(), CertifyError> {
        if edges.is_empty() {
            let problem = "the cycle has no edges".to_owned();
            return Err(CertifyError::Conflict { conflict, problem });
        }
        for (position, edge) in edges.iter().enumerate() {
            let wrong = |problem| CertifyError::Edge { conflict, edge: position, problem };
            if edge.to != edges[(position + 1) % edges.len()].from {
                return Err(wrong("it does not lead to where the next one starts"));
            }
            self.check_edge(literals, edge).map_err(wrong)?;
        }
        let cycle = CycleEdges::new(self.reading, edges);
        match violation(&self.level.formula, &cycle)? {
            Some(_) => Ok(()),
            None => {
                let problem = format!("its cycle does not violate {}", self.level.formula);
                Err(CertifyError::Conflict { conflict, problem })
            }
        }
    }

    /// Whether the edge follows from the trace and the literals.
    fn check_edge(&self, literals: &[Literal], edge: &Edge) -> Result<(), &'static str> {
        let (from, to) = (TxnId(edge.from), TxnId(edge.to));
        if !self.effective.contains(from) {
            return Err("its first transaction need not have taken effect");
        }
        if !self.effective.contains(to) {
            return Err("its second transaction need not have taken effect");
        }
        if from == to {
            return Err("it connects a transaction to itself");
        }
        says_no_more_than_its_kind(edge)?;
        let history = self.reading.history;
        let clock = |rel| clock::orders(rel, history.txn(from), history.txn(to), self.drift);
        match edge.kind {
            EdgeKind::Wr | EdgeKind::Pwr => self.check_wr(literals, edge),
            EdgeKind::Ww => self.check_ww(literals, self.key(edge)?, from, to),
            EdgeKind::Rw | EdgeKind::Prw => self.check_rw(literals, edge),
            EdgeKind::So if self.session_orders(from, to) => Ok(()),
            EdgeKind::So => Err("the session does not order these two"),
            EdgeKind::Rt if clock(Rel::Rt) => Ok(()),
            EdgeKind::Cc if clock(Rel::CommitOrder) => Ok(()),
            EdgeKind::Bc if clock(Rel::BeginCommit) => Ok(()),
            EdgeKind::Rt | EdgeKind::Cc | EdgeKind::Bc => Err("the clock does not order these two"),
        }
    }

    fn key(&self, edge: &Edge) -> Result<KeyId, &'static str> {
        let key = edge.key.as_ref().ok_or("it names no key")?;
        self.reading.history.keys.find(key).map(KeyId).ok_or("its key is not in the trace")
    }

    fn check_wr(&self, literals: &[Literal], edge: &Edge) -> Result<(), &'static str> {
        let source = Source::Txn(edge.from);
        self.read_from(literals, TxnId(edge.to), edge, source)
    }

    fn check_rw(&self, literals: &[Literal], edge: &Edge) -> Result<(), &'static str> {
        let (reader, writer) = (TxnId(edge.from), TxnId(edge.to));
        let over = edge.over.ok_or("it does not say which version was overwritten")?;
        self.read_from(literals, reader, edge, over)?;
        let key = self.key(edge)?;
        match over {
            Source::Initial if self.reading.install(writer, key).is_some() => Ok(()),
            Source::Initial => Err("its second transaction installs no version of the key"),
            Source::Txn(first) => self.check_ww(literals, key, TxnId(first), writer),
        }
    }

    /// The literals or the trace say where the read that the edge names came from, and the
    /// edge tells truly whether it is a predicate read.
    fn read_from(
        &self,
        literals: &[Literal],
        reader: TxnId,
        edge: &Edge,
        source: Source,
    ) -> Result<(), &'static str> {
        if self.reading.is_dirty(reader) {
            return Err("dirty reads create no dependencies");
        }
        let op = edge.read_op.ok_or("it names no reading operation")?;
        let read = self.reading.read_of_key(reader, op, self.key(edge)?);
        let (_, read) = read.ok_or("it names no external read of its key")?;
        match (read.predicate, matches!(edge.kind, EdgeKind::Pwr | EdgeKind::Prw)) {
            (true, false) => return Err("the range read did not return the key"),
            (false, true) => return Err("the key was read itself, not by a predicate"),
            _ => {}
        }
        let key = self.reading.name_of(&read);
        let assumed = Literal::Reads { txn: reader.0, op, key, from: source };
        let fact = || self.reading.only_source(&read) == Some(source);
        if literals.contains(&assumed) || fact() {
            return Ok(());
        }
        Err("neither the trace nor a literal says that the read came from there")
    }

    fn check_ww(
        &self,
        literals: &[Literal],
        key: KeyId,
        first: TxnId,
        then: TxnId,
    ) -> Result<(), &'static str> {
        let installs = |txn| self.reading.install(txn, key).is_some();
        if !installs(first) || !installs(then) {
            return Err("one of the two installs no version of the key");
        }
        let name = self.reading.history.key(key).clone();
        let assumed = Literal::Before { key: name, first: first.0, then: then.0 };
        if literals.contains(&assumed) || self.list_fact(key, first, then) {
            return Ok(());
        }
        Err("neither the trace nor a literal orders the two versions")
    }

    fn session_orders(&self, first: TxnId, then: TxnId) -> bool {
        let history = self.reading.history;
        let session = history.txn(first).session;
        let place = |txn| history.sessions[session.index()].txns.iter().position(|&t| t == txn);
        history.txn(first).outcome == Outcome::Committed
            && history.txn(then).session == session
            && place(first) < place(then)
    }
}

/// Only dependencies on a key name one, only reads name an operation, only anti-dependencies name
/// what was overwritten.
fn says_no_more_than_its_kind(edge: &Edge) -> Result<(), &'static str> {
    let (on_key, by_read, over) = match edge.kind {
        EdgeKind::Rw | EdgeKind::Prw => (true, true, true),
        EdgeKind::Wr | EdgeKind::Pwr => (true, true, false),
        EdgeKind::Ww => (true, false, false),
        EdgeKind::So | EdgeKind::Rt | EdgeKind::Cc | EdgeKind::Bc => (false, false, false),
    };
    if edge.key.is_some() && !on_key {
        return Err("it names a key, but is not about one");
    }
    if edge.read_op.is_some() && !by_read {
        return Err("it names a reading operation, but is not about a read");
    }
    if edge.over.is_some() && !over {
        return Err("it names an overwritten version, but overwrites none");
    }
    Ok(())
}

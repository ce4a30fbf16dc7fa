//! What the reads of a trace saw, and which transactions can have provided that: the rules of
//! docs/semantics.md for traces without savepoints and without operations of unknown effect, where
//! own writes must be seen.

use std::collections::BTreeMap;

use tristan_history::{
    Datum, History, Initial, KeyId, Observed, OpKind, OpStatus, Outcome, Presence, Range, TxnId,
    ValueId,
};
use tristan_verdict::{Content, Source};

/// What a read saw of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    Absent,
    Present,
    Value(ValueId),
    /// The elements of others.
    List(Vec<ValueId>),
}

/// An external read.
#[derive(Clone, Debug)]
pub struct Seen {
    pub txn: TxnId,
    pub op: u32,
    pub key: KeyId,
    pub look: Look,
    /// Whether a range read did not return the key.
    pub predicate: bool,
}

/// Something a transaction wrote: the content of a register, or an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Holds(Option<ValueId>),
    Element(ValueId),
}

/// A trace, read.
pub struct Reading<'a> {
    pub history: &'a History,
    pub reads: Vec<Seen>,
    /// Every write of each transaction, in order.
    pub writes: Vec<Vec<(KeyId, Written)>>,
}

impl<'a> Reading<'a> {
    pub fn of(history: &'a History) -> Self {
        let mut reading = Self { history, reads: Vec::new(), writes: Vec::new() };
        for txn in history.txn_ids() {
            reading.writes.push(Vec::new());
            for (op, done) in (0..).zip(history.ops_of(txn)) {
                if done.status == OpStatus::Done {
                    reading.take(txn, op, &done.kind);
                }
            }
        }
        reading
    }

    fn take(&mut self, txn: TxnId, op: u32, kind: &OpKind) {
        match *kind {
            OpKind::Get { key, seen, .. } => self.observe(txn, op, key, seen),
            OpKind::Put { key, value } => self.write(txn, key, Written::Holds(Some(value))),
            OpKind::PutIf { key, value, when, rows } => {
                if let Some(rows) = rows {
                    self.count(txn, op, key, (rows > 0) == (when == Presence::Present));
                }
                if rows != Some(0) {
                    self.write(txn, key, Written::Holds(Some(value)));
                }
            }
            OpKind::Delete { key, rows } => {
                if let Some(rows) = rows {
                    self.count(txn, op, key, rows > 0);
                }
                if rows != Some(0) {
                    self.write(txn, key, Written::Holds(None));
                }
            }
            OpKind::ReadModifyWrite { key, seen, value } => {
                self.observe(txn, op, key, seen);
                self.write(txn, key, Written::Holds(Some(value)));
            }
            OpKind::Append { key, element } => self.write(txn, key, Written::Element(element)),
            OpKind::ReadList { key, elements: Some(ref elements) } => {
                self.list(txn, op, key, elements);
            }
            OpKind::Scan { ref range, items: Some(ref items), .. }
            | OpKind::Iterate { ref range, items: Some(ref items), reached_end: true } => {
                for key in self.keys_in(range) {
                    let item = items.iter().find(|item| item.0 == key);
                    let look = item.map_or(Look::Absent, |item| Look::Value(item.1));
                    self.see(Seen { txn, op, key, look, predicate: item.is_none() });
                }
            }
            _ => {}
        }
    }

    fn write(&mut self, txn: TxnId, key: KeyId, written: Written) {
        self.writes[txn.index()].push((key, written));
    }

    fn observe(&mut self, txn: TxnId, op: u32, key: KeyId, seen: Observed) {
        let look = match seen {
            Observed::Unknown => return,
            Observed::Absent => Look::Absent,
            Observed::Value(value) => Look::Value(value),
        };
        self.see(Seen { txn, op, key, look, predicate: false });
    }

    fn count(&mut self, txn: TxnId, op: u32, key: KeyId, present: bool) {
        let look = if present { Look::Present } else { Look::Absent };
        self.see(Seen { txn, op, key, look, predicate: false });
    }

    fn see(&mut self, seen: Seen) {
        if self.final_write(seen.txn, seen.key).is_none() {
            self.reads.push(seen);
        }
    }

    fn list(&mut self, txn: TxnId, op: u32, key: KeyId, elements: &[ValueId]) {
        let own = self.appended(txn, key).len();
        let others = elements[..elements.len().saturating_sub(own)].to_vec();
        self.reads.push(Seen { txn, op, key, look: Look::List(others), predicate: false });
    }

    /// Keys are texts here, and no range ends at one.
    fn keys_in(&self, range: &Range) -> Vec<KeyId> {
        let keys = (0..self.history.keys.len()).map(KeyId::new);
        let within = |key: &KeyId| {
            let name = self.history.key(*key).bytes();
            range.lo.as_ref().is_none_or(|lo| lo.bytes() <= name)
                && range.hi.as_ref().is_none_or(|hi| name < hi.bytes())
        };
        keys.filter(within).collect()
    }

    /// The last register write of the key.
    pub fn final_write(&self, txn: TxnId, key: KeyId) -> Option<Option<ValueId>> {
        self.writes[txn.index()].iter().rev().find_map(|&(written, what)| match what {
            Written::Holds(content) if written == key => Some(content),
            _ => None,
        })
    }

    /// The elements appended to the key.
    pub fn appended(&self, txn: TxnId, key: KeyId) -> Vec<ValueId> {
        let of_key = self.writes[txn.index()].iter().filter(|(written, _)| *written == key);
        of_key
            .filter_map(|&(_, what)| match what {
                Written::Element(element) => Some(element),
                Written::Holds(_) => None,
            })
            .collect()
    }

    /// Whether the transaction installs a version of the key, if it takes effect.
    pub fn installs(&self, txn: TxnId, key: KeyId) -> bool {
        self.writes[txn.index()].iter().any(|(written, _)| *written == key)
    }

    pub fn is_aborted(&self, txn: TxnId) -> bool {
        self.history.txn(txn).outcome == Outcome::Aborted
    }

    /// The external read of a key by an operation.
    pub fn read(&self, txn: u32, op: u32, key: &Datum) -> Option<&Seen> {
        let of_op = self.reads.iter().filter(|seen| (seen.txn.0, seen.op) == (txn, op));
        let mut of_key = of_op.filter(|seen| self.history.key(seen.key) == key);
        of_key.next()
    }

    /// Every possible source of a read, in the whole trace.
    pub fn candidates(&self, seen: &Seen) -> Vec<Source> {
        if let Look::List(elements) = &seen.look {
            let last = elements.last().map(|&last| self.appender(seen.key, last));
            return match last {
                None => vec![Source::Initial],
                Some(appender) => appender.map(|txn| Source::Txn(txn.0)).into_iter().collect(),
            };
        }
        let initial = self.starts_like(seen).then_some(Source::Initial);
        let others = self.history.txn_ids().filter(|&txn| txn != seen.txn && !self.is_aborted(txn));
        let fitting = others.filter(|&txn| {
            self.final_write(txn, seen.key).is_some_and(|content| fits(&seen.look, content))
        });
        initial.into_iter().chain(fitting.map(|txn| Source::Txn(txn.0))).collect()
    }

    /// The transactions that ever wrote what a read saw, whatever became of it.
    pub fn ever_wrote(&self, seen: &Seen) -> Vec<TxnId> {
        let wrote = |&txn: &TxnId| {
            self.writes[txn.index()].iter().any(|&(key, what)| {
                key == seen.key
                    && match (&seen.look, what) {
                        (Look::List(elements), Written::Element(element)) => {
                            elements.contains(&element)
                        }
                        (look, Written::Holds(content)) => fits(look, content),
                        _ => false,
                    }
            })
        };
        self.history.txn_ids().filter(wrote).collect()
    }

    /// The transactions whose elements a list read saw.
    pub fn appenders(&self, seen: &Seen) -> Vec<TxnId> {
        let Look::List(elements) = &seen.look else { return Vec::new() };
        elements.iter().filter_map(|&element| self.appender(seen.key, element)).collect()
    }

    /// The transaction that appended the element.
    pub fn appender(&self, key: KeyId, element: ValueId) -> Option<TxnId> {
        let mut txns = self.history.txn_ids();
        txns.find(|&txn| self.appended(txn, key).contains(&element))
    }

    fn starts_like(&self, seen: &Seen) -> bool {
        match &self.history.header.initial {
            Initial::Unknown => true,
            Initial::Empty => fits(&seen.look, None),
            Initial::Uniform(value) => fits(&seen.look, Some(*value)),
            Initial::Given(held) => fits(&seen.look, held.get(&seen.key).copied()),
        }
    }

    /// Whether a list read shows that one version of its key came before another.
    pub fn shows(&self, seen: &Seen, first: TxnId, then: TxnId) -> bool {
        let order = self.appenders(seen);
        let place = |txn: TxnId| order.iter().position(|&other| other == txn);
        match (place(first), place(then)) {
            (Some(first), Some(then)) => first < then,
            (Some(_), None) => !self.appended(then, seen.key).is_empty(),
            _ => false,
        }
    }

    /// The transactions with a version (or with any write at all) of this content.
    pub fn writers(&self, key: &Datum, content: &Content, any_write: bool) -> Vec<u32> {
        let Some(key) = self.history.keys.find(key).map(KeyId) else { return Vec::new() };
        let fitting = |what: Written| match (content, what) {
            (Content::Absent, Written::Holds(None))
            | (Content::Present, Written::Holds(Some(_))) => true,
            (Content::Value(value), Written::Holds(Some(held)))
            | (Content::Element(value), Written::Element(held)) => {
                *self.history.value(held) == *value
            }
            _ => false,
        };
        let wrote = |&txn: &TxnId| {
            let mut last = BTreeMap::new();
            let mut any = false;
            for &(written, what) in self.writes[txn.index()].iter().filter(|(k, _)| *k == key) {
                any |= fitting(what);
                last.insert(written, what);
            }
            let element = matches!(content, Content::Element(_));
            let stands =
                if element { any } else { last.get(&key).is_some_and(|&what| fitting(what)) };
            if any_write { any } else { stands && !self.is_aborted(txn) }
        };
        self.history.txn_ids().filter(wrote).map(|txn| txn.0).collect()
    }
}

/// Whether a register with this content looks like this.
pub fn fits(look: &Look, content: Option<ValueId>) -> bool {
    match look {
        Look::Absent => content.is_none(),
        Look::Present => content.is_some(),
        Look::Value(value) => content == Some(*value),
        Look::List(_) => false,
    }
}

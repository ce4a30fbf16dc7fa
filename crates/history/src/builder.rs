//! Builds a [`History`] transaction by transaction; used by readers, generators and tests.

use rustc_hash::FxHashMap;

use crate::{
    Datum, History, Items, KeyId, Observed, Op, OpKind, OpStatus, Outcome, Presence, Range,
    Session, SessionId, Txn, TxnId, ValueId,
};

/// A history under construction.
///
/// ```
/// use tristan_history::{HistoryBuilder, Outcome};
/// let mut builder = HistoryBuilder::default();
/// builder.begin("alice").put("x", 1).end(Outcome::Committed);
/// builder.begin("bob").get("x", Some(1)).end(Outcome::Committed);
/// assert_eq!(builder.finish().txns.len(), 2);
/// ```
#[derive(Debug, Default)]
pub struct HistoryBuilder {
    history: History,
    sessions: FxHashMap<Datum, SessionId>,
}

impl From<History> for HistoryBuilder {
    /// Goes on where a finished history stopped.
    fn from(history: History) -> Self {
        let named = history.sessions.iter().enumerate();
        let sessions =
            named.map(|(index, session)| (session.name.clone(), SessionId::new(index))).collect();
        Self { history, sessions }
    }
}

impl HistoryBuilder {
    /// Ends the construction and returns the history.
    pub fn finish(self) -> History {
        self.history
    }

    /// The history so far, to set header, notes and warnings.
    pub fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    /// The id of a key.
    pub fn key(&mut self, key: impl Into<Datum>) -> KeyId {
        KeyId(self.history.keys.intern(key.into()))
    }

    /// The id of a value.
    pub fn value(&mut self, value: impl Into<Datum>) -> ValueId {
        ValueId(self.history.values.intern(value.into()))
    }

    /// The id of a session, new or old.
    pub fn session(&mut self, name: impl Into<Datum>) -> SessionId {
        let name = name.into();
        if let Some(&known) = self.sessions.get(&name) {
            return known;
        }
        let id = SessionId::new(self.history.sessions.len());
        self.history.sessions.push(Session { name: name.clone(), txns: Vec::new() });
        self.sessions.insert(name, id);
        id
    }

    /// Starts a transaction at the end of its session.
    pub fn begin(&mut self, session: impl Into<Datum>) -> TxnBuilder<'_> {
        let session = self.session(session);
        let id = self.add_txn(Txn::new(session, Outcome::Unknown));
        TxnBuilder { builder: self, id }
    }

    /// Adds a transaction record at the end of its session; its operations follow through
    /// [`HistoryBuilder::push_op`] before the next transaction is added.
    pub fn add_txn(&mut self, mut txn: Txn) -> TxnId {
        let id = TxnId::new(self.history.txns.len());
        txn.first_op = u32::try_from(self.history.ops.len()).expect("too many operations");
        txn.op_count = 0;
        self.history.sessions[txn.session.index()].txns.push(id);
        self.history.txns.push(txn);
        id
    }

    /// Adds an operation to the transaction added last.
    pub fn push_op(&mut self, op: Op) {
        self.history.ops.push(op);
        let txn = self.history.txns.last_mut().expect("a transaction was added before");
        txn.op_count += 1;
    }
}

/// What a point read returned: a value, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen(Option<Datum>);

impl From<Option<i64>> for Seen {
    fn from(seen: Option<i64>) -> Self {
        Self(seen.map(Datum::from))
    }
}

impl<T: Into<Datum>> From<T> for Seen {
    fn from(value: T) -> Self {
        Self(Some(value.into()))
    }
}

/// The transaction being written, with short methods for the common operations.
#[derive(Debug)]
pub struct TxnBuilder<'a> {
    builder: &'a mut HistoryBuilder,
    id: TxnId,
}

impl TxnBuilder<'_> {
    /// Point read of a value, or of an absent key (`None`).
    pub fn get(self, key: impl Into<Datum>, seen: impl Into<Seen>) -> Self {
        let key = self.builder.key(key);
        let seen = match seen.into().0 {
            Some(value) => Observed::Value(self.builder.value(value)),
            None => Observed::Absent,
        };
        self.op(OpKind::Get { key, seen, locking: false })
    }

    /// Upsert of a value.
    pub fn put(self, key: impl Into<Datum>, value: impl Into<Datum>) -> Self {
        let key = self.builder.key(key);
        let value = self.builder.value(value);
        self.op(OpKind::Put { key, value })
    }

    /// A write of an integer that happened (1 row) or not (0 rows), depending on whether the key
    /// was there.
    pub fn put_if(
        self,
        key: impl Into<Datum>,
        value: i64,
        when: Presence,
        rows: Option<u32>,
    ) -> Self {
        let key = self.builder.key(key);
        let value = self.builder.value(value);
        self.op(OpKind::PutIf { key, value, when, rows })
    }

    /// Deletes a key; the number of rows is not known.
    pub fn delete(self, key: impl Into<Datum>) -> Self {
        let key = self.builder.key(key);
        self.op(OpKind::Delete { key, rows: None })
    }

    /// Append of an integer element.
    pub fn append(self, key: impl Into<Datum>, element: i64) -> Self {
        let key = self.builder.key(key);
        let element = self.builder.value(element);
        self.op(OpKind::Append { key, element })
    }

    /// List read of integer elements.
    pub fn list(self, key: impl Into<Datum>, elements: &[i64]) -> Self {
        let key = self.builder.key(key);
        let elements = elements.iter().map(|&element| self.builder.value(element)).collect();
        self.op(OpKind::ReadList { key, elements: Some(elements) })
    }

    /// Range read of integers under text keys.
    pub fn scan(self, range: impl Into<Range>, items: &[(&str, i64)]) -> Self {
        self.scan_keys(range, items)
    }

    /// Range read of integers under any keys.
    pub fn scan_keys<K: Into<Datum> + Clone>(
        mut self,
        range: impl Into<Range>,
        items: &[(K, i64)],
    ) -> Self {
        let items = Some(self.items(items));
        self.op(OpKind::Scan { range: Box::new(range.into()), items, locking: false })
    }

    /// Steps through a range of integers under text keys, to its end or not.
    pub fn iterate(
        mut self,
        range: impl Into<Range>,
        items: &[(&str, i64)],
        reached_end: bool,
    ) -> Self {
        let items = Some(self.items(items));
        self.op(OpKind::Iterate { range: Box::new(range.into()), items, reached_end })
    }

    fn items<K: Into<Datum> + Clone>(&mut self, items: &[(K, i64)]) -> Items {
        let builder = &mut *self.builder;
        let item = |(key, value): &(K, i64)| (builder.key(key.clone()), builder.value(*value));
        items.iter().map(item).collect()
    }

    /// Marks a place to roll back to.
    pub fn savepoint(self, name: impl Into<Datum>) -> Self {
        self.op(OpKind::Savepoint { name: Box::new(name.into()) })
    }

    /// Undoes the writes since the last savepoint of this name.
    pub fn rollback(self, name: impl Into<Datum>) -> Self {
        self.op(OpKind::RollbackTo { name: Box::new(name.into()) })
    }

    /// Any operation that returned.
    pub fn op(self, kind: OpKind) -> Self {
        self.builder.push_op(Op { kind, status: OpStatus::Done, line: 0 });
        self
    }

    /// States when the transaction ran: it began after `begin` and had ended by `end`.
    pub fn during(self, begin: i64, end: i64) -> Self {
        let txn = &mut self.builder.history.txns[self.id.index()];
        txn.times_mut().begin.call = Some(begin);
        txn.times_mut().end.ret = Some(end);
        self
    }

    /// Ends the transaction.
    pub fn end(self, outcome: Outcome) -> TxnId {
        self.builder.history.txns[self.id.index()].outcome = outcome;
        self.id
    }
}

//! What Elle has words for: reads, writes and appends of single keys, keys absent at the start.
//!
//! Everything else is left out or said in other words. Whatever is left out must not make
//! something else look wrong: a read that found nothing because of a delete would look as if
//! it had missed every write, so it goes with the delete. A history may look better in these words than it
//! was, never worse; the exceptions say so in their sentences.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::lost::Lost;
use crate::rollback::{Access, Accesses};
use tristan_history::{
    Datum, History, KeyId, Observed, Op, OpKind, OpStatus, Outcome, OwnWrites, Presence, TxnId,
    ValueId,
};

/// What Elle can say of a history, and what it cannot.
pub(super) struct Sayable<'a> {
    history: &'a History,
    /// Keys that some transaction may have deleted.
    deleted: FxHashSet<KeyId>,
    /// How often what was lost.
    pub(super) lost: BTreeMap<Lost, usize>,
}

/// A micro-operation.
pub(super) struct Micro {
    function: &'static str,
    key: KeyId,
    /// What was read or written, if that is known.
    value: Value,
}

impl Access for Micro {
    fn key(&self) -> KeyId {
        self.key
    }

    fn is_write(&self) -> bool {
        self.function != "r"
    }
}

/// The transaction whose operations are being put into words.
struct Telling<'a> {
    committed: bool,
    /// Keys that it has written so far.
    written: FxHashSet<KeyId>,
    micros: Accesses<'a, Micro>,
}

impl Micro {
    /// The operation as it is asked for.
    pub(super) fn asked(&self, history: &History) -> Value {
        let value = if self.function == "r" { &Value::Null } else { &self.value };
        json!([self.function, history.key(self.key), value])
    }

    /// The operation with its result.
    pub(super) fn told(&self, history: &History) -> Value {
        json!([self.function, history.key(self.key), self.value])
    }
}

impl<'a> Sayable<'a> {
    pub(super) fn of(history: &'a History) -> Self {
        let may_delete = |op: &&Op| match (op.status, &op.kind) {
            (OpStatus::Done, OpKind::Delete { rows, .. }) => *rows != Some(0),
            (OpStatus::Pending, OpKind::Delete { .. }) => true,
            _ => false,
        };
        let deleted = history.ops.iter().filter(may_delete).filter_map(|op| op.kind.key());
        Self { history, deleted: deleted.collect(), lost: BTreeMap::new() }
    }

    /// The operation that writes a value.
    pub(super) fn write_of(&self, key: KeyId, value: ValueId) -> Micro {
        Micro { function: "w", key, value: self.shown(value) }
    }

    /// The operations of a transaction.
    pub(super) fn of_txn(&mut self, id: TxnId) -> Vec<Micro> {
        let history = self.history;
        let committed = history.txn(id).outcome == Outcome::Committed;
        let (written, micros) = (FxHashSet::default(), Accesses::default());
        let mut telling = Telling { committed, written, micros };
        for op in history.ops_of(id) {
            match op.status {
                OpStatus::Failed => {
                    self.lose(Lost::Failed);
                    continue;
                }
                OpStatus::Pending => self.lose(Lost::Pending),
                OpStatus::Done => {}
            }
            self.tell(op, &mut telling);
            telling.micros.follow(op);
            telling.written.extend(written_key(&op.kind));
        }
        let Accesses { left, undone, .. } = telling.micros;
        (0..undone).for_each(|_| self.lose(Lost::Undone));
        left
    }

    fn tell(&mut self, op: &Op, telling: &mut Telling<'_>) {
        // What never returned saw nothing, but may have written.
        let done = op.status == OpStatus::Done;
        let known = |seen: Observed| if done { seen } else { Observed::Unknown };
        match &op.kind {
            OpKind::Get { key, seen, locking } => {
                self.lose_if(*locking, Lost::Locks);
                self.read(*key, known(*seen), telling);
            }
            OpKind::ReadList { key, elements } => {
                self.list(*key, elements.as_deref().filter(|_| done), telling);
            }
            OpKind::Put { key, value } => self.write(*key, *value, telling),
            OpKind::Append { key, element } => {
                telling.push("append", *key, self.shown(*element));
            }
            OpKind::ReadModifyWrite { key, seen, value } => {
                self.lose(Lost::OneStep);
                self.read(*key, known(*seen), telling);
                self.write(*key, *value, telling);
            }
            OpKind::PutIf { key, value, when, rows } => {
                self.lose(Lost::Conditions);
                let rows = rows.filter(|_| done);
                if was_absent(*when, rows) {
                    self.read(*key, Observed::Absent, telling);
                }
                if rows != Some(0) {
                    self.write(*key, *value, telling);
                }
            }
            OpKind::Delete { key, rows } => {
                self.lose(Lost::Deletes);
                if done && *rows == Some(0) {
                    self.read(*key, Observed::Absent, telling);
                }
            }
            OpKind::Scan { .. } | OpKind::Iterate { .. } => self.lose(Lost::Ranges),
            OpKind::Savepoint { .. } | OpKind::RollbackTo { .. } => self.lose(Lost::Savepoints),
        }
    }

    fn read(&mut self, key: KeyId, seen: Observed, telling: &mut Telling<'_>) {
        let value = match seen {
            Observed::Unknown => None,
            Observed::Absent => Some(Value::Null),
            Observed::Value(value) => Some(self.shown(value)),
        };
        if telling.committed && seen == Observed::Absent && self.deleted.contains(&key) {
            return self.lose(Lost::AfterDelete);
        }
        self.saw(key, value, telling);
    }

    fn list(&mut self, key: KeyId, elements: Option<&[ValueId]>, telling: &mut Telling<'_>) {
        let shown =
            |elements: &[ValueId]| elements.iter().map(|value| self.shown(*value)).collect();
        let value = elements.map(|elements| Value::Array(shown(elements)));
        self.saw(key, value, telling);
    }

    /// What a read saw, `None` if that is unknown. Elle looks at it only if the transaction
    /// committed, and then takes nothing for an absent key.
    fn saw(&mut self, key: KeyId, value: Option<Value>, telling: &mut Telling<'_>) {
        let own = self.history.header.own_writes != OwnWrites::Must;
        match value {
            value if !telling.committed => {
                self.lose_if(value.is_some(), Lost::SeenInVain);
                telling.push("r", key, Value::Null);
            }
            None => self.lose(Lost::Unseen),
            Some(_) if own && telling.written.contains(&key) => self.lose(Lost::OwnReads),
            Some(value) => telling.push("r", key, value),
        }
    }

    fn write(&self, key: KeyId, value: ValueId, telling: &mut Telling<'_>) {
        telling.micros.left.push(self.write_of(key, value));
    }

    fn shown(&self, value: ValueId) -> Value {
        match &*self.history.value(value) {
            Datum::Json(text) => json!(text),
            other => json!(other),
        }
    }

    fn lose(&mut self, what: Lost) {
        *self.lost.entry(what).or_default() += 1;
    }

    fn lose_if(&mut self, lossy: bool, what: Lost) {
        if lossy {
            self.lose(what);
        }
    }
}

impl Telling<'_> {
    fn push(&mut self, function: &'static str, key: KeyId, value: Value) {
        self.micros.left.push(Micro { function, key, value });
    }
}

/// Whether the row count of a conditional write shows that the key was absent.
fn was_absent(when: Presence, rows: Option<u32>) -> bool {
    matches!((when, rows), (Presence::Present, Some(0)) | (Presence::Absent, Some(1..)))
}

/// The key an operation may write.
fn written_key(kind: &OpKind) -> Option<KeyId> {
    match kind {
        OpKind::Put { key, .. }
        | OpKind::PutIf { key, .. }
        | OpKind::Delete { key, .. }
        | OpKind::ReadModifyWrite { key, .. }
        | OpKind::Append { key, .. } => Some(*key),
        OpKind::Get { .. }
        | OpKind::ReadList { .. }
        | OpKind::Scan { .. }
        | OpKind::Iterate { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => None,
    }
}

/// Keys that are used as lists.
pub(super) fn list_keys(history: &History) -> FxHashSet<KeyId> {
    let key = |op: &Op| match op.kind {
        OpKind::Append { key, .. } | OpKind::ReadList { key, .. } => Some(key),
        _ => None,
    };
    history.ops.iter().filter_map(key).collect()
}

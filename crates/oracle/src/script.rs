//! One transaction's operations taken in program order: what it wrote, what it saw of others,
//! and whether it saw its own writes. In: operations. Out: a [`Script`].

use std::collections::BTreeMap;

use tristan_history::{
    Datum, History, KeyId, Observed, OpKind, OpStatus, OwnWrites, Presence, TxnId, ValueId,
};

use crate::{
    ranges::RangeRead,
    register::{Content, Read, Seen},
};

/// Something written to a key: the content of a register, or an element of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write<T> {
    pub key: KeyId,
    /// What was written.
    pub what: T,
    /// Whether a rollback to a savepoint took it back.
    pub undone: bool,
}

/// What a transaction did, one operation after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// External register reads with a known result.
    pub reads: Vec<Read>,
    /// List reads: operation, key, and the external elements.
    pub lists: Vec<(usize, KeyId, Vec<ValueId>)>,
    /// Every register write, in order.
    pub writes: Vec<Write<Content>>,
    /// Every append, in order.
    pub appends: Vec<Write<ValueId>>,
    /// The client saw something that is wrong at every level: a read missed the transaction's
    /// own last write, or the result of a range read is malformed.
    pub wrong: bool,
}

impl Script {
    /// Reads the operations of a transaction. What is still pending counts as not done: the fates
    /// of such operations are chosen before.
    pub(crate) fn of(history: &History, universe: &[KeyId], txn: TxnId) -> Self {
        let script = Self::default();
        let mut reader = Reader { history, universe, script, savepoints: Vec::new() };
        for (position, op) in history.ops_of(txn).iter().enumerate() {
            if op.status == OpStatus::Done {
                reader.step(position, &op.kind);
            }
        }
        reader.script
    }

    /// The last write of each key.
    pub(crate) fn versions(&self) -> BTreeMap<KeyId, Content> {
        standing(&self.writes).map(|write| (write.key, write.what)).collect()
    }

    /// The elements appended to a key, in order.
    pub(crate) fn appended_to(&self, key: KeyId) -> Vec<ValueId> {
        standing(&self.appends).filter(|write| write.key == key).map(|write| write.what).collect()
    }

    /// Whether the transaction appended the element to the key, for good or not.
    pub(crate) fn ever_appended(&self, key: KeyId, element: ValueId) -> bool {
        self.appends.iter().any(|write| write.key == key && write.what == element)
    }

    /// The keys written, each as often as it was.
    pub(crate) fn written(&self) -> impl Iterator<Item = KeyId> {
        let registers = standing(&self.writes).map(|write| write.key);
        registers.chain(standing(&self.appends).map(|write| write.key))
    }
}

/// The writes that were not taken back.
fn standing<T>(writes: &[Write<T>]) -> impl DoubleEndedIterator<Item = &Write<T>> {
    writes.iter().filter(|write| !write.undone)
}

/// A place to go back to.
struct Savepoint<'a> {
    name: &'a Datum,
    writes: usize,
    appends: usize,
}

/// Goes through the operations.
struct Reader<'a> {
    history: &'a History,
    universe: &'a [KeyId],
    script: Script,
    savepoints: Vec<Savepoint<'a>>,
}

impl<'a> Reader<'a> {
    fn step(&mut self, op: usize, kind: &'a OpKind) {
        match kind {
            OpKind::Get { key, seen, .. } => self.get(op, *key, *seen),
            OpKind::Put { key, value } => self.write(*key, Some(*value)),
            OpKind::PutIf { key, value, when, rows } => {
                self.put_if(op, *key, *value, *when, *rows);
            }
            OpKind::Delete { key, rows } => self.delete(op, *key, *rows),
            OpKind::ReadModifyWrite { key, seen, value } => {
                self.get(op, *key, *seen);
                self.write(*key, Some(*value));
            }
            OpKind::Append { key, element } => {
                self.script.appends.push(Write { key: *key, what: *element, undone: false });
            }
            OpKind::ReadList { key, elements } => {
                if let Some(elements) = elements.as_deref() {
                    self.list(op, *key, elements);
                }
            }
            OpKind::Scan { .. } | OpKind::Iterate { .. } => self.range(op, kind),
            OpKind::Savepoint { name } => self.set_savepoint(name),
            OpKind::RollbackTo { name } => self.roll_back(name),
        }
    }

    fn get(&mut self, op: usize, key: KeyId, seen: Observed) {
        match seen {
            Observed::Absent => self.see_item(op, key, Seen::Absent),
            Observed::Value(value) => self.see_item(op, key, Seen::Value(value)),
            Observed::Unknown => {}
        }
    }

    fn write(&mut self, key: KeyId, what: Content) {
        self.script.writes.push(Write { key, what, undone: false });
    }

    fn delete(&mut self, op: usize, key: KeyId, rows: Option<u32>) {
        match rows {
            Some(0) => return self.see_item(op, key, Seen::Absent),
            Some(_) => self.see_item(op, key, Seen::Present),
            None => {}
        }
        self.write(key, None);
    }

    fn put_if(&mut self, op: usize, key: KeyId, value: ValueId, when: Presence, rows: Option<u32>) {
        let happened = rows != Some(0);
        if rows.is_some() {
            let present = (when == Presence::Present) == happened;
            self.see_item(op, key, if present { Seen::Present } else { Seen::Absent });
        }
        if happened {
            self.write(key, Some(value));
        }
    }

    fn see_item(&mut self, op: usize, key: KeyId, seen: Seen) {
        self.see(Read { op, key, seen, predicate: false });
    }

    /// Takes in one read: of the transaction's own write, or external.
    fn see(&mut self, read: Read) {
        let own = standing(&self.script.writes).rfind(|write| write.key == read.key);
        let fits = own.map(|write| read.seen.fits(write.what));
        match (self.history.header.own_writes, fits) {
            (OwnWrites::Must | OwnWrites::May, Some(true)) => {}
            (OwnWrites::Must, Some(false)) => self.script.wrong = true,
            (OwnWrites::External, Some(_)) | (OwnWrites::May, Some(false)) | (_, None) => {
                self.script.reads.push(read);
            }
        }
    }

    fn range(&mut self, op: usize, kind: &OpKind) {
        let Some(range) = RangeRead::of(self.history, kind) else { return };
        if range.malformed() {
            self.script.wrong = true;
            return;
        }
        for read in range.reads(op, self.universe) {
            self.see(read);
        }
    }

    fn list(&mut self, op: usize, key: KeyId, elements: &[ValueId]) {
        let own = self.script.appended_to(key);
        let others = elements.strip_suffix(own.as_slice());
        let external = match (self.history.header.own_writes, others) {
            (OwnWrites::Must | OwnWrites::May, Some(others)) => others,
            (OwnWrites::External, _) | (OwnWrites::May, None) => elements,
            (OwnWrites::Must, None) => {
                self.script.wrong = true;
                return;
            }
        };
        self.script.lists.push((op, key, external.to_vec()));
    }

    fn set_savepoint(&mut self, name: &'a Datum) {
        let (writes, appends) = (self.script.writes.len(), self.script.appends.len());
        self.savepoints.push(Savepoint { name, writes, appends });
    }

    fn roll_back(&mut self, name: &Datum) {
        let Some(at) = self.savepoints.iter().rposition(|place| place.name == name) else { return };
        let place = &self.savepoints[at];
        self.script.writes[place.writes..].iter_mut().for_each(|write| write.undone = true);
        self.script.appends[place.appends..].iter_mut().for_each(|write| write.undone = true);
        self.savepoints.truncate(at + 1);
    }
}

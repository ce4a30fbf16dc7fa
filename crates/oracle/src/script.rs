//! One transaction's operations taken in program order: what it wrote, what it saw of others,
//! and whether it saw its own writes. In: operations. Out: a [`Script`].

use std::collections::BTreeMap;

use tristan_history::{History, KeyId, Observed, Op, OpKind, OpStatus, TxnId, ValueId};

/// What a register holds: a value or nothing.
pub(crate) type Content = Option<ValueId>;

/// What an external read of a register saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The key was absent.
    Absent,
    /// The key held this value.
    Value(ValueId),
    /// The key held some value.
    Present,
}

impl Seen {
    /// Whether a register with this content looks like this.
    pub(crate) fn fits(self, content: Content) -> bool {
        match self {
            Self::Absent => content.is_none(),
            Self::Value(value) => content == Some(value),
            Self::Present => content.is_some(),
        }
    }

    /// Whether one register state can look like both.
    pub(crate) fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::Present, Self::Present | Self::Value(_)) | (Self::Value(_), Self::Present) => {
                true
            }
            (one, two) => one == two,
        }
    }
}

/// What a transaction did, one operation after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// External register reads with a known result: operation, key, sight.
    pub reads: Vec<(usize, KeyId, Seen)>,
    /// List reads: operation, key, and the elements in front of the reader's own.
    pub lists: Vec<(usize, KeyId, Vec<ValueId>)>,
    /// Every register write, in order.
    pub writes: Vec<(KeyId, Content)>,
    /// Every append, in order.
    pub appends: Vec<(KeyId, ValueId)>,
    /// A read missed the transaction's own last write.
    pub missed_own_write: bool,
    /// A range was read: the oracle does not judge these.
    pub scans: bool,
}

impl Script {
    /// Reads the operations of a transaction.
    pub(crate) fn of(history: &History, txn: TxnId) -> Self {
        let mut script = Self::default();
        for (position, op) in history.ops_of(txn).iter().enumerate() {
            script.step(position, op);
        }
        script
    }

    /// The last write of each key.
    pub(crate) fn versions(&self) -> BTreeMap<KeyId, Content> {
        self.writes.iter().copied().collect()
    }

    /// The elements appended to a key, in order.
    pub(crate) fn appended_to(&self, key: KeyId) -> Vec<ValueId> {
        self.appends
            .iter()
            .filter(|(other, _)| *other == key)
            .map(|&(_, element)| element)
            .collect()
    }

    fn step(&mut self, position: usize, op: &Op) {
        if op.status == OpStatus::Failed {
            return;
        }
        let returned = op.status == OpStatus::Done;
        match &op.kind {
            OpKind::Get { key, seen, .. } => self.read(position, *key, *seen, returned),
            OpKind::Put { key, value } => self.writes.push((*key, Some(*value))),
            OpKind::Delete { key, rows } => self.delete(position, *key, rows.filter(|_| returned)),
            OpKind::ReadModifyWrite { key, seen, value } => {
                self.read(position, *key, *seen, returned);
                self.writes.push((*key, Some(*value)));
            }
            OpKind::Append { key, element } => self.appends.push((*key, *element)),
            OpKind::ReadList { key, elements } => {
                if let Some(elements) = elements.as_deref().filter(|_| returned) {
                    self.list(position, *key, elements);
                }
            }
            OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => {
                self.scans |= returned && items.is_some();
            }
        }
    }

    fn read(&mut self, position: usize, key: KeyId, seen: Observed, returned: bool) {
        match seen {
            Observed::Absent if returned => self.see(position, key, Seen::Absent),
            Observed::Value(value) if returned => self.see(position, key, Seen::Value(value)),
            _ => {}
        }
    }

    fn delete(&mut self, position: usize, key: KeyId, rows: Option<u32>) {
        match rows {
            Some(0) => return self.see(position, key, Seen::Absent),
            Some(_) => self.see(position, key, Seen::Present),
            None => {}
        }
        self.writes.push((key, None));
    }

    fn see(&mut self, position: usize, key: KeyId, seen: Seen) {
        match self.writes.iter().rev().find(|(written, _)| *written == key) {
            Some(&(_, own)) => self.missed_own_write |= !seen.fits(own),
            None => self.reads.push((position, key, seen)),
        }
    }

    fn list(&mut self, position: usize, key: KeyId, elements: &[ValueId]) {
        match elements.strip_suffix(self.appended_to(key).as_slice()) {
            Some(external) => self.lists.push((position, key, external.to_vec())),
            None => self.missed_own_write = true,
        }
    }
}

//! Which indeterminate operations matter.
//!
//! A write whose content no operation of the trace can have observed need not have taken effect:
//! without it, the same sources and version orders explain every read, and there are fewer
//! dependencies. A savepoint matters only if the transaction may have rolled back to it, a rollback only
//! if its savepoint may have been there.
//!
//! Writes of keys that are not interpreted (used both as list and register, or with an element
//! appended twice) stay open, because it depends on them whether the key is interpreted.

use rustc_hash::{FxHashMap, FxHashSet};
use tristan_history::{
    Datum, History, KeyId, Observed, Op, OpKind, OpRef, OpStatus, Presence, ValueId,
};

/// The operations whose fate matters, and those that need not have taken effect.
pub(super) fn divide(history: &History, all: Vec<OpRef>) -> (Vec<OpRef>, Vec<OpRef>) {
    let mut observations = Observations::of(&all, history);
    history.ops.iter().for_each(|op| observations.look(history, op));
    all.into_iter().partition(|&at| match &history.op(at).kind {
        OpKind::Savepoint { name } => has_rollback(&history.ops_of(at.txn)[at.op as usize..], name),
        OpKind::RollbackTo { name } => {
            has_savepoint(&history.ops_of(at.txn)[..at.op as usize], name)
        }
        kind => observations.matters(kind),
    })
}

fn has_rollback(later: &[Op], wanted: &Datum) -> bool {
    later.iter().any(|op| {
        op.status != OpStatus::Failed
            && matches!(&op.kind, OpKind::RollbackTo { name } if **name == *wanted)
    })
}

fn has_savepoint(earlier: &[Op], wanted: &Datum) -> bool {
    earlier.iter().any(|op| {
        op.status != OpStatus::Failed
            && matches!(&op.kind, OpKind::Savepoint { name } if **name == *wanted)
    })
}

/// What was observed of the keys that indeterminate operations write.
struct Observations {
    keys: FxHashMap<KeyId, KeyObservations>,
    /// The keys with an indeterminate delete of which no absence has been observed yet.
    deletable: Vec<KeyId>,
}

/// What was observed of one key.
#[derive(Default)]
struct KeyObservations {
    values: FxHashSet<ValueId>,
    absent: bool,
    /// A row count showed a value, which may have been any.
    present: bool,
    is_register: bool,
    is_list: bool,
    elements: FxHashSet<ValueId>,
    repeats: bool,
}

impl Observations {
    fn of(indeterminate: &[OpRef], history: &History) -> Self {
        let mut observations = Self { keys: FxHashMap::default(), deletable: Vec::new() };
        for kind in indeterminate.iter().map(|&at| &history.op(at).kind) {
            let Some(key) = kind.key() else { continue };
            observations.keys.entry(key).or_default();
            if matches!(kind, OpKind::Delete { .. }) && !observations.deletable.contains(&key) {
                observations.deletable.push(key);
            }
        }
        observations
    }

    /// Whether the effect of a write can have been observed.
    fn matters(&self, kind: &OpKind) -> bool {
        let Some(observed) = kind.key().and_then(|key| self.keys.get(&key)) else { return true };
        if observed.repeats || observed.is_list && observed.is_register {
            return true;
        }
        match kind {
            OpKind::Delete { .. } => observed.absent,
            OpKind::Append { element, .. } => observed.values.contains(element),
            OpKind::Put { value, .. }
            | OpKind::PutIf { value, .. }
            | OpKind::ReadModifyWrite { value, .. } => {
                observed.present || observed.values.contains(value)
            }
            _ => true,
        }
    }

    /// Notes how an operation uses a key and what it observed.
    fn look(&mut self, history: &History, op: &Op) {
        if op.status == OpStatus::Failed {
            return;
        }
        match &op.kind {
            OpKind::Scan { range, items: Some(items), .. }
            | OpKind::Iterate { range, items: Some(items), .. }
                if op.status == OpStatus::Done =>
            {
                for (key, value) in items {
                    if let Some(observed) = self.keys.get_mut(key) {
                        observed.values.insert(*value);
                    }
                }
                let order = history.header.key_order;
                let missed = |key: &KeyId| {
                    range.contains(order, history.key(*key))
                        && !items.iter().any(|(item, _)| item == key)
                };
                let keys = &mut self.keys;
                self.deletable.retain(|key| {
                    let missed = missed(key);
                    if let (true, Some(observed)) = (missed, keys.get_mut(key)) {
                        observed.absent = true;
                    }
                    !missed
                });
            }
            kind => {
                if let Some(observed) = kind.key().and_then(|key| self.keys.get_mut(&key)) {
                    observed.note_use(kind);
                    if op.status == OpStatus::Done {
                        observed.note_result(kind);
                    }
                }
            }
        }
    }
}

impl KeyObservations {
    fn note_use(&mut self, kind: &OpKind) {
        match kind {
            OpKind::Append { element, .. } => {
                self.is_list = true;
                self.repeats |= !self.elements.insert(*element);
            }
            OpKind::ReadList { .. } => self.is_list = true,
            _ => self.is_register = true,
        }
    }

    fn note_result(&mut self, kind: &OpKind) {
        match kind {
            OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => match seen {
                Observed::Unknown => {}
                Observed::Absent => self.absent = true,
                Observed::Value(value) => {
                    self.values.insert(*value);
                }
            },
            OpKind::Delete { rows: Some(rows), .. } => self.note_presence(*rows > 0),
            OpKind::PutIf { rows: Some(rows), when, .. } => {
                self.note_presence((*when == Presence::Present) == (*rows > 0));
            }
            OpKind::ReadList { elements: Some(elements), .. } => {
                self.values.extend(elements.iter().copied());
            }
            _ => {}
        }
    }

    fn note_presence(&mut self, present: bool) {
        *(if present { &mut self.present } else { &mut self.absent }) = true;
    }
}

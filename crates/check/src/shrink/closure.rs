//! What must be kept along with some operations so that they say the same as in the whole trace.
//!
//! A read rests on everything that can have provided what it saw. So of every read that is kept, each
//! write of the same content to the key is kept, whichever transaction made it and whatever became of
//! it: every value if the read only knows that the key was there, every delete if it was absent. A
//! write comes with all writes of that key in its transaction, so that the last one stays the last
//! one, and a transaction comes with its savepoints if they undo anything. What is kept for
//! these reasons is kept as a write: what such an operation saw does not matter.
//!
//! The keys that a range read did not return, but that something kept mentions, are reads of it too.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tristan_history::excerpt::{Aspect, Kept, key_range};
use tristan_history::{
    History, Initial, Items, KeyId, KeyOrder, Observed, Op, OpKind, OpStatus, Presence, Range,
    TxnId, ValueId,
};

use crate::asg::Seen;
use crate::asg::program::{Undone, written};
use crate::resolution::{is_indeterminate, settle};

/// Something that is kept for its own sake: an aspect of an operation, or that a transaction was there
/// at all.
pub(super) type Root = (TxnId, Option<(u32, Aspect)>);

/// The writes of a trace, by key.
pub(super) struct Writes<'h> {
    history: &'h History,
    by_key: FxHashMap<KeyId, Vec<(TxnId, u32)>>,
}

impl<'h> Writes<'h> {
    /// Looks at every operation.
    pub(super) fn of(history: &'h History) -> Self {
        let mut by_key: FxHashMap<KeyId, Vec<(TxnId, u32)>> = FxHashMap::default();
        for txn in history.txn_ids() {
            for (number, op) in (0..).zip(history.ops_of(txn)) {
                if let Some((key, _)) = content(op) {
                    by_key.entry(key).or_default().push((txn, number));
                }
            }
        }
        Self { history, by_key }
    }

    /// The roots, and everything they rest on.
    pub(super) fn closure(&self, roots: &BTreeSet<Root>) -> Kept {
        let mut closure = Closure { writes: self, kept: Kept::new(), done: BTreeSet::new() };
        for &(txn, op) in roots {
            closure.kept.entry(txn).or_default();
            if let Some((op, aspect)) = op {
                closure.keep(txn, op, aspect);
            }
        }
        closure.complete();
        closure.kept
    }

    fn of_key(&self, key: KeyId) -> &[(TxnId, u32)] {
        self.by_key.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// What an operation leaves under a key if it writes; one that may or may not have taken effect counts.
fn content(op: &Op) -> Option<(KeyId, WriteContent)> {
    if is_indeterminate(op) {
        let mut taken = op.clone();
        settle(&mut taken, true);
        return content(&taken);
    }
    match op.kind {
        OpKind::Append { key, element } if op.status == OpStatus::Done => {
            Some((key, WriteContent::Element(element)))
        }
        _ => written(op).map(|(key, content)| (key, WriteContent::Register(content))),
    }
}

#[derive(Clone, Copy)]
enum WriteContent {
    Register(Observed),
    Element(ValueId),
}

/// Something a read saw of a key: it rests on every write that fits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Need {
    Register(Seen),
    Element(ValueId),
    /// The transaction's own writes of the key.
    Own,
}

impl Need {
    fn fits(self, content: WriteContent) -> bool {
        match (self, content) {
            (Self::Register(seen), WriteContent::Register(content)) => seen.matches(content),
            (Self::Element(wanted), WriteContent::Element(element)) => wanted == element,
            _ => false,
        }
    }
}

struct Closure<'w, 'h> {
    writes: &'w Writes<'h>,
    kept: Kept,
    done: BTreeSet<(TxnId, u32, Aspect)>,
}

impl Closure<'_, '_> {
    fn keep(&mut self, txn: TxnId, op: u32, aspect: Aspect) {
        let aspects = self.kept.entry(txn).or_default().entry(op).or_default();
        if aspect != Aspect::Write || aspects.is_empty() {
            aspects.remove(&Aspect::Write);
            aspects.insert(aspect);
        }
    }

    /// Adds what is missing until nothing is.
    fn complete(&mut self) {
        loop {
            let mut needs = Vec::new();
            for (&txn, ops) in &self.kept {
                for (&op, aspects) in ops {
                    let fresh =
                        aspects.iter().filter(|&&aspect| self.done.insert((txn, op, aspect)));
                    let operation = &self.writes.history.ops_of(txn)[op as usize];
                    fresh.for_each(|&aspect| self.writes.needs(txn, operation, aspect, &mut needs));
                }
            }
            let mentioned = self.mentioned();
            for (&txn, ops) in &self.kept {
                for (&op, aspects) in ops {
                    let operation = &self.writes.history.ops_of(txn)[op as usize];
                    for &aspect in aspects {
                        self.writes.unreturned(txn, operation, aspect, &mentioned, &mut needs);
                    }
                }
            }
            let before = self.size();
            needs.iter().for_each(|&(reader, key, need)| self.meet(reader, key, need));
            if self.size() == before {
                break;
            }
        }
        self.keep_savepoints();
    }

    fn size(&self) -> usize {
        self.kept.values().map(|ops| ops.len()).sum()
    }

    /// Keeps the writes that can have provided what was seen.
    fn meet(&mut self, reader: TxnId, key: KeyId, need: Need) {
        let history = self.writes.history;
        let writes = self.writes.of_key(key);
        let fits = |&&(txn, op): &&(TxnId, u32)| match need {
            Need::Own => txn == reader,
            _ => {
                let op = &history.ops_of(txn)[op as usize];
                content(op).is_some_and(|(_, content)| need.fits(content))
            }
        };
        let txns: BTreeSet<TxnId> = writes.iter().filter(fits).map(|&(txn, _)| txn).collect();
        for txn in txns {
            let from = writes.partition_point(|&(other, _)| other < txn);
            let own = writes[from..].iter().take_while(|&&(other, _)| other == txn);
            own.for_each(|&(txn, op)| self.keep(txn, op, Aspect::Write));
        }
    }

    /// The keys that what is kept mentions.
    fn mentioned(&self) -> BTreeSet<KeyId> {
        let mut keys = BTreeSet::new();
        for (&txn, ops) in &self.kept {
            for (&op, aspects) in ops {
                let kind = &self.writes.history.ops_of(txn)[op as usize].kind;
                keys.extend(kind.key());
                for aspect in aspects {
                    match (aspect, range_read(kind)) {
                        (Aspect::Key(key), _) => keys.extend([*key]),
                        (_, Some((_, items))) => keys.extend(items.iter().map(|item| item.0)),
                        _ => {}
                    }
                }
            }
        }
        if let Initial::Given(given) = &self.writes.history.header.initial {
            keys.extend(given.keys());
        }
        keys
    }

    /// Keeps the savepoints and rollbacks of transactions in which they undo something kept, or in
    /// which something kept might seem to be undone without all of them.
    fn keep_savepoints(&mut self) {
        let history = self.writes.history;
        for (&txn, kept) in &mut self.kept {
            let ops = history.ops_of(txn);
            let undone = Undone::find(ops);
            let open = ops.iter().any(|op| is_mark(op) && is_indeterminate(op));
            let matters = |op: &u32| undone.contains(*op as usize) || is_mark(&ops[*op as usize]);
            if !open && !kept.keys().any(matters) {
                continue;
            }
            for (number, _) in (0..).zip(ops).filter(|(_, op)| is_mark(op)) {
                kept.entry(number).or_default().insert(Aspect::Whole);
            }
        }
    }
}

fn is_mark(op: &Op) -> bool {
    matches!(op.kind, OpKind::Savepoint { .. } | OpKind::RollbackTo { .. })
}

/// The range and the result of a range read.
fn range_read(kind: &OpKind) -> Option<(&Range, &Items)> {
    match kind {
        OpKind::Scan { range, items: Some(items), .. }
        | OpKind::Iterate { range, items: Some(items), .. } => Some((range, items)),
        _ => None,
    }
}

type Needs = Vec<(TxnId, KeyId, Need)>;

impl Writes<'_> {
    /// What an aspect of an operation rests on, apart from keys that a range read did not return.
    fn needs(&self, txn: TxnId, op: &Op, aspect: Aspect, needs: &mut Needs) {
        if let Some(key) = op.kind.key() {
            needs.push((txn, key, Need::Own));
        }
        if aspect == Aspect::Write || op.status != OpStatus::Done {
            return;
        }
        let mut saw = |key: KeyId, seen: Seen| needs.push((txn, key, Need::Register(seen)));
        match &op.kind {
            OpKind::Get { key, seen, .. } | OpKind::ReadModifyWrite { key, seen, .. } => match seen
            {
                Observed::Value(value) => saw(*key, Seen::Value(*value)),
                Observed::Absent => saw(*key, Seen::Absent),
                Observed::Unknown => {}
            },
            OpKind::Delete { key, rows: Some(rows) } => saw(*key, presence(*rows > 0)),
            OpKind::PutIf { key, when, rows: Some(rows), .. } => {
                saw(*key, presence((*when == Presence::Present) == (*rows > 0)));
            }
            OpKind::ReadList { key, elements: Some(elements) } => {
                let needed = elements.iter().map(|element| (txn, *key, Need::Element(*element)));
                needs.extend(needed);
            }
            kind => {
                let Some((_, items)) = range_read(kind) else { return };
                for &(key, value) in items.iter().filter(|item| self.concerns(aspect, item.0)) {
                    needs.push((txn, key, Need::Own));
                    needs.push((txn, key, Need::Register(Seen::Value(value))));
                }
            }
        }
    }

    /// Of the keys that something mentions, those that a range read did not return were absent.
    fn unreturned(
        &self,
        txn: TxnId,
        op: &Op,
        aspect: Aspect,
        mentioned: &BTreeSet<KeyId>,
        needs: &mut Needs,
    ) {
        let Some((range, items)) = range_read(&op.kind) else { return };
        let order = self.history.header.key_order;
        let returned: BTreeSet<KeyId> = items.iter().map(|item| item.0).collect();
        let inside = |key: &&KeyId| range.contains(order, self.history.key(**key));
        let missing = mentioned.iter().filter(inside).filter(|key| !returned.contains(key));
        for &key in missing.filter(|key| self.concerns(aspect, **key)) {
            needs.push((txn, key, Need::Own));
            needs.push((txn, key, Need::Register(Seen::Absent)));
        }
    }

    /// Whether an aspect of a range read says anything about a key.
    fn concerns(&self, aspect: Aspect, key: KeyId) -> bool {
        match aspect {
            Aspect::Whole => true,
            Aspect::Write => false,
            Aspect::Key(kept) if kept == key => true,
            Aspect::Key(kept) => match self.history.header.key_order {
                KeyOrder::Bytes => false,
                alike @ KeyOrder::IgnoreCase => {
                    key_range(self.history, kept, false).contains(alike, self.history.key(key))
                }
            },
        }
    }
}

fn presence(present: bool) -> Seen {
    if present { Seen::Present } else { Seen::Absent }
}

//! Lists: what appends and list reads say about the versions of a key.
//!
//! A list read shows not one version but all of them up to one: its elements, grouped by the
//! transactions that appended them, are the first versions of the key in order. So the longest
//! list read of a key fixes the version order of all writers in it, and every other list read
//! must be a prefix of it.

use rustc_hash::{FxHashMap, FxHashSet};
use tristan_history::{History, KeyId, Op, OpKind, OpStatus, Outcome, OwnWrites, TxnId, ValueId};
use tristan_verdict::BadKind;

use super::list_growth::Growth;
use super::program::Undone;
use super::{Asg, BadRead, ExternalRead, ReadKind, Reads, Seen};

/// What lists reveal.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// Appenders of each list key, in order of transactions.
    appenders: FxHashMap<KeyId, Vec<TxnId>>,
    /// Every well-formed external list read: reader, operation, key, and the transactions whose
    /// versions it shows, oldest first.
    reads: Vec<ListRead>,
    by_op: FxHashMap<(TxnId, u32), u32>,
    /// Keys whose list reads are not interpreted.
    unclear: FxHashSet<KeyId>,
}

/// A well-formed external list read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListRead {
    /// The reader.
    pub(crate) txn: TxnId,
    /// The operation within it.
    pub(crate) op: u32,
    pub(crate) key: KeyId,
    /// The versions it shows, oldest first.
    pub(crate) writers: Vec<TxnId>,
}

impl Lists {
    /// Transactions that may have appended to the key, ascending.
    pub(crate) fn appenders(&self, key: KeyId) -> &[TxnId] {
        self.appenders.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Whether some transaction may have appended to the key.
    pub(crate) fn has(&self, key: KeyId) -> bool {
        self.appenders.contains_key(&key)
    }

    /// Whether list reads of the key are interpreted.
    pub(crate) fn is_clear(&self, key: KeyId) -> bool {
        !self.unclear.contains(&key)
    }

    /// The list reads, in trace order.
    pub(crate) fn reads(&self) -> &[ListRead] {
        &self.reads
    }

    /// The versions shown by the list read at this operation.
    pub(crate) fn writers_in(&self, txn: TxnId, op: u32) -> Option<&[TxnId]> {
        self.by_op.get(&(txn, op)).map(|&index| self.reads[index as usize].writers.as_slice())
    }

    /// Forgets the list reads of transactions without effect.
    pub(crate) fn retain_readers(&mut self, keep: impl Fn(TxnId) -> bool) {
        self.reads.retain(|read| keep(read.txn));
        self.index();
    }

    fn index(&mut self) {
        let entries = self.reads.iter().enumerate();
        self.by_op = entries.map(|(at, read)| ((read.txn, read.op), at as u32)).collect();
    }
}

/// Collects appends and list reads; wrong ones go to [`Asg::bad`].
pub(crate) fn collect(asg: &mut Asg<'_>) {
    let is_list = |op: &Op| matches!(op.kind, OpKind::Append { .. } | OpKind::ReadList { .. });
    if !asg.history.ops.iter().any(is_list) {
        return;
    }
    let elements = Elements::collect(asg);
    if elements.owner.is_empty() && !elements.any_read {
        return;
    }
    let (own, lists, found) = (FxHashMap::default(), Lists::default(), Reads::default());
    let growth = FxHashMap::default();
    let mut collector = ListCollector { asg, elements, own, growth, lists, found };
    collector.run();
    let ListCollector { mut lists, elements, mut found, .. } = collector;
    found.seal(asg.history.txns.len());
    asg.reads = std::mem::take(&mut asg.reads).merged(&found);
    lists.appenders = elements.appenders;
    lists.unclear = elements.unclear;
    lists.index();
    asg.lists = lists;
    find_incompatible(asg);
}

/// Who appended which element, and how many elements each transaction appended to each key.
#[derive(Default)]
struct Elements {
    owner: FxHashMap<(KeyId, ValueId), TxnId>,
    per_txn: FxHashMap<(KeyId, TxnId), Vec<ValueId>>,
    appenders: FxHashMap<KeyId, Vec<TxnId>>,
    /// Elements whose append was undone by a rollback to a savepoint.
    undone: FxHashSet<(KeyId, ValueId)>,
    /// Keys whose list reads are not interpreted.
    unclear: FxHashSet<KeyId>,
    any_read: bool,
}

impl Elements {
    fn collect(asg: &Asg<'_>) -> Self {
        let mut elements = Self::default();
        for txn in asg.history.txn_ids() {
            let aborted = asg.history.txn(txn).outcome == Outcome::Aborted;
            let ops = asg.history.ops_of(txn);
            let undone = Undone::find(ops);
            let took_place = |(_, op): &(usize, &Op)| op.status != OpStatus::Failed;
            for (at, op) in ops.iter().enumerate().filter(took_place) {
                match op.kind {
                    OpKind::Append { .. } if op.status == OpStatus::Pending => {}
                    OpKind::Append { key, element } if undone.contains(at) => {
                        elements.own(txn, key, element);
                        elements.undone.insert((key, element));
                    }
                    OpKind::Append { key, element } => elements.append(txn, aborted, key, element),
                    OpKind::ReadList { .. } => elements.any_read = true,
                    _ => {}
                }
            }
        }
        elements.unclear.extend(ambivalent(asg.history));
        elements
    }

    fn own(&mut self, txn: TxnId, key: KeyId, element: ValueId) {
        if self.owner.insert((key, element), txn).is_some() {
            self.unclear.insert(key);
        }
    }

    fn append(&mut self, txn: TxnId, aborted: bool, key: KeyId, element: ValueId) {
        self.own(txn, key, element);
        self.per_txn.entry((key, txn)).or_default().push(element);
        if !aborted {
            let appenders = self.appenders.entry(key).or_default();
            if appenders.last() != Some(&txn) {
                appenders.push(txn);
            }
        }
    }
}

struct ListCollector<'a, 'h> {
    asg: &'a mut Asg<'h>,
    elements: Elements,
    /// What the current transaction has appended to each key so far.
    own: FxHashMap<KeyId, Vec<ValueId>>,
    /// What is known of each list.
    growth: FxHashMap<KeyId, Growth>,
    lists: Lists,
    found: Reads,
}

impl ListCollector<'_, '_> {
    fn run(&mut self) {
        let history = self.asg.history;
        for txn in history.txn_ids() {
            if history.txn(txn).outcome == Outcome::Aborted {
                continue;
            }
            self.own.clear();
            let ops = history.ops_of(txn);
            for (op, operation) in ops.iter().enumerate() {
                match (&operation.kind, operation.status) {
                    (_, OpStatus::Failed) => {}
                    (OpKind::Append { .. } | OpKind::RollbackTo { .. }, OpStatus::Done) => {
                        self.step(&ops[..=op]);
                    }
                    (OpKind::ReadList { key, elements: Some(list) }, OpStatus::Done) => {
                        if self.elements.unclear.contains(key) {
                            let what = "a list whose elements repeat, or a register used as a list";
                            self.asg.unsupported.push(format!("line {}: {what}", operation.line));
                        } else {
                            self.read(txn, op as u32, *key, list);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// The last of these operations has run: an append, or a rollback.
    fn step(&mut self, so_far: &[Op]) {
        let (last, earlier) = so_far.split_last().expect("an operation has run");
        let (undone, first) = match last.kind {
            OpKind::RollbackTo { .. } => (Undone::find(so_far), 0),
            _ => (Undone::default(), earlier.len()),
        };
        if first == 0 {
            self.own.clear();
        }
        for (at, op) in so_far.iter().enumerate().skip(first) {
            if let OpKind::Append { key, element } = op.kind
                && op.status == OpStatus::Done
                && !undone.contains(at)
            {
                self.own.entry(key).or_default().push(element);
            }
        }
    }

    fn read(&mut self, txn: TxnId, op: u32, key: KeyId, list: &[ValueId]) {
        if let Some(own) = self.own.get(&key) {
            self.asg.own_reads.note(list.ends_with(own));
        }
        match self.external_writers(txn, key, list) {
            Ok(writers) => {
                let seen = Seen::List(writers.last().copied());
                self.found.push(ExternalRead { txn, op, key, seen, kind: ReadKind::Point });
                self.lists.reads.push(ListRead { txn, op, key, writers });
            }
            Err((kind, writer)) => {
                self.asg.bad.push(BadRead { txn, op, key, kind, writer, other: None });
            }
        }
    }

    /// The transactions whose complete appends make up the list before the reader's own ones.
    fn external_writers(
        &mut self,
        reader: TxnId,
        key: KeyId,
        list: &[ValueId],
    ) -> Result<Vec<TxnId>, (BadKind, Option<TxnId>)> {
        let own = self.own.get(&key).map_or(&[][..], Vec::as_slice);
        let rest = list.strip_suffix(own).map(<[ValueId]>::len);
        if let Some(external) =
            rest.filter(|_| self.asg.history.header.own_writes == OwnWrites::Must)
            && let Some(writers) = self.known_writers(reader, key, &list[..external])
        {
            return Ok(writers);
        }
        let mut distinct = FxHashSet::default();
        if !list.iter().all(|element| distinct.insert(*element)) {
            return Err((BadKind::DuplicateElement, None));
        }
        let own = self.own.get(&key).map_or(&[][..], Vec::as_slice);
        let external = match (self.asg.history.header.own_writes, list.strip_suffix(own)) {
            (OwnWrites::Must | OwnWrites::May, Some(external)) => external,
            (OwnWrites::Must, None) => return Err((BadKind::NotOwnWrite, None)),
            (OwnWrites::External | OwnWrites::May, _) => list,
        };
        for element in external {
            match self.elements.owner.get(&(key, *element)) {
                None => return Err((BadKind::ThinAir, None)),
                Some(owner) if *owner != reader => {}
                Some(_) => return Err((BadKind::Future, Some(reader))),
            }
        }
        self.complete_appends(key, external)
    }

    /// The same if all is well and other reads have shown nearly all of it.
    fn known_writers(
        &mut self,
        reader: TxnId,
        key: KeyId,
        external: &[ValueId],
    ) -> Option<Vec<TxnId>> {
        let Self { growth, elements, asg, .. } = self;
        let growth = growth.entry(key).or_default();
        let mut rest = growth.news(external)?;
        while let Some(first) = rest.first() {
            let owner = *elements.owner.get(&(key, *first))?;
            let appended = elements.per_txn.get(&(key, owner))?;
            rest = rest.strip_prefix(appended.as_slice())?;
            let is_new = |element: &ValueId| {
                !growth.has(*element) && !elements.undone.contains(&(key, *element))
            };
            let aborted = asg.history.txn(owner).outcome == Outcome::Aborted;
            if aborted || !appended.iter().all(is_new) {
                return None;
            }
            growth.grow(owner, appended);
        }
        growth.appenders(external.len()).filter(|writers| !writers.contains(&reader))
    }

    /// The transactions whose complete appends, one after the other, are these elements.
    fn complete_appends(
        &self,
        key: KeyId,
        elements: &[ValueId],
    ) -> Result<Vec<TxnId>, (BadKind, Option<TxnId>)> {
        let mut writers = Vec::new();
        let mut rest = elements;
        while let Some(first) = rest.first() {
            let owner = self.elements.owner[&(key, *first)];
            let undone = self.elements.undone.contains(&(key, *first));
            if undone || self.asg.history.txn(owner).outcome == Outcome::Aborted {
                return Err((BadKind::Aborted, Some(owner)));
            }
            let appended = self.elements.per_txn.get(&(key, owner)).map_or(&[][..], Vec::as_slice);
            let torn = (BadKind::Intermediate, Some(owner));
            rest = rest.strip_prefix(appended).ok_or(torn)?;
            writers.push(owner);
        }
        Ok(writers)
    }
}

/// Keys that are used both as lists and as registers.
pub(super) fn ambivalent(history: &History) -> FxHashSet<KeyId> {
    let took_place = || history.ops.iter().filter(|op| op.status != OpStatus::Failed);
    let is_list = |op: &&Op| matches!(op.kind, OpKind::Append { .. } | OpKind::ReadList { .. });
    let lists: FxHashSet<KeyId> =
        took_place().filter(is_list).filter_map(|op| op.kind.key()).collect();
    if lists.is_empty() {
        return lists;
    }
    let registers = took_place().filter(|op| !is_list(op)).filter_map(|op| op.kind.key());
    registers.filter(|key| lists.contains(key)).collect()
}

/// Two list reads of one key, by committed readers whose reads are not dirty, neither a prefix of
/// the other.
fn find_incompatible(asg: &mut Asg<'_>) {
    let mut longest: FxHashMap<KeyId, u32> = FxHashMap::default();
    let counts = |read: &ListRead| {
        asg.history.txn(read.txn).outcome == Outcome::Committed && !asg.reads_dirty(read.txn)
    };
    let mut bad = Vec::new();
    for (index, read) in asg.lists.reads.iter().enumerate().filter(|(_, read)| counts(read)) {
        let best = longest.entry(read.key).or_insert(index as u32);
        let known = &asg.lists.reads[*best as usize];
        if read.writers.len() > known.writers.len() {
            *best = index as u32;
        }
        let shared = read.writers.len().min(known.writers.len());
        if read.writers[..shared] != known.writers[..shared] {
            let other = Some((known.txn, known.op));
            let kind = BadKind::IncompatibleOrder;
            bad.push(BadRead {
                txn: read.txn,
                op: read.op,
                key: read.key,
                kind,
                writer: None,
                other,
            });
        }
    }
    asg.bad.append(&mut bad);
}

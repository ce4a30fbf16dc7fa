//! How a trace is read, for one assumption on which operations and transactions took effect.
//!
//! ```text
//!   History + fates of operations    ──► Reading: what each transaction did and saw
//!   Reading + effective transactions ──► Scene: external reads with their possible sources,
//!                                               writers per key, list order, so, rt, cc, bc
//!   Scene + one source per read       ──► Explained: wr
//! ```
//!
//! Transactions are numbered by their place among the effective ones.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use tristan_history::{History, KeyId, Observed, OpKind, OpStatus, Outcome, Txn, TxnId, ValueId};

use crate::{
    fates,
    orders::{Flow, choices},
    ranges::{self, RangeRead},
    register::{Read, Seen},
    relations::{MAX_TXNS, Rel, Set},
    script::Script,
};

/// Where a read comes from: a transaction, or the initial state.
pub(crate) type Source = Option<usize>;

/// A read of something the transaction did not write itself.
#[derive(Clone, Debug)]
pub(crate) struct ExternalRead {
    /// The reader.
    pub txn: usize,
    /// The operation within the reader.
    pub op: usize,
    /// The number of the key.
    pub key: usize,
    /// What a register read saw; `None` for a list.
    pub seen: Option<Seen>,
    /// Whether a range read found the key absent.
    pub predicate: bool,
    /// Every possible source.
    pub sources: Vec<Source>,
}

/// Everything known when the set of effective transactions is fixed.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// How many transactions took effect.
    pub count: usize,
    /// External reads with a known result, by transaction and operation.
    pub reads: Vec<ExternalRead>,
    /// The writers of each key.
    pub writers: Vec<Set>,
    /// Version order that list reads show.
    pub shown: Rel,
    /// Transactions with an external read of known result.
    pub readers: Set,
    /// Transactions that install a version.
    pub updaters: Set,
    /// Session order.
    pub so: Rel,
    /// Real-time order: ended before the other began.
    pub rt: Rel,
    /// Surely committed earlier.
    pub cc: Rel,
    /// Surely began before the other committed.
    pub bc: Rel,
}

/// A read with the source it is assumed to come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourcedRead {
    /// The reader.
    pub txn: usize,
    /// The operation within the reader.
    pub op: usize,
    /// The number of the key.
    pub key: usize,
    /// Whether a range read found the key absent.
    pub predicate: bool,
    /// The source that is assumed.
    pub source: Source,
}

/// A scene with one source for every read.
#[derive(Clone, Debug)]
pub(crate) struct Explained<'a> {
    /// What is known anyway.
    pub scene: &'a Scene,
    /// Every external read, with the source chosen for it.
    pub reads: Vec<SourcedRead>,
    /// Read dependencies.
    pub wr: Rel,
}

/// A history with every fate chosen, and what each of its transactions did.
#[derive(Clone, Debug)]
pub(crate) struct Reading<'a> {
    /// The history, without indeterminate operations.
    pub history: Cow<'a, History>,
    /// The scripts of all its transactions.
    pub scripts: Vec<Script>,
}

/// One reading per choice of fates; `None` if the oracle does not interpret the history: too many
/// transactions or indeterminate operations, an element appended twice, a key both list and
/// register, a list in a range. All of these are told from the history before any choice.
pub(crate) fn readings(history: &History) -> Option<impl Iterator<Item = Reading<'_>>> {
    let live = history.txns.iter().filter(|txn| txn.outcome != Outcome::Aborted).count();
    let universe = ranges::universe(history);
    if live > MAX_TXNS || !lists_are_clear(history, &universe) {
        return None;
    }
    let readings = fates::resolutions(history)?;
    Some(readings.map(move |resolved| Reading::of(resolved, &universe)))
}

impl<'a> Reading<'a> {
    fn of(history: Cow<'a, History>, universe: &[KeyId]) -> Self {
        let scripts = history.txn_ids().map(|txn| Script::of(&history, universe, txn)).collect();
        Self { history, scripts }
    }
}

fn lists_are_clear(history: &History, universe: &[KeyId]) -> bool {
    let mut appends = BTreeSet::new();
    let mut is_list: BTreeMap<KeyId, bool> = BTreeMap::new();
    let clear = history.ops.iter().filter(|op| op.status != OpStatus::Failed).all(|op| {
        let list = matches!(op.kind, OpKind::Append { .. } | OpKind::ReadList { .. });
        let one_use = op.kind.key().is_none_or(|key| *is_list.entry(key).or_insert(list) == list);
        one_use
            && match op.kind {
                OpKind::Append { key, element } => appends.insert((key, element)),
                _ => true,
            }
    });
    let live = history.txn_ids().filter(|&txn| history.txn(txn).outcome != Outcome::Aborted);
    let mut ranged = live
        .flat_map(|txn| history.ops_of(txn))
        .filter(|op| op.status == OpStatus::Done)
        .filter_map(|op| RangeRead::of(history, &op.kind))
        .flat_map(|range| range.observed(universe));
    clear && !ranged.any(|key| is_list.get(&key) == Some(&true))
}

/// The transactions assumed to have taken effect, in order.
pub(crate) fn effective_sets(history: &History) -> Vec<Vec<TxnId>> {
    let unknown: Vec<TxnId> =
        history.txn_ids().filter(|&txn| history.txn(txn).outcome == Outcome::Unknown).collect();
    let chosen = |subset: u32, txn: TxnId| match history.txn(txn).outcome {
        Outcome::Committed => true,
        Outcome::Aborted => false,
        Outcome::Unknown => {
            unknown.iter().position(|&other| other == txn).is_some_and(|i| subset >> i & 1 == 1)
        }
    };
    (0..1u32 << unknown.len())
        .map(|subset| history.txn_ids().filter(|&txn| chosen(subset, txn)).collect())
        .collect()
}

impl Scene {
    /// Reads the history; `None` if some read of an effective transaction has no source.
    pub(crate) fn read(
        history: &History,
        scripts: &[Script],
        effective: &[TxnId],
        drift: i64,
    ) -> Option<Self> {
        let mut scene = Self::without_reads(history, scripts, effective, drift);
        for (txn, id) in effective.iter().enumerate() {
            let script = &scripts[id.index()];
            for &Read { op, key, seen, predicate } in &script.reads {
                let sources = register_sources(history, scripts, effective, txn, key, seen);
                let (key, seen) = (key.index(), Some(seen));
                scene.add_read(ExternalRead { txn, op, key, seen, predicate, sources })?;
            }
            for (op, key, elements) in &script.lists {
                let prefix = list_prefix(scripts, effective, txn, *key, elements)?;
                let later = scene.writers[key.index()];
                show_prefix(&mut scene.shown, &prefix, later);
                let sources = vec![prefix.last().copied()];
                let (key, seen) = (key.index(), None);
                scene.add_read(ExternalRead {
                    txn,
                    op: *op,
                    key,
                    seen,
                    predicate: false,
                    sources,
                })?;
            }
        }
        Some(scene)
    }

    /// Writers and orders only.
    pub(crate) fn without_reads(
        history: &History,
        scripts: &[Script],
        effective: &[TxnId],
        drift: i64,
    ) -> Self {
        let mut writers = vec![0; history.keys.len()];
        let mut updaters = 0;
        for (txn, id) in effective.iter().enumerate() {
            for key in scripts[id.index()].written() {
                writers[key.index()] |= 1 << txn;
                updaters |= 1 << txn;
            }
        }
        let related = |holds: &dyn Fn(TxnId, TxnId) -> bool| relate(effective, holds);
        let time = |holds: fn(&Txn, &Txn, i128) -> bool| {
            related(&|a, b| holds(history.txn(a), history.txn(b), i128::from(drift)))
        };
        Self {
            count: effective.len(),
            reads: Vec::new(),
            writers,
            shown: Rel::default(),
            readers: 0,
            updaters,
            so: related(&|a, b| follows_in_session(history, a, b)),
            rt: time(ended_before_begin),
            cc: time(committed_earlier),
            bc: time(began_before_commit),
        }
    }

    fn add_read(&mut self, read: ExternalRead) -> Option<()> {
        if read.sources.is_empty() {
            return None;
        }
        self.readers |= 1 << read.txn;
        self.reads.push(read);
        Some(())
    }

    /// Calls `visit` with every way to give each read a source, as far as no read depends on
    /// itself: a cycle of read dependencies is G1c, proscribed wherever sources matter.
    pub(crate) fn explanations(&self, visit: &mut dyn FnMut(&Explained<'_>) -> Flow) -> Flow {
        self.sourced(&mut |explained| {
            if explained.wr.acyclic() { visit(explained) } else { Flow::Continue(()) }
        })
    }

    /// Calls `visit` with every way to give each read a source.
    pub(crate) fn sourced(&self, visit: &mut dyn FnMut(&Explained<'_>) -> Flow) -> Flow {
        let counts: Vec<usize> = self.reads.iter().map(|read| read.sources.len()).collect();
        let fits = |picked: &[usize]| self.start_agrees(picked);
        choices(&counts, &fits, &mut |picked| visit(&self.explain(picked)))
    }

    fn explain(&self, picked: &[usize]) -> Explained<'_> {
        let mut wr = Rel::default();
        let mut reads = Vec::with_capacity(picked.len());
        for (read, &choice) in self.reads.iter().zip(picked) {
            let source = read.sources[choice];
            if let Some(writer) = source {
                wr.add(writer, read.txn);
            }
            let ExternalRead { txn, op, key, predicate, .. } = *read;
            reads.push(SourcedRead { txn, op, key, predicate, source });
        }
        Explained { scene: self, reads, wr }
    }

    /// Whether the read picked last agrees with the others on what the key held at the start.
    fn start_agrees(&self, picked: &[usize]) -> bool {
        let from_start = |at: usize| self.reads[at].sources[picked[at]].is_none();
        let last = picked.len() - 1;
        let (read, Some(seen)) = (&self.reads[last], self.reads[last].seen) else {
            return true;
        };
        !from_start(last)
            || (0..last)
                .filter(|&at| self.reads[at].key == read.key && from_start(at))
                .all(|at| self.reads[at].seen.is_none_or(|other| other.agrees(seen)))
    }
}

fn relate(effective: &[TxnId], holds: &dyn Fn(TxnId, TxnId) -> bool) -> Rel {
    let mut rel = Rel::default();
    for (from, &a) in effective.iter().enumerate() {
        for (to, &b) in effective.iter().enumerate() {
            if from != to && holds(a, b) {
                rel.add(from, to);
            }
        }
    }
    rel
}

fn register_sources(
    history: &History,
    scripts: &[Script],
    effective: &[TxnId],
    reader: usize,
    key: KeyId,
    seen: Seen,
) -> Vec<Source> {
    let initial = starts_like(history, key, seen).then_some(None);
    let writers = effective.iter().enumerate().filter(|&(txn, id)| {
        let version = scripts[id.index()].versions().get(&key).copied();
        txn != reader && version.is_some_and(|content| seen.fits(content))
    });
    initial.into_iter().chain(writers.map(|(txn, _)| Some(txn))).collect()
}

/// Whether the key can have looked like this at the start.
pub(crate) fn starts_like(history: &History, key: KeyId, seen: Seen) -> bool {
    match history.initial_of(key) {
        None | Some(Observed::Unknown) => true,
        Some(Observed::Absent) => seen.fits(None),
        Some(Observed::Value(value)) => seen.fits(Some(value)),
    }
}

/// The transactions whose complete appends, one after the other, are exactly `elements`.
fn list_prefix(
    scripts: &[Script],
    effective: &[TxnId],
    reader: usize,
    key: KeyId,
    elements: &[ValueId],
) -> Option<Vec<usize>> {
    let mut rest = elements;
    let mut prefix = Vec::new();
    while let Some(head) = rest.first() {
        let (txn, appended) = effective
            .iter()
            .enumerate()
            .filter(|&(txn, _)| txn != reader && !prefix.contains(&txn))
            .map(|(txn, id)| (txn, scripts[id.index()].appended_to(key)))
            .find(|(_, appended)| appended.first() == Some(head))?;
        rest = rest.strip_prefix(appended.as_slice())?;
        prefix.push(txn);
    }
    Some(prefix)
}

/// Records that exactly these versions come first, in this order.
fn show_prefix(shown: &mut Rel, prefix: &[usize], appenders: Set) {
    let mut later = appenders;
    for &txn in prefix {
        later &= !(1 << txn);
        shown.add_all(txn, later);
    }
}

fn follows_in_session(history: &History, first: TxnId, second: TxnId) -> bool {
    let session = history.txn(first).session;
    let issued = &history.sessions[session.index()].txns;
    let place = |txn: TxnId| issued.iter().position(|&other| other == txn);
    session == history.txn(second).session
        && history.txn(first).outcome == Outcome::Committed
        && place(first) < place(second)
}

fn earlier(first: Option<i64>, second: Option<i64>, drift: i128) -> bool {
    matches!((first, second), (Some(a), Some(b)) if i128::from(a) + drift < i128::from(b))
}

fn commit_seen(txn: &Txn) -> Option<i64> {
    txn.end().ret.filter(|_| txn.outcome == Outcome::Committed)
}

fn first_commit_instant(txn: &Txn) -> Option<i64> {
    txn.end().call.or(txn.begin().ret).or(txn.begin().call)
}

fn last_begin_instant(txn: &Txn) -> Option<i64> {
    txn.begin().ret.or(txn.end().call).or(commit_seen(txn))
}

fn ended_before_begin(first: &Txn, second: &Txn, drift: i128) -> bool {
    earlier(commit_seen(first), second.begin().call, drift)
}

fn committed_earlier(first: &Txn, second: &Txn, drift: i128) -> bool {
    earlier(commit_seen(first), first_commit_instant(second), drift)
}

fn began_before_commit(first: &Txn, second: &Txn, drift: i128) -> bool {
    earlier(last_begin_instant(first), first_commit_instant(second), drift)
}

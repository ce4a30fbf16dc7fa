//! Finds for every printed line the hints that belong on it.
//!
//! A range read tells the sources of all items it returned, or of none: `null` in the list means
//! the initial state, and there is no word for "unknown". A key that it did *not* return gets
//! a source through the tombstone of a delete; the name of the deleting transaction serves as its
//! id.

use rustc_hash::{FxHashMap, FxHashSet};

use tristan_history::{
    History, KeyId, Observed, OpKind, OpRef, OpStatus, Outcome, SourceHint, TxnId, ValueId,
};

/// The hints of a history, by the place where they are printed.
#[derive(Debug, Default)]
pub(super) struct ShownHints {
    sources: FxHashMap<OpRef, ShownSources>,
    /// Logical times of start and commit.
    stamps: FxHashMap<TxnId, (Option<i64>, Option<i64>)>,
    /// Deletes that need an id, because a read has them as its source.
    tombstones: FxHashSet<(TxnId, KeyId)>,
    /// Hints on sources that cannot be said.
    pub(super) lost_sources: usize,
    /// Hints on times that cannot be said.
    pub(super) lost_stamps: usize,
}

/// What a read says about its sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ShownSources {
    pub(super) from: ShownFrom,
    /// Keys that a range read did not return, with the transactions that deleted them.
    pub(super) dead: Vec<(KeyId, TxnId)>,
}

/// The field `from`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum ShownFrom {
    #[default]
    Missing,
    One(Option<TxnId>),
    Each(Vec<Option<TxnId>>),
}

impl ShownHints {
    pub(super) fn of(history: &History) -> Self {
        let mut shown = Self::default();
        shown.place_sources(history);
        shown.place_stamps(history);
        shown
    }

    /// What an operation says about its sources.
    pub(super) fn of_op(&self, op: OpRef) -> Option<&ShownSources> {
        self.sources.get(&op)
    }

    /// The logical times of a transaction.
    pub(super) fn stamps_of(&self, txn: TxnId) -> (Option<i64>, Option<i64>) {
        self.stamps.get(&txn).copied().unwrap_or_default()
    }

    /// Whether the delete of a key by a transaction needs an id.
    pub(super) fn is_tombstone(&self, txn: TxnId, key: KeyId) -> bool {
        self.tombstones.contains(&(txn, key))
    }

    fn place_sources(&mut self, history: &History) {
        let hints = &history.hints.sources;
        let mut by_op: Vec<&SourceHint> = hints.iter().collect();
        by_op.sort_by_key(|hint| hint.op);
        for group in by_op.chunk_by(|a, b| a.op == b.op) {
            let sources = sources_of(history, group);
            self.lost_sources += group.len() - sources.count();
            self.tombstones.extend(sources.dead.iter().map(|&(key, txn)| (txn, key)));
            self.sources.insert(group[0].op, sources);
        }
    }

    /// Commit times stand on the return of a commit, so there must be one.
    fn place_stamps(&mut self, history: &History) {
        for hint in &history.hints.stamps {
            let (start, commit) = self.stamps.entry(hint.txn).or_default();
            *start = hint.start.or(*start);
            match history.txn(hint.txn).outcome {
                Outcome::Committed => *commit = hint.commit.or(*commit),
                Outcome::Aborted | Outcome::Unknown => {
                    self.lost_stamps += usize::from(hint.commit.is_some());
                }
            }
        }
    }
}

impl ShownSources {
    /// How many hints are said.
    fn count(&self) -> usize {
        let from = match &self.from {
            ShownFrom::Missing => 0,
            ShownFrom::One(_) => 1,
            ShownFrom::Each(all) => all.len(),
        };
        from + self.dead.len()
    }
}

/// How an operation says these hints, as far as it can.
fn sources_of(history: &History, hints: &[&SourceHint]) -> ShownSources {
    let op = history.op(hints[0].op);
    match &op.kind {
        _ if op.status != OpStatus::Done => ShownSources::default(),
        OpKind::Get { key, seen, .. } | OpKind::ReadModifyWrite { key, seen, .. }
            if *seen != Observed::Unknown =>
        {
            let fitting = hints.iter().find(|hint| hint.key == *key);
            let from = fitting.map_or(ShownFrom::Missing, |hint| ShownFrom::One(hint.from));
            ShownSources { from, dead: Vec::new() }
        }
        OpKind::Scan { items: Some(items), .. } | OpKind::Iterate { items: Some(items), .. } => {
            range_sources(history, items, hints.to_vec())
        }
        _ => ShownSources::default(),
    }
}

fn range_sources(
    history: &History,
    items: &[(KeyId, ValueId)],
    mut hints: Vec<&SourceHint>,
) -> ShownSources {
    let mut take = |key: KeyId| {
        let place = hints.iter().position(|hint| hint.key == key)?;
        Some(hints.remove(place).from)
    };
    let each: Option<Vec<_>> = items.iter().map(|item| take(item.0)).collect();
    let from = each.filter(|all| !all.is_empty()).map_or(ShownFrom::Missing, ShownFrom::Each);
    let returned = |key| items.iter().any(|item| item.0 == key);
    let deleted = |hint: &&SourceHint| {
        let txn = hint.from.filter(|txn| !returned(hint.key) && deletes(history, *txn, hint.key));
        txn.map(|txn| (hint.key, txn))
    };
    ShownSources { from, dead: hints.iter().filter_map(deleted).collect() }
}

fn deletes(history: &History, txn: TxnId, key: KeyId) -> bool {
    let is_delete =
        |kind: &OpKind| matches!(kind, OpKind::Delete { key: other, .. } if *other == key);
    history.ops_of(txn).iter().any(|op| is_delete(&op.kind))
}

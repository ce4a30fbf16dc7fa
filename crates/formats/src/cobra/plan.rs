//! Decides which write each read names.
//!
//! A log must name one write per read, and a history leaves open which of several writes of the
//! same value a read has seen. If that matters for some read and no hint tells, the whole trace is
//! written in the anonymous variant, where reads name values.
//!
//! Whom a read names must not change what it means: a committed version rather than a write that
//! was overwritten or aborted, an own write only if it was the last one before the read.

use rustc_hash::{FxHashMap, FxHashSet};

use super::steps::{self, Step};
use tristan_history::{History, Initial, KeyId, Observed, OpRef, Outcome, TxnId, ValueId};

/// How a history is written down.
pub(super) struct Plan {
    /// Per transaction, its reads and writes.
    pub(super) steps: Vec<Vec<Named>>,
    /// Whether the ids of writes are left out.
    pub(super) anonymous: bool,
    /// Transactions of unknown outcome whose writes another transaction saw.
    pub(super) observed: FxHashSet<TxnId>,
    /// Reads that name what only a hint says.
    pub(super) hinted: usize,
    /// Reads that may have seen the initial state or a write, and name the initial state.
    pub(super) initial_or_not: usize,
    /// Keys whose initial value is forgotten, because it was never read, although a read found
    /// them absent.
    pub(super) forgotten: usize,
}

/// A step, with the write that a read names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Write { key: KeyId, value: Option<ValueId> },
    Read { key: KeyId, from: Source },
}

/// What a read names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The value from before the run.
    Initial,
    /// An absent key, whatever the reason.
    Absent,
    /// An absent key, because it was deleted; by whom, if a hint says so.
    Deleted(Option<TxnId>),
    /// This write of this value.
    Write(Place, ValueId),
    /// A value that no transaction wrote.
    Unwritten(ValueId),
}

/// A write: the transaction, and which of its steps it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) txn: TxnId,
    pub(super) step: u32,
}

impl Plan {
    pub(super) fn of(history: &History) -> Self {
        let steps: Vec<Vec<Step>> = history.txn_ids().map(|txn| steps::of(history, txn)).collect();
        let mut planner = Planner::new(history, &steps);
        let named = history.txn_ids().map(|txn| planner.txn(txn, &steps[txn.index()]));
        let mut named: Vec<Vec<Named>> = named.collect();
        let initially = initially_read(&named);
        let mut forgotten = FxHashSet::default();
        for step in named.iter_mut().flatten() {
            let Named::Read { key, from: from @ Source::Absent } = step else { continue };
            if initially.contains(key) {
                *from = Source::Deleted(None);
            } else if planner.initial.contains_key(key) {
                forgotten.insert(*key);
            }
        }
        let Planner { several: anonymous, observed, initial_or_not, .. } = planner;
        // Where values are all that is named, hints among writers are just dropped.
        let hinted_writers = if anonymous { 0 } else { planner.hinted_writers };
        let hinted = planner.hinted_initial + hinted_writers;
        let forgotten = forgotten.len();
        Self { steps: named, anonymous, observed, hinted, initial_or_not, forgotten }
    }
}

/// The keys whose initial value is named by a read.
fn initially_read(steps: &[Vec<Named>]) -> FxHashSet<KeyId> {
    let initial = |step: &Named| match step {
        Named::Read { key, from: Source::Initial } => Some(*key),
        _ => None,
    };
    steps.iter().flatten().filter_map(initial).collect()
}

struct Planner<'a> {
    history: &'a History,
    /// The writers of each key and value.
    writes: FxHashMap<(KeyId, Option<ValueId>), Vec<Place>>,
    /// The last write of a key in a transaction.
    last: FxHashMap<(TxnId, KeyId), u32>,
    /// The initial value of each key that has one.
    initial: FxHashMap<KeyId, ValueId>,
    hints: FxHashMap<(OpRef, KeyId), Option<TxnId>>,
    several: bool,
    observed: FxHashSet<TxnId>,
    /// Reads that a hint assigns to one of several writers.
    hinted_writers: usize,
    /// Reads that a hint assigns to the initial state or to a writer of the same value.
    hinted_initial: usize,
    initial_or_not: usize,
}

impl<'a> Planner<'a> {
    fn new(history: &'a History, steps: &[Vec<Step>]) -> Self {
        let mut writes: FxHashMap<_, Vec<Place>> = FxHashMap::default();
        let mut last = FxHashMap::default();
        for (txn, steps) in history.txn_ids().zip(steps) {
            for (step, written) in steps.iter().enumerate() {
                if let Step::Write { key, value } = written {
                    let place = Place { txn, step: step as u32 };
                    writes.entry((*key, *value)).or_default().push(place);
                    last.insert((txn, *key), place.step);
                }
            }
        }
        let hints = history.hints.sources.iter();
        let hints = hints.map(|hint| ((hint.op, hint.key), hint.from)).collect();
        let initial = initial_values(history, steps, &writes);
        Self {
            history,
            writes,
            last,
            initial,
            hints,
            several: false,
            observed: FxHashSet::default(),
            hinted_writers: 0,
            hinted_initial: 0,
            initial_or_not: 0,
        }
    }

    fn txn(&mut self, txn: TxnId, steps: &[Step]) -> Vec<Named> {
        let mut own: FxHashMap<KeyId, (u32, Option<ValueId>)> = FxHashMap::default();
        let name = |(number, step): (usize, &Step)| match *step {
            Step::Write { key, value } => {
                own.insert(key, (number as u32, value));
                Named::Write { key, value }
            }
            Step::Read { key, seen: None, op } => Named::Read { key, from: self.absent(key, op) },
            Step::Read { key, seen: Some(value), op } => {
                let before = own.get(&key).copied();
                let from = match before {
                    Some((step, Some(last))) if last == value => {
                        Source::Write(Place { txn, step }, value)
                    }
                    _ => self.external(key, value, op, before.is_some()),
                };
                Named::Read { key, from }
            }
        };
        steps.iter().enumerate().map(name).collect()
    }

    fn absent(&mut self, key: KeyId, op: OpRef) -> Source {
        let deletes = |txn: &TxnId| {
            let deletes = self.writes.get(&(key, None));
            deletes.is_some_and(|places| places.iter().any(|place| place.txn == *txn))
        };
        match self.hints.get(&(op, key)) {
            Some(Some(txn)) if deletes(txn) => Source::Deleted(Some(*txn)),
            _ => Source::Absent,
        }
    }

    /// What a read names that did not see the last own write. `wrong` says that it should have,
    /// so that whatever it names is a violation.
    fn external(&mut self, key: KeyId, value: ValueId, op: OpRef, wrong: bool) -> Source {
        let all = self.writes.get(&(key, Some(value))).map_or(&[][..], Vec::as_slice);
        let others = all.iter().copied().filter(|place| place.txn != op.txn);
        let outcome = |txn: TxnId| self.history.txn(txn).outcome;
        let installed: Vec<Place> = others
            .clone()
            .filter(|place| outcome(place.txn) != Outcome::Aborted)
            .filter(|place| self.last.get(&(place.txn, key)) == Some(&place.step))
            .collect();
        let matters = !wrong && outcome(op.txn) != Outcome::Aborted;
        if matters {
            let unsure = others.clone().map(|place| place.txn);
            self.observed.extend(unsure.filter(|txn| outcome(*txn) == Outcome::Unknown));
        }
        let initial = self.initial.get(&key) == Some(&value);
        match (initial, installed.as_slice()) {
            (true, []) => Source::Initial,
            (false, [one]) => Source::Write(*one, value),
            (false, []) => {
                let any = others.clone().next().or_else(|| all.first().copied());
                any.map_or(Source::Unwritten(value), |place| Source::Write(place, value))
            }
            (initial, several) => {
                let hint = self.hints.get(&(op, key)).copied();
                let chosen = choose(initial, several, hint);
                match (chosen, initial) {
                    (Some(_), true) => self.hinted_initial += usize::from(matters),
                    (Some(_), false) => self.hinted_writers += usize::from(matters),
                    (None, true) => self.initial_or_not += usize::from(matters),
                    (None, false) => self.several |= matters,
                }
                let usual = if initial { None } else { several.first().copied() };
                chosen.unwrap_or(usual).map_or(Source::Initial, |place| Source::Write(place, value))
            }
        }
    }
}

/// The source that a hint names, if it is one; `None` in it is the initial state.
fn choose(
    initial: bool,
    installed: &[Place],
    hint: Option<Option<TxnId>>,
) -> Option<Option<Place>> {
    match hint? {
        None => initial.then_some(None),
        Some(txn) => installed.iter().find(|place| place.txn == txn).copied().map(Some),
    }
}

/// The value of every key at the start. If it is unknown, it is the first value read that no transaction
/// wrote.
fn initial_values(
    history: &History,
    steps: &[Vec<Step>],
    writes: &FxHashMap<(KeyId, Option<ValueId>), Vec<Place>>,
) -> FxHashMap<KeyId, ValueId> {
    let known = (0..history.keys.len()).map(KeyId::new).filter_map(|key| {
        let Some(Observed::Value(value)) = history.initial_of(key) else { return None };
        Some((key, value))
    });
    let mut initial: FxHashMap<KeyId, ValueId> = known.collect();
    if history.header.initial == Initial::Unknown {
        for step in steps.iter().flatten() {
            if let Step::Read { key, seen: Some(value), .. } = step
                && !writes.contains_key(&(*key, Some(*value)))
            {
                initial.entry(*key).or_insert(*value);
            }
        }
    }
    initial
}

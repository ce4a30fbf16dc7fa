//! A SQL server in miniature: it carries operations out and tells what they return.
//!
//! There is one committed state. What a transaction writes on top of it stays private until it
//! commits. [`Visibility`] decides whether a read returns the newest committed version, that of the
//! transaction's snapshot, or even uncommitted data. Writes and locking reads lock their key and
//! wait for the transaction that has locked it, as in databases with row locks, and they always
//! act on the newest version.
//!
//! A server is also a node of the search in [`schedule`](crate::schedule): it is copied before every
//! step and compared with all nodes visited before. It therefore keeps whole states, which are
//! small, and no history of versions. `tristan-store` is the opposite: it never waits, decides at
//! commit, and runs millions of transactions.

use std::collections::{BTreeMap, BTreeSet};

use tristan_history::{
    History, KeyId, Observed, Op, OpKind, OpStatus, Outcome, Presence, Range, TxnId, ValueId,
};

use crate::start::initial;
use crate::state::{Cell, State};

/// What reads see of other transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Visibility {
    /// What was committed when the transaction began. A write of a key with a newer version is
    /// refused.
    Snapshot,
    /// The same, but newer versions may be replaced.
    LooseSnapshot,
    /// What is committed when the read happens.
    Committed,
    /// Everything.
    Dirty,
}

/// What an operation sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// One key, or that it is not there.
    Cell(Option<Cell>),
    /// Keys of a range, in the order of the range.
    Rows(Vec<(KeyId, ValueId)>),
    /// How many rows were changed.
    Changed(u32),
}

/// Why an operation cannot run now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerError {
    /// Another transaction has locked the key.
    Waits,
    /// The key has a newer version than the snapshot.
    TooLate,
}

/// What a transaction has written; `None` stands for a key that is absent afterwards.
type Overlay = BTreeMap<KeyId, Option<Cell>>;

/// A running transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Running {
    /// What was committed when it began, and the number of commits up to then.
    snapshot: State,
    since: usize,
    own: Overlay,
    locked: BTreeSet<KeyId>,
    /// What it had written at each savepoint.
    saved: Vec<(String, Overlay)>,
}

/// A server that runs all transactions with the same visibility.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Server {
    visibility: Visibility,
    committed: State,
    commits: usize,
    /// The last commit that changed a key.
    changed: BTreeMap<KeyId, usize>,
    running: BTreeMap<TxnId, Running>,
}

impl Server {
    /// A server in the state before the trace.
    pub(crate) fn of(history: &History, visibility: Visibility) -> Self {
        Self {
            visibility,
            committed: initial(history),
            commits: 0,
            changed: BTreeMap::new(),
            running: BTreeMap::new(),
        }
    }

    /// The committed state.
    pub(crate) fn committed(&self) -> &State {
        &self.committed
    }

    /// Begins a transaction.
    pub(crate) fn begin(&mut self, txn: TxnId) {
        let (snapshot, since) = (self.committed.clone(), self.commits);
        self.running.insert(txn, Running { snapshot, since, ..Running::default() });
    }

    /// Ends a transaction. If its outcome is unknown, it commits: in a minimal trace, another
    /// transaction has read from it.
    pub(crate) fn end(&mut self, txn: TxnId, outcome: Outcome) {
        let Some(ended) = self.running.remove(&txn) else { return };
        if outcome == Outcome::Aborted {
            return;
        }
        self.commits += 1;
        for (key, cell) in ended.own {
            self.changed.insert(key, self.commits);
            set(&mut self.committed, key, cell);
        }
    }

    /// Carries out an operation. Returns what it sees, if it sees anything.
    pub(crate) fn act(
        &mut self,
        history: &History,
        txn: TxnId,
        op: &Op,
    ) -> Result<Option<Seen>, ServerError> {
        if !happens(op) {
            return Ok(None);
        }
        if let Some(key) = locks(&op.kind) {
            self.lock(txn, key)?;
        }
        let seen = match &op.kind {
            OpKind::Get { key, locking: false, .. } | OpKind::ReadList { key, .. } => {
                Some(Seen::Cell(self.read(txn).get(key).cloned()))
            }
            OpKind::Scan { range, .. } => Some(Seen::Rows(self.rows(history, txn, range, None))),
            OpKind::Iterate { range, items, reached_end } => {
                let most = items.as_ref().filter(|_| !reached_end).map(|items| items.len());
                Some(Seen::Rows(self.rows(history, txn, range, most)))
            }
            OpKind::Savepoint { name } => {
                let running = self.running.entry(txn).or_default();
                running.saved.push((name.to_string(), running.own.clone()));
                None
            }
            OpKind::RollbackTo { name } => {
                self.roll_back(txn, &name.to_string());
                None
            }
            change => self.change(txn, change),
        };
        Ok(seen)
    }

    /// Carries out an operation that acts on the newest version.
    fn change(&mut self, txn: TxnId, kind: &OpKind) -> Option<Seen> {
        let key = kind.key()?;
        let before = self.latest(txn).remove(&key);
        let (after, seen) = match kind {
            OpKind::Put { value, .. } => (Some(Cell::Value(*value)), None),
            OpKind::PutIf { value, when, .. } => {
                let happens = before.is_some() == (*when == Presence::Present);
                let after = if happens { Some(Cell::Value(*value)) } else { before };
                (after, Some(Seen::Changed(u32::from(happens))))
            }
            OpKind::Delete { .. } => (None, Some(Seen::Changed(u32::from(before.is_some())))),
            OpKind::ReadModifyWrite { value, .. } => {
                (Some(Cell::Value(*value)), Some(Seen::Cell(before)))
            }
            OpKind::Append { element, .. } => {
                let mut list = match before {
                    Some(Cell::List(list)) => list,
                    Some(Cell::Value(value)) => vec![value],
                    None => Vec::new(),
                };
                list.push(*element);
                (Some(Cell::List(list)), None)
            }
            _ => return Some(Seen::Cell(before)),
        };
        self.running.entry(txn).or_default().own.insert(key, after);
        seen
    }

    /// Locks a key.
    fn lock(&mut self, txn: TxnId, key: KeyId) -> Result<(), ServerError> {
        let taken =
            |(other, running): (&TxnId, &Running)| *other != txn && running.locked.contains(&key);
        if self.running.iter().any(taken) {
            return Err(ServerError::Waits);
        }
        let running = self.running.entry(txn).or_default();
        let changed = self.changed.get(&key).copied().unwrap_or(0);
        if self.visibility == Visibility::Snapshot && changed > running.since {
            return Err(ServerError::TooLate);
        }
        running.locked.insert(key);
        Ok(())
    }

    fn roll_back(&mut self, txn: TxnId, name: &str) {
        let running = self.running.entry(txn).or_default();
        if let Some(place) = running.saved.iter().rposition(|(known, _)| known == name) {
            running.own = running.saved[place].1.clone();
            running.saved.truncate(place + 1);
        }
    }

    /// The latest state, with what the transaction itself has written.
    fn latest(&self, txn: TxnId) -> State {
        self.with_own(self.committed.clone(), txn)
    }

    /// What a transaction reads from.
    fn read(&self, txn: TxnId) -> State {
        let base = match self.visibility {
            Visibility::Committed => self.committed.clone(),
            Visibility::Snapshot | Visibility::LooseSnapshot => {
                self.running.get(&txn).map_or_else(State::new, |running| running.snapshot.clone())
            }
            Visibility::Dirty => {
                self.running.keys().fold(self.committed.clone(), |all, &id| self.with_own(all, id))
            }
        };
        self.with_own(base, txn)
    }

    fn with_own(&self, mut state: State, txn: TxnId) -> State {
        for (key, cell) in self.running.get(&txn).into_iter().flat_map(|running| &running.own) {
            set(&mut state, *key, cell.clone());
        }
        state
    }

    fn rows(
        &self,
        history: &History,
        txn: TxnId,
        range: &Range,
        most: Option<usize>,
    ) -> Vec<(KeyId, ValueId)> {
        let order = history.header.key_order;
        let mut rows: Vec<(KeyId, ValueId)> = self
            .read(txn)
            .into_iter()
            .filter(|(key, _)| range.contains(order, history.key(*key)))
            .filter_map(|(key, cell)| match cell {
                Cell::Value(value) => Some((key, value)),
                Cell::List(_) => None,
            })
            .collect();
        rows.sort_by(|(one, _), (other, _)| order.compare(history.key(*one), history.key(*other)));
        if range.reverse {
            rows.reverse();
        }
        rows.truncate(most.unwrap_or(rows.len()));
        rows
    }
}

/// Whether an operation had an effect.
pub(crate) fn happens(op: &Op) -> bool {
    match op.status {
        OpStatus::Done => true,
        OpStatus::Pending => !matches!(op.kind, OpKind::RollbackTo { .. }),
        OpStatus::Failed => false,
    }
}

/// What the trace says that an operation saw.
pub(crate) fn recorded(kind: &OpKind) -> Option<Seen> {
    match kind {
        OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => match seen {
            Observed::Unknown => None,
            Observed::Absent => Some(Seen::Cell(None)),
            Observed::Value(value) => Some(Seen::Cell(Some(Cell::Value(*value)))),
        },
        OpKind::ReadList { elements, .. } => {
            let elements = elements.as_ref()?;
            let list = (!elements.is_empty()).then(|| Cell::List(elements.to_vec()));
            Some(Seen::Cell(list))
        }
        OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => {
            Some(Seen::Rows(items.as_ref()?.to_vec()))
        }
        OpKind::PutIf { rows, .. } | OpKind::Delete { rows, .. } => rows.map(Seen::Changed),
        _ => None,
    }
}

/// The key that an operation locks.
fn locks(kind: &OpKind) -> Option<KeyId> {
    match kind {
        OpKind::Get { locking: false, .. } | OpKind::ReadList { .. } => None,
        other => other.key(),
    }
}

fn set(state: &mut State, key: KeyId, cell: Option<Cell>) {
    match cell {
        Some(cell) => drop(state.insert(key, cell)),
        None => drop(state.remove(&key)),
    }
}

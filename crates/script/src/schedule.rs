//! An interleaving in which every operation returns what the trace says.
//!
//! ```text
//!   trace, Visibility ──► steps one at a time, in the order of the trace where possible
//!                        │ an operation returns something else: go back, try another order
//!                        ▼
//!                    Schedule, or none
//! ```
//!
//! The search is exhaustive up to a number of states. It keeps the order of sessions and of clocks.

use std::collections::BTreeSet;

use tristan_history::{History, TxnId};

use crate::server::{Seen, Server, ServerError, Visibility, recorded};

/// The search gives up after this many states.
const MOST_STATES: usize = 20_000;

/// One step of an interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Begin(TxnId),
    /// An operation, by its number within the transaction.
    Op(TxnId, usize),
    End(TxnId),
}

impl Step {
    /// The transaction that takes the step.
    pub(crate) fn txn(self) -> TxnId {
        match self {
            Self::Begin(txn) | Self::Op(txn, _) | Self::End(txn) => txn,
        }
    }
}

/// Steps in the order in which they happen.
pub(crate) type Schedule = Vec<Step>;

/// An interleaving in which a server with this visibility shows what the trace says.
pub(crate) fn reproduce(history: &History, visibility: Visibility) -> Option<Schedule> {
    Search::new(history, true).run(visibility)
}

/// An interleaving in which no transaction waits, whatever its reads return; the order of the trace if
/// there is none.
pub(crate) fn retell(history: &History) -> Schedule {
    let found = Search::new(history, false).run(Visibility::Committed);
    found.unwrap_or_else(|| {
        let whole = |txn: TxnId| {
            let ops = (0..history.ops_of(txn).len()).map(move |op| Step::Op(txn, op));
            [Step::Begin(txn)].into_iter().chain(ops).chain([Step::End(txn)])
        };
        history.txn_ids().flat_map(whole).collect()
    })
}

/// Whether a transaction may begin: those before it in its session, and those that had ended by the
/// clock when it began, must be done.
pub(crate) fn may_begin(history: &History, txn: TxnId, is_done: impl Fn(TxnId) -> bool) -> bool {
    let session = &history.sessions[history.txn(txn).session.index()];
    let in_session = session.txns.iter().take_while(|other| **other != txn);
    let begun = history.txn(txn).begin().call;
    let by_clock = history.txn_ids().filter(|other| {
        let ended = history.txn(*other).ended_by();
        *other != txn && ended.zip(begun).is_some_and(|(ended, begun)| ended < begun)
    });
    in_session.copied().chain(by_clock).all(is_done)
}

/// How far every transaction is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    /// For each transaction the number of its next step: the operations, then the end.
    next: Vec<usize>,
    server: Server,
}

struct Search<'h> {
    history: &'h History,
    /// Whether reads must see what the trace says.
    faithful: bool,
    visited: BTreeSet<Position>,
    schedule: Schedule,
}

impl<'h> Search<'h> {
    fn new(history: &'h History, faithful: bool) -> Self {
        Self { history, faithful, visited: BTreeSet::new(), schedule: Vec::new() }
    }

    fn run(mut self, visibility: Visibility) -> Option<Schedule> {
        let next = vec![0; self.history.txns.len()];
        let start = Position { next, server: Server::of(self.history, visibility) };
        self.from(start).then_some(self.schedule)
    }

    /// Whether all steps from here on work out; they are added to the schedule then.
    fn from(&mut self, position: Position) -> bool {
        if self.history.txn_ids().all(|txn| self.is_done(&position, txn)) {
            return true;
        }
        if self.visited.len() >= MOST_STATES || !self.visited.insert(position.clone()) {
            return false;
        }
        for txn in self.candidates(&position) {
            let told = self.schedule.len();
            let after = self.step(position.clone(), txn);
            if after.is_some_and(|after| self.from(after)) {
                return true;
            }
            self.schedule.truncate(told);
        }
        false
    }

    fn is_done(&self, position: &Position, txn: TxnId) -> bool {
        position.next[txn.index()] > self.history.ops_of(txn).len()
    }

    /// The transactions that may take the next step, in the order of the trace.
    fn candidates(&self, position: &Position) -> Vec<TxnId> {
        let may = |txn: &TxnId| match position.next[txn.index()] {
            0 => may_begin(self.history, *txn, |other| self.is_done(position, other)),
            _ => !self.is_done(position, *txn),
        };
        let mut candidates: Vec<TxnId> = self.history.txn_ids().filter(may).collect();
        candidates.sort_by_key(|&txn| (self.line(txn, position.next[txn.index()]), txn));
        candidates
    }

    fn line(&self, txn: TxnId, step: usize) -> u32 {
        let op = self.history.ops_of(txn).get(step);
        op.map_or(self.history.txn(txn).lines.1, |op| op.line)
    }

    /// Takes the next step of a transaction, if that is possible.
    fn step(&mut self, mut position: Position, txn: TxnId) -> Option<Position> {
        let number = position.next[txn.index()];
        if number == 0 {
            position.server.begin(txn);
            self.schedule.push(Step::Begin(txn));
        }
        match self.history.ops_of(txn).get(number) {
            Some(op) => {
                let seen = position.server.act(self.history, txn, op);
                if !self.is_fine(&seen, recorded(&op.kind)) {
                    return None;
                }
                self.schedule.push(Step::Op(txn, number));
            }
            None => {
                position.server.end(txn, self.history.txn(txn).outcome);
                self.schedule.push(Step::End(txn));
            }
        }
        position.next[txn.index()] += 1;
        Some(position)
    }

    fn is_fine(&self, seen: &Result<Option<Seen>, ServerError>, recorded: Option<Seen>) -> bool {
        match (seen, recorded) {
            (Err(_), _) => false,
            (Ok(Some(seen)), Some(recorded)) => !self.faithful || *seen == recorded,
            (Ok(_), _) => true,
        }
    }
}

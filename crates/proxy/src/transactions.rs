//! Which transaction a statement belongs to, and how transactions end.
//!
//! ```text
//!             client                    server
//!   called ─► next ── the statement ──► running ─► answers
//!             (a guess)                 (what is so)
//! ```
//!
//! Clients may send many statements before the first answer. So the number that a statement gets when
//! it is called is a guess: that everything before it works. When its answer comes, it
//! is known in which transaction it ran. Only behind an error the two can differ.

use std::collections::BTreeMap;
use std::sync::Arc;

use tristan_sqltext::{Control, Scope};

use crate::log::SqlLog;
use crate::protocol::Protocol;

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Committed,
    Aborted,
    /// It waits for a `COMMIT PREPARED`.
    Prepared,
    /// The outcome is unknown.
    Unknown,
}

impl Outcome {
    /// As the log names it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::Aborted => "aborted",
            Self::Prepared => "prepared",
            Self::Unknown => "unknown",
        }
    }
}

/// The end of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finished {
    pub(crate) txn: u64,
    pub(crate) outcome: Outcome,
    pub(crate) level: Option<String>,
}

/// What is known about a statement when it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Called {
    pub(crate) txn: u64,
    pub(crate) level: Option<String>,
    /// Whether the transaction ends with the statement or the batch, because no statement began it.
    pub(crate) implicit: bool,
}

/// How something went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TxnFailure {
    /// The transaction cannot commit any more.
    Failed,
    /// It is not known what became of it.
    Doubtful,
    /// A definition failed in MySQL, perhaps after it had committed the transaction.
    MaybeCommitted,
}

/// A transaction that has not ended.
#[derive(Clone, Debug, Default)]
struct Open {
    level: Option<String>,
    explicit: bool,
    /// Whether the server may have been told to commit it.
    commit_sent: bool,
    failure: Option<TxnFailure>,
}

/// The transactions of one connection.
#[derive(Debug)]
pub(crate) struct Transactions {
    log: Arc<SqlLog>,
    protocol: Protocol,
    /// The transaction that the next call belongs to.
    next: Option<u64>,
    /// The transaction that the server is in.
    running: Option<u64>,
    /// Transactions that have been called and not ended.
    open: BTreeMap<u64, Open>,
    last_ended: u64,
    autocommit: bool,
    /// The level of transactions that do not ask for one.
    usual_level: Option<String>,
    next_level: Option<String>,
    finished: Vec<Finished>,
}

impl Transactions {
    pub(crate) fn new(log: Arc<SqlLog>, protocol: Protocol) -> Self {
        Self {
            log,
            protocol,
            next: None,
            running: None,
            open: BTreeMap::new(),
            last_ended: 0,
            autocommit: true,
            usual_level: None,
            next_level: None,
            finished: Vec::new(),
        }
    }

    /// Transactions that have ended and were not asked for yet.
    pub(crate) fn take_finished(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.finished)
    }

    /// The level of transactions that do not ask for one, as the client chose it when it connected.
    pub(crate) fn set_usual_level(&mut self, level: String) {
        self.usual_level = Some(level);
    }

    /// A statement is about to be passed on.
    pub(crate) fn called(&mut self, control: &Control) -> Called {
        if self.protocol == Protocol::MySql && matches!(control, Control::Begin(_)) {
            self.commit_is_sent();
        }
        let txn = self.next.unwrap_or_else(|| self.fresh());
        self.next = Some(txn);
        self.apply_level(txn, control);
        let autocommit = self.autocommit;
        let open = self.open.entry(txn).or_default();
        open.explicit |= matches!(control, Control::Begin(_)) || !autocommit;
        let called = Called { txn, level: open.level.clone(), implicit: !open.explicit };
        match control {
            Control::Commit { chain } => {
                self.commit_is_sent();
                self.chain(*chain);
            }
            Control::Rollback { chain } => self.chain(*chain),
            Control::Prepare | Control::Implicit => self.commit_is_sent(),
            Control::Autocommit(on) => self.autocommit = *on,
            Control::Forget => self.usual_level = None,
            _ => {}
        }
        called
    }

    /// A statement is about to be passed on that the server will skip: it changes nothing.
    pub(crate) fn skipped(&mut self) -> Called {
        let txn = match self.running.or(self.next) {
            Some(txn) => txn,
            None => self.fresh(),
        };
        let open = self.open.entry(txn).or_default();
        Called { txn, level: open.level.clone(), implicit: !open.explicit }
    }

    fn apply_level(&mut self, txn: u64, control: &Control) {
        let (scope, level) = match control {
            Control::Begin(Some(level)) => (Scope::This, level),
            Control::Level(scope, level) => (*scope, level),
            _ => return,
        };
        match scope {
            Scope::This => self.open.entry(txn).or_default().level = Some(level.clone()),
            Scope::Next => self.next_level = Some(level.clone()),
            Scope::Session => self.usual_level = Some(level.clone()),
        }
    }

    /// Where a batch ends, a transaction that no statement began ends too. Returns whether it does.
    pub(crate) fn batch_called(&mut self) -> bool {
        let ends =
            self.next.is_some_and(|txn| self.open.get(&txn).is_some_and(|open| !open.explicit));
        if ends {
            self.commit_is_sent();
        }
        ends
    }

    fn commit_is_sent(&mut self) {
        if let Some(open) = self.next.take().and_then(|txn| self.open.get_mut(&txn)) {
            open.commit_sent = true;
        }
    }

    fn chain(&mut self, chain: bool) {
        self.next = chain.then(|| self.fresh());
        if let Some(open) = self.next.and_then(|txn| self.open.get_mut(&txn)) {
            open.explicit = true;
        }
    }

    /// A transaction with a new number.
    fn fresh(&mut self) -> u64 {
        let txn = self.log.next_txn();
        let level = self.next_level.take().or_else(|| self.usual_level.clone());
        self.open.insert(txn, Open { level, ..Open::default() });
        txn
    }

    /// A statement that was called in this transaction was carried out, or failed. Returns in which
    /// transaction that was.
    pub(crate) fn ran(&mut self, called: u64, control: &Control) -> u64 {
        let begins = matches!(control, Control::Begin(_));
        if self.protocol == Protocol::MySql && begins {
            self.finish(Outcome::Committed);
        }
        let txn = match self.running {
            Some(running) => running,
            None if called > self.last_ended => called,
            None => self.fresh(),
        };
        self.running = Some(txn);
        if begins {
            self.open.entry(txn).or_default().explicit = true;
        }
        txn
    }

    /// The running transaction has ended.
    pub(crate) fn finish(&mut self, outcome: Outcome) {
        let Some(txn) = self.running.take() else { return };
        self.end(txn, outcome);
        self.last_ended = self.last_ended.max(txn);
        if self.next == Some(txn) {
            self.next = None;
        }
    }

    fn end(&mut self, txn: u64, outcome: Outcome) {
        let level = self.open.remove(&txn).and_then(|open| open.level);
        self.finished.push(Finished { txn, outcome, level });
    }

    /// Something in the running transaction went wrong.
    pub(crate) fn failed_with(&mut self, failure: TxnFailure) {
        if let Some(open) = self.running.and_then(|txn| self.open.get_mut(&txn)) {
            open.failure = Some(failure);
        }
    }

    fn failure(&self) -> Option<TxnFailure> {
        self.running.and_then(|txn| self.open.get(&txn)).and_then(|open| open.failure)
    }

    /// Whether a failed definition may have committed the running transaction.
    pub(crate) fn may_be_committed(&self) -> bool {
        self.failure() == Some(TxnFailure::MaybeCommitted)
    }

    /// Whether the running transaction was begun by a statement.
    pub(crate) fn is_explicit(&self) -> bool {
        self.running.and_then(|txn| self.open.get(&txn)).is_some_and(|open| open.explicit)
    }

    /// The server is in no transaction any more. Returns how the one that was running ended.
    pub(crate) fn idle(&mut self) -> Outcome {
        let outcome = match self.failure() {
            None | Some(TxnFailure::MaybeCommitted) => Outcome::Committed,
            Some(TxnFailure::Doubtful) => Outcome::Unknown,
            Some(TxnFailure::Failed) => Outcome::Aborted,
        };
        self.finish(outcome);
        outcome
    }

    /// The server is in a transaction; if `failed`, in one that cannot commit.
    pub(crate) fn busy(&mut self, failed: bool) {
        let txn = match self.running.or(self.next) {
            Some(txn) => txn,
            None => self.fresh(),
        };
        self.running = Some(txn);
        let open = self.open.entry(txn).or_default();
        open.explicit = true;
        open.failure = failed.then_some(TxnFailure::Failed);
    }

    /// A statement before this one failed, and the transaction turns out to be gone since then.
    pub(crate) fn was_gone(&mut self) -> bool {
        let Some(failure) = self.failure() else { return false };
        let committed = failure == TxnFailure::MaybeCommitted;
        self.finish(if committed { Outcome::Committed } else { Outcome::Aborted });
        true
    }

    /// Every call has been answered: there is nothing left to guess. What the server is not in by
    /// now was never begun.
    pub(crate) fn settle(&mut self) {
        self.next = self.running;
        if self.open.len() > usize::from(self.running.is_some()) {
            let unreal: Vec<u64> =
                self.open.keys().copied().filter(|txn| Some(*txn) != self.running).collect();
            unreal.into_iter().for_each(|txn| self.end(txn, Outcome::Aborted));
        }
    }

    /// Whether the server says that statements are transactions of their own.
    pub(crate) fn set_autocommit(&mut self, on: bool) {
        self.autocommit = on;
    }

    /// Nothing more will be heard of the connection, which goes on: transactions that can still commit
    /// may do so.
    pub(crate) fn unheard(&mut self) {
        for open in self.open.values_mut() {
            open.commit_sent = true;
        }
        self.lost();
    }

    /// The connection is gone: what was not told to commit did not.
    pub(crate) fn lost(&mut self) {
        (self.running, self.next) = (None, None);
        (self.usual_level, self.next_level) = (None, None);
        for (txn, open) in std::mem::take(&mut self.open) {
            let hopeless = open.failure == Some(TxnFailure::Failed);
            let aborted = !open.commit_sent || hopeless;
            let outcome = if aborted { Outcome::Aborted } else { Outcome::Unknown };
            self.finished.push(Finished { txn, outcome, level: open.level });
        }
    }
}

//! Tables that are altered in the middle of a log.
//!
//! ```text
//!   session 1   ── INSERT INTO t ──┐
//!   session 2                      └ ALTER TABLE t ADD COLUMN c ┐
//!   session 3                                                   └── SELECT c FROM t ──
//! ```
//!
//! A statement is bound when it is read, with the tables as they are then, and keeps that catalog. What an ALTER
//! does to rows is a statement of its transaction like any other: the rows move from the table as it was to the
//! table as it is, which has a number of its own ([`tristan_sql::Statement::define`]).
//!
//! # Why this is right
//!
//! A statement that is bound to the wrong one of the two tables could be told to be wrong although it is not. So
//! a table is only followed through an ALTER if every transaction that touches it was over before the one with
//! the ALTER began, or began after that one was over, or belongs to the same session. Then
//!
//! 1. the server bound its statements to the table before the ALTER in the first case and to the one after it in
//!    the second, and so do we, because transactions are read in the order of their times;
//! 2. no snapshot of such a transaction is older than the ALTER it follows, so it does not matter that an ALTER
//!    shows itself to transactions that began before it, which no other change does;
//! 3. the rows that the ALTER moves are those of all transactions before it and of no other.
//!
//! Hence what the server did, with the move of the rows in the place of the ALTER, explains the log if the
//! server kept to its level, and it is one of the explanations that are searched for. Otherwise the table is
//! excluded from the audit.

use rustc_hash::FxHashMap;

use crate::model::{Time, Txn};
use crate::world::TableId;

/// Who touched which table, and who altered it.
#[derive(Clone, Debug, Default)]
pub(super) struct Barriers {
    touched: FxHashMap<TableId, Touched>,
    /// Transactions that may have touched any table.
    anything: Touched,
    /// For a table as it is now, the session that altered it last, and when that was over.
    altered: FxHashMap<TableId, (u64, Time)>,
    /// The session that replaced or dropped a routine last, and when that was over.
    redefined: Option<(u64, Time)>,
}

/// When the transactions that touched a table were over.
#[derive(Debug, Clone, Copy)]
struct Touched {
    /// The latest end, and the session that it belongs to.
    latest: Time,
    session: u64,
    /// The latest end in any other session.
    others: Time,
}

impl Default for Touched {
    fn default() -> Self {
        Self { latest: Time::MIN, session: 0, others: Time::MIN }
    }
}

impl Touched {
    fn note(&mut self, txn: &Txn) {
        match txn.session == self.session {
            true => self.latest = self.latest.max(txn.end),
            false if txn.end > self.latest => {
                *self = Self { latest: txn.end, session: txn.session, others: self.latest };
            }
            false => self.others = self.others.max(txn.end),
        }
    }

    /// Whether every transaction of another session was over before this one began.
    fn is_before(&self, txn: &Txn) -> bool {
        let others = if txn.session == self.session { self.others } else { self.latest };
        others < txn.begin
    }
}

impl Barriers {
    /// A transaction touches a table. Says whether it is certain which of its shapes it meets.
    pub(super) fn touch(&mut self, txn: &Txn, table: TableId) -> bool {
        self.touched.entry(table).or_default().note(txn);
        self.is_after(txn, table)
    }

    /// A transaction may touch any table; those that it may meet in two shapes.
    pub(super) fn touch_anything(&mut self, txn: &Txn) -> Vec<TableId> {
        self.anything.note(txn);
        let unclear = self.altered.keys().copied().filter(|table| !self.is_after(txn, *table));
        let mut unclear: Vec<TableId> = unclear.collect();
        unclear.sort_unstable();
        unclear
    }

    /// A transaction alters a table. Says whether everything else that touched it was over by then.
    pub(super) fn alter(&mut self, txn: &Txn, from: TableId, to: TableId) -> bool {
        let touched = self.touched.get(&from).copied().unwrap_or_default();
        let clear =
            touched.is_before(txn) && self.anything.is_before(txn) && self.is_after(txn, from);
        self.altered.insert(to, (txn.session, txn.end));
        clear
    }

    /// A transaction replaces or drops a routine. Says whether everything else that may have called it was over by
    /// then.
    pub(super) fn redefine(&mut self, txn: &Txn) -> bool {
        let clear = self.anything.is_before(txn) && self.calls(txn);
        self.redefined = Some((txn.session, txn.end));
        clear
    }

    /// Whether it is certain which routines a transaction calls.
    pub(super) fn calls(&self, txn: &Txn) -> bool {
        self.redefined.is_none_or(|(session, end)| session == txn.session || end < txn.begin)
    }

    fn is_after(&self, txn: &Txn, table: TableId) -> bool {
        let altered = self.altered.get(&table);
        altered.is_none_or(|(session, end)| *session == txn.session || *end < txn.begin)
    }
}

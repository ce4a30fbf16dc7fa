//! What sessions know of the statement before: `ROW_COUNT()` and `FOUND_ROWS()` follow from its result.

use super::machine::Sql;
use super::server::{Server, counts_all};
use crate::model::{Call, Observed, Txn};
use crate::statement::Around;

impl Sql {
    /// What is known about a statement. The next one of its session comes behind it.
    pub(super) fn around(&mut self, txn: &Txn, call: &Call) -> Around {
        let next = before_next(call);
        let (changed, found) = self.previous.insert(txn.session, next).unwrap_or_default();
        let Txn { session, begin, .. } = *txn;
        Around { session, txn: begin, begin: call.begin, end: call.end, changed, found }
    }

    /// What the server chose so far.
    pub(crate) fn server(&self) -> Server {
        self.server.borrow().clone()
    }

    /// The server chose this.
    pub(crate) fn set_server(&mut self, server: Server) {
        *self.server.get_mut() = server;
    }
}

/// What `ROW_COUNT()` and `FOUND_ROWS()` say behind a statement. One that counts all rows says so when it is executed.
fn before_next(call: &Call) -> (Option<i64>, Option<i64>) {
    let whole = |count: u64| i64::try_from(count).ok();
    match &call.observed {
        Observed::Rows { rows, cut } => {
            (Some(-1), whole(rows.len() as u64 + cut).filter(|_| !counts_all(&call.sql)))
        }
        Observed::Affected(count) => (whole(*count), None),
        Observed::Done => (Some(0), None),
        Observed::Error(_) => (Some(-1), None),
        Observed::Nothing | Observed::Skipped => (None, None),
    }
}

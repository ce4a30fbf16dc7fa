//! Promises: what each transaction of a trace was promised.
//!
//! A transaction says so itself, when it begins; if it does not, the header of the trace speaks
//! for it.

use tristan_history::{History, TxnId};
use tristan_spec::Promise;

/// The trace does not say what a transaction was promised.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "transaction {txn}: found {found}, expected read-uncommitted, read-committed, \
     repeatable-read or serializable"
)]
pub struct PromiseError {
    /// What people call the transaction.
    pub txn: String,
    /// Where it begins in the trace, from 1.
    pub line: u32,
    /// What the trace says about its level.
    pub found: String,
}

/// What each transaction was promised, by number.
///
/// # Errors
/// At the first transaction of which the trace does not say so.
pub fn promises(history: &History) -> Result<Vec<Promise>, PromiseError> {
    history.txn_ids().map(|txn| promise(history, txn)).collect()
}

fn promise(history: &History, txn: TxnId) -> Result<Promise, PromiseError> {
    let record = history.txn(txn);
    let (level, place) = match record.level.as_deref() {
        Some(own) => (Some(own), ""),
        None => (history.header.level.as_deref(), " of the header"),
    };
    level.and_then(Promise::named).ok_or_else(|| PromiseError {
        txn: history.label(txn).escape_debug().to_string(),
        line: record.lines.0,
        found: level
            .map_or_else(|| "no level".to_owned(), |level| format!("level {level:?}{place}")),
    })
}

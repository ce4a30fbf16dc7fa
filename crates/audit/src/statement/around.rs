//! What is known about a statement besides its text and its result.

use crate::model::Time;

/// What is known about a statement besides its text and its result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around {
    pub(crate) session: u64,
    /// When its transaction began.
    pub(crate) txn: Time,
    pub(crate) begin: Time,
    pub(crate) end: Time,
    /// How many rows the statement before it changed, as `ROW_COUNT()` says it.
    pub(crate) changed: Option<i64>,
    /// How many rows the query before it showed.
    pub(crate) found: Option<i64>,
}

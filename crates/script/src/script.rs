//! A script as data.

use tristan_history::TxnId;

use crate::dialect::{Dialect, SqlLevel};

/// What has to be typed into which terminal to see what a trace says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The family of SQL.
    pub dialect: Dialect,
    /// The level that the transactions run at.
    pub level: SqlLevel,
    /// Whether a correct database shows at that level what the trace says.
    pub is_explained: bool,
    /// The level of SQL that promises the level asked about.
    pub promising: SqlLevel,
    /// Statements that create the table and fill it.
    pub set_up: Vec<String>,
    /// What is typed, in this order.
    pub lines: Vec<TerminalLine>,
    /// A correct execution, unless the trace is one or has too many transactions.
    pub correct: Option<CorrectExecution>,
}

/// A statement that is typed into a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminalLine {
    /// The number of the terminal, from 1.
    pub terminal: usize,
    /// The SQL statement to type.
    pub statement: String,
    /// What it does or shows.
    pub event: Option<Event>,
}

/// What a statement does or shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It begins a transaction.
    Begins(TxnId),
    /// It returned this, according to the trace.
    Saw(String),
    /// It ends a transaction.
    Ends(TxnId),
}

/// The transactions of a trace one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectExecution {
    /// The order of the transactions.
    pub order: Vec<TxnId>,
    /// Where the results differ from the trace.
    pub differences: Vec<Difference>,
}

/// An operation that returns something else than the trace says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The transaction whose read differs.
    pub txn: TxnId,
    /// The operation, as in `read of x`.
    pub operation: String,
    /// What it returns.
    pub returns: String,
    /// What the trace says.
    pub saw: String,
}

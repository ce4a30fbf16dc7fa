//! From a log to transactions.
//!
//! ```text
//!   lines ──► line.rs ──► assemble.rs ──► cursors.rs ──► queue.rs ──► LogReader
//!            one object    calls and ends   queries get     in the order
//!                          become txns      their rows      of their begins
//! ```
//!
//! The log is read as a stream. A transaction is handed on when everything that began before it is
//! complete, so a reader keeps what is open and what ran meanwhile, and nothing else. The format is
//! described in `docs/sql-log.md`.

mod assemble;
mod compact;
mod control;
mod cursors;
mod executions;
mod immediate;
mod item;
mod line;
mod queue;
mod reader;
mod source;
mod stamps;
#[cfg(test)]
mod tests;
mod write;

pub use item::{Header, Item};
pub use reader::LogReader;
pub use source::{FileSource, LogSource, TextSource};
pub(crate) use write::line as write_line;

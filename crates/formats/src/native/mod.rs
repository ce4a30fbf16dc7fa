//! The native trace format, version 1: what clients called and what came back, as it happened.
//!
//! ```text
//!   {"tristan":"trace/1"}                                  header
//!   {"call":1,"s":"alice","t":1,"op":"get","k":"x"}        before the call
//!   {"return":1,"v":5}                                     after it
//!   {"s":"bob","t":2,"op":"put","k":"x","v":6}             both at once (compact)
//!   {"note":"node 2 killed"}                               a remark
//!   {"hint":"order","k":"x","txns":[1,2]}                  a look inside the database
//! ```
//!
//! Reading goes through four small layers, each in a file of its own:
//!
//! ```text
//!   text ──line──► fields ──vocabulary──► checked fields ──operation──► OpKind
//!                                                              │
//!                          History ◄──assembly── transactions ◄┘  (driven by reader)
//! ```
//!
//! Hints name transactions that may come later, so they wait in `hints` for the end of the trace.

mod assembly;
mod header;
mod hints;
mod initial;
mod line;
mod operation;
mod reader;
mod scalar;
mod shown_hints;
mod vocabulary;
mod writer;

pub(crate) use header::write as write_header;
pub(crate) use reader::read;
pub(crate) use writer::{issuing_order, losses, unique_names, write_compact, write_events};

use crate::error::ContentError;
use tristan_history::{Header, HistoryBuilder};

/// The version this crate reads and writes, as it stands in the header.
pub(crate) const VERSION: &str = "trace/1";

/// Reads a header line that stands elsewhere.
pub(crate) fn read_header(
    text: &str,
    builder: &mut HistoryBuilder,
) -> Result<Header, ContentError> {
    header::read(line::Line::parse(text)?, builder)
}

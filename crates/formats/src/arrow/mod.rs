//! The columnar form: an Apache Arrow file with one row per transaction.
//!
//! ```text
//!   session │ txn │ outcome   │ ops: a list of ─► op  │ key │ value │ …
//!   alice   │ A   │ committed │                   get │ x   │ 1     │
//!           │     │           │                   put │ x   │ 2     │
//! ```
//!
//! Keys, values and sessions are stored once, in dictionaries, and named by their place: reading
//! interns each of them once instead of once per operation, and a row costs a few bytes. A column
//! that no row needs is left out. What is said about the whole trace is the header line of the
//! native format, among the metadata of the schema.
//!
//! `ipc` knows the file format and nothing of traces; `vocabulary` has the names of columns and
//! words, `data` how keys and values of any kind become a column.

mod data;
mod dictionaries;
mod error;
mod fields;
mod gather;
mod ipc;
mod layout;
mod op_writer;
mod operations;
mod reader;
mod remarks;
mod vocabulary;
mod writer;

pub(crate) use reader::read;
pub(crate) use writer::write;

/// Whether a file starts like this.
pub(crate) fn is_likely(head: &[u8]) -> bool {
    head.starts_with(ipc::MAGIC)
}

//! The part of Apache Arrow's file format that traces need, in safe code that trusts no length.
//!
//! ```text
//!   ARROW1 ─ schema ─ dictionary … ─ batch … ─ end mark ─ footer ─ ARROW1
//!             └─ each a frame: a small table that says what lies where, then a body of columns
//! ```
//!
//! Everything before the footer can be read from front to back, so a trace may come through a
//! pipe and no more than one batch is held. The footer repeats where the frames are, for programs
//! that jump; here it is written and not read.
//!
//! The tables are flatbuffers: `table` reads them, `tree` writes them. Supported are integers,
//! truth values, texts, bytes, lists, structs and dictionaries, without compression. That is little
//! enough to be checked byte by byte, which the general libraries for this format do not promise
//! for damaged files.

pub(super) mod array;
pub(super) mod columns;
pub(super) mod frames;
pub(super) mod output;
pub(super) mod schema;
mod table;
mod tree;

pub(super) use table::FlatbufferError;

/// What the file starts and ends with.
pub(crate) const MAGIC: &[u8; 6] = b"ARROW1";

/// The kinds of frames, by their number in the format.
mod header {
    pub(super) const SCHEMA: u8 = 1;
    pub(super) const DICTIONARY: u8 = 2;
    pub(super) const BATCH: u8 = 3;
}

/// The version of the metadata that is written, and the oldest one that is read: 1.0 and 0.8 of
/// the format.
const VERSION: i16 = 4;
const OLDEST: i16 = 3;

/// The bytes from one multiple of eight to the next.
fn padding(length: usize) -> &'static [u8] {
    &[0; 7][..length.wrapping_neg() % 8]
}

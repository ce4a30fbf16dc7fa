//! From a log, or a piece of one, to transactions that are ready to be tried.
//!
//! ```text
//!   LogSource ──┐
//!               ├──► Source ──► Loader ──► rows of the start, tasks
//!   Piece ──────┘
//! ```
//!
//! A log begins with its own first lines. A [`Piece`] of a log that is followed begins where another piece ended: with
//! the tables and rows of a [`Start`].

mod items;
mod loader;
mod parts;
mod piece;

pub(crate) use items::Source;
pub(crate) use loader::{Counts, Loaded, Loader};
pub(crate) use piece::{Piece, Start};

//! What clients of a database saw: sessions, transactions, operations, outcomes.
//!
//! ```text
//!   trace file ──► tristan-formats ──► HistoryBuilder ──► History
//! ```
//!
//! A [`History`] is plain data in dense vectors. It says what was *observed* and leaves open
//! what was not: an operation without a return has an unknown result, a commit without a
//! return has an unknown outcome, values may repeat, keys may be absent.
//! Nothing in this crate knows about isolation levels.

pub mod builder;
pub mod datum;
pub mod excerpt;
pub mod ids;
pub mod integer;
pub mod intern;
pub mod items;
pub mod model;
pub mod notes;
pub mod own_writes;
mod treacherous;
pub mod txn;

pub use builder::{HistoryBuilder, Seen};
pub use datum::Datum;
pub use ids::{KeyId, OpRef, SessionId, TxnId, ValueId};
pub use intern::{Interner, Values};
pub use items::Items;
pub use model::{
    Clock, Header, Hints, History, Initial, KeyOrder, Observed, Op, OpKind, OpStatus, OrderHint,
    Presence, Range, Session, SourceHint, StampHint,
};
pub use own_writes::OwnWrites;
pub use treacherous::is_treacherous;
pub use txn::{Outcome, Span, Times, Txn};

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

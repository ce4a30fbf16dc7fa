//! A multi-version key-value store in memory, with optimistic transactions and faults on demand.
//!
//! ```text
//!   begin(level) ──► get, put, scan, append, … ──► commit: may it? ──► new versions
//!                     │ snapshot + own writes       │
//!                     └──── a fault may strike ─────┘
//! ```
//!
//! A transaction keeps its writes to itself until it commits. Its level decides what it reads and
//! whether it may commit; *since* means since it began:
//!
//! | [`Level`] | reads | the commit is refused if |
//! |---|---|---|
//! | `CommitOrder` | the state at its start | anything it read has changed since |
//! | `Serializable` | the state at its start | it writes, and anything it read has changed since |
//! | `Snapshot` | the state at its start | anything it wrote has changed since |
//! | `ReadCommitted` | the newest state | a list that it appended to has changed since |
//! | `ReadUncommitted` | the writes of running transactions | the same |
//!
//! Ranges and lists are never read before they are committed, and lists always as they were at the
//! start: the weak levels permit more anomalies than the store shows.
//!
//! The version chains answer all of these questions. Versions that no running transaction can read
//! are dropped, so the cost of a transaction depends on its size, not on how long the store has
//! been running.
//!
//! The store draws no random numbers: its caller implements [`Faults`] and decides when a [`Fault`]
//! strikes. The same calls give the same answers.

mod chain;
mod fault;
mod interval;
mod level;
mod lists;
mod starts;
mod store;
mod transaction;
mod uncommitted;
mod values;

pub use fault::{Fault, Faults, NoFaults};
pub use interval::Interval;
pub use level::Level;
pub use store::{Commit, Store};
pub use transaction::Transaction;
pub use values::Items;

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! What is different in one world.
//!
//! ```text
//!                      ┌─ T7 ─ T8      a world
//!   store: T1 … T6 ────┤
//!                      └─ T8 ─ T7      another one
//! ```
//!
//! Mostly there is one world, and it has nothing that the store has not. Where several orders, or
//! several things read, explain what was observed and lead to different states, there is a world for
//! each. Worlds that have become the same are one again, and what all of them begin with goes to the store.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::explanation::Explanation;
use super::moments::Moments;
use super::turn::Turn;
use super::write::Commit;

/// A way in which everything so far can have happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    /// Commits that the store does not have yet.
    pub(crate) delta: Vec<Arc<Commit>>,
    /// Transactions that are in already and are not over.
    pub(crate) placed: BTreeSet<u32>,
    /// Which states were read when, if the level does not let a transaction read an older state than an
    /// earlier one.
    pub(crate) moments: Moments,
    /// How transactions are explained, as far as worlds differ.
    pub(crate) explained: Vec<Placed>,
}

/// A transaction that is explained.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) serial: u32,
    pub(crate) turn: Option<Turn>,
    pub(crate) explanation: Arc<Explanation>,
}

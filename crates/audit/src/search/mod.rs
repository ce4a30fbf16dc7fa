//! Which orders explain everything.
//!
//! ```text
//!   time ───────────────────────────────────────────────►
//!   T1   ├───────────┤ deadline: T1 is in every world by now
//!   T2       ├──────────────┤
//!   T3            ├───┤ deadline: before it, those of T1, T2 that matter to T3 may be put first
//! ```
//!
//! Transactions are put in order just in time: one has to be in when its interval ends, and then
//! every order of those that are open and matter may come before it (`explore.rs`). What commutes is not
//! tried in both orders, and a transaction that writes nothing has no place in the order: it only
//! needs a state, among those of its time, that explains it.
//!
//! What cannot be decided yet makes several *worlds* ([`crate::world::World`]). The paper has
//! one formula over all possible values for that, and a solver. Worlds are concrete, so
//! statements are simply carried out; they fall together again as soon as the difference is
//! overwritten or observed, which on logs of real databases is at once. A world that cannot explain
//! a transaction is gone, and when the last one is gone no correct execution is left.

mod commute;
mod explore;
mod extent;
mod frontier;
mod merge;
mod place;
mod survey;
mod turn;

pub(crate) use extent::Extent;
pub(crate) use frontier::{Dead, Frontier, State, Stop};

//! Saturation: what every witness must contain, derived before any guess.
//!
//! For two writers `a`, `b` of a key, `a` first is impossible if it closes a forbidden cycle with
//! what is known: if `b` reaches `a`, or if `b` reaches a reader of `a`. Then `b` is first, which
//! adds edges, which may rule out more. Likewise a source of a read is impossible if the reader
//! reaches it, or if an overwrite of it reaches the reader. The rules run over all nodes in
//! topological order until nothing changes; a node whose clock did not change is skipped.
//!
//! ```text
//!   known graph ──► route (topological order) ──► propagate (one round over all nodes)
//!                     ▲                              │ new links       │ none
//!                     └──────────────────────────────┘                 ▼
//!                     ▲                                     exclude (sources of reads)
//!                     └─ revisit ◄─── new links ───────────────────────┘
//! ```
//!
//! Every derived fact remembers how many links there were, so that its proof can be found again
//! later among older links only (see [`super::proof`]).

mod exclude;
mod ongoing;
mod propagate;
mod revisit;
mod route;
mod state;

use super::context::Context;
use super::saturated::Saturated;
use crate::budget::{Budget, Stop};
pub(super) use ongoing::Ongoing;

/// Derives what it can.
///
/// # Errors
/// If the budget is used up.
pub(super) fn saturate(context: &Context<'_>, budget: &Budget) -> Result<Saturated, Stop> {
    let mut ongoing = Ongoing::start(context);
    ongoing.run(budget)?;
    Ok(ongoing.into_known())
}

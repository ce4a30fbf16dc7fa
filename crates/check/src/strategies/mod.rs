//! Strategies: which problems are posed to decide a level, and in which order.
//!
//! ```text
//!   hinted ──► serial ──► stronger ──► strengthen ──► the problem as it is
//!     │          │           │            │
//!     └─ lower ─► passes ─► solve, with assumptions; what rests on none of them is a decision
//! ```
//!
//! Each strategy lowers a level with more than it demands, has that solved, and looks at what the
//! answer rests on: an accept under assumptions is an accept, and a refutation that uses none of them
//! is one.

mod ambiguity;
mod assumptions;
pub(crate) mod hinted;
pub(crate) mod serial;
pub(crate) mod strengthen;
pub(crate) mod stronger;

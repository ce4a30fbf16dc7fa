//! Questions as circuits, answered by a SAT solver.
//!
//! ```text
//!   inputs ──and, or, not──► Circuit ──clauses, as far as asked──► batsat ──► Model
//!            (the same gate is built once, constants vanish)
//! ```
//!
//! [`Circuit`] only builds; [`Solver`] owns a circuit, demands that gates be true, and asks.
//! What is demanded is remembered by the circuit: a gate built later out of something already
//! known to be true or false is smaller for it.

mod budget;
mod circuit;
mod count;
mod solver;

pub use budget::{SearchBudget, SearchLimitError, SearchLimits};
pub use circuit::{Circuit, Gate, Node};
pub use count::{at_most, counted};
pub use solver::{Model, Solved, Solver};

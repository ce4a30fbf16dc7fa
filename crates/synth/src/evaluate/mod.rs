//! Relations, sets and checks as gates.
//!
//! ```text
//!   Rel ──over n transactions──► n × n gates: does it hold between s and t?
//!   Check ─────────────────────► a gate: can it (not) hold?
//! ```
//!
//! Where the atoms come from (free variables, constants of a given history, uninterpreted
//! relations of a proof) is up to the implementation of [`Atoms`]. Transaction 0 is the initial one.

mod atoms;
mod checks;
mod closure;
mod matrix;
mod relations;
mod totals;

pub use atoms::{Atoms, Order};
pub use matrix::Matrix;
pub use relations::{Bound, Evaluator};
pub use totals::{TotalOrder, order_inputs, order_laws};

//! Isolation levels as data.
//!
//! ```text
//!   "acyclic((b | ww) ; rw?)" ──parse──► Formula ──┬─► evaluated on small histories (oracle, certify)
//!                                                  └─► compiled to an automaton (check)
//! ```
//!
//! A level is a [`Formula`] over the dependencies of a history, in dependency-graph normal
//! form: *some* choice of version orders and read sources must make it true. The same text
//! drives the fast engine, the brute-force oracle and the independent certifier.
//!
//! Most levels come in three strengths, which say what `b`, the base order, means:
//! plain (`wr`), strong-session (`wr | so`) and strong (`wr | so | rt`).

pub mod catalog;
pub mod formula;
pub mod iso;
pub mod lattice;
pub mod level;
pub mod levels;
pub mod parse;
pub mod promise;

pub use catalog::{Catalog, UnknownLevel};
pub use formula::{Constraint, Expr, Formula, Rel, Set};
pub use level::{Family, Level, ReadRule, Strength};
pub use parse::FormulaError;
pub use promise::Promise;

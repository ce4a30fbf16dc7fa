//! Isolation levels as data.
//!
//! ```text
//!   levels/*.iso ──iso──► iso::IsoLevel { witnesses, checks }     in any framework
//!                              │
//!                    (dependency form)
//!                              ▼
//!   "acyclic((b | ww) ; rw?)" ──parse──► Formula ──┬─► evaluated on small histories (oracle, certify)
//!                                                  └─► compiled to an automaton (check)
//! ```
//!
//! Levels are written down in the language of [`iso`]. Those in dependency-graph normal form are a
//! [`Formula`] over the dependencies of a history: *some* choice of version orders and read sources
//! must make it true. The same text drives the fast engine, the brute-force oracle and the
//! independent certifier.
//!
//! Most levels come in three strengths, which say what `b`, the base order, means:
//! plain (`wr`), strong-session (`wr | so`) and strong (`wr | so | rt`).

pub mod anomalies;
pub mod atoms;
pub mod catalog;
pub mod formula;
pub mod iso;
pub mod lattice;
pub mod level;
mod names;
pub mod parse;
pub mod promise;
mod promise_names;
pub mod strength;

pub use atoms::{Rel, Set};
pub use catalog::Catalog;
pub use formula::{Constraint, Expr, Formula};
pub use level::{Family, Level, ReadRule};
pub use names::{UnknownLevelError, is_full_name};
pub use parse::FormulaError;
pub use promise::Promise;
pub use strength::Strength;

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

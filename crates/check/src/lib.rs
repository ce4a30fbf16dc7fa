//! The pipeline from a history to a verdict.
//!
//! ```text
//!   History ──► resolution ──► asg ──► lower ──► ir ──► passes ──► solve ──► explain ──► Verdict
//! ```
//!
//! Nothing here does I/O or prints; time is read only through [`budget`].

pub mod asg;
mod automaton;
pub mod budget;
mod decision;
pub mod emit;
mod explain;
mod fates;
mod frontier;
#[doc(hidden)]
pub mod internals;
pub mod ir;
mod lower;
mod module;
mod observer;
mod options;
mod passes;
mod pipeline;
mod resolution;
mod sat;
mod semantics;
mod several;
pub mod shrink;
mod solve;
mod stopwatch;
mod strategies;
mod survey;

pub use asg::promises::{PromiseError, promises};
pub use module::{Module, ModuleError};
pub use observer::Observer;
pub use options::{Interpretation, Options, OwnPolicy, Pass, Passes, Semantics, UnknownPassError};
pub use pipeline::{check, check_levels, check_with};
pub use stopwatch::Report;
pub use survey::survey;
pub use tristan_ground::{Place, Progress, Silent};

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

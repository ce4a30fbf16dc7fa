//! The pipeline from a history to a verdict.
//!
//! ```text
//!   History ──► fates ──► asg ──► lower ──► ir ──► passes ──► solve ──► explain ──► Verdict
//! ```
//!
//! Nothing here does I/O or prints; time is read only through [`budget`].

pub mod asg;
pub mod budget;
pub mod emit;
pub mod explain;
mod fates;
mod frontier;
pub mod ir;
pub mod lower;
pub mod module;
pub mod passes;
pub mod pipeline;
pub mod semantics;
mod several;
pub mod shrink;
pub mod solve;
mod survey;
pub mod threads;

pub use asg::promises::{Unpromised, promises};
pub use module::{Module, ModuleError};
pub use pipeline::{Observer, Options, Report, Silent, check, check_with};
pub use several::check_levels;
pub use survey::survey;
pub use threads::Threads;

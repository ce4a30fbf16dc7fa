//! The `.iso` language: isolation levels as relational text, in the spirit of `cat` for memory
//! models.

pub mod model;

pub use model::{Check, Given, KeyVar, Level, Rel, Set, Sort, Witness, WitnessKind};

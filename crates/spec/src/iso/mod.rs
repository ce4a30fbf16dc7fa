//! The `.iso` language: isolation levels as relational text, in the spirit of `cat` for memory
//! models.
//!
//! ```text
//!   text ──token──► words ──parser──► syntax ──elaborate──► IsoLevel { witnesses, checks }
//!                                      │  ▲                      │
//!                                      │  scope, registry:       ├─► form: what must be searched
//!                                      │  who may use a name     └─► dependency: a Formula
//!                                      └──print, format──► text
//! ```
//!
//! [`Library`] holds the files: those in `levels/`, which come with the program, and the user's.

mod admit;
mod define;
mod definition;
mod dependency;
mod elaborate;
mod error;
mod form;
mod format;
mod library;
mod lint;
pub mod model;
mod parser;
mod place;
mod print;
mod registry;
mod scope;
mod standard;
mod syntax;
mod text;
mod token;
mod truth;
mod uses;
mod walk;

pub use definition::Definition;
pub use dependency::DependencyFormError;
pub use error::{IsoError, IsoErrorKind};
pub use form::Form;
pub use format::format;
pub use library::{Framework, Library};
pub use lint::{Remark, Warning};
pub use model::{Check, Given, IsoLevel, KeyVar, Rel, Set, Sort, Witness, WitnessKind};
pub use place::Place;
pub use text::utf8;

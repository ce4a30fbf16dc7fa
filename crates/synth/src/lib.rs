//! Histories that tell isolation levels apart, and proofs that nothing does.
//!
//! ```text
//!                        ┌─► proof ──────► A implies B, for histories of any size
//!   levels A, B ─compare─┤
//!    (spec::iso)         └─► search ─► judge ─► a smallest history that A allows and B forbids
//!
//!   level, history ─────────► judge, observed ─► witnesses, or what goes wrong
//! ```
//!
//! [`gates`] is circuits and the SAT solver, [`evaluate`] turns relations and checks into
//! circuits, [`rewrite`] leaves less to be chosen. The judge uses levels exactly as they are
//! written, so it can tell whether the search's shortcuts were right; [`smt`] writes proofs down
//! once more, for another solver.

mod compare;
mod enumerate;
pub mod evaluate;
pub mod gates;
mod history;
mod judge;
mod litmus;
mod native;
mod observed;
pub mod problems;
pub mod proof;
mod question;
pub mod rewrite;
pub mod scene;
mod search;
mod smallest;
pub mod smt;
mod syntax;
mod synthesise;
mod text;

pub use compare::{ComparisonPlan, Implication};
pub use enumerate::{Clocks, same_but_for_names};
pub use history::{AbstractHistory, AbstractTxn, Event, Read, key_names};
pub use judge::{Evidence, Judgement, Shown, Step, ViolatedCheck, WitnessValue, judge, keeps};
pub use litmus::LitmusError;
pub use observed::{
    JudgeError, MOST_TXNS, MOST_UNKNOWN, Numbered, ObservedVerdict, WrongRead, WrongReadKind,
    abstracted, judge_history,
};
pub use question::{Question, QuestionError};
pub use search::{HistoryOptions, Query, Scope};
pub use smallest::{Enumeration, enumerate, smallest};
pub use synthesise::{FoundHistory, Synthesis, SynthesisError, SynthesisOutcome, synthesise};

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

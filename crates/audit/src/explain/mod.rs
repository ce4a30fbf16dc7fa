//! How a transaction can be explained in a world.
//!
//! ```text
//!   a world, a transaction ──► states it may read ──► carry it out ──► as observed? ──► Explained
//!                              (its level says which)     └── what it looked at says which other
//!                                                             states could make a difference
//! ```
//!
//! States that differ in nothing the transaction looked at are one candidate. A statement that only
//! reads is done as soon as one state explains it: what it read changes nothing for anybody else.

//!
//! From the ground up: `effort.rs`, `untried.rs` and `context.rs` say what is given and what is noted, `attempt.rs` is the work on one
//! transaction in one world, `states.rs`, `conflict.rs`, `statement.rs`, `perrow.rs`, `row_by_row.rs` and
//! `beside.rs` answer questions about it, `finish.rs` keeps what was found, `walk.rs` goes through the statements, and `ways.rs`
//! starts that in each state that the transaction can have read.

mod attempt;
mod beside;
mod conflict;
mod context;
mod effort;
mod finish;
mod perrow;
mod row_by_row;
mod statement;
mod states;
mod untried;
mod walk;
mod ways;

pub(crate) use attempt::{Explained, Failed};
pub(crate) use context::{Context, Notes};
pub(crate) use effort::{Effort, Slice};
pub(crate) use untried::Untried;
pub(crate) use ways::{attempt, explain};

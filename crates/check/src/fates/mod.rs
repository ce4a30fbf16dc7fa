//! Fates: which of the operations without an answer took effect?
//!
//! ```text
//!   resolution (guessed) ──► check ──► accept
//!        ▲                     │
//!        └────── exclude ──────┴ reject: a case
//! ```
//!
//! A level accepts a history if it accepts *some* resolved history ([`crate::resolution`]), in which
//! each such operation is done or failed. This is a strategy above the whole check of one level: every
//! reject excludes the fates that it depends on, until a level accepts or none are left.

mod cases;
mod dependence;
mod proposals;
mod search;

pub(crate) use search::{retold, settled};

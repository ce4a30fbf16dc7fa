//! # update-atomic
//!
//! ## Meaning
//! Read atomic, and of two transactions that write the same key one sees the other.
//!
//! ## Smallest history it rejects
//! A lost update.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["r","x",null],["w","x",1]]}
//! {"s":2,"st":"c","ops":[["r","x",null],["w","x",2]]}
//! ```
//!
//! ## References
//! Cerone, Bernardi, Gotsman, CONCUR 2015.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("update-atomic"),
    aliases: &["ua"],
    title: Cow::Borrowed("read atomic, and no lost update"),
    natural: Some(Strength::Session),
    formula: Cow::Borrowed("acyclic(b | ww), irreflexive((b | ww) ; rw)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["r","x",null],["w","x",1]]}
{"s":2,"st":"c","ops":[["r","x",null],["w","x",2]]}
"#,
};

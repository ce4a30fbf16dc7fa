//! # monotonic-atomic-view
//!
//! ## Meaning
//! Read committed without OTV (observed transaction vanishes): a transaction that read `x` from T
//! does not, later, read `y` older than the version T wrote.
//!
//! ## Smallest history it rejects
//! A read of `x` from T1 followed by a read of `y` from before T1.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1],["w","y",1]]}
//! {"s":2,"st":"c","ops":[["r","x",1],["r","y",null]]}
//! ```
//!
//! ## References
//! Bailis et al., *Highly Available Transactions*, 2014.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("monotonic-atomic-view"),
    aliases: &["mav"],
    title: Cow::Borrowed(
        "once an effect of a transaction was seen, none of its effects is missed later",
    ),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(b | ww), irreflexive(otv)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1],["w","y",1]]}
{"s":2,"st":"c","ops":[["r","x",1],["r","y",null]]}
"#,
};

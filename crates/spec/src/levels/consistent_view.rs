//! # consistent-view
//!
//! ## Meaning
//! Adya's PL-2+: G1 and G-single, a cycle with exactly one anti-dependency. Parallel snapshot
//! isolation without sessions.
//!
//! ## Smallest history it rejects
//! A read skew.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1],["w","y",1]]}
//! {"s":2,"st":"c","ops":[["r","y",null],["r","x",1]]}
//! ```
//!
//! ## References
//! Adya, *Weak Consistency*, 1999, PL-2+.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("consistent-view"),
    aliases: &["pl-2+", "pl2+"],
    title: Cow::Borrowed("every transaction sees a consistent state (no G-single)"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(b | ww), irreflexive((b | ww)+ ; rw)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1],["w","y",1]]}
{"s":2,"st":"c","ops":[["r","y",null],["r","x",1]]}
"#,
};

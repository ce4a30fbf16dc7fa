//! # repeatable-read
//!
//! ## Meaning
//! Adya's PL-2.99: G1 and G2-item, a cycle with item anti-dependencies. Predicate anti-
//! dependencies do not count, so phantoms are allowed; without scans it is the same as
//! serializable.
//!
//! ## Smallest history it rejects
//! A write skew.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["r","x",null],["w","y",1]]}
//! {"s":2,"st":"c","ops":[["r","y",null],["w","x",1]]}
//! ```
//!
//! ## References
//! Adya, *Weak Consistency*, 1999, PL-2.99.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("repeatable-read"),
    aliases: &["rr", "pl-2.99"],
    title: Cow::Borrowed("serializable as far as items go; phantoms are allowed"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(b | ww | rwi)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["r","x",null],["w","y",1]]}
{"s":2,"st":"c","ops":[["r","y",null],["w","x",1]]}
"#,
};

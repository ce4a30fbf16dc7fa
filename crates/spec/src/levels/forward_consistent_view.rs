//! # forward-consistent-view
//!
//! ## Meaning
//! Adya's PL-FCV: G1 and G-SIb, a cycle with exactly one anti-dependency and otherwise read,
//! write and start dependencies. Start dependencies are taken from the recorded times; without
//! times the level is consistent view.
//!
//! ## Smallest history it rejects
//! A transaction that begins after another committed and does not see its write.
//!
//! ```text
//! {"s":1,"t0":1,"t1":2,"st":"c","ops":[["w","x",1]]}
//! {"s":2,"t0":3,"t1":4,"st":"c","ops":[["r","x",null]]}
//! ```
//!
//! ## References
//! Adya, *Weak Consistency*, 1999, PL-FCV.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("forward-consistent-view"),
    aliases: &["pl-fcv", "fcv"],
    title: Cow::Borrowed("a consistent view no older than the begin"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(b | ww), irreflexive((b | ww | rt)+ ; rw)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"t0":1,"t1":2,"st":"c","ops":[["w","x",1]]}
{"s":2,"t0":3,"t1":4,"st":"c","ops":[["r","x",null]]}
"#,
};

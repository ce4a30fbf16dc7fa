//! # serializable
//!
//! ## Meaning
//! Adya's PL-3: some serial order explains every read. With real time it is strict
//! serializability.
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
//! Adya, *Weak Consistency*, 1999, PL-3; Papadimitriou, 1979; Boomslang.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("serializable"),
    aliases: &["ser", "pl-3", "serializability"],
    title: Cow::Borrowed("as if transactions ran one after the other"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(b | ww | rw)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["r","x",null],["w","y",1]]}
{"s":2,"st":"c","ops":[["r","y",null],["w","x",1]]}
"#,
};

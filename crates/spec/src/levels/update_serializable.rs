//! # update-serializable
//!
//! ## Meaning
//! Adya's PL-3U: the update transactions together with any single transaction are serializable.
//! Two read-only transactions may disagree on the order of unrelated updates.
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
//! Adya, *Weak Consistency*, 1999, PL-3U.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("update-serializable"),
    aliases: &["pl-3u", "3u", "update-serializability"],
    title: Cow::Borrowed("updates are serializable, each reader sees a state consistent with them"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed(
        "acyclic(b | ww), acyclic([W] ; (b | ww | rw)), irreflexive((b | ww | rw) ; ([W] ; (b | ww | rw))*)",
    ),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["r","x",null],["w","y",1]]}
{"s":2,"st":"c","ops":[["r","y",null],["w","x",1]]}
"#,
};

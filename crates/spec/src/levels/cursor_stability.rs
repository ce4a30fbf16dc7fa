//! # cursor-stability
//!
//! ## Meaning
//! Adya's PL-CS: G1 and G-cursor, a cycle of one anti-dependency and write dependencies that all
//! concern one key. Every item read counts as a read through a cursor.
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
//! Adya, *Weak Consistency*, 1999, PL-CS.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("cursor-stability"),
    aliases: &["cs", "pl-cs"],
    title: Cow::Borrowed(
        "read committed, and no update of a key is lost between reading and writing it",
    ),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(b | ww), irreflexive(cursor)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["r","x",null],["w","x",1]]}
{"s":2,"st":"c","ops":[["r","x",null],["w","x",2]]}
"#,
};

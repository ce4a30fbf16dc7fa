//! # monotonic-reads
//!
//! ## Meaning
//! Session guarantee: what was visible to an earlier reader of a session is visible to its later
//! readers.
//!
//! ## Smallest history it rejects
//! A session reads a key, then an older version of it.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1]]}
//! {"s":2,"st":"c","ops":[["r","x",1]]}
//! {"s":2,"st":"c","ops":[["r","x",null]]}
//! ```
//!
//! ## References
//! Terry et al., 1994; Viotti, Vukolić.

use std::borrow::Cow;

use crate::{Family, ReadRule};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("monotonic-reads"),
    aliases: &["mr"],
    title: Cow::Borrowed("what a session has seen it keeps seeing"),
    natural: None,
    formula: Cow::Borrowed(
        "acyclic(wr ; ([R] ; so ; [R])? | ww), irreflexive(wr ; ([R] ; so ; [R])? ; rw)",
    ),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1]]}
{"s":2,"st":"c","ops":[["r","x",1]]}
{"s":2,"st":"c","ops":[["r","x",null]]}
"#,
};

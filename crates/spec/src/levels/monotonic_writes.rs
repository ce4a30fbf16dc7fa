//! # monotonic-writes
//!
//! ## Meaning
//! Session guarantee: whoever sees a write of a session sees the session's earlier writes.
//!
//! ## Smallest history it rejects
//! A session's second write is seen without its first.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1]]}
//! {"s":1,"st":"c","ops":[["w","y",1]]}
//! {"s":2,"st":"c","ops":[["r","y",1],["r","x",null]]}
//! ```
//!
//! ## References
//! Terry et al., 1994; Viotti, Vukolić.

use std::borrow::Cow;

use crate::{Family, ReadRule};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("monotonic-writes"),
    aliases: &["mw"],
    title: Cow::Borrowed("writes of a session become visible in order"),
    natural: None,
    formula: Cow::Borrowed(
        "acyclic([W] ; so ; [W] | wr | ww), irreflexive(([W] ; so ; [W])? ; wr ; rw)",
    ),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1]]}
{"s":1,"st":"c","ops":[["w","y",1]]}
{"s":2,"st":"c","ops":[["r","y",1],["r","x",null]]}
"#,
};

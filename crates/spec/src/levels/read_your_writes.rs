//! # read-your-writes
//!
//! ## Meaning
//! Session guarantee: the earlier writers of a session are visible to its later readers.
//!
//! ## Smallest history it rejects
//! A session misses its own write.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1]]}
//! {"s":1,"st":"c","ops":[["r","x",null]]}
//! ```
//!
//! ## References
//! Terry et al., 1994; Viotti, Vukolić, *Consistency in Non-Transactional Distributed Storage
//! Systems*.

use std::borrow::Cow;

use crate::{Family, ReadRule};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("read-your-writes"),
    aliases: &["ryw"],
    title: Cow::Borrowed("a session sees its own earlier writes"),
    natural: None,
    formula: Cow::Borrowed(
        "acyclic(wr | [W] ; so ; [R] | ww), irreflexive((wr | [W] ; so ; [R]) ; rw)",
    ),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1]]}
{"s":1,"st":"c","ops":[["r","x",null]]}
"#,
};

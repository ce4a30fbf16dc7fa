//! # writes-follow-reads
//!
//! ## Meaning
//! Session guarantee: whoever sees a write of a session sees everything the session had read
//! before it.
//!
//! ## Smallest history it rejects
//! A reply from another transaction of the session is seen without what it replies to.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1]]}
//! {"s":2,"st":"c","ops":[["r","x",1]]}
//! {"s":2,"st":"c","ops":[["w","y",1]]}
//! {"s":3,"st":"c","ops":[["r","y",1],["r","x",null]]}
//! ```
//!
//! ## References
//! Terry et al., 1994; Viotti, Vukolić.

use std::borrow::Cow;

use crate::{Family, ReadRule};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("writes-follow-reads"),
    aliases: &["wfr"],
    title: Cow::Borrowed("whoever sees a write sees what its session had read before"),
    natural: None,
    formula: Cow::Borrowed(
        "acyclic(wr ; [R] ; so ; [W] | wr | ww), irreflexive((wr ; [R] ; so ; [W])* ; wr ; rw)",
    ),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1]]}
{"s":2,"st":"c","ops":[["r","x",1]]}
{"s":2,"st":"c","ops":[["w","y",1]]}
{"s":3,"st":"c","ops":[["r","y",1],["r","x",null]]}
"#,
};

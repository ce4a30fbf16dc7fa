//! # read-atomic
//!
//! ## Meaning
//! No fractured reads: a transaction that sees one effect of another sees all of them, and its
//! own session's earlier writes.
//!
//! ## Smallest history it rejects
//! A fractured read.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1],["w","y",1]]}
//! {"s":2,"st":"c","ops":[["r","y",null],["r","x",1]]}
//! ```
//!
//! ## References
//! Cerone, Bernardi, Gotsman, CONCUR 2015; Biswas, Enea, OOPSLA 2019; RAMP, SIGMOD 2014.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("read-atomic"),
    aliases: &["ra"],
    title: Cow::Borrowed("a transaction sees all effects of another or none"),
    natural: Some(Strength::Session),
    formula: Cow::Borrowed("acyclic(b | ww), irreflexive(b ; rw)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1],["w","y",1]]}
{"s":2,"st":"c","ops":[["r","y",null],["r","x",1]]}
"#,
};

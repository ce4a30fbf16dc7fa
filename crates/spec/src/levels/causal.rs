//! # causal
//!
//! ## Meaning
//! A transaction sees everything that what it sees depends on.
//!
//! ## Smallest history it rejects
//! A reply is seen without the message it replies to.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1]]}
//! {"s":2,"st":"c","ops":[["r","x",1],["w","y",1]]}
//! {"s":3,"st":"c","ops":[["r","y",1],["r","x",null]]}
//! ```
//!
//! ## References
//! Cerone, Bernardi, Gotsman, CONCUR 2015; Biswas, Enea, OOPSLA 2019.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("causal"),
    aliases: &["cc", "causal-consistency", "tcc"],
    title: Cow::Borrowed("reads respect what the transaction could know"),
    natural: Some(Strength::Session),
    formula: Cow::Borrowed("acyclic(b | ww), irreflexive(b+ ; rw)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1]]}
{"s":2,"st":"c","ops":[["r","x",1],["w","y",1]]}
{"s":3,"st":"c","ops":[["r","y",1],["r","x",null]]}
"#,
};

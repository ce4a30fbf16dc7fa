//! # parallel-si
//!
//! ## Meaning
//! Causal consistency in which of two transactions that write the same key one sees the other.
//! Long forks are allowed.
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
//! Sovran et al., SOSP 2011; Cerone, Bernardi, Gotsman, CONCUR 2015.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("parallel-si"),
    aliases: &["psi", "parallel-snapshot-isolation"],
    title: Cow::Borrowed("causal, and no lost update"),
    natural: Some(Strength::Session),
    formula: Cow::Borrowed("acyclic(b | ww), irreflexive((b | ww)+ ; rw)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["r","x",null],["w","x",1]]}
{"s":2,"st":"c","ops":[["r","x",null],["w","x",2]]}
"#,
};

//! # prefix
//!
//! ## Meaning
//! All transactions agree on one commit order and each reads a prefix of it; concurrent updates
//! may be lost.
//!
//! ## Smallest history it rejects
//! A long fork: two readers see two writes in different orders.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1]]}
//! {"s":2,"st":"c","ops":[["w","y",1]]}
//! {"s":3,"st":"c","ops":[["r","x",1],["r","y",null]]}
//! {"s":4,"st":"c","ops":[["r","x",null],["r","y",1]]}
//! ```
//!
//! ## References
//! Cerone, Bernardi, Gotsman, CONCUR 2015; Biswas, Enea, OOPSLA 2019.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("prefix"),
    aliases: &["pc", "prefix-consistency", "consistent-prefix"],
    title: Cow::Borrowed("every transaction sees a prefix of one commit order"),
    natural: Some(Strength::Session),
    formula: Cow::Borrowed("acyclic(ww | b ; rw?)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1]]}
{"s":2,"st":"c","ops":[["w","y",1]]}
{"s":3,"st":"c","ops":[["r","x",1],["r","y",null]]}
{"s":4,"st":"c","ops":[["r","x",null],["r","y",1]]}
"#,
};

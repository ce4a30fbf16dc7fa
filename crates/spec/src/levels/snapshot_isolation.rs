//! # snapshot-isolation
//!
//! ## Meaning
//! Every transaction reads from a snapshot of committed state and no two concurrent transactions
//! write the same key: every cycle has two adjacent anti-dependencies.
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
//! Adya, *Weak Consistency*, 1999; Cerone, Gotsman, PODC 2016; Viper.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("snapshot-isolation"),
    aliases: &["si", "pl-si", "adya-si"],
    title: Cow::Borrowed("reads from one snapshot, no concurrent writes of one key"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic((b | ww) ; rw?)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["r","x",null],["w","x",1]]}
{"s":2,"st":"c","ops":[["r","x",null],["w","x",2]]}
"#,
};

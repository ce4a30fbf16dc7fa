//! # read-committed
//!
//! ## Meaning
//! Adya's PL-2: proscribes G1 - aborted reads (G1a), intermediate reads (G1b) and cycles of write
//! and read dependencies (G1c).
//!
//! ## Smallest history it rejects
//! Two transactions that read each other's writes.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["w","x",1],["r","y",2]]}
//! {"s":2,"st":"c","ops":[["w","y",2],["r","x",1]]}
//! ```
//!
//! ## References
//! Adya, *Weak Consistency*, 1999, PL-2.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("read-committed"),
    aliases: &["rc", "pl-2", "degree-2"],
    title: Cow::Borrowed("no dirty, intermediate or circular reads"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(b | ww)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["w","x",1],["r","y",2]]}
{"s":2,"st":"c","ops":[["w","y",2],["r","x",1]]}
"#,
};

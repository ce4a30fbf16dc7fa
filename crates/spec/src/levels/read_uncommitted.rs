//! # read-uncommitted
//!
//! ## Meaning
//! Adya's PL-1: proscribes G0, a cycle of write dependencies. Reads are not constrained, except
//! that every value must have been written by somebody.
//!
//! ## Smallest history it rejects
//! Two lists that disagree on the order of two appends.
//!
//! ```text
//! {"s":1,"st":"c","ops":[["a","x",1]]}
//! {"s":2,"st":"c","ops":[["a","x",2]]}
//! {"s":3,"st":"c","ops":[["l","x",[1,2]]]}
//! {"s":4,"st":"c","ops":[["l","x",[2,1]]]}
//! ```
//!
//! ## References
//! Adya, *Weak Consistency*, 1999, PL-1.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("read-uncommitted"),
    aliases: &["ru", "pl-1", "degree-1"],
    title: Cow::Borrowed("writes of different transactions are not interleaved"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(o | ww)"),
    reads: ReadRule::Dirty,
    smallest_rejected: r#"{"s":1,"st":"c","ops":[["a","x",1]]}
{"s":2,"st":"c","ops":[["a","x",2]]}
{"s":3,"st":"c","ops":[["l","x",[1,2]]]}
{"s":4,"st":"c","ops":[["l","x",[2,1]]]}
"#,
};

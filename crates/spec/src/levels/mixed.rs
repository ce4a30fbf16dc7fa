//! # mixed
//!
//! ## Meaning
//! Each transaction gets what it was promised: Adya's *mixing-correct*. The mixed serialization
//! graph has all write dependencies, the read dependencies into transactions at PL-2 or above,
//! the item anti-dependencies out of those at PL-2.99 or above, and all anti-dependencies out of
//! those at PL-3. It must be acyclic, and transactions at PL-2 or above must have neither aborted
//! nor intermediate reads. So a transaction at PL-3 can rely on what it read even if all others
//! are at PL-1.
//!
//! It is not one of the library's levels, because it means something only where every
//! transaction says what it was promised. If all were promised the same, it is that level.
//!
//! ## Smallest history it rejects
//! A read that is not repeatable, by a transaction that was promised repeatable reads. Had it been
//! promised read committed, nothing would be wrong.
//!
//! ```text
//! {"tristan":"trace/1"}
//! {"s":1,"t":1,"op":"begin","level":"repeatable-read"}
//! {"s":1,"t":1,"op":"get","k":"x","v":null}
//! {"s":2,"t":2,"op":"begin","level":"read-uncommitted"}
//! {"s":2,"t":2,"op":"put","k":"x","v":1}
//! {"s":2,"t":2,"op":"commit"}
//! {"s":1,"t":1,"op":"get","k":"x","v":1}
//! {"s":1,"t":1,"op":"commit"}
//! ```
//!
//! ## References
//! Adya, *Weak Consistency*, 1999, section 5.5; Adya, Liskov, O'Neil, *Generalized Isolation Level
//! Definitions*, ICDE 2000, section 5.5.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("mixed"),
    aliases: &["mixing-correct"],
    title: Cow::Borrowed("each transaction gets what it was promised"),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(o | ww | wr ; [C] | [I] ; rwi | [S] ; rw)"),
    reads: ReadRule::Promised,
    smallest_rejected: r#"{"tristan":"trace/1"}
{"s":1,"t":1,"op":"begin","level":"repeatable-read"}
{"s":1,"t":1,"op":"get","k":"x","v":null}
{"s":2,"t":2,"op":"begin","level":"read-uncommitted"}
{"s":2,"t":2,"op":"put","k":"x","v":1}
{"s":2,"t":2,"op":"commit"}
{"s":1,"t":1,"op":"get","k":"x","v":1}
{"s":1,"t":1,"op":"commit"}
"#,
};

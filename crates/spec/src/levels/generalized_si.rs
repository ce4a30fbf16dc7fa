//! # generalized-snapshot-isolation
//!
//! ## Meaning
//! Snapshot isolation where commits happen in the order of the clock and a snapshot is never
//! newer than its transaction's begin. Only orders that the recorded times make certain count;
//! without times the level is snapshot isolation.
//!
//! ## Smallest history it rejects
//! A transaction reads a write that was committed only after the reader had ended.
//!
//! ```text
//! {"s":1,"t0":1,"t1":2,"st":"c","ops":[["r","x",1]]}
//! {"s":2,"t0":3,"t1":4,"st":"c","ops":[["w","x",1]]}
//! ```
//!
//! ## References
//! Elnikety et al., SRDS 2005; Crooks et al., PODC 2017; Viper.

use std::borrow::Cow;

use crate::{Family, ReadRule, Strength};

/// The definition.
pub const FAMILY: Family = Family {
    name: Cow::Borrowed("generalized-snapshot-isolation"),
    aliases: &["gsi", "generalized-si", "ansi-si", "ansi-snapshot-isolation"],
    title: Cow::Borrowed(
        "snapshot isolation whose commit order and snapshots agree with the clock",
    ),
    natural: Some(Strength::Plain),
    formula: Cow::Borrowed("acyclic(cc | (b | ww) ; (rw | bc)?)"),
    reads: ReadRule::Committed,
    smallest_rejected: r#"{"s":1,"t0":1,"t1":2,"st":"c","ops":[["r","x",1]]}
{"s":2,"t0":3,"t1":4,"st":"c","ops":[["w","x",1]]}
"#,
};

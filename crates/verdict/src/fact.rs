//! Facts about the whole trace that a refutation rests on.
//!
//! A reason such as "T32 read 26 = 9, which T14 wrote" is true only if no other transaction wrote
//! 26 = 9. The other transactions are not part of the core, so the refutation states this as a fact.
//! Each fact can be recomputed from the trace alone, and is false as soon as a transaction is missing
//! from its list or is one too many.

use serde::{Deserialize, Serialize};
use tristan_history::Datum;

/// A statement about every transaction of the trace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub enum Fact {
    /// Exactly these transactions (ascending) installed a version of the key with this content: they
    /// did not abort, and their last write of the key that was not undone has this content. No other
    /// transaction can have provided it. The initial state may have.
    OnlyVersions {
        /// The key that the versions belong to.
        key: Datum,
        /// What the versions hold.
        content: Content,
        /// The transactions that installed them.
        txns: Vec<u32>,
    },
    /// Exactly these transactions (ascending) ever wrote this content to the key, whatever became of
    /// it: aborted transactions count, and so do writes that were overwritten or undone. Failed
    /// operations wrote nothing.
    OnlyWrites {
        /// The key that was written.
        key: Datum,
        /// What was written.
        content: Content,
        /// The transactions that wrote it.
        txns: Vec<u32>,
    },
    /// This list read shows that one version of the key came before another.
    ListShows {
        /// The transaction that read the list.
        txn: u32,
        /// The reading operation within it.
        op: u32,
        /// The key of the list.
        key: Datum,
        /// The transaction whose version came first.
        first: u32,
        /// The transaction whose version came later.
        then: u32,
    },
    /// This transaction, whose outcome is unknown, took effect: what this operation of another
    /// transaction saw has no other source, or is a list with its elements.
    TookEffect {
        /// The transaction of unknown outcome.
        txn: u32,
        /// The transaction that read from it.
        reader: u32,
        /// The reading operation within the reader.
        op: u32,
    },
}

/// What a key held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// Nothing: the key was deleted.
    Absent,
    /// Any value.
    Present,
    /// The key held exactly this value.
    Value(Datum),
    /// A list with this element.
    Element(Datum),
}

//! The refutation of a reject: facts that leave no possibility open.
//!
//! A refutation is either one *bad read* that nothing can explain, or a list of *conflicts*.
//! A conflict says "these literals cannot all be true", because together they make a cycle
//! that the level forbids. A literal is a choice the database had: which version a read
//! returned, which of two writes of a key came first. The literals of all conflicts together,
//! with "every read has one of its sources" and "of two versions one is first", are
//! unsatisfiable; checking that needs no trust in the search that found it.
//!
//! Where operations may or may not have taken effect, one proof may not do for all possibilities. The
//! refutation then consists of *cases*, each with the fates it assumes and a refutation of its own.

use serde::{Deserialize, Serialize};
use tristan_history::Datum;

use crate::fact::Fact;

/// Why nothing explains the trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refutation {
    /// What happens as operations took effect or did not; empty if the same proof holds for every
    /// possibility. Together the cases cover every possibility. If there are cases, then `bad`,
    /// `choices` and `conflicts` are empty and `core` is the union of theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<Case>,
    /// A read that no level-conforming source explains. If present, it is the whole proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bad: Option<Bad>,
    /// The reads with several possible sources that the proof goes through, each with all its
    /// sources. Reads with one source only need no entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// The conflicts, in an order in which they can be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Numbers of the transactions that a reason rests on, ascending: the ends of edges, the sources
    /// of reads, the readers of lists that show an order.
    pub core: Vec<u32>,
    /// Whether it was shown that no transaction of the core can be left out.
    pub minimal: bool,
    /// What the reasons say about the whole trace, beyond its core.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

impl Refutation {
    /// The refutation of the first case, or this one if it has no cases: what a picture shows.
    pub fn first_case(&self) -> &Self {
        self.cases.first().map_or(self, |case| &case.refutation)
    }

    /// Every refutation that has no cases: those of the cases, or this one alone.
    pub fn each_case(&self) -> impl Iterator<Item = &Self> {
        let alone = self.cases.is_empty().then_some(self);
        alone.into_iter().chain(self.cases.iter().map(|case| &case.refutation))
    }
}

/// Whether an operation took effect whose return the trace does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fate {
    /// The transaction of the indeterminate operation.
    pub txn: u32,
    /// The operation within it.
    pub op: u32,
    /// Whether it took effect; if not, it is read as an operation that failed.
    pub effect: bool,
}

/// A refutation of every resolved history that agrees with some fates. A resolved history is the
/// trace with every indeterminate operation either done or failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// What the case assumes, by transaction and operation.
    pub fates: Vec<Fate>,
    /// Why nothing explains the trace then. It has no cases of its own.
    pub refutation: Refutation,
}

/// A single observation that is wrong by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bad {
    /// What is wrong with it.
    pub kind: BadKind,
    /// The reading transaction.
    pub txn: u32,
    /// The reading operation within it.
    pub op: u32,
    /// The key that was read.
    pub key: Datum,
    /// The transaction that wrote what was read, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer: Option<u32>,
    /// A second read that contradicts the first, where there is one: transaction and operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<(u32, u32)>,
}

/// What can be wrong with a single observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BadKind {
    /// No transaction ever wrote it.
    ThinAir,
    /// Only transactions that did not commit wrote it (G1a).
    Aborted,
    /// Only overwritten, non-final writes of other transactions match it (G1b).
    Intermediate,
    /// Only the transaction itself wrote it, too late to be seen: after the read, or at all where
    /// own writes are not visible before the commit.
    Future,
    /// The transaction had written the key and read something else than its last own write.
    NotOwnWrite,
    /// A list has an element twice.
    DuplicateElement,
    /// Two list reads of one key are not prefixes of one another.
    IncompatibleOrder,
    /// A range read returned a key outside its range.
    OutsideRange,
    /// A range read returned a key twice.
    RepeatedKey,
    /// An iterator returned a key before one that comes earlier in its direction.
    OutOfOrder,
}

/// A read with all its possible sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The reading transaction.
    pub txn: u32,
    /// The reading operation within it.
    pub op: u32,
    /// The key that was read.
    pub key: Datum,
    /// Every source that could have provided the value.
    pub sources: Vec<Source>,
}

/// Where a read value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The state before the first transaction.
    Initial,
    /// This transaction's final write of the key.
    Txn(u32),
}

/// Literals that cannot all be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The choices, made one way, …
    pub literals: Vec<Literal>,
    /// … and what they run into.
    pub rule: Rule,
}

/// What literals run into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A cycle that the level forbids; `edges[i]` leads from its `from` to the `from` of the next.
    Cycle(Vec<Edge>),
    /// Two reads would both have to be of the initial state, but they saw different values.
    InitialClash,
    /// This operation (transaction, operation) has no possible source, so its transaction, whose
    /// outcome is unknown, did not take effect; the literals say that it did.
    NoSource(u32, u32),
    /// A list read shows the contrary: this operation saw both elements, in the other order,
    /// or saw one of the two writers and not the other. (Transaction, operation.)
    ListOrder(u32, u32),
}

/// A choice, made one way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Literal {
    /// This read returned the version from this source (and the reader took effect).
    Reads {
        /// The reading transaction.
        txn: u32,
        /// The reading operation within it.
        op: u32,
        /// The key, if the operation reads a range.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<Datum>,
        /// The version that the read returned.
        from: Source,
    },
    /// Of two versions of a key, this one was installed first. Its opposite is the same
    /// literal with the two swapped.
    Before {
        /// The key that both transactions wrote.
        key: Datum,
        /// The transaction whose version came first.
        first: u32,
        /// The transaction whose version came later.
        then: u32,
    },
}

/// A dependency between two transactions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// The transaction that comes first.
    pub from: u32,
    /// The transaction that comes later.
    pub to: u32,
    /// The kind of dependency.
    pub kind: EdgeKind,
    /// The key, for dependencies that concern one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Datum>,
    /// For `wr` and `rw`: the reading operation (of `to` for `wr`, of `from` for `rw`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_op: Option<u32>,
    /// For `rw`: the source of the read, whose version `to` overwrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Source>,
}

/// The kind of a dependency, with the relation's name in formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// Read dependency.
    Wr,
    /// Write dependency.
    Ww,
    /// Anti-dependency.
    Rw,
    /// Read dependency of a range read on a key it did not return.
    Pwr,
    /// Anti-dependency of a range read on a key it did not return.
    Prw,
    /// Session order.
    So,
    /// Real-time order.
    Rt,
    /// Commit order of the clock.
    Cc,
    /// Begin before commit, by the clock.
    Bc,
}

//! A level as the judges see it: names resolved, types checked, definitions written out.
//!
//! ```text
//!   text ──parse──► syntax ──elaborate──► IsoLevel { witnesses, checks }
//! ```
//!
//! A history *keeps* a level if some choice of the witnesses makes every check true. If no history
//! has such a choice, because a framework's own checks cannot be met, the level is
//! violated like any other.
//!
//! Relations hold between transactions, the one that wrote the initial state ([`Set::Init`])
//! included, or between transactions and reads ([`Sort::Read`]).

use crate::{Promise, ReadRule, Strength};

/// A level in one strength.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IsoLevel {
    /// Its full name, e.g. `strong-session-snapshot-isolation`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What the author says about it, paragraphs as written.
    pub doc: String,
    /// The framework it is written in, e.g. `commit-order`; empty if it is about the history
    /// alone.
    pub framework: String,
    /// The strength that gave `b` and `o` their meaning; `None` if neither occurs.
    pub strength: Option<Strength>,
    /// Which versions may be read at all.
    pub reads: ReadRule,
    /// What must be chosen.
    pub witnesses: Vec<Witness>,
    /// What must hold, those of the framework first.
    pub checks: Vec<Check>,
}

/// Something that exists if the level was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its name in the file.
    pub name: String,
    /// What it ranges over.
    pub kind: WitnessKind,
}

/// What a witness ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessKind {
    /// A strict total order of all transactions, the initial one first.
    Order,
    /// For every key a strict total order of the transactions that write it, the initial one
    /// first.
    OrderPerKey,
    /// Any relation between transactions.
    Relation,
}

/// What a relation holds between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Transactions.
    Txn,
    /// Reads of a key by a transaction, of what another transaction wrote.
    Read,
}

/// A bound key: the number of its binder. A definition binds the same keys wherever it is used,
/// so equal names are equal relations; no key is bound again inside itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyVar(pub u32);

/// A relation the history itself gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Given {
    /// `so`: the first precedes the second in its session, or is the initial one.
    So,
    /// `rt`: the first ended before the second began.
    Rt,
    /// `cc`: the first committed before the second committed, by the clock.
    CommitOrder,
    /// `bc`: the first began before the second committed, by the clock.
    BeginCommit,
    /// `wr[x]`: the second reads the version of the key that the first wrote.
    Wr(KeyVar),
    /// `rd[x]`: from a transaction to the reads of the version of the key that it wrote.
    Rd(KeyVar),
    /// `of`: from a read to the transaction that makes it.
    Of,
    /// `po`: from a read to the later reads of the same transaction.
    Po,
}

/// A relation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rel {
    /// Given by the history.
    Given(Given),
    /// A witness, by its place in [`IsoLevel::witnesses`]; with a key if it is an order per key.
    Witness(usize, Option<KeyVar>),
    /// The identity.
    Id(Sort),
    /// The identity on a set: `[S]`.
    Test(Set),
    /// Everything in the first set with everything in the second: `S * T`.
    Product(Set, Set),
    /// Union; empty for the empty relation between transactions.
    Union(Vec<Rel>),
    /// Intersection, of two at least.
    Inter(Vec<Rel>),
    /// What is in the first but not in the second.
    Diff(Box<Rel>, Box<Rel>),
    /// Composition, left to right, of two at least.
    Seq(Vec<Rel>),
    /// The converse: `r^-1`.
    Inverse(Box<Rel>),
    /// The relation or the identity.
    Opt(Box<Rel>),
    /// Transitive closure.
    Plus(Box<Rel>),
    /// Reflexive transitive closure.
    Star(Box<Rel>),
    /// The union over all keys: `U x. r`.
    OverKeys(KeyVar, Box<Rel>),
    /// A definition that has a name worth keeping, with what it stands for.
    Named(String, Box<Rel>),
}

/// A set of transactions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Set {
    /// `Txn`: all of them.
    Txn,
    /// `Init`: the one that wrote the initial state.
    Init,
    /// `W[x]`: those that write the key; the initial one always does.
    Writes(KeyVar),
    /// `R[x]`: those that read the key.
    Reads(KeyVar),
    /// `W`: those that write something, the initial one included.
    Writers,
    /// `R`: those that read something.
    Readers,
    /// `C`, `I`, `S`: those that were promised at least this.
    Promised(Promise),
    /// Union, of two at least.
    Union(Vec<Set>),
    /// Intersection, of two at least.
    Inter(Vec<Set>),
    /// What is in the first but not in the second.
    Diff(Box<Set>, Box<Set>),
}

/// Something that must hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// The first relation is contained in the second.
    In(Rel, Rel),
    /// It has no cycle.
    Acyclic(Rel),
    /// It has no loop.
    Irreflexive(Rel),
    /// It is empty.
    Empty(Rel),
    /// Of two different transactions, it holds in one direction at least.
    Total(Rel),
    /// It does not hold.
    Not(Box<Check>),
    /// All of them hold.
    All(Vec<Check>),
    /// One of them holds.
    Any(Vec<Check>),
    /// It holds for every key.
    ForAll(KeyVar, Box<Check>),
}

impl Rel {
    /// What it holds between: first and second.
    pub fn sorts(&self) -> (Sort, Sort) {
        match self {
            Self::Given(Given::Rd(_)) => (Sort::Txn, Sort::Read),
            Self::Given(Given::Of) => (Sort::Read, Sort::Txn),
            Self::Given(Given::Po) => (Sort::Read, Sort::Read),
            Self::Given(_) | Self::Witness(..) | Self::Test(_) | Self::Product(..) => {
                (Sort::Txn, Sort::Txn)
            }
            Self::Id(sort) => (*sort, *sort),
            Self::Union(parts) | Self::Inter(parts) => {
                parts.first().map_or((Sort::Txn, Sort::Txn), Self::sorts)
            }
            Self::Seq(parts) => match (parts.first(), parts.last()) {
                (Some(first), Some(last)) => (first.sorts().0, last.sorts().1),
                _ => (Sort::Txn, Sort::Txn),
            },
            Self::Inverse(inner) => {
                let (from, to) = inner.sorts();
                (to, from)
            }
            Self::Diff(inner, _)
            | Self::Opt(inner)
            | Self::Plus(inner)
            | Self::Star(inner)
            | Self::OverKeys(_, inner)
            | Self::Named(_, inner) => inner.sorts(),
        }
    }
}

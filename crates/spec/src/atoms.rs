//! What formulas are about: dependencies between transactions, and sets of transactions.

use crate::Promise;

/// A dependency between transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rel {
    /// `wr`: the second read a version the first installed.
    Wr,
    /// `ww`: the second installed a later version of a key the first installed.
    Ww,
    /// `rw`: the second installed a later version of a key than the one the first read.
    Rw,
    /// `rwi`: the same through items only: a key that a range read did *not* return does not
    /// count, so phantoms make no such dependency.
    ItemRw,
    /// `so`: the first precedes the second in its session.
    So,
    /// `rt`: the first ended before the second began, in real time.
    Rt,
    /// `cc`: the first committed before the second committed, in real time.
    CommitOrder,
    /// `bc`: the first began before the second committed, in real time.
    BeginCommit,
    /// `otv`: some transaction read from the first and *later* missed, on another key, a
    /// version of the second. A loop is an observed transaction that vanishes.
    Vanishing,
    /// `cursor`: on one key, the first read a version that the second overwrote before a third
    /// did (`rw ; ww` with both edges on the same key). A loop is a lost update.
    Cursor,
    /// `o`: the orders that count at the level's strength: none, `so`, or `so | rt`.
    Order,
    /// `b`: the base order of the level's strength, `wr | o`.
    Base,
}

impl Rel {
    /// All relations, with their names.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Wr, "wr"),
        (Self::Ww, "ww"),
        (Self::Rw, "rw"),
        (Self::ItemRw, "rwi"),
        (Self::So, "so"),
        (Self::Rt, "rt"),
        (Self::CommitOrder, "cc"),
        (Self::BeginCommit, "bc"),
        (Self::Vanishing, "otv"),
        (Self::Cursor, "cursor"),
        (Self::Order, "o"),
        (Self::Base, "b"),
    ];

    /// The name in formulas.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(rel, _)| *rel == self).map_or("?", |(_, name)| name)
    }
}

/// A set of transactions, used as a test `[S]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Set {
    /// `R`: those that read something another transaction or the initial state wrote.
    Readers,
    /// `W`: those that write something.
    Writers,
    /// `C`: those that were promised committed reads, or more.
    Committed,
    /// `I`: those that were promised that the items they read stay, or more.
    Repeatable,
    /// `S`: those that were promised serializability.
    Serializable,
}

impl Set {
    /// All sets, with their names.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Readers, "R"),
        (Self::Writers, "W"),
        (Self::Committed, "C"),
        (Self::Repeatable, "I"),
        (Self::Serializable, "S"),
    ];

    /// The name in formulas.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(set, _)| *set == self).map_or("?", |(_, name)| name)
    }

    /// The weakest promise that makes a transaction a member; `None` if promises do not matter.
    pub fn least_promise(self) -> Option<Promise> {
        match self {
            Self::Readers | Self::Writers => None,
            Self::Committed => Some(Promise::ReadCommitted),
            Self::Repeatable => Some(Promise::RepeatableRead),
            Self::Serializable => Some(Promise::Serializable),
        }
    }
}

impl Promise {
    /// Whether a transaction with this promise is in a set of the promised.
    pub fn is_in(self, set: Set) -> bool {
        set.least_promise().is_some_and(|least| self >= least)
    }
}

//! The intermediate representation: a graph with superpositions.
//!
//! ```text
//!   units      the transactions that take part
//!   edges      what is known: session order, version orders seen in lists, a module's own
//!   reads      OneOf: which source did this read see? (one source: known)
//!   orders     VersionOrder: one total order of the writers of a key, symbolic -
//!              its pairs are named only when a stage asks about them
//!   times      real time, symbolic too
//! ```
//!
//! Anti-dependencies are not stored: `ww(w, p) ∧ wr(w, r) ⇒ rw(r, p)` derives them from
//! choices. What is forbidden is the automaton compiled from the level's formula. The text form
//! (`text.rs`) prints and parses; `verify.rs` checks the invariants. After Boomslang, section 5.

mod few;
pub(crate) mod restrict;
mod superpositions;
pub(crate) mod support;
pub(crate) mod text;
pub(crate) mod verify;

use tristan_ground::id;
use tristan_history::{Datum, TxnId};
use tristan_spec::{Formula, Promise, Rel, Set};

pub use crate::asg::ReadKind;
pub use few::Few;
pub(crate) use few::{Sources, Writers};
pub use superpositions::Superpositions;

id!(
    /// A unit: its position in [`Ir::units`].
    pub struct Unit
);
id!(
    /// A read: its position in [`Ir::reads`].
    pub struct ReadId
);
id!(
    /// A version order: its position in [`Ir::orders`].
    pub struct OrderId
);
id!(
    /// A known dependency: its position in [`Ir::edges`].
    pub struct EdgeId
);

/// Where a read came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The initial state.
    Initial,
    /// The version this unit installed.
    Unit(Unit),
}

/// A transaction that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitInfo {
    /// The transaction in the trace.
    pub txn: TxnId,
    /// Whether it surely took effect. If not, it did exactly if some read comes from it.
    pub sure: bool,
    /// Whether the trace leaves its outcome open.
    pub unknown: bool,
    /// Whether it has an external read with a known result: the set `R`.
    pub reads: bool,
    /// Whether it installs a version: the set `W`.
    pub writes: bool,
    /// What it was promised, if the level asks: the sets `C`, `I` and `S`.
    pub promise: Option<Promise>,
}

impl UnitInfo {
    /// Whether it is in the set.
    pub(crate) fn is_in(&self, set: Set) -> bool {
        match set {
            Set::Readers => self.reads,
            Set::Writers => self.writes,
            Set::Committed | Set::Repeatable | Set::Serializable => {
                self.promise.is_some_and(|promise| promise.is_in(set))
            }
        }
    }
}

/// Instants that bound when a unit began and took effect, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Not begun before.
    pub begin_from: Option<i64>,
    /// Begun by then.
    pub begin_by: Option<i64>,
    /// Did not take effect before.
    pub end_from: Option<i64>,
    /// Had taken effect by then.
    pub end_by: Option<i64>,
}

/// The times of all units, if anything is known about any.
pub(crate) fn known_times(times: impl Iterator<Item = Times> + Clone) -> Vec<Times> {
    let known = times.clone().any(|times| times != Times::default());
    if known { times.collect() } else { Vec::new() }
}

/// A read whose source is one of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The reading unit.
    pub unit: Unit,
    /// The operation within the transaction.
    pub op: u32,
    /// The version order it looks at.
    pub order: OrderId,
    /// How the key was read.
    pub kind: ReadKind,
    /// The possible sources, ascending. None at all: the unit did not take effect.
    pub sources: Few<Source>,
    /// What only some reads say; `None` if it says nothing more.
    pub(crate) more: Option<Box<More>>,
}

/// What only some reads say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct More {
    /// What the read saw, as a number: reads of one key from an unknown initial state must
    /// agree on it. `None` when the initial state is known.
    pub(crate) initial_claim: Option<InitialClaim>,
    /// For a list read: every unit whose version it shows, oldest first.
    pub(crate) shows: Option<Box<[Unit]>>,
}

impl More {
    /// Kept only if it says anything.
    pub(crate) fn kept(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

impl Read {
    /// What it says about an unknown initial state.
    pub(crate) fn initial_claim(&self) -> Option<InitialClaim> {
        self.more.as_ref().and_then(|more| more.initial_claim)
    }

    /// For a list read: every unit whose version it shows, oldest first.
    pub(crate) fn shows(&self) -> Option<&[Unit]> {
        self.more.as_ref().and_then(|more| more.shows.as_deref())
    }
}

/// What a read says about an unknown initial state if it comes from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InitialClaim {
    /// The key was absent.
    Absent,
    /// The key was there.
    Present,
    /// The key held the value with this number.
    Value(u32),
}

impl InitialClaim {
    /// Whether no initial state meets both claims.
    pub(crate) fn clashes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Present, claim) | (claim, Self::Present) => claim == Self::Absent,
            _ => self != other,
        }
    }
}

/// One total order of the writers of a key, of which only the members are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionOrder {
    /// The key that was written.
    pub key: Datum,
    /// The units that installed a version, ascending.
    pub writers: Few<Unit>,
}

/// A known dependency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Comes first.
    pub from: Unit,
    /// Comes later.
    pub to: Unit,
    /// Which relation it belongs to.
    pub rel: Rel,
    /// Why it is known.
    pub reason: Reason,
}

impl Edge {
    /// The transaction that read the list which shows the edge, if a list does.
    pub(crate) fn shown_by(&self) -> Option<TxnId> {
        match self.reason {
            Reason::Listed { reader, .. } => Some(reader),
            Reason::Session | Reason::Assumed | Reason::Module(_) => None,
        }
    }
}

/// Why an edge is known. There is no edge without a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Consecutive committed transactions of one session.
    Session,
    /// A list read shows the two versions in this order.
    Listed {
        /// The version order that is known in part.
        order: OrderId,
        /// The reading transaction in the trace.
        reader: TxnId,
        /// The operation within it.
        op: u32,
    },
    /// Assumed in order to find a witness sooner; never part of a refutation.
    Assumed,
    /// A user's module says so.
    Module(String),
}

/// The whole problem for one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Ir {
    /// What must hold.
    pub formula: Formula,
    /// The transactions that take part.
    pub units: Vec<UnitInfo>,
    /// When the units ran, by number; empty if that is known of none.
    pub times: Vec<Times>,
    /// What is known.
    pub edges: Vec<Edge>,
    /// What was read.
    pub reads: Vec<Read>,
    /// Version orders, one per key that was read or that two transactions wrote.
    pub orders: Vec<VersionOrder>,
    /// Clocks may differ by this much, in nanoseconds.
    pub drift: i64,
    /// Whether reads were left out that session order makes superfluous. The text form does not
    /// say so: it is of whole problems.
    pub(crate) merged: bool,
}

impl Ir {
    /// When a unit ran, as far as known.
    pub(crate) fn times(&self, unit: Unit) -> Times {
        self.times.get(unit.index()).copied().unwrap_or_default()
    }

    /// Whether the formula uses the relation.
    pub(crate) fn uses(&self, rel: Rel) -> bool {
        self.formula.constraints.iter().any(|constraint| constraint.expr().mentions(rel))
    }
}

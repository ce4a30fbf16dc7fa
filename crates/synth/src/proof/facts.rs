//! What a proof uses of transitive closures, which no first-order formula says in full.

use tristan_spec::iso::{Check, Rel, Set};

use super::checks::{for_all_keys, transitive};
use super::ground::Scope;
use super::rewrite::free_keys;

/// Something that holds of a transitive closure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `step+ in bound`, because `step in bound` and `bound ; bound in bound`.
    Inside {
        /// The relation whose closure it is about.
        step: Rel,
        /// What contains the closure.
        bound: Rel,
        /// How many transactions and keys a violation would be about.
        scope: Scope,
    },
    /// `acyclic order | rest`, because `order` is a strict order, what `rest` starts from is among
    /// the `starts`, and `rest ; order? ; [starts]` has no cycle.
    Around {
        /// A strict order of the history.
        order: Rel,
        /// What has no cycle together with it.
        rest: Rel,
        /// Transactions among which `rest` starts.
        starts: Set,
        /// How many transactions and keys a violation would be about.
        scope: Scope,
    },
}

impl Fact {
    /// How many transactions and keys a violation would be about.
    pub fn scope(&self) -> Scope {
        match self {
            Self::Inside { scope, .. } | Self::Around { scope, .. } => *scope,
        }
    }

    /// What holds.
    pub fn conclusion(&self) -> Check {
        match self {
            Self::Inside { step, bound, .. } => {
                let closure = Rel::Plus(Box::new(step.clone()));
                for_all_keys(&free_keys(step), Check::In(closure, bound.clone()))
            }
            Self::Around { order, rest, .. } => {
                Check::Acyclic(Rel::Union(vec![order.clone(), rest.clone()]))
            }
        }
    }

    /// Why it holds: these checks do.
    pub fn reasons(&self) -> Vec<Check> {
        match self {
            Self::Inside { step, bound, .. } => {
                let keys = free_keys(step);
                let inside = Check::In(step.clone(), bound.clone());
                vec![for_all_keys(&keys, inside), for_all_keys(&keys, transitive(bound))]
            }
            Self::Around { order, rest, starts, .. } => {
                let between = Rel::Seq(vec![
                    rest.clone(),
                    Rel::Opt(Box::new(order.clone())),
                    Rel::Test(starts.clone()),
                ]);
                let from = Rel::Product(starts.clone(), Set::Txn);
                vec![
                    Check::Irreflexive(order.clone()),
                    transitive(order),
                    Check::In(rest.clone(), from),
                    Check::Acyclic(between),
                ]
            }
        }
    }
}

/// A fact, with where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Learnt {
    pub(super) fact: Fact,
    /// Its place among what is known.
    pub(super) place: usize,
    /// The places of what it follows from.
    pub(super) from: Vec<usize>,
}

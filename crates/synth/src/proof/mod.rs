//! Proofs that one level implies another, for histories of any size.
//!
//! ```text
//!   A, B ──► premises: what is known if A is kept ──► theory ──► is it contradictory that B
//!        ──► witness map: what B's witnesses are      (checks)   fails? (formulas ──► instances
//!                                                                ──► SAT)
//! ```
//!
//! # What is shown
//!
//! That A implies B means: for every history and every choice `w` of A's witnesses that meets A's
//! checks, some choice of B's witnesses meets B's checks. We look for a *witness map* `m`, which
//! writes each witness of B as an expression over `w` and the history ([`Image`]), and show that
//! `m(w)` meets every check of B. Histories are abstract: any number of transactions and sessions,
//! at least one key; blind writes and empty transactions are allowed; times may be recorded or not.
//!
//! # Why a few transactions are enough
//!
//! **Theorem.** Let Γ be sentences that hold in every history with every `w` that meets A's checks,
//! and let `G` be a sentence. Push the negations in Γ and ¬G down to the atoms. Give each
//! variable that is said to exist, outside all universal quantifiers, an element of its own (parts
//! of a disjunction may share elements); add an element for the initial transaction. Replace each
//! universal quantifier by the conjunction of its instances for all elements, and each existential
//! one below it by *true*. If the formulas so obtained contradict each other, taking atoms as
//! propositional variables and equality as a congruence, then `G` holds in every history with every
//! `w` that meets A's checks, whatever its size.
//!
//! *Proof.* Suppose not: there is a history with a `w` in which Γ holds and `G` does not. Let each
//! element stand for a transaction or a key of that history: one for the initial transaction; those
//! of variables said to exist for values that make their formula true, in each disjunction for
//! the first part that is true; all others for the initial transaction or for any key. Give every
//! atom over elements the truth value it has in the history. Equality then is a congruence. By
//! induction on formulas, an instance is true if the formula it comes from is: for an atom by
//! choice of the truth value, for conjunctions and disjunctions because truth of parts is
//! kept, for a universal quantifier because what holds of everything holds of the elements, and for
//! an existential one either by the choice of its element or because it was replaced by *true*. So
//! the formulas do not contradict each other. ∎
//!
//! In the other direction nothing is claimed: `None` says only that this way there is no proof. Where
//! Γ has universal quantifiers only, the instances describe a smaller history, with just the
//! transactions and keys that the violation is about; [`Scope`] says how many these are.
//!
//! # What Γ consists of
//!
//! * `axioms`: what holds in every history, and of every order.
//! * `premises`: A's checks; and for `acyclic E`, that a strict total order contains `E`, which
//!   becomes a further witness.
//! * `E in E+` and `E+ ; E+ in E+` for each transitive closure, which is otherwise just a relation;
//!   and [`Fact`]s about closures, which `induction` finds. Each fact is itself shown by the theorem,
//!   with the facts before it in Γ.
//! * That a relation is inside its abbreviation, which is otherwise just a relation, too (see
//!   `translate`).
//!
//! What is proved is tested: against the judge on random histories, against the search on small
//! scopes, and by z3 with an encoding of its own ([`crate::smt`]).

mod axioms;
mod checks;
mod conjuncts;
mod facts;
mod formula;
mod ground;
mod induction;
mod premises;
mod rewrite;
mod search;
mod theory;
mod translate;
mod witness_map;

use std::fmt;

use tristan_spec::iso::Check;

use crate::text::Printer;

pub use facts::Fact;
pub use ground::Scope;
pub use premises::GivenOrder;
pub use search::{prove, prove_within};
pub(crate) use witness_map::HOLE;
pub use witness_map::Image;

/// Why every history that keeps one level keeps another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether it holds only for histories in which every begin and commit was recorded, and
    /// sessions did one thing after the other. Without times, levels that ask for them ask for
    /// less.
    pub timed: bool,
    /// The names of all witnesses that images speak of: those of the stronger level, then
    /// those of [`Proof::orders`].
    pub names: Vec<String>,
    /// Orders that exist because checks of the stronger level forbid cycles.
    pub orders: Vec<GivenOrder>,
    /// What the witnesses of the weaker level are.
    pub map: Vec<(String, Image)>,
    /// What was used of transitive closures, each from those before it.
    pub facts: Vec<Fact>,
    /// The checks of the weaker level.
    pub obligations: Vec<Obligation>,
}

/// A check of the weaker level that follows from the stronger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The check, about the images of the witnesses.
    pub check: Check,
    /// How many transactions and keys a violation would be about.
    pub scope: Scope,
}

impl Proof {
    /// The largest scope that had to be looked at.
    pub fn largest(&self) -> Scope {
        let facts = self.facts.iter().map(Fact::scope);
        let all = facts.chain(self.obligations.iter().map(|obligation| obligation.scope));
        all.fold(Scope::default(), Scope::larger)
    }
}

impl Proof {
    /// For people: how much had to be looked at, the map, the orders, the facts.
    pub fn lines(&self) -> Vec<String> {
        let mut printer = Printer::new(&self.names);
        let Scope { txns, keys } = self.largest();
        let count = self.obligations.len() + self.facts.len();
        let mut lines = vec![format!(
            "{count} obligation{}, the largest with {txns} transaction{} and {keys} key{}",
            plural(count),
            plural(txns),
            plural(keys)
        )];
        if self.timed {
            lines.push("it requires that all begin and commit times are known".to_owned());
        }
        for (name, image) in &self.map {
            let key = if image.key.is_some() { "[x]" } else { "" };
            lines.push(format!("{name}{key} := {}", printer.rel(&image.rel)));
        }
        for order in &self.orders {
            let key = if order.key.is_some() { "[x]" } else { "" };
            let contains = printer.rel(&order.contains);
            lines.push(format!("{}{key} is a total order that contains {contains}", order.name));
        }
        for fact in &self.facts {
            lines.push(printer.check(&fact.conclusion()));
        }
        lines
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "PROVED for histories of any size: {}", self.lines().join("; "))
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

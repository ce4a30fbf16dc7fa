//! Proofs that one level implies another, for histories of any size.

mod axioms;
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
pub use search::prove;
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
            lines.push("it needs all times to be known: when who began and committed".to_owned());
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

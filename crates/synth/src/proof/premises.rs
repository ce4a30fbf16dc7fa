//! The stronger level as a theory: its witnesses, its checks, and the orders they give.
//!
//! A relation without cycles is contained in a strict total order (it is so for finite relations,
//! by sorting topologically). So `acyclic E` says that a further witness exists. If nothing in
//! `E` leads to the initial transaction, the order can begin with it.

use tristan_ground::Budget;
use tristan_spec::iso::{Check, Given, IsoLevel, KeyVar, Rel, WitnessKind};

use super::axioms::{Shape, into_init};
use super::checks::for_all_keys;
use super::conjuncts::{Conjunct, conjuncts};
use super::ground::Effort;
use super::theory::Theory;

/// How many instances of formulas are looked at before giving up. Proofs between levels of the
/// library need a quarter of a million at most.
const MOST_INSTANCES: usize = 4_000_000;

/// A strict total order that exists because something has no cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenOrder {
    /// The name of the order.
    pub name: String,
    /// What it contains.
    pub contains: Rel,
    /// The key it depends on, if it is one order for every key.
    pub key: Option<KeyVar>,
    /// Whether it begins with the initial transaction.
    pub init_first: bool,
}

impl GivenOrder {
    fn shape(&self) -> Shape {
        match self.key {
            None => Shape::Order { init_first: self.init_first },
            Some(_) => Shape::OrderForEachKey { init_first: self.init_first },
        }
    }
}

/// What a history that keeps a level has.
#[derive(Clone, Debug)]
pub(super) struct Premises {
    /// What is known; witnesses are those of the level, then [`Premises::orders`].
    pub(super) theory: Theory,
    /// The orders that exist because something has no cycle.
    pub(super) orders: Vec<GivenOrder>,
    /// The names of the level's witnesses.
    names: Vec<String>,
}

impl Premises {
    /// What a history that keeps the level has, if all times are known or if they need not be.
    pub(super) fn of(level: &IsoLevel, timed: bool, budget: &Budget) -> Self {
        let shapes = level.witnesses.iter().map(|witness| shape(witness.kind)).collect();
        let names = level.witnesses.iter().map(|witness| witness.name.clone()).collect();
        let theory = Theory {
            shapes,
            known: Vec::new(),
            timed,
            effort: Effort::new(MOST_INSTANCES, budget),
        };
        let mut premises = Self { theory, orders: Vec::new(), names };
        let (acyclic, other): (Vec<Conjunct>, Vec<Conjunct>) = level
            .checks
            .iter()
            .flat_map(conjuncts)
            .partition(|conjunct| orderable(conjunct).is_some());
        premises.theory.known.extend(other.iter().map(Conjunct::closed));
        for conjunct in &acyclic {
            if let Some((contains, key)) = orderable(conjunct) {
                premises.add_order(contains, key);
            }
        }
        premises
    }

    /// An order that contains the sessions: there is one in every history.
    pub(super) fn add_order_of_history(&mut self) {
        self.add_order(&Rel::Given(Given::So), None);
    }

    /// That there is a strict total order that contains the relation. Whether it can begin with
    /// the initial transaction may follow from there being one at all.
    fn add_order(&mut self, contains: &Rel, key: Option<KeyVar>) {
        let keys: Vec<KeyVar> = key.into_iter().collect();
        let name = self.fresh_name();
        let mut order = GivenOrder { name, contains: contains.clone(), key, init_first: false };
        let index = self.theory.shapes.len();
        self.theory.shapes.push(order.shape());
        let inside = Check::In(contains.clone(), Rel::Witness(index, key));
        self.theory.known.push(for_all_keys(&keys, inside));
        let none_into_init = for_all_keys(&keys, Check::Empty(into_init(contains)));
        order.init_first = self.theory.entails(&none_into_init).is_some();
        self.theory.shapes[index] = order.shape();
        self.orders.push(order);
    }

    /// `order`, `order2`, …: the first name no witness has.
    fn fresh_name(&mut self) -> String {
        let mut number = self.orders.len() + 1;
        loop {
            let name = if number == 1 { "order".to_owned() } else { format!("order{number}") };
            if !self.names.contains(&name) {
                self.names.push(name.clone());
                return name;
            }
            number += 1;
        }
    }
}

/// The relation between transactions that a conjunct forbids cycles of, and the key it is about.
fn orderable(conjunct: &Conjunct) -> Option<(&Rel, Option<KeyVar>)> {
    use tristan_spec::iso::Sort::Txn;
    match (&conjunct.check, conjunct.keys.as_slice()) {
        (Check::Acyclic(rel), [] | [_]) if rel.sorts() == (Txn, Txn) => {
            Some((rel, conjunct.keys.first().copied()))
        }
        _ => None,
    }
}

fn shape(kind: WitnessKind) -> Shape {
    match kind {
        WitnessKind::Order => Shape::Order { init_first: true },
        WitnessKind::OrderPerKey => Shape::OrderOfWriters,
        WitnessKind::Relation => Shape::Relation,
    }
}

//! Witnesses as people read them.

use tristan_spec::iso::{IsoLevel, WitnessKind};

use crate::evaluate::Matrix;
use crate::gates::Gate;
use crate::scene::{Chosen, Scene, sorted};

/// A witness that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its name in the level.
    pub name: String,
    /// What it is.
    pub value: WitnessValue,
}

/// What a witness is. The initial transaction, which always comes first, is left out of orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessValue {
    /// All transactions, first to last.
    Order(Vec<usize>),
    /// For each key, its writers, first to last.
    OrderPerKey(Vec<Vec<usize>>),
    /// The pairs of a relation.
    Relation(Vec<(usize, usize)>),
}

/// The witnesses that are used, in the order of the level.
pub(crate) fn shown(level: &IsoLevel, scene: &Scene, chosen: &[Chosen]) -> Vec<Shown> {
    let all_txns: Vec<usize> = (1..scene.txns).collect();
    let value = |kind: WitnessKind, chosen: &Chosen| match chosen {
        Chosen::Unused => None,
        Chosen::All(matrix) if kind == WitnessKind::Order => {
            Some(WitnessValue::Order(sorted(matrix, &all_txns)))
        }
        Chosen::All(matrix) => {
            let held = matrix.possible().map(|(a, b, _)| (a, b));
            Some(WitnessValue::Relation(held.collect()))
        }
        Chosen::PerKey(orders) => {
            let of_key = |(key, order): (usize, &Matrix)| {
                let writes = |txn: &usize| scene.writes[key][*txn] == Gate::TRUE;
                let writers: Vec<usize> = all_txns.iter().copied().filter(writes).collect();
                sorted(order, &writers)
            };
            Some(WitnessValue::OrderPerKey(orders.iter().enumerate().map(of_key).collect()))
        }
    };
    let all = level.witnesses.iter().zip(chosen);
    all.filter_map(|(witness, chosen)| {
        value(witness.kind, chosen).map(|value| Shown { name: witness.name.clone(), value })
    })
    .collect()
}

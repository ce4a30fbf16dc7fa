//! Keys are as good as each other, so they may be taken in a fixed order.
//!
//! The facts about a key, one below the other, are its column. Of all ways to name the keys, one
//! has the columns sorted; only that one is looked at. Unused keys come last.

use super::sought::Sought;
use crate::gates::{Circuit, Gate, Solver};

/// Demands that the columns of the keys are sorted, largest first.
pub(crate) fn sort_keys(solver: &mut Solver, sought: &Sought) {
    for key in 1..sought.scene.keys {
        let (left, right) = (sought.column(key - 1), sought.column(key));
        let sorted = at_least(&mut solver.circuit, &left, &right);
        solver.require(sorted);
    }
}

/// Whether the first column is at least the second, the first gates counting most.
fn at_least(circuit: &mut Circuit, left: &[Gate], right: &[Gate]) -> Gate {
    left.iter().zip(right).rev().fold(Gate::TRUE, |rest, (&left, &right)| {
        let larger = circuit.and([left, !right]);
        let not_smaller = circuit.or([left, !right]);
        let same_so_far = circuit.and([not_smaller, rest]);
        circuit.or([larger, same_so_far])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_compare_like_numbers() {
        let mut circuit = Circuit::default();
        let bits = |number: u32| -> Vec<Gate> {
            (0..3).rev().map(|bit| Gate::constant(number >> bit & 1 == 1)).collect()
        };
        for left in 0..8 {
            for right in 0..8 {
                let gate = at_least(&mut circuit, &bits(left), &bits(right));
                assert_eq!(gate, Gate::constant(left >= right), "{left} {right}");
            }
        }
    }
}

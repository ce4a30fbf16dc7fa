//! Total orders as gates: one input per pair, and the law that there is no cycle of three.

use crate::gates::{Circuit, Gate};

use super::Matrix;

/// A strict total order of `0..size`, as a matrix.
pub type TotalOrder = Matrix;

/// A matrix with a free input for each pair, the other direction being its negation. If
/// `initial_first`, element 0 comes before all others.
pub fn order_inputs(circuit: &mut Circuit, size: usize, initial_first: bool) -> TotalOrder {
    let mut upper = vec![Gate::FALSE; size * size];
    for first in 0..size {
        for second in first + 1..size {
            upper[first * size + second] = match initial_first && first == 0 {
                true => Gate::TRUE,
                false => circuit.input(),
            };
        }
    }
    Matrix::new(size, size, |row, col| match row.cmp(&col) {
        std::cmp::Ordering::Less => upper[row * size + col],
        std::cmp::Ordering::Equal => Gate::FALSE,
        std::cmp::Ordering::Greater => !upper[col * size + row],
    })
}

/// The clauses that make such a matrix an order: no three go round.
pub fn order_laws(order: &TotalOrder) -> Vec<[Gate; 3]> {
    let size = order.rows();
    let mut laws = Vec::new();
    for first in 0..size {
        for second in first + 1..size {
            for third in second + 1..size {
                let round =
                    [order.at(first, second), order.at(second, third), order.at(third, first)];
                laws.push(round.map(|step| !step));
                laws.push(round);
            }
        }
    }
    laws
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gates::{Solved, Solver};

    fn count_orders(size: usize, initial_first: bool) -> usize {
        let mut solver = Solver::default();
        let order = order_inputs(&mut solver.circuit, size, initial_first);
        for law in order_laws(&order) {
            solver.require_one(&law);
        }
        let pairs: Vec<Gate> = (0..size)
            .flat_map(|row| (0..row).map(move |col| (row, col)))
            .map(|(row, col)| order.at(row, col))
            .collect();
        let mut count = 0;
        while let Solved::Yes(model) = solver.solve(&[]) {
            count += 1;
            let other: Vec<Gate> =
                pairs.iter().map(|&pair| if model.is_true(pair) { !pair } else { pair }).collect();
            solver.require_one(&other);
        }
        count
    }

    #[test]
    fn there_are_as_many_orders_as_there_should_be() {
        assert_eq!(count_orders(4, false), 24);
        assert_eq!(count_orders(5, true), 24);
        assert_eq!(count_orders(1, true), 1);
    }
}

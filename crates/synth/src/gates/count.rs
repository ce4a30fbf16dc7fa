//! Counting how many gates are true.
//!
//! ```text
//!   a b c d ──► (a b) (c d) ──► at least 1, at least 2, …
//! ```
//!
//! Two sorted halves are merged: `n` of the whole are true if `i` of the left half and `n - i` of
//! the right half are.

use super::{Circuit, Gate};

/// Gates that say "at least 1", "at least 2", … up to "at least `most`" of these are true.
pub fn counted(circuit: &mut Circuit, gates: &[Gate], most: usize) -> Vec<Gate> {
    if gates.len() <= 1 {
        return gates.iter().copied().take(most).collect();
    }
    let (left, right) = gates.split_at(gates.len() / 2);
    let left = counted(circuit, left, most);
    let right = counted(circuit, right, most);
    let at_least = |half: &[Gate], count: usize| match count {
        0 => Gate::TRUE,
        _ => half.get(count - 1).copied().unwrap_or(Gate::FALSE),
    };
    let total = most.min(left.len() + right.len());
    (1..=total)
        .map(|count| {
            let ways: Vec<Gate> = (0..=count)
                .map(|taken| circuit.and([at_least(&left, taken), at_least(&right, count - taken)]))
                .collect();
            circuit.or(ways)
        })
        .collect()
}

/// True if at most this many of the gates are.
pub fn at_most(circuit: &mut Circuit, gates: &[Gate], most: usize) -> Gate {
    let counts = counted(circuit, gates, most.saturating_add(1));
    counts.get(most).map_or(Gate::TRUE, |&more| !more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gates::{Solved, Solver};

    #[test]
    fn counts_are_right_for_all_values() {
        let mut solver = Solver::default();
        let inputs: Vec<Gate> = (0..5).map(|_| solver.circuit.input()).collect();
        let few: Vec<Gate> =
            (0..6).map(|most| at_most(&mut solver.circuit, &inputs, most)).collect();
        for values in 0u32..32 {
            let assumed: Vec<Gate> = inputs
                .iter()
                .enumerate()
                .map(|(at, &gate)| if values >> at & 1 == 1 { gate } else { !gate })
                .collect();
            let Solved::Yes(model) = solver.solve(&assumed) else { panic!("inputs are free") };
            for (most, &gate) in few.iter().enumerate() {
                assert_eq!(model.is_true(gate), values.count_ones() as usize <= most);
            }
        }
    }
}

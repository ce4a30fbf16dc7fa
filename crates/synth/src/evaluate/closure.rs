//! Transitive closure, and the parts of a graph in which a cycle can lie.

use super::Matrix;
use crate::gates::{Circuit, Gate};

/// The transitive closure.
///
/// If everything possible goes forward in some order, one pass from the end does it; otherwise
/// paths are doubled until they are as long as the longest.
pub(super) fn plus(circuit: &mut Circuit, rel: &Matrix) -> Matrix {
    let components = components(rel);
    match components.iter().all(|component| component.len() == 1) {
        true if !has_loop(rel) => forward(circuit, rel, &components),
        _ => doubled(circuit, rel),
    }
}

/// The strongly connected components of what is possible, each sorted; whatever another leads to
/// comes earlier.
pub(super) fn components(rel: &Matrix) -> Vec<Vec<usize>> {
    let size = rel.rows();
    let mut reached = vec![vec![false; size]; size];
    for (row, col, _) in rel.possible() {
        reached[row][col] = true;
    }
    for middle in 0..size {
        let beyond = reached[middle].clone();
        for row in reached.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&beyond).for_each(|(cell, &further)| *cell |= further);
        }
    }
    let mut left: Vec<usize> = (0..size).collect();
    let mut components = Vec::new();
    while !left.is_empty() {
        let is_last = |&node: &usize| {
            left.iter().all(|&other| !reached[node][other] || reached[other][node] || node == other)
        };
        // Something is last: what is reached shrinks with every step out of a component.
        let last = left.iter().copied().find(is_last).unwrap_or(left[0]);
        let together = |&node: &usize| node == last || (reached[node][last] && reached[last][node]);
        let component: Vec<usize> = left.iter().copied().filter(together).collect();
        left.retain(|node| !component.contains(node));
        components.push(component);
    }
    components
}

fn has_loop(rel: &Matrix) -> bool {
    (0..rel.rows()).any(|node| rel.at(node, node).is_possible())
}

/// The closure of a relation whose components are single nodes, last first.
fn forward(circuit: &mut Circuit, rel: &Matrix, components: &[Vec<usize>]) -> Matrix {
    let size = rel.rows();
    let mut rows = vec![vec![Gate::FALSE; size]; size];
    for &node in components.iter().flatten() {
        let next: Vec<usize> = (0..size).filter(|&to| rel.at(node, to).is_possible()).collect();
        rows[node] = (0..size)
            .map(|to| {
                let mut ways = vec![rel.at(node, to)];
                for &middle in next.iter().filter(|&&middle| rows[middle][to].is_possible()) {
                    ways.push(circuit.and([rel.at(node, middle), rows[middle][to]]));
                }
                circuit.or(ways)
            })
            .collect();
    }
    Matrix::new(size, size, |row, col| rows[row][col])
}

fn doubled(circuit: &mut Circuit, rel: &Matrix) -> Matrix {
    let mut closed = rel.clone();
    let mut length = 1;
    while length < rel.rows() {
        let longer = closed.then(circuit, &closed);
        closed = closed.union(circuit, &longer);
        length *= 2;
    }
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(size: usize, pairs: &[(usize, usize)]) -> Matrix {
        Matrix::new(size, size, |row, col| Gate::constant(pairs.contains(&(row, col))))
    }

    #[test]
    fn forward_and_doubled_closures_agree() {
        let mut circuit = Circuit::default();
        let rel = graph(5, &[(3, 1), (1, 4), (4, 0), (3, 2)]);
        let parts = components(&rel);
        assert_eq!(forward(&mut circuit, &rel, &parts), doubled(&mut circuit, &rel));
    }

    #[test]
    fn a_cycle_reaches_itself() {
        let mut circuit = Circuit::default();
        let closed = plus(&mut circuit, &graph(3, &[(0, 1), (1, 0), (1, 2)]));
        let expected = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)];
        assert_eq!(closed, graph(3, &expected));
        assert_eq!(components(&graph(3, &[(0, 1), (1, 0), (1, 2)])), [vec![2], vec![0, 1]]);
    }
}

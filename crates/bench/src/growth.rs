//! How costs grow with the number of transactions.
//!
//! Between two sizes the growth is the exponent: 1 for twice the cost of twice the transactions, 2
//! for four times the cost.

use serde::Serialize;

use crate::Row;

/// The growth of one series.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// The series: what stays the same.
    pub series: String,
    /// Transactions before and after.
    pub txns: (usize, usize),
    /// Exponent of the time.
    pub wall: f64,
    /// Exponent of the memory.
    pub peak: f64,
}

/// One point of a series.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) txns: usize,
    pub(crate) wall: f64,
    pub(crate) peak: f64,
}

/// Rows that differ in their size alone, smallest first.
pub(crate) fn series(rows: &[Row]) -> Vec<(String, Vec<Point>)> {
    let mut all: Vec<(String, Vec<Point>)> = Vec::new();
    for row in rows {
        let Some(run) = row.median() else { continue };
        let point = Point { txns: row.case.txns, wall: run.wall, peak: run.peak as f64 };
        let name = name(row);
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => all.push((name, vec![point])),
        }
    }
    for (_, points) in &mut all {
        points.sort_by_key(|point| point.txns);
        points.dedup_by_key(|point| point.txns);
    }
    all
}

/// The growth between neighbouring sizes of every series.
pub fn growth(rows: &[Row]) -> Vec<Growth> {
    let mut found = Vec::new();
    for (name, points) in series(rows) {
        for pair in points.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            let steps = (after.txns as f64 / before.txns as f64).ln();
            let exponent = |before: f64, after: f64| (after / before).ln() / steps;
            let wall = exponent(before.wall, after.wall);
            let peak = exponent(before.peak, after.peak);
            if wall.is_finite() && peak.is_finite() {
                let txns = (before.txns, after.txns);
                found.push(Growth { series: name.clone(), txns, wall, peak });
            }
        }
    }
    found
}

/// What a row is called in a series.
fn name(row: &Row) -> String {
    let case = &row.case;
    let mut words = vec![case.workload.clone(), case.level.clone()];
    if case.sessions != 24 {
        words.push(format!("{} sessions", case.sessions));
    }
    words.extend(case.extras());
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Case, Measurement};

    fn row(txns: usize, wall: f64, peak: u64) -> Row {
        let case = Case::new("rmw", "si").expect("a workload");
        let run = Measurement {
            answer: "accept".to_owned(),
            operations: 0,
            generate: 0.0,
            read: None,
            trace: 0,
            wall,
            cpu: wall,
            peak,
            stages: Vec::new(),
        };
        Row { case: Case { txns, ..case }, runs: vec![run], died: None, peers: Vec::new() }
    }

    #[test]
    fn exponents_between_sizes() {
        let rows = [row(1_000, 1.0, 10), row(100, 0.1, 10), row(10_000, 100.0, 100)];
        let found = growth(&rows);
        let exponents: Vec<_> = found.iter().map(|one| (one.txns, one.wall.round())).collect();
        assert_eq!(exponents, [((100, 1_000), 1.0), ((1_000, 10_000), 2.0)]);
        assert!(found[0].peak.abs() < 1e-9 && (found[1].peak - 1.0).abs() < 1e-9);
    }
}

//! Measures a case: our own runs, and the same history for other checkers.

use crate::peer_run::run_peer;
use crate::{BenchError, Case, Measurement, Order, Row, Runner};

impl Runner {
    /// Measures a case.
    ///
    /// # Errors
    /// If the process cannot be started, or files for other checkers cannot be written. A process
    /// that dies is a row.
    pub fn run(&self, case: &Case) -> Result<Row, BenchError> {
        let mut row = Row { case: case.clone(), runs: Vec::new(), died: None, peers: Vec::new() };
        for _ in 0..self.repeat.max(1) {
            match self.order(&Order::Measure(case.clone()))? {
                Ok(answer) => {
                    let measured: Result<Measurement, _> = serde_json::from_str(&answer);
                    row.runs
                        .push(measured.map_err(|error| BenchError::Invalid(error.to_string()))?);
                }
                Err(died) => {
                    row.died = Some(died);
                    break;
                }
            }
        }
        let ours = row.median().map(Measurement::from_file);
        for peer in &self.peers {
            row.peers.push(run_peer(self, peer, case, ours)?);
        }
        Ok(row)
    }
}

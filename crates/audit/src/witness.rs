//! The witness of an accept, with the numbers of the log.

use tristan_verdict::audit::{AuditWitness, ReadPlace};

use crate::passes::Pass;
use crate::world::{At, Record};

/// Where everything took effect and read.
pub(crate) fn witness(pass: &Pass) -> AuditWitness {
    let number = |serial: u32| pass.search.number(serial);
    let mut writers: Vec<&Record> = pass.search.records.iter().filter(|r| r.writes).collect();
    writers.sort_by_key(|record| record.position());
    let order = writers.iter().map(|record| number(record.serial)).collect();
    let places =
        pass.search.records.iter().filter_map(|record| place(record, number(record.serial)));
    let mut reads: Vec<ReadPlace> = places.collect();
    reads.sort_by_key(|read| read.txn);
    AuditWitness { order, reads }
}

/// Where a transaction read, unless that is where it took effect.
fn place(record: &Record, txn: u64) -> Option<ReadPlace> {
    let mut states = Vec::new();
    let mut decisions = Vec::new();
    for step in 0..record.steps() {
        let (at, answers) = record.step(step)?;
        if !answers.is_empty() {
            decisions.push(format!("statement {}: choices {answers:?}", step + 1));
        }
        states.push(match at {
            At::State(state) => state,
            At::Recheck { state, newest, .. } => {
                decisions.push(format!("statement {}: rows re-read in state {newest}", step + 1));
                state
            }
            At::Rows { state, rows } => {
                let rows: Vec<String> =
                    rows.iter().map(|(key, state)| format!("{}:{state}", key.1.0)).collect();
                decisions.push(format!("statement {}: rows {}", step + 1, rows.join(" ")));
                state
            }
        });
    }
    states.dedup();
    let same = record.writes && states == [record.position()] && decisions.is_empty();
    (!same).then_some(ReadPlace { txn, states, decisions })
}

//! How long it takes to certify an accept of a generated history.
//!
//! `cargo run --release -p tristan-certify --example timing -- 100000`
//!
//! With a second number the store has two replicas, each of which sees the other's
//! transactions that many transactions late: a causal history with long forks.
#![allow(clippy::print_stdout, reason = "a table for people")]

use std::time::Instant;

use tristan_certify::certify;
use tristan_generate::{Rng, Shape, atomic_store};
use tristan_history::{Datum, History, HistoryBuilder, Outcome};
use tristan_spec::Catalog;
use tristan_verdict::{
    Answer, Context, Point, PointKind, SCHEMA_VERSION, TraceSummary, Verdict, Witness,
};

fn main() {
    let number = |at: usize| std::env::args().nth(at).and_then(|text| text.parse().ok());
    let txns = number(1).unwrap_or(10_000);
    let history = match number(2) {
        None => atomic_store(&Shape { txns, ..Shape::default() }),
        Some(lag) => replicated_store(txns, lag),
    };
    let order: Vec<Point> =
        (0..txns as u32).map(|txn| Point { txn, at: PointKind::Whole }).collect();
    for level in Catalog::default().levels() {
        let witness = Witness { order: order.clone(), ..Witness::default() };
        let verdict = Verdict {
            schema: SCHEMA_VERSION.to_owned(),
            level: level.name.clone(),
            definition: level.formula.to_string(),
            semantics: None,
            own_writes: None,
            trace: TraceSummary::default(),
            answer: Answer::Accept { witness },
            assumptions: Vec::new(),
            transactions: Vec::new(),
            context: Context::default(),
        };
        let start = Instant::now();
        let result = certify(&history, &level, 0, &verdict);
        println!("{:>8.2?}  {:<45} {result:?}", start.elapsed(), level.name);
    }
}

/// Two replicas; of two writes of a key the one of the later transaction wins.
fn replicated_store(txns: usize, lag: usize) -> History {
    const KEYS: u64 = 2_000;
    let mut rng = Rng::new(1);
    let mut builder = HistoryBuilder::default();
    let mut replicas: [Vec<Option<i64>>; 2] =
        [vec![None; KEYS as usize], vec![None; KEYS as usize]];
    let mut log: Vec<(usize, Vec<(u64, i64)>)> = Vec::new();
    for txn in 0..txns {
        if let Some((home, writes)) = txn.checked_sub(lag).and_then(|late| log.get(late)) {
            for &(key, value) in writes {
                let slot = &mut replicas[1 - home][key as usize];
                *slot = (*slot).max(Some(value));
            }
        }
        let session = rng.below(24);
        let home = session as usize % 2;
        let mut next = builder.begin(Datum::Int(session.into()));
        let mut writes: Vec<(u64, i64)> = Vec::new();
        for op in 0..8 {
            let key = rng.below(KEYS);
            let slot = &mut replicas[home][key as usize];
            if op < 4 {
                next = next.get(key as i64, *slot);
            } else if writes.iter().all(|&(written, _)| written != key) {
                // Values grow with the transaction, so the later one wins.
                let value = (txn * 8 + op) as i64;
                *slot = Some(value);
                writes.push((key, value));
                next = next.put(key as i64, value);
            }
        }
        let now = txn as i64;
        next.during(now * 10, now * 10 + 100).end(Outcome::Committed);
        log.push((home, writes));
    }
    builder.finish()
}

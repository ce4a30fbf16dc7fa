//! How long rejections take, and how much that varies:
//! `cargo bench -p tristan-check --bench rejections`.
//!
//! The anomalies of the Viper paper, section 7.3, each hidden once in an accepted history of blind
//! writes and reads (24 sessions, 8 operations, 2 000 keys, listed session by session): ten
//! histories, and one of them listed in ten ways.

mod measure;

use std::time::Instant;

use measure::{peak_megabytes, say};
use tristan_check::{Options, Silent, check};
use tristan_generate::anomalies::{Anomaly, hide};
use tristan_generate::{Shape, atomic_store, listed_at_random, listed_by_session};
use tristan_history::History;
use tristan_spec::{Catalog, Level};
use tristan_verdict::Answer;

const LEVELS: [&str; 2] = ["snapshot-isolation", "strong-session-snapshot-isolation"];

fn main() {
    say(
        "| txns | anomaly | level | runs | rejected | core | fastest s | slowest s | ratio | MB so far |",
    );
    say("|---|---|---|---|---|---|---|---|---|---|");
    for txns in [2_000, 5_000] {
        for anomaly in Anomaly::ALL {
            for level in LEVELS {
                let level = Catalog::default().find(level).expect("a level");
                row(txns, anomaly, &level, "ten histories", |seed| hidden(txns, anomaly, seed));
                let one = hidden(txns, anomaly, 1);
                row(txns, anomaly, &level, "ten listings", |seed| listed_at_random(&one, seed));
            }
        }
    }
}

fn hidden(txns: usize, anomaly: Anomaly, seed: u64) -> History {
    let correct = atomic_store(&Shape { txns, seed, ..Shape::default() });
    listed_by_session(&hide(&correct, anomaly, seed))
}

fn row(txns: usize, anomaly: Anomaly, level: &Level, runs: &str, make: impl Fn(u64) -> History) {
    let mut times = Vec::new();
    let mut cores = Vec::new();
    for seed in 1..=10 {
        let history = make(seed);
        let started = Instant::now();
        let verdict = check(&history, level, &Options::default(), &Silent).verdict;
        times.push(started.elapsed().as_secs_f64());
        if let Answer::Reject { refutation, .. } = &verdict.answer {
            cores.push(refutation.core.len());
        }
    }
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    let slowest = times.iter().copied().fold(0.0, f64::max);
    let (smallest, largest) = (cores.iter().min().unwrap_or(&0), cores.iter().max().unwrap_or(&0));
    say(&format!(
        "| {txns} | {} | {} | {runs} | {} of 10 | {smallest} to {largest} | {fastest:.3} | {slowest:.3} | {:.1} | {} |",
        anomaly.name(),
        level.name,
        cores.len(),
        slowest / fastest,
        peak_megabytes(),
    ));
}

//! How long pages about verdicts on a million transactions take to be written, and how large they
//! are: `cargo bench -p tristan-report --bench rendering`.

#![allow(clippy::panic, clippy::print_stdout, reason = "a benchmark prints what it measured")]

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use tristan_verdict::Verdict;

/// Each is written so often, and the fastest time counts.
const ROUNDS: usize = 5;

/// One of the outputs.
type Render = fn(&[Verdict]) -> String;

const OUTPUTS: [(&str, Render); 6] = [
    ("html", tristan_report::html),
    ("svg", tristan_report::picture),
    ("dot", tristan_report::dot),
    ("junit", tristan_report::junit),
    ("github", tristan_report::github),
    ("markdown", tristan_report::markdown),
];

fn main() {
    // Test runners start benchmarks, too, only to see that they run.
    let rounds = if std::env::args().any(|arg| arg == "--bench") { ROUNDS } else { 1 };
    for (what, verdict) in
        [("accept", common::large::accept()), ("reject", common::large::reject())]
    {
        let verdicts = [verdict];
        for (name, render) in OUTPUTS {
            let (took, size) = measured(rounds, || render(&verdicts).len());
            println!("{what:<7} {name:<9} {:>9.3} ms {:>9} bytes", took.as_secs_f64() * 1e3, size);
        }
    }
}

/// The least time that some work took, and what it gave.
fn measured(rounds: usize, work: impl Fn() -> usize) -> (Duration, usize) {
    let once = |_| {
        let start = Instant::now();
        let size = work();
        (start.elapsed(), size)
    };
    (0..rounds).map(once).min().unwrap_or_default()
}

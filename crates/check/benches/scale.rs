//! How the cost of a check grows: `cargo bench -p tristan-check`.
//!
//! Histories come from an atomic in-memory store (24 sessions, 8 operations per transaction,
//! half read-only and half blind-write transactions, black box, listed session by session).
//! Every case runs in a process of its own, so that its peak memory can be read.

mod measure;

use std::process::Command;
use std::time::Instant;

use measure::{peak_megabytes, say, stages};
use tristan_check::passes::Passes;
use tristan_check::{Options, Silent, check};
use tristan_history::generate::{Shape, atomic_store, listed_by_session};
use tristan_spec::Catalog;
use tristan_verdict::Answer;

/// Transactions and keys: ten times the transactions on the same keys, and on ten times the keys.
const SIZES: [(usize, u64); 4] =
    [(1_000, 2_000), (10_000, 2_000), (100_000, 2_000), (100_000, 20_000)];
const LEVELS: [&str; 8] = [
    "strong-session-serializable",
    "strong-session-snapshot-isolation",
    "serializable",
    "snapshot-isolation",
    "parallel-si",
    "causal",
    "read-atomic",
    "read-committed",
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().position(|argument| argument == "--case") {
        Some(at) => run_case(&arguments[at + 1..]),
        None => run_all(&arguments),
    }
}

fn run_all(arguments: &[String]) {
    let chosen: Vec<&str> = LEVELS
        .into_iter()
        .filter(|level| {
            let filters = arguments[1..].iter().filter(|argument| !argument.starts_with("--"));
            let mut filters = filters.peekable();
            filters.peek().is_none() || filters.any(|filter| level == filter)
        })
        .collect();
    say("| txns | keys | level | answer | wall s | µs/txn | peak MB | stages |");
    say("|---|---|---|---|---|---|---|---|");
    for (txns, keys) in SIZES {
        for level in &chosen {
            let program = std::env::current_exe().expect("this program has a path");
            let mut command = Command::new(program);
            command.args(["--case", &txns.to_string(), &keys.to_string(), level]);
            let output = command.output().expect("this program can be started");
            say(String::from_utf8_lossy(&output.stdout).trim_end());
        }
    }
}

fn run_case(arguments: &[String]) {
    let number = |at: usize| arguments[at].parse::<usize>().expect("a number");
    let (txns, keys) = (number(0), number(1) as u64);
    let level = Catalog::default().find(&arguments[2]).expect("a level");
    let history = listed_by_session(&atomic_store(&Shape { txns, keys, ..Shape::default() }));
    let before = peak_megabytes();
    let started = Instant::now();
    let passes =
        arguments.get(3).map_or_else(Passes::default, |list| list.parse().expect("passes"));
    let report = check(&history, &level, &Options { passes, ..Options::default() }, &Silent);
    let wall = started.elapsed().as_secs_f64();
    let answer = match report.verdict.answer {
        Answer::Accept { .. } => "accept",
        Answer::Reject { .. } => "reject",
        Answer::Unknown { .. } => "unknown",
    };
    say(&format!(
        "| {txns} | {keys} | {} | {answer} | {wall:.2} | {:.1} | {} (trace {before}) | {} |",
        level.name,
        wall * 1e6 / txns as f64,
        peak_megabytes(),
        stages(&report)
    ));
}

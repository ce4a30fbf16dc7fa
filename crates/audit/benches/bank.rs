//! How fast a bank is audited, and what each heuristic is worth:
//! `cargo bench -p tristan-audit --bench bank [TRANSACTIONS [CLIENTS [ACCOUNTS]]]`.

#[path = "../tests/common/bank.rs"]
mod bank;

use std::time::Instant;

use bank::{Bank, make};
use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, AuditOptions, Heuristics, audit};
use tristan_verdict::audit::AuditAnswer;

const LEVELS: [AuditLevel; 3] =
    [AuditLevel::Serializable, AuditLevel::StrongSnapshot, AuditLevel::ReadCommitted];

/// How long one audit may take, in milliseconds.
const PATIENCE: u64 = 20_000;

fn variants() -> [(&'static str, Heuristics); 5] {
    let all = Heuristics::default();
    [
        ("all", all),
        ("without index", Heuristics { index: false, ..all }),
        ("without window", Heuristics { window: false, ..all }),
        ("without merge", Heuristics { merge: false, ..all }),
        ("without stronger", Heuristics { stronger: false, ..all }),
    ]
}

#[allow(clippy::print_stdout, reason = "this is what it is for")]
fn main() {
    let args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let numbers: Vec<u64> = args.filter_map(|arg| arg.parse().ok()).collect();
    let number = |place: usize, usual: u64| numbers.get(place).copied().unwrap_or(usual);
    let (transactions, clients, accounts) = (number(0, 2_000), number(1, 8), number(2, 1_000));
    let made =
        make(Bank { accounts, clients, transactions, seed: 1, reads: 20, scans: 0, fault: None });
    println!("{transactions} transactions, {clients} clients, {accounts} accounts");
    let log = TextSource::new("bank", made.text.into_bytes());
    for level in LEVELS {
        for (name, heuristics) in variants() {
            let options =
                AuditOptions { heuristics, time: Some(PATIENCE), ..AuditOptions::new(level) };
            let begun = Instant::now();
            let verdict = audit(&log, &options).expect("a log");
            let word = match verdict.answer {
                AuditAnswer::Accept { .. } => "accept",
                AuditAnswer::Reject { .. } => "reject",
                AuditAnswer::Unknown { .. } => "unknown",
            };
            let seconds = begun.elapsed().as_secs_f64();
            let (runs, worlds) = (verdict.log.runs, verdict.log.worlds);
            println!(
                "{level:5} {name:17} {word:8} {seconds:8.2} s {runs:9} runs {worlds:4} worlds"
            );
        }
    }
}

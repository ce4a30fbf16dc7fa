//! How fast a bank is audited: `cargo run --release -p tristan-audit --example bank -- 1000000 ser`.

#[path = "../tests/common/bank.rs"]
mod bank;

use std::time::Instant;

use bank::{Bank, make};
use tristan_audit::log::TextSource;
use tristan_audit::{Level, Options, audit};
use tristan_verdict::audit::AuditAnswer;

#[allow(clippy::print_stdout, reason = "this is what it is for")]
fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |usual: u64| args.next().and_then(|arg| arg.parse().ok()).unwrap_or(usual);
    let (transactions, clients, accounts) = (number(100_000), number(8), number(1000));
    let levels: Vec<Level> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let levels = if levels.is_empty() { Level::ALL.to_vec() } else { levels };
    let begun = Instant::now();
    let made =
        make(Bank { accounts, clients, transactions, seed: 1, reads: 20, scans: 0, fault: None });
    println!("{} MB made in {:.1} s", made.text.len() / 1_000_000, begun.elapsed().as_secs_f64());
    let log = TextSource::new("bank", made.text.into_bytes());
    for level in levels {
        let begun = Instant::now();
        let verdict = match audit(&log, &Options::new(level)) {
            Ok(verdict) => verdict,
            Err(error) => {
                println!("{level}: {error}");
                continue;
            }
        };
        let word = match verdict.answer {
            AuditAnswer::Accept { .. } => "accept".to_owned(),
            AuditAnswer::Reject { rejection } => rejection.sentence,
            AuditAnswer::Unknown { reason, .. } => reason,
        };
        println!(
            "{level}: {word}, {:.1} s, {} statements run, at most {} worlds",
            begun.elapsed().as_secs_f64(),
            verdict.log.runs,
            verdict.log.worlds
        );
    }
}

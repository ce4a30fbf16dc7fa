//! How fast a log is audited: `cargo run --release -p tristan-audit --example log -- LOG LEVEL`.

use std::path::PathBuf;
use std::time::Instant;

use tristan_audit::log::FileSource;
use tristan_audit::{Level, Options, audit};
use tristan_verdict::audit::AuditAnswer;

#[allow(clippy::print_stdout, reason = "this is what it is for")]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let level: Level = args[2].parse().expect("a level");
    let log = FileSource::new(PathBuf::from(&args[1]));
    let begun = Instant::now();
    let mut options = Options::new(level);
    options.time = Some(args.get(3).map_or(120, |t| t.parse().unwrap()) * 1000);
    let verdict = audit(&log, &options).expect("a log");
    let word = match verdict.answer {
        AuditAnswer::Accept { .. } => "accept".to_owned(),
        AuditAnswer::Reject { rejection } => rejection.sentence,
        AuditAnswer::Unknown { reason, transaction, explained } => {
            format!("unknown {reason} {transaction:?} {explained}")
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{} {level}: {word}, {seconds:.1} s, {} txns, {:.0}/s, {} statements run, at most {} worlds",
        args[1],
        verdict.log.transactions,
        verdict.log.transactions as f64 / seconds,
        verdict.log.runs,
        verdict.log.worlds
    );
}

//! Follows a bank for a day of its own clock, with a fault at the end if one is asked for:
//!
//! ```sh
//! cargo bench -p tristan-audit --bench day -- 1000000 ser
//! cargo bench -p tristan-audit --bench day -- 1000000 log | tristan audit --follow - --level ser
//! ```
//!
//! Twelve times a day, it prints how far the log is judged and the resident memory.

#![allow(clippy::print_stdout, clippy::panic, reason = "this is what it is for")]

#[path = "../tests/common/bank.rs"]
mod bank;

use std::io::{self, BufWriter, Write as _};
use std::time::Instant;

use bank::{Bank, stream};
use tristan_audit::{AuditLevel, AuditOptions, FollowOptions, Followed, Follower};
use tristan_ground::{Budget, Silent, resident};
use tristan_verdict::audit::AuditAnswer;

/// A day in nanoseconds.
const DAY: i64 = 86_400_000_000_000;
/// How many ticks a transaction of a client takes.
const TICKS: i64 = 41;

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let transactions: u64 = args.next().map_or(20_000, |count| count.parse().expect("a number"));
    let level = args.next().unwrap_or_else(|| "ser".to_owned());
    let clients: u64 = args.next().map_or(8, |count| count.parse().expect("a number"));
    let bank = Bank {
        accounts: 1_000,
        clients,
        transactions,
        seed: 7,
        reads: 30,
        scans: 20_000,
        fault: None,
    };
    let ticks = i64::try_from(transactions / clients).expect("fits").max(1) * TICKS;
    if level == "log" {
        let mut out = BufWriter::new(io::stdout().lock());
        stream(bank, DAY / ticks, |line| out.write_all(line.as_bytes()).expect("a reader"));
    } else {
        follow(bank, DAY / ticks, level.parse().expect("a level"));
    }
}

fn follow(bank: Bank, tick: i64, level: AuditLevel) {
    let options = AuditOptions::new(level);
    let mut follower = Follower::new("day", &options, FollowOptions::default()).expect("a level");
    let (budget, begun) = (Budget::default(), Instant::now());
    let mut hour = 2;
    stream(bank, tick, |part| {
        for line in part.split_inclusive('\n') {
            follower.take_line(line.as_bytes()).expect("a line");
        }
        if !follower.is_due() {
            return;
        }
        let Followed::Explained(report) = follower.judge(&Silent, &budget).expect("a log") else {
            panic!("the bank is right");
        };
        if report.at >= DAY / 24 * hour {
            let memory = resident().unwrap_or(0) >> 20;
            let seconds = begun.elapsed().as_secs_f64();
            println!(
                "{hour:2} h: {} transactions in {} pieces, {memory} MB, {seconds:.1} s",
                report.transactions, report.pieces
            );
            hour += 2;
        }
    });
    let Followed::Over(verdict) = follower.finish(&Silent, &budget).expect("a log") else {
        panic!("the bank is right");
    };
    assert!(matches!(verdict.answer, AuditAnswer::Accept { .. }), "{verdict:?}");
    println!("{} transactions in {:.1} s", verdict.log.transactions, begun.elapsed().as_secs_f64());
}

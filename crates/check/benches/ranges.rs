//! Range reads, iterators, deletes and repeated values: `cargo bench -p tristan-check --bench ranges`.
//!
//! The workloads of the Boomslang paper, appendix A.5, on an in-memory store that is serializable or
//! snapshot isolated, and one lie of every kind in ten thousand transactions of the first of them.
//! Every case runs in a process of its own, so that its peak memory can be read.

#![allow(clippy::panic, reason = "a measurement that cannot run must stop")]

mod measure;

use std::process::Command;
use std::time::Instant;

use measure::{peak_megabytes, say, stages};
use tristan_check::{Options, Silent, check};
use tristan_generate::faults::{Fault, inject};
use tristan_generate::{StoreLevel, Workload};
use tristan_history::{History, OpKind};
use tristan_spec::Catalog;
use tristan_verdict::Answer;

const WORKLOADS: [&str; 3] = ["RandomBench", "RandomRange", "RandomRMWRange"];
const STORES: [&str; 2] = ["serializable", "snapshot"];
const LEVELS: [&str; 4] =
    ["serializable", "snapshot-isolation", "repeatable-read", "read-committed"];
const TXNS: usize = 10_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().position(|argument| argument == "--case") {
        Some(at) => run_case(&arguments[at + 1..]),
        None => run_all(),
    }
}

fn run_all() {
    say(
        "| workload | store | level or fault | answer | core | wall s | peak MB | observations | stages |",
    );
    say("|---|---|---|---|---|---|---|---|---|");
    for workload in WORKLOADS {
        for store in STORES {
            for level in LEVELS {
                start(&[workload, store, level]);
            }
        }
    }
    for (store, level) in
        STORES.into_iter().zip(["strong-session-serializable", "strong-session-snapshot-isolation"])
    {
        for fault in Fault::ALL {
            start(&["RandomBench", store, level, fault.name()]);
        }
    }
}

fn start(case: &[&str]) {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program).arg("--case").args(case).output();
    let output = output.expect("this program can be started");
    say(String::from_utf8_lossy(&output.stdout).trim_end());
}

fn run_case(arguments: &[String]) {
    let (workload, store, level, fault) =
        (&arguments[0], &arguments[1], &arguments[2], &arguments[3..]);
    let correct = history(workload, store);
    let fault = fault.first().map(|name| Fault::from_name(name).expect("a fault"));
    let history = fault.map_or_else(|| correct.clone(), |fault| inject(&correct, fault, 7).history);
    let level = Catalog::default().find(level).expect("a level");
    let started = Instant::now();
    let report = check(&history, &level, &Options::default(), &Silent);
    let wall = started.elapsed().as_secs_f64();
    let (answer, core) = match &report.verdict.answer {
        Answer::Accept { .. } => ("accept", 0),
        Answer::Reject { refutation, .. } => ("reject", refutation.core.len()),
        Answer::Unknown { .. } => ("unknown", 0),
    };
    let name = fault.map_or_else(|| level.name.clone(), |fault| fault.name().to_owned());
    say(&format!(
        "| {workload} | {store} | {name} | {answer} | {core} | {wall:.2} | {} | {} | {} |",
        peak_megabytes(),
        observations(&history),
        stages(&report),
    ));
}

fn history(workload: &str, store: &str) -> History {
    let workload = match workload {
        "RandomBench" => Workload::random_bench(),
        "RandomRange" => Workload::random_range(),
        _ => Workload::random_rmw_range(),
    };
    let level = match store {
        "serializable" => StoreLevel::Serializable,
        _ => StoreLevel::Snapshot,
    };
    Workload { txns: TXNS, level, ..workload }.run()
}

/// How many keys were read, counting every returned item of a range.
fn observations(history: &History) -> usize {
    let of = |kind: &OpKind| match kind {
        OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => {
            items.as_ref().map_or(0, |items| items.len())
        }
        OpKind::Get { .. } | OpKind::ReadModifyWrite { .. } => 1,
        _ => 0,
    };
    history.ops.iter().map(|op| of(&op.kind)).sum()
}

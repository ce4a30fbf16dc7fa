//! What the lattice of levels promises holds for the engine's verdicts.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Silent, check_levels};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::{History, OpKind};
use tristan_oracle::random;
use tristan_spec::lattice::Lattice;
use tristan_spec::{Catalog, Level};

const SEED: u64 = 7_000_001;

/// How many histories: `TRISTAN_HISTORIES`, by default enough for a quick look.
fn histories() -> u64 {
    std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000)
}

fn accepted(history: &History, levels: &[Level]) -> Vec<bool> {
    let reports = check_levels(history, levels, &Options::default(), &Silent);
    let judged = levels.iter().zip(reports).map(|(level, report)| {
        match certify(history, level, 0, &report.verdict) {
            Ok(Certified::Accept) => true,
            Ok(Certified::Reject) => false,
            other => {
                let (name, json) = (&level.name, report.verdict.to_json());
                panic!("{name}: {other:?}\n{}\n{json}", show(history))
            }
        }
    });
    judged.collect()
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

fn has_ranges(history: &History) -> bool {
    history.ops.iter().any(|op| matches!(op.kind, OpKind::Scan { .. } | OpKind::Iterate { .. }))
}

#[test]
fn every_implication_holds_on_random_histories() {
    holds(Lattice::library(), |_| true);
}

#[test]
fn without_range_reads_repeatable_read_is_serializable() {
    holds(Lattice::of_items(), |history| !has_ranges(history));
}

/// Tries every implication on the random histories that `wanted` lets pass.
fn holds(lattice: &Lattice, wanted: impl Fn(&History) -> bool) {
    let levels = Catalog::default().levels();
    let place = |name: &str| levels.iter().position(|level| level.name == name).expect(name);
    let pairs: Vec<(usize, usize)> = lattice.pairs().map(|(a, b)| (place(a), place(b))).collect();
    let mut tested = vec![0u64; pairs.len()];
    println!("seed {SEED}, {} histories, {} implications", histories(), pairs.len());
    for number in 0..histories() {
        let history = random::history(&mut Rng::new(SEED + number), Default::default());
        if !wanted(&history) {
            continue;
        }
        let accepted = accepted(&history, &levels);
        for (&(stronger, weaker), tested) in pairs.iter().zip(&mut tested) {
            *tested += u64::from(accepted[stronger]);
            assert!(
                accepted[weaker] || !accepted[stronger],
                "seed {SEED} history {number}: {} accepts and {} rejects\n{}",
                levels[stronger].name,
                levels[weaker].name,
                show(&history)
            );
        }
    }
    assert!(tested.iter().all(|&count| count > 0), "every implication was put to the test");
}

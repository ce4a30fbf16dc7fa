//! The engine and the brute-force oracle agree on random small histories, 60 000 per level, and
//! the certifier accepts every verdict.

#![allow(clippy::panic, clippy::print_stdout)]

use tristan_certify::certify;
use tristan_check::{Options, Silent, check, check_levels};
use tristan_history::generate::Rng;
use tristan_history::{History, formats};
use tristan_oracle::{Judgement, judge_all, random};
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, Verdict};

fn matches(verdict: &Verdict, judgement: Judgement) -> bool {
    matches!(
        (&verdict.answer, judgement),
        (Answer::Accept { .. }, Judgement::Accept)
            | (Answer::Reject { .. }, Judgement::Reject)
            | (_, Judgement::Unsupported)
    )
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

/// How many histories per test: `TRISTAN_HISTORIES`, by default a quarter of 60 000.
fn histories() -> u64 {
    std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse().ok()).unwrap_or(15_000)
}

fn compare(seed: u64, count: u64, levels: &[Level], options: &Options) {
    println!("seed {seed}, {count} histories, {} levels", levels.len());
    for number in 0..count {
        let mut rng = Rng::new(seed.wrapping_add(number));
        let history = random::history(&mut rng, random::RandomShape::default());
        let judgements = judge_all(&history, levels, 0);
        let together = check_levels(&history, levels, options, &Silent);
        for ((level, judgement), shared) in levels.iter().zip(judgements).zip(together) {
            let report = check(&history, level, options, &Silent);
            assert!(
                matches(&shared.verdict, judgement),
                "seed {seed} history {number}: {} differs when judged with the others\n{}",
                level.name,
                show(&history)
            );
            let certified = certify(&history, level, 0, &shared.verdict);
            assert!(certified.is_ok(), "seed {seed} history {number}: {certified:?}");
            assert!(
                matches(&report.verdict, judgement),
                "seed {seed} history {number} level {}: oracle says {judgement:?}, engine says\n{}\n{}",
                level.name,
                report.verdict.to_json(),
                show(&history)
            );
            let certified = certify(&history, level, 0, &report.verdict);
            assert!(
                certified.is_ok(),
                "seed {seed} history {number} level {}: certify says {certified:?} of\n{}\n{}",
                level.name,
                report.verdict.to_json(),
                show(&history)
            );
        }
    }
}

fn all_levels(part: u64) {
    compare(1 + part * 1_000_000, histories(), &Catalog::default().levels(), &Options::default());
}

// Four parts, so that they run side by side.

#[test]
fn engine_oracle_and_certifier_agree_1() {
    all_levels(0);
}

#[test]
fn engine_oracle_and_certifier_agree_2() {
    all_levels(1);
}

#[test]
fn engine_oracle_and_certifier_agree_3() {
    all_levels(2);
}

#[test]
fn engine_oracle_and_certifier_agree_4() {
    all_levels(3);
}

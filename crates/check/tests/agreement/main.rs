//! The engine and the brute-force oracle agree on random small histories at every level, whatever
//! the clock drift, and the certifier accepts every verdict.
//!
//! There are 20 000 histories in four parts, so that the parts run side by side. `TRISTAN_HISTORIES`
//! sets how many each part takes, `TRISTAN_SEED` where the first part starts. A failure names the
//! seed, and shows the smallest trace that was found with the same fault. To see the fault again, run
//! `TRISTAN_SEED=… TRISTAN_HISTORIES=1 cargo test -p tristan-check --test agreement _1`.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

mod smaller;

use tristan_certify::certify;
use tristan_check::{Options, Silent, check, check_levels};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::History;
use tristan_oracle::{Judgement, judge, judge_all, random};
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, UnknownReason, Verdict};

/// How many histories in each part.
const HISTORIES: u64 = 5_000;
/// How far the seeds of two parts are apart.
const PART: u64 = 10_000_000;
/// One in so many levels is also judged on its own, another one of them for every history.
const ALONE: u64 = 6;
/// How many faults are shown before a part gives up.
const SHOWN: usize = 5;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// What is wrong with a verdict; `None` if nothing is.
fn fault(
    history: &History,
    level: &Level,
    drift: i64,
    judgement: Judgement,
    verdict: &Verdict,
) -> Option<String> {
    let agree = match verdict.answer {
        Answer::Accept { .. } => judgement == Judgement::Accept,
        Answer::Reject { .. } => judgement == Judgement::Reject,
        // Such a trace is consistent with every level; `faults` asks the oracle about all of them.
        Answer::Unknown { reason: UnknownReason::NothingToJudge { .. }, .. } => {
            judgement == Judgement::Accept
        }
        Answer::Unknown { .. } => judgement == Judgement::Unsupported,
    };
    if !agree {
        return Some(format!("the oracle says {judgement:?}"));
    }
    let refused = certify(history, level, drift, verdict).err();
    refused.map(|refused| format!("the certifier refuses the verdict: {refused:?}"))
}

/// A random history with a clock drift.
fn drawn(seed: u64) -> (History, i64) {
    let mut rng = Rng::new(seed);
    let mut history = random::history(&mut rng, random::RandomShape::wide());
    let drift = random::drift(&mut rng, &mut history);
    (history, drift)
}

/// Every fault of the engine on one history.
fn faults(seed: u64, levels: &[Level]) -> Vec<String> {
    let (history, drift) = drawn(seed);
    let options = Options { drift, ..Options::default() };
    let judgements = judge_all(&history, levels, drift);
    let together = check_levels(&history, levels, &options, &Silent);
    let mut faults = Vec::new();
    for ((place, level), (judgement, report)) in
        (0..).zip(levels).zip(judgements.into_iter().zip(together))
    {
        if let Some(what) = fault(&history, level, drift, judgement, &report.verdict) {
            faults.push(format!("judged with the others, {}", told(seed, level, &what)));
        }
        if (seed + place).is_multiple_of(ALONE) {
            faults.extend(alone(&history, level, drift, judgement).map(|_| shown(seed, level)));
        }
    }
    faults
}

/// The fault of the verdict on one level.
fn alone(history: &History, level: &Level, drift: i64, judgement: Judgement) -> Option<String> {
    let options = Options { drift, ..Options::default() };
    let verdict = check(history, level, &options, &Silent).verdict;
    let what = fault(history, level, drift, judgement, &verdict)?;
    Some(format!("{what}\n{}", verdict.to_json()))
}

/// The smallest history with a fault that can be made of this one by leaving things out.
fn shown(seed: u64, level: &Level) -> String {
    let (history, drift) = drawn(seed);
    let wrong = |history: &History| alone(history, level, drift, judge(history, level, drift));
    let small = smaller::smallest(&history, &|history| wrong(history).is_some());
    let what = wrong(&small).unwrap_or_default();
    told(seed, level, &format!("clock drift {drift}: {what}\n{}", lines(&small)))
}

fn told(seed: u64, level: &Level, what: &str) -> String {
    format!("seed {seed}, level {}: {what}", level.name)
}

fn lines(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Events, &mut text).expect("memory does not fail");
    String::from_utf8_lossy(&text).into_owned()
}

fn compare(part: u64) {
    let seed = number("TRISTAN_SEED").unwrap_or(1) + part * PART;
    let count = number("TRISTAN_HISTORIES").unwrap_or(HISTORIES);
    let levels = Catalog::default().levels();
    println!("seeds {seed} to {}, {} levels", seed + count - 1, levels.len());
    let mut found = Vec::new();
    for seed in seed..seed + count {
        found.extend(faults(seed, &levels));
        if found.len() >= SHOWN {
            break;
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

#[test]
fn engine_oracle_and_certifier_agree_1() {
    compare(0);
}

#[test]
fn engine_oracle_and_certifier_agree_2() {
    compare(1);
}

#[test]
fn engine_oracle_and_certifier_agree_3() {
    compare(2);
}

#[test]
fn engine_oracle_and_certifier_agree_4() {
    compare(3);
}

//! Explanations are true: of rejected histories whose reads have known sources, every claim of the
//! refutation is recomputed from the trace, by rules written down here once more.
//!
//! - The source that is named for a read is the true one, or is told as one of all possible ones.
//! - Every edge, literal, fact and bad read holds in the trace, and all they speak of is in the core.
//! - The trace of the core alone is rejected, and if the core is called minimal, the trace without any
//!   one transaction of it is accepted (what "without" means: see `left_out`).
//! - Lines that the text quotes are those of the transactions it speaks of.
//! - In the small trace of `shrink`, every read still has its true source.
//!
//! `TRISTAN_EXPLANATIONS` sets how many rejections are looked at, `TRISTAN_SEED` the first seed.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

mod claims;
mod left_out;
mod quotes;
mod reading;
mod store;

use std::collections::BTreeMap;

use tristan_check::budget::Limits;
use tristan_check::shrink::shrink;
use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::{Datum, History};
use tristan_oracle::{Judgement, judge};
use tristan_report::{ReportContext, Style, text};
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, Refutation, Source, Verdict};

use claims::Claims;
use left_out::Part;
use reading::{Look, Reading};
use store::{Place, Told};

const REJECTIONS: u64 = 400;
/// The oracle judges traces of at most this many transactions.
const SMALL: usize = 6;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The trace with its lines, as text and as it is read.
fn written(history: &History) -> (String, History) {
    let mut bytes = Vec::new();
    formats::write(history, formats::WriteForm::Events, &mut bytes).expect("memory does not fail");
    let again = formats::read(&bytes[..], "told", None).expect("it is a trace");
    (String::from_utf8(bytes).expect("a trace is text"), again)
}

/// The truth in the numbers of another history with the same names of transactions.
fn renumbered(truth: &BTreeMap<Place, Source>, history: &History) -> BTreeMap<Place, Source> {
    let numbers: BTreeMap<String, u32> =
        history.txn_ids().map(|txn| (history.label(txn), txn.0)).collect();
    let of = |old: u32| numbers.get(&format!("t{old}")).copied();
    let source = |from: Source| match from {
        Source::Txn(txn) => of(txn).map(Source::Txn),
        Source::Initial => Some(Source::Initial),
    };
    let moved = |((txn, op, key), from): (&Place, &Source)| {
        Some(((of(*txn)?, *op, key.clone()), source(*from)?))
    };
    truth.iter().filter_map(moved).collect()
}

fn accepts(history: &History, level: &Level) -> bool {
    if history.txns.len() <= SMALL {
        return judge(history, level, 0) != Judgement::Reject;
    }
    let verdict = check(history, level, &Options::default(), &Silent).verdict;
    !matches!(verdict.answer, Answer::Reject { .. })
}

/// What is wrong with the core.
fn wrong_core(reading: &Reading<'_>, level: &Level, refutation: &Refutation) -> Vec<String> {
    let core = &refutation.core;
    let mut wrong = Vec::new();
    if refutation.bad.is_none() && accepts(&Part::core(reading, core).trace(), level) {
        wrong.push(format!("the core {core:?} alone is accepted"));
    }
    for &txn in core.iter().filter(|_| refutation.minimal) {
        let others = Part::without(reading, core, txn);
        let unclear = level.family == "monotonic-atomic-view" && others.splits_scans();
        if !unclear && !accepts(&others.trace(), level) {
            wrong.push(format!("without {txn}, the minimal core {core:?} is still rejected"));
        }
    }
    wrong
}

/// Reads of a small trace whose true source is not among their possible ones.
fn misled(told: &Told, small: &History) -> Vec<String> {
    let reading = Reading::of(small);
    let labels: BTreeMap<u32, String> =
        small.txn_ids().map(|txn| (txn.0, small.label(txn))).collect();
    let name = |source: Source| match source {
        Source::Txn(txn) => labels[&txn].clone(),
        Source::Initial => "the start".to_owned(),
    };
    let mut wrong = Vec::new();
    for seen in &reading.reads {
        let whole: Vec<(&Place, &Source)> = told
            .truth
            .iter()
            .filter(|((txn, _, key), _)| {
                format!("t{txn}") == labels[&seen.txn.0] && *key == *small.key(seen.key)
            })
            .collect();
        let possible: Vec<String> = match reading.candidates(seen) {
            none if none.is_empty() => {
                reading.ever_wrote(seen).iter().map(|txn| labels[&txn.0].clone()).collect()
            }
            some => some.into_iter().map(name).collect(),
        };
        // Operations may have been left out before this one: any read of the key will do.
        let fits = whole.iter().any(|(_, from)| match from {
            Source::Txn(txn) => possible.contains(&format!("t{txn}")),
            Source::Initial => possible.iter().any(|source| source == "the start"),
        });
        if !fits && !matches!(&seen.look, Look::List(elements) if elements.is_empty()) {
            wrong.push(format!("{seen:?} of the small trace: {possible:?}, truly {whole:?}"));
        }
    }
    wrong
}

/// Everything that is wrong with one rejection.
fn wrong(told: &Told, level: &Level, trace: &str, verdict: &Verdict) -> Vec<String> {
    let Answer::Reject { refutation, .. } = &verdict.answer else { return Vec::new() };
    let reading = Reading::of(&told.history);
    let mut wrong = Claims::untrue(&reading, &told.truth, refutation);
    wrong.extend(wrong_core(&reading, level, refutation));
    let page = text(verdict, &ReportContext::default(), Style::default());
    let quotes = quotes::untrue(trace, &page);
    if !quotes.is_empty() {
        wrong.extend(quotes);
        wrong.push(page);
    }
    if let Some(small) =
        shrink(&told.history, level, &Options::default(), verdict, &Limits::default())
    {
        wrong.extend(misled(told, &small.history));
    }
    wrong
}

/// Whether a read truly saw what was never installed (the version of an aborted transaction, or one that its
/// writer replaced), and yet an installed version or an unknown start explains it as well. By all that the
/// trace shows it read that one, so no explanation can name the true writer.
fn is_undecidable(told: &Told) -> bool {
    let reading = Reading::of(&told.history);
    reading.reads.iter().any(|seen| {
        let key = told.history.key(seen.key).clone();
        let truth = told.truth.get(&(seen.txn.0, seen.op, key));
        let possible = reading.candidates(seen);
        !possible.is_empty() && truth.is_some_and(|from| !possible.contains(from))
    })
}

#[test]
fn every_reason_of_a_rejection_is_true() {
    let levels = Catalog::default().levels();
    let (first, count) = (number("TRISTAN_SEED", 1), number("TRISTAN_EXPLANATIONS", REJECTIONS));
    println!("seed {first}, {count} rejections");
    let (mut seed, mut rejected) = (first, 0);
    let mut shown = Vec::new();
    while rejected < count && shown.len() < 3 {
        let Told { history, truth } = store::run(&mut Rng::new(seed));
        let (trace, history) = written(&history);
        let told = Told { truth: renumbered(&truth, &history), history };
        if is_undecidable(&told) {
            seed += 1;
            continue;
        }
        let picked = [seed as usize * 7, seed as usize * 11 + 3];
        for level in picked.map(|place| &levels[place % levels.len()]) {
            let verdict = check(&told.history, level, &Options::default(), &Silent).verdict;
            rejected += u64::from(matches!(verdict.answer, Answer::Reject { .. }));
            let wrong = wrong(&told, level, &trace, &verdict);
            if !wrong.is_empty() {
                let wrong = wrong.join("\n");
                let json = serde_json::to_string(&verdict.answer).expect("an answer is JSON");
                shown.push(format!("seed {seed}, level {}:\n{wrong}\n{trace}{json}", level.name));
            }
        }
        seed += 1;
    }
    println!("{} histories", seed - first);
    assert!(shown.is_empty(), "{}", shown.join("\n\n"));
}

#[test]
fn the_store_knows_where_reads_came_from() {
    for seed in 0..2_000 {
        let Told { history, truth } = store::run(&mut Rng::new(seed));
        let reading = Reading::of(&history);
        for seen in &reading.reads {
            let key: Datum = history.key(seen.key).clone();
            let from = truth[&(seen.txn.0, seen.op, key)];
            let dirty = matches!(from, Source::Txn(txn) if reading.ever_wrote(seen).iter().any(|t| t.0 == txn));
            let possible = reading.candidates(seen);
            assert!(possible.contains(&from) || dirty, "seed {seed}: {seen:?} from {from:?}");
        }
    }
}

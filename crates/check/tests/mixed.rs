//! Mixed levels: each transaction gets what it was promised.
//!
//! Engine, brute force and certifier agree on random histories whose transactions have levels of
//! their own; the borders between the promises are where Adya draws them; and where all were
//! promised the same, nothing is new.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Pass, Passes, Silent, check, check_levels, promises};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::{History, HistoryBuilder, Outcome};
use tristan_oracle::random::{self, RandomShape};
use tristan_oracle::{Judgement, judge, judge_all};
use tristan_spec::{Catalog, Level, Promise};
use tristan_verdict::{Answer, UnknownReason};

fn level(name: &str) -> Level {
    Catalog::default().find(name).expect(name)
}

fn mixed() -> [Level; 3] {
    ["plain-mixed", "strong-session-mixed", "strong-mixed"].map(level)
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Compact, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

fn random_history(seed: u64) -> History {
    random::history(&mut Rng::new(seed), RandomShape { levels: true, ..RandomShape::wide() })
}

/// Whether the level accepts the history; the evidence is certified on the way.
fn accepts(history: &History, level: &Level, passes: &Passes) -> bool {
    let options = Options { passes: passes.clone(), ..Options::default() };
    let verdict = check(history, level, &options, &Silent).verdict;
    // Nothing could show, so the history is consistent with the level.
    if let Answer::Unknown { reason: UnknownReason::NothingToJudge { .. }, .. } = verdict.answer {
        return true;
    }
    match certify(history, level, 0, &verdict) {
        Ok(Certified::Accept) => true,
        Ok(Certified::Reject) => false,
        other => panic!("{}: {other:?}\n{}\n{}", level.name, verdict.to_json(), show(history)),
    }
}

/// How many histories per test: `TRISTAN_HISTORIES`, 10 000 by default.
fn histories() -> u64 {
    std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000)
}

fn agree(seed: u64) {
    println!("seed {seed}, {} histories, 3 levels", histories());
    let (levels, passes) = (mixed(), Passes::default());
    let (mut accepted, mut rejected) = (0, 0);
    for number in 0..histories() {
        let history = random_history(seed + number);
        for (level, judgement) in levels.iter().zip(judge_all(&history, &levels, 0)) {
            let expected = match judgement {
                Judgement::Accept => true,
                Judgement::Reject => false,
                Judgement::Unsupported => continue,
            };
            let found = accepts(&history, level, &passes);
            let place = format!("seed {seed} history {number} level {}", level.name);
            assert_eq!(found, expected, "{place}\n{}", show(&history));
            *(if found { &mut accepted } else { &mut rejected }) += 1;
        }
    }
    println!("{accepted} accepted, {rejected} rejected");
    assert!(accepted > 0 && rejected > 0, "both answers occur");
}

// Two parts, so that they run side by side.

#[test]
fn engine_oracle_and_certifier_agree_1() {
    agree(61_000_000);
}

#[test]
fn engine_oracle_and_certifier_agree_2() {
    agree(62_000_000);
}

#[test]
fn passes_change_no_verdict() {
    let seed = 63_000_000;
    let configurations = Pass::ALL.map(|pass| Passes::default().without(pass));
    for number in 0..histories() / 20 {
        let history = random_history(seed + number);
        for level in mixed() {
            if judge(&history, &level, 0) == Judgement::Unsupported {
                continue;
            }
            let expected = accepts(&history, &level, &Passes::only(&[]));
            for passes in &configurations {
                let found = accepts(&history, &level, passes);
                assert_eq!(found, expected, "seed {seed} history {number}\n{}", show(&history));
            }
        }
    }
}

/// If all were promised the same, a mixed level is that level, and it is judged next to others.
#[test]
fn one_promise_for_all_is_that_level() {
    let seed = 64_000_000;
    let pairs = Promise::ALL.map(|promise| {
        let strengths = ["plain-", "strong-session-", "strong-"];
        let same = strengths.map(|strength| level(&format!("{strength}{}", promise.name())));
        (promise, same)
    });
    for number in 0..histories() / 20 {
        let mut history = random_history(seed + number);
        if judge(&history, &level("mixed"), 0) == Judgement::Unsupported {
            continue;
        }
        for (promise, same) in &pairs {
            history.txns.iter_mut().for_each(|txn| txn.level = Some(promise.name().into()));
            let both = [&mixed()[..], &same[..]].concat();
            let reports = check_levels(&history, &both, &Options::default(), &Silent);
            let accepted: Vec<bool> = reports
                .iter()
                .map(|report| matches!(report.verdict.answer, Answer::Accept { .. }))
                .collect();
            let place = format!("seed {seed} history {number} {}", promise.name());
            assert_eq!(accepted[..3], accepted[3..], "{place}\n{}", show(&history));
        }
    }
}

/// A history and the level of each of its transactions.
fn promised(levels: &[&str], build: impl FnOnce(&mut HistoryBuilder)) -> History {
    let mut builder = HistoryBuilder::default();
    build(&mut builder);
    let mut history = builder.finish();
    assert_eq!(history.txns.len(), levels.len(), "one level each");
    for (txn, level) in history.txns.iter_mut().zip(levels) {
        txn.level = Some((*level).into());
    }
    history
}

/// Whether plain mixed levels accept; engine, brute force and certifier must say the same.
fn holds(history: &History) -> bool {
    let level = level("mixed");
    let found = accepts(history, &level, &Passes::default());
    let expected = if found { Judgement::Accept } else { Judgement::Reject };
    assert_eq!(judge(history, &level, 0), expected, "{}", show(history));
    found
}

#[test]
fn a_write_skew_needs_two_who_were_promised_more() {
    let skew = |first, second| {
        holds(&promised(&[first, second], |builder| {
            builder.begin("a").get("x", None).put("y", 1).end(Outcome::Committed);
            builder.begin("b").get("y", None).put("x", 1).end(Outcome::Committed);
        }))
    };
    assert!(!skew("serializable", "serializable"));
    assert!(!skew("repeatable-read", "SERIALIZABLE"));
    assert!(skew("serializable", "read-committed"));
    assert!(skew("read uncommitted", "serializable"));
    assert!(skew("read-committed", "read-committed"));
}

#[test]
fn a_phantom_is_seen_by_the_serializable_only() {
    let phantom = |first, second| {
        holds(&promised(&[first, second], |builder| {
            let scan = builder.begin("a").scan("a".."z", &[]);
            scan.scan("a".."z", &[("k", 1)]).end(Outcome::Committed);
            builder.begin("b").put("k", 1).end(Outcome::Committed);
        }))
    };
    assert!(phantom("repeatable-read", "read-uncommitted"));
    assert!(!phantom("serializable", "read-uncommitted"));
    assert!(phantom("read-committed", "serializable"));
}

#[test]
fn a_read_repeats_for_those_who_were_promised_so() {
    let twice = |first, second| {
        holds(&promised(&[first, second], |builder| {
            builder.begin("a").get("x", None).get("x", Some(1)).end(Outcome::Committed);
            builder.begin("b").put("x", 1).end(Outcome::Committed);
        }))
    };
    assert!(!twice("repeatable-read", "read-uncommitted"));
    assert!(twice("read-committed", "serializable"));
    assert!(twice("read-uncommitted", "serializable"));
}

#[test]
fn dirty_reads_are_for_those_who_were_promised_nothing_better() {
    let aborted = |reader| {
        holds(&promised(&["serializable", reader], |builder| {
            builder.begin("a").put("x", 1).end(Outcome::Aborted);
            builder.begin("b").get("x", Some(1)).end(Outcome::Committed);
        }))
    };
    let intermediate = |reader| {
        holds(&promised(&["serializable", reader], |builder| {
            builder.begin("a").put("x", 1).put("x", 2).end(Outcome::Committed);
            builder.begin("b").get("x", Some(1)).end(Outcome::Committed);
        }))
    };
    let thin_air = |reader| {
        holds(&promised(&[reader], |builder| {
            builder.begin("b").get("x", Some(1)).end(Outcome::Committed);
        }))
    };
    for dirty in [aborted, intermediate] {
        assert!(dirty("pl-1"));
        assert!(!dirty("pl-2") && !dirty("pl-2.99") && !dirty("pl-3"));
    }
    assert!(!thin_air("pl-1"), "nobody wrote it");
}

/// An element that was appended twice makes a list unreadable: it shows no order, to nobody.
#[test]
fn lists_that_are_not_interpreted_reject_nothing() {
    let history = promised(&["pl-1"; 5], |builder| {
        builder.begin("a").append("x", 1).end(Outcome::Committed);
        builder.begin("b").append("x", 2).end(Outcome::Committed);
        builder.begin("c").append("x", 1).end(Outcome::Committed);
        builder.begin("d").list("x", &[1, 2]).end(Outcome::Committed);
        builder.begin("e").list("x", &[2, 1]).end(Outcome::Committed);
    });
    for name in ["mixed", "read-uncommitted"] {
        let verdict = check(&history, &level(name), &Options::default(), &Silent).verdict;
        assert!(matches!(verdict.answer, Answer::Unknown { .. }), "{}", verdict.to_json());
    }
}

/// What a transaction of unknown outcome wrote counts as committed only if somebody relies on it.
#[test]
fn a_dirty_read_does_not_show_that_its_source_committed() {
    let torn = |reader| {
        holds(&promised(&["pl-3", reader, "pl-3"], |builder| {
            builder.begin("a").put("x", 1).put("y", 1).end(Outcome::Unknown);
            builder.begin("b").get("x", Some(1)).put("z", 1).end(Outcome::Committed);
            builder.begin("c").get("y", None).get("z", Some(1)).end(Outcome::Committed);
        }))
    };
    assert!(torn("read uncommitted"));
    assert!(!torn("read committed"));
}

#[test]
fn the_smallest_rejected_history_is_rejected() {
    let catalog = Catalog::default();
    let text = &catalog.family("mixed").expect("it is found by name").smallest_rejected;
    let mut history = formats::read(text.as_bytes(), "mixed", None).expect("well formed");
    for level in mixed() {
        assert!(!accepts(&history, &level, &Passes::default()), "{}", level.name);
    }
    history.txns[0].level = Some("read-committed".into());
    assert!(holds(&history), "it was not promised that reads repeat");
}

#[test]
fn who_was_promised_nothing_cannot_be_judged() {
    for (own, general, found) in [
        (None, None, "no level"),
        (Some("snapshot isolation"), Some("rc"), "level \"snapshot isolation\""),
        (None, Some("causal"), "level \"causal\" of the header"),
    ] {
        let mut history = promised(&["rc", "rc"], |builder| {
            builder.begin("a").put("x", 1).end(Outcome::Committed);
            builder.begin("b").get("x", Some(1)).end(Outcome::Committed);
        });
        history.header.level = general.map(str::to_owned);
        history.txns[1].level = own.map(Box::from);
        history.txns[1].lines = (7, 9);
        let unpromised = promises(&history).expect_err("the second has no promise");
        assert_eq!((&unpromised.txn[..], unpromised.line), ("T2", 7));
        assert_eq!(unpromised.found, found);
        let verdict = check(&history, &level("mixed"), &Options::default(), &Silent).verdict;
        let Answer::Unknown { reason: UnknownReason::Unsupported { what }, .. } = verdict.answer
        else {
            panic!("{}", verdict.to_json())
        };
        assert_eq!(what, format!("line 7: {unpromised}"));
        assert_eq!(judge(&history, &level("mixed"), 0), Judgement::Unsupported);
    }
}

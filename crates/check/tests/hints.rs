//! Hints make a check easier and change no verdict, whether they are right or wrong.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::BTreeMap;

use tristan_certify::{Certified, certify};
use tristan_check::ir::Superpositions;
use tristan_check::{Options, Pass, Passes, Silent, check};
use tristan_formats as formats;
use tristan_generate::{Rng, Workload};
use tristan_history::{
    Hints, History, HistoryBuilder, KeyId, Observed, OpKind, OpRef, OrderHint, Outcome, SourceHint,
    StampHint, TxnId,
};
use tristan_oracle::random::{self, RandomShape};
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Verdict};

/// A serializable run, listed in its serial order.
fn serial_run() -> History {
    Workload { txns: 1_000, keys: 200, ..Workload::random_bench() }.run()
}

/// Where every point read of a serial run came from.
fn true_sources(history: &History) -> Vec<SourceHint> {
    let mut last: BTreeMap<KeyId, TxnId> = BTreeMap::new();
    let mut hints = Vec::new();
    for txn in history.txn_ids() {
        let mut own: Vec<KeyId> = Vec::new();
        for (op, operation) in history.ops_of(txn).iter().enumerate() {
            match operation.kind {
                OpKind::Get { key, .. } if !own.contains(&key) => {
                    let op = OpRef { txn, op: op as u32 };
                    let from = last.get(&key).copied();
                    hints.push(SourceHint { op, key, from, line: operation.line });
                }
                OpKind::Put { key, .. } | OpKind::Delete { key, .. } => own.push(key),
                _ => {}
            }
        }
        last.extend(own.into_iter().map(|key| (key, txn)));
    }
    hints
}

/// The writers of every key, in serial order.
fn true_orders(history: &History) -> Vec<OrderHint> {
    let mut writers: BTreeMap<KeyId, Vec<TxnId>> = BTreeMap::new();
    for txn in history.txn_ids() {
        for op in history.ops_of(txn) {
            if let OpKind::Put { key, .. } | OpKind::Delete { key, .. } = op.kind {
                let writers = writers.entry(key).or_default();
                if writers.last() != Some(&txn) {
                    writers.push(txn);
                }
            }
        }
    }
    let hint = |(key, writers)| OrderHint { key, writers, line: 1 };
    writers.into_iter().map(hint).collect()
}

fn true_stamps(history: &History) -> Vec<StampHint> {
    let stamp = |txn: TxnId| {
        let commit = i64::from(txn.0) * 2;
        StampHint { txn, start: Some(commit - 1), commit: Some(commit), line: 1 }
    };
    history.txn_ids().map(stamp).collect()
}

fn measured(history: &History, level: &str) -> (Verdict, Superpositions) {
    let level = Catalog::default().find(level).expect("it is in the library");
    let options = Options { count: true, ..Options::default() };
    let report = check(history, &level, &options, &Silent);
    let certified = certify(history, &level, 0, &report.verdict);
    assert!(certified.is_ok(), "{certified:?}");
    (report.verdict, report.superpositions.expect("a problem was posed"))
}

#[test]
fn growing_hints_leave_fewer_superpositions_and_the_same_verdict() {
    for level in ["serializable", "strong-session-serializable", "snapshot-isolation"] {
        let mut history = serial_run();
        let mut counts = vec![measured(&history, level)];
        history.hints.sources = true_sources(&history);
        counts.push(measured(&history, level));
        history.hints.orders = true_orders(&history);
        counts.push(measured(&history, level));
        history.hints.stamps = true_stamps(&history);
        counts.push(measured(&history, level));
        let total = |counted: &Superpositions| counted.sources + counted.links;
        for pair in counts.windows(2) {
            println!("{level}: {:?}", pair[1].1);
            assert!(total(&pair[1].1) < total(&pair[0].1), "{:?} {:?}", pair[0].1, pair[1].1);
        }
        assert!(counts.iter().all(|(verdict, _)| matches!(verdict.answer, Answer::Accept { .. })));
        let (last, open) = &counts[3];
        assert_eq!((open.reads, open.links), (0, 0), "times decide everything");
        assert!(last.assumptions.iter().all(|one| !one.status.contains("not used")), "{last:?}");
    }
}

/// Hints that say anything at all.
fn spoil(history: &mut History, rng: &mut Rng) {
    let txns = history.txns.len() as u64;
    let any = |rng: &mut Rng| TxnId::new(rng.below(txns) as usize);
    let mut hints = Hints::default();
    for txn in history.txn_ids() {
        for (op, operation) in history.ops_of(txn).iter().enumerate() {
            let read =
                matches!(operation.kind, OpKind::Get { seen, .. } if seen != Observed::Unknown);
            if let Some(key) = operation.kind.key().filter(|_| read && rng.percent(60)) {
                let from = rng.percent(70).then(|| any(rng));
                let op = OpRef { txn, op: op as u32 };
                hints.sources.push(SourceHint { op, key, from, line: 1 });
            }
        }
        if rng.percent(40) {
            let (start, commit) = (rng.below(9) as i64, rng.below(9) as i64);
            let stamp = StampHint { txn, start: Some(start), commit: Some(commit), line: 1 };
            hints.stamps.push(stamp);
        }
    }
    for key in (0..history.keys.len()).map(KeyId::new) {
        let writers = (0..rng.below(4)).map(|_| any(rng)).collect();
        hints.orders.push(OrderHint { key, writers, line: 1 });
    }
    history.hints = hints;
}

#[test]
fn wrong_hints_change_no_verdict() {
    let seed = 4_000;
    println!("seed {seed}");
    let catalog = Catalog::default();
    let names = [
        "serializable",
        "strong-session-serializable",
        "snapshot-isolation",
        "strong-snapshot-isolation",
        "repeatable-read",
        "read-committed",
        "causal",
        "parallel-si",
        "read-uncommitted",
    ];
    let without = Passes::default().without(Pass::Hints);
    for number in 0..3_000 {
        let mut rng = Rng::new(seed + number);
        let mut history = random::history(&mut rng, RandomShape::default());
        spoil(&mut history, &mut rng);
        for name in names {
            let level = catalog.find(name).expect("it is in the library");
            let hinted = check(&history, &level, &Options::default(), &Silent).verdict;
            let options = Options { passes: without.clone(), ..Options::default() };
            let plain = check(&history, &level, &options, &Silent).verdict;
            let certified = certify(&history, &level, 0, &hinted);
            assert!(certified.is_ok(), "history {number} {name}: {certified:?}");
            let same =
                std::mem::discriminant(&hinted.answer) == std::mem::discriminant(&plain.answer);
            assert!(same, "history {number} {name}: hints change the verdict");
        }
    }
}

#[test]
fn contradicting_hints_are_reported_with_both_places() {
    let trace = r#"{"tristan":"trace/1"}
{"s":1,"t":"A","op":"put","k":"x","v":1}
{"s":1,"t":"A","op":"commit"}
{"s":2,"t":"B","op":"put","k":"x","v":2}
{"s":2,"t":"B","op":"commit"}
{"hint":"order","k":"x","txns":["A","B"]}
{"hint":"order","k":"x","txns":["B","A"]}
"#;
    let history = formats::read(trace.as_bytes(), "trace", None).expect("it is well formed");
    let level = Catalog::default().find("serializable").expect("it is in the library");
    let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
    assert_eq!(certify(&history, &level, 0, &verdict), Ok(Certified::Accept));
    let said = verdict.assumptions.iter().find(|one| one.status.contains("contradictory"));
    let said = said.expect("it is said");
    assert_eq!(said.what, "hints: lines 6 and 7 order B and A differently on x");
}

#[test]
fn hints_that_do_not_fit_the_trace_are_said_and_dropped() {
    let trace = r#"{"tristan":"trace/1"}
{"s":1,"t":"A","op":"put","k":"x","v":1}
{"s":1,"t":"A","op":"commit"}
{"s":1,"t":"B","op":"put","k":"x","v":2}
{"s":1,"t":"B","op":"commit"}
{"hint":"order","k":"x","txns":["B","A"]}
"#;
    let history = formats::read(trace.as_bytes(), "trace", None).expect("it is well formed");
    let level = Catalog::default().find("strong-session-serializable").expect("a level");
    let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
    assert_eq!(certify(&history, &level, 0, &verdict), Ok(Certified::Accept));
    assert!(verdict.assumptions.iter().any(|one| one.status.contains("contradicts the trace")));
}

#[test]
fn a_hint_may_name_a_transaction_of_unknown_outcome() {
    let mut builder = HistoryBuilder::default();
    builder.begin("s1").get("x", 1).put("y", 1).end(Outcome::Committed);
    builder.begin("s1").put("x", 1).end(Outcome::Committed);
    builder.begin("s2").get("y", 1).put("x", 1).end(Outcome::Unknown);
    let mut history = builder.finish();
    let (op, key) = (OpRef { txn: TxnId(0), op: 0 }, KeyId(0));
    history.hints.sources.push(SourceHint { op, key, from: Some(TxnId(2)), line: 1 });
    for name in ["read-atomic", "causal", "strong-session-serializable", "serializable"] {
        let level = Catalog::default().find(name).expect("a level");
        let with = check(&history, &level, &Options::default(), &Silent).verdict;
        let plain = History { hints: Hints::default(), ..history.clone() };
        let without = check(&plain, &level, &Options::default(), &Silent).verdict;
        assert_eq!(with.answer.is_accept(), without.answer.is_accept(), "{name}");
        let keeps_sessions = ["causal", "strong-session-serializable"].contains(&name);
        assert!(!keeps_sessions || !with.answer.is_accept(), "{name}");
    }
}

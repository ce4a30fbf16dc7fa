//! Operations that may or may not have taken effect: the engine accepts a trace exactly if it accepts
//! one of its resolved histories, and the cases of a rejection cover all of them.

#![allow(clippy::panic, reason = "helpers of tests")]

use tristan_check::{Options, Silent, check, check_levels, emit};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::{History, Observed, Op, OpKind, OpStatus};
use tristan_oracle::random;
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, Fate, Refutation, Verdict};

fn read(lines: &[&str]) -> History {
    let text = format!("{{\"tristan\":\"trace/1\"}}\n{}\n", lines.join("\n"));
    formats::read(text.as_bytes(), "t", None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn level(name: &str) -> Level {
    Catalog::default().find(name).expect(name)
}

fn verdict(history: &History, name: &str) -> Verdict {
    check(history, &level(name), &Options::default(), &Silent).verdict
}

fn effects(verdict: &Verdict) -> Vec<(u32, u32)> {
    match &verdict.answer {
        Answer::Accept { witness } => {
            assert!(witness.effects.iter().all(|fate| fate.effect));
            witness.effects.iter().map(|fate| (fate.txn, fate.op)).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn refutation(verdict: &Verdict) -> &Refutation {
    match &verdict.answer {
        Answer::Reject { refutation, .. } => refutation,
        other => panic!("{other:?}"),
    }
}

const COMMIT_A: &str = r#"{"s":1,"t":"A","op":"commit"}"#;
const COMMIT_B: &str = r#"{"s":2,"t":"B","op":"commit"}"#;

/// What A did without an answer, and what B saw of x, with x = 1 at the start where A put it.
fn traces() -> Vec<(&'static str, History)> {
    let put = r#"{"s":1,"t":"A","op":"put","k":"x","v":1}"#;
    let present = r#"{"s":2,"t":"B","op":"get","k":"x","v":1}"#;
    let changed = r#"{"s":2,"t":"B","op":"get","k":"x","v":2}"#;
    let absent = r#"{"s":2,"t":"B","op":"get","k":"x","v":null}"#;
    let list = r#"{"s":1,"t":"A","op":"append","k":"l","v":1}"#;
    let forms: [(&str, &[&str], &[&str]); 9] = [
        (
            "put",
            &[put, r#"{"call":1,"s":1,"t":"A","op":"put","k":"x","v":2}"#],
            &[present, changed],
        ),
        (
            "conditional put",
            &[put, r#"{"call":1,"s":1,"t":"A","op":"put","k":"x","v":2,"if":"present"}"#],
            &[present, changed],
        ),
        (
            "unseen conditional put",
            &[r#"{"s":1,"t":"A","op":"put","k":"x","v":1,"if":"absent","unseen":true}"#],
            &[absent, present],
        ),
        ("delete", &[put, r#"{"call":1,"s":1,"t":"A","op":"delete","k":"x"}"#], &[present, absent]),
        (
            "rmw",
            &[put, r#"{"call":1,"s":1,"t":"A","op":"rmw","k":"x","v":2}"#],
            &[present, changed],
        ),
        (
            "append",
            &[list, r#"{"call":1,"s":1,"t":"A","op":"append","k":"l","v":2}"#],
            &[
                r#"{"s":2,"t":"B","op":"list","k":"l","v":[1]}"#,
                r#"{"s":2,"t":"B","op":"list","k":"l","v":[1,2]}"#,
            ],
        ),
        (
            "rollback",
            &[
                put,
                r#"{"s":1,"t":"A","op":"savepoint","name":"p"}"#,
                r#"{"s":1,"t":"A","op":"put","k":"x","v":2}"#,
                r#"{"call":1,"s":1,"t":"A","op":"rollback","name":"p"}"#,
            ],
            &[present, changed],
        ),
        (
            "savepoint",
            &[
                r#"{"s":1,"t":"A","op":"savepoint","name":"p"}"#,
                put,
                r#"{"call":1,"s":1,"t":"A","op":"savepoint","name":"p"}"#,
                r#"{"s":1,"t":"A","op":"put","k":"x","v":2}"#,
                r#"{"s":1,"t":"A","op":"rollback","name":"p"}"#,
            ],
            &[present, absent],
        ),
        (
            "insert seen by a row count",
            &[r#"{"call":1,"s":1,"t":"A","op":"put","k":"x","v":1}"#],
            &[
                r#"{"s":2,"t":"B","op":"delete","k":"x","rows":0}"#,
                r#"{"s":2,"t":"B","op":"delete","k":"x","rows":1}"#,
            ],
        ),
    ];
    let both_ways = forms.into_iter().flat_map(|(name, done, seen)| {
        seen.iter().map(move |seen| {
            let lines = [done, &[COMMIT_A, *seen, COMMIT_B]].concat();
            (name, read(&lines))
        })
    });
    both_ways.collect()
}

#[test]
fn either_fate_is_accepted_at_every_level() {
    let levels: Vec<Level> =
        Catalog::default().levels().into_iter().filter(|level| !level.asks_promises()).collect();
    for (name, history) in traces() {
        for report in check_levels(&history, &levels, &Options::default(), &Silent) {
            let verdict = report.verdict;
            let accepted = matches!(verdict.answer, Answer::Accept { .. });
            assert!(accepted, "{name} at {}: {}", verdict.level, verdict.to_json());
        }
    }
}

#[test]
fn a_witness_names_what_took_effect() {
    let of = |seen: &str| {
        read(&[
            r#"{"call":1,"s":1,"t":"A","op":"put","k":"x","v":1}"#,
            r#"{"call":2,"s":3,"t":"C","op":"put","k":"x","v":7}"#,
            COMMIT_A,
            r#"{"s":3,"t":"C","op":"commit"}"#,
            seen,
            COMMIT_B,
        ])
    };
    let seen = of(r#"{"s":2,"t":"B","op":"get","k":"x","v":1}"#);
    assert_eq!(effects(&verdict(&seen, "serializable")), [(0, 0)]);
    let missed = of(r#"{"s":2,"t":"B","op":"get","k":"x","v":null}"#);
    assert_eq!(effects(&verdict(&missed, "serializable")), []);
}

#[test]
fn a_write_without_an_answer_is_not_seen_now_and_then() {
    let torn = read(&[
        r#"{"call":1,"s":1,"t":"A","op":"put","k":"x","v":1}"#,
        COMMIT_A,
        r#"{"s":2,"t":"B","op":"get","k":"x","v":1}"#,
        r#"{"s":2,"t":"B","op":"get","k":"x","v":null}"#,
        COMMIT_B,
    ]);
    let verdict = verdict(&torn, "read-atomic");
    let refutation = refutation(&verdict);
    let fates: Vec<&[Fate]> = refutation.cases.iter().map(|case| case.fates.as_slice()).collect();
    let fate = |effect| Fate { txn: 0, op: 0, effect };
    assert_eq!(fates, [&[fate(true)], &[fate(false)]]);
    assert_eq!(refutation.core, [0, 1]);
    assert!(refutation.bad.is_none() && refutation.conflicts.is_empty());
    let Answer::Reject { anomaly, .. } = &verdict.answer else { panic!("a reject") };
    assert!(anomaly.sentence.starts_with("If A's write x ← 1 (never returned) took effect:"));
    assert!(anomaly.sentence.contains("If A's write x ← 1 (never returned) did not take effect:"));
    assert!(verdict.transactions[0].ops[0].text.ends_with("(never returned)"));
}

#[test]
fn a_refutation_that_speaks_of_something_else_has_no_cases() {
    let skew = read(&[
        r#"{"call":1,"s":1,"t":"A","op":"put","k":"x","v":1}"#,
        COMMIT_A,
        r#"{"s":2,"t":"B","op":"get","k":"x","v":1}"#,
        COMMIT_B,
        r#"{"s":4,"t":"D","op":"get","k":"y","v":9}"#,
        r#"{"s":4,"t":"D","op":"commit"}"#,
    ]);
    let verdict = verdict(&skew, "serializable");
    let refutation = refutation(&verdict);
    assert!(refutation.cases.is_empty(), "{}", verdict.to_json());
    assert_eq!(refutation.core, [2]);
}

#[test]
fn an_emitted_problem_says_which_fates_it_is_about() {
    let history = &traces()[1].1;
    let text = emit::smt2(history, &level("serializable"), &Options::default()).expect("a script");
    assert!(text.contains("transaction 0, operation 1: assumed that it has"), "{text}");
}

/// The test's own reading of an operation without an answer.
fn is_unsure(op: &Op) -> bool {
    match op.kind {
        OpKind::Get { .. } | OpKind::ReadList { .. } | OpKind::Scan { .. } => false,
        OpKind::Iterate { .. } => false,
        OpKind::PutIf { rows: None, .. } => op.status != OpStatus::Failed,
        _ => op.status == OpStatus::Pending,
    }
}

fn resolve(op: &mut Op, effect: bool) {
    op.status = if effect { OpStatus::Done } else { OpStatus::Failed };
    op.kind = match op.kind.clone() {
        OpKind::PutIf { key, value, .. } => OpKind::Put { key, value },
        OpKind::Delete { key, .. } => OpKind::Delete { key, rows: None },
        OpKind::ReadModifyWrite { key, value, .. } => {
            OpKind::ReadModifyWrite { key, value, seen: Observed::Unknown }
        }
        other => other,
    };
}

/// Every resolved history, with the fates of all operations in question.
fn resolved(history: &History) -> Vec<(Vec<Fate>, History)> {
    let places: Vec<(u32, u32)> = history
        .txn_ids()
        .flat_map(|txn| {
            let ops = (0..).zip(history.ops_of(txn)).filter(|(_, op)| is_unsure(op));
            ops.map(move |(at, _)| (txn.0, at)).collect::<Vec<_>>()
        })
        .collect();
    let choices = 0..1u32 << places.len();
    let choice = |choice: u32| {
        let mut resolved = history.clone();
        let fate = |(bit, &(txn, op)): (usize, &(u32, u32))| {
            let effect = choice >> bit & 1 == 1;
            let first = history.txns[txn as usize].first_op;
            resolve(&mut resolved.ops[(first + op) as usize], effect);
            Fate { txn, op, effect }
        };
        let fates = places.iter().enumerate().map(fate).collect();
        (fates, resolved)
    };
    choices.map(choice).collect()
}

/// Takes away some answers.
fn forget_answers(history: &mut History, rng: &mut Rng) -> usize {
    let mut forgotten = 0;
    for op in &mut history.ops {
        if forgotten == 4 || op.status == OpStatus::Failed || !rng.percent(25) {
            continue;
        }
        match &mut op.kind {
            OpKind::PutIf { rows, .. } if rng.percent(50) => *rows = None,
            OpKind::PutIf { rows, .. } | OpKind::Delete { rows, .. } => {
                *rows = None;
                op.status = OpStatus::Pending;
            }
            OpKind::ReadModifyWrite { seen, .. } => {
                *seen = Observed::Unknown;
                op.status = OpStatus::Pending;
            }
            OpKind::Get { .. } | OpKind::ReadList { .. } => continue,
            OpKind::Scan { .. } | OpKind::Iterate { .. } => continue,
            _ => op.status = OpStatus::Pending,
        }
        forgotten += 1;
    }
    forgotten
}

#[test]
fn the_engine_agrees_with_trying_every_fate() {
    let names =
        ["serializable", "snapshot-isolation", "causal", "read-committed", "read-uncommitted"];
    let levels: Vec<Level> = names.iter().map(|name| level(name)).collect();
    let (mut with_cases, mut accepted) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let mut history = random::history(&mut rng, random::RandomShape::default());
        if forget_answers(&mut history, &mut rng) == 0 || resolved(&history).len() > 128 {
            continue;
        }
        let all = resolved(&history);
        let reports = check_levels(&history, &levels, &Options::default(), &Silent);
        for (level, report) in levels.iter().zip(reports) {
            let judge = |history: &History| {
                check(history, level, &Options::default(), &Silent).verdict.answer
            };
            let answers: Vec<Answer> = all.iter().map(|(_, history)| judge(history)).collect();
            let any_accepts = answers.iter().any(|answer| matches!(answer, Answer::Accept { .. }));
            let all_reject = answers.iter().all(|answer| matches!(answer, Answer::Reject { .. }));
            let told = || format!("seed {seed}, {}: {}", level.name, report.verdict.to_json());
            match &report.verdict.answer {
                Answer::Accept { witness } => {
                    assert!(any_accepts, "{}", told());
                    let took = |fate: &Fate| {
                        witness.effects.contains(&Fate { effect: true, ..*fate }) == fate.effect
                    };
                    let chosen = |(fates, _): &&(Vec<Fate>, History)| fates.iter().all(took);
                    let chosen = all.iter().position(|all| chosen(&all)).expect("one of them");
                    assert!(matches!(answers[chosen], Answer::Accept { .. }), "{}", told());
                    accepted += 1;
                }
                Answer::Reject { refutation, .. } => {
                    assert!(all_reject, "{}", told());
                    for (fates, _) in all.iter().filter(|_| !refutation.cases.is_empty()) {
                        let covers = |case: &tristan_verdict::Case| {
                            case.fates.iter().all(|fate| fates.contains(fate))
                        };
                        assert!(refutation.cases.iter().any(covers), "{}", told());
                    }
                    with_cases += usize::from(!refutation.cases.is_empty());
                }
                Answer::Unknown { .. } => assert!(!any_accepts && !all_reject, "{}", told()),
            }
        }
    }
    assert!(with_cases > 50 && accepted > 500, "{with_cases} {accepted}");
}

//! Histories written as Cobra's logs, and read again.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use common::told;
use tristan_formats::{Format, WriteForm, losses, open, write, write_to};
use tristan_generate::Rng;
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, KeyId, Observed, OpKind, OpRef, OpStatus, Outcome,
    OwnWrites, Presence, Session, SourceHint, TxnId,
};

/// A folder that is not there yet.
fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cobra-{name}"));
    if path.exists() {
        fs::remove_dir_all(&path).expect("an old folder can go");
    }
    path
}

/// Writes a history and reads it again.
fn again(history: &History, name: &str) -> History {
    let path = place(name);
    write_to(history, WriteForm::Cobra, &path).expect("a new folder");
    let again = open(&path, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    fs::remove_dir_all(&path).expect("the folder can go");
    again
}

fn lost(history: &History) -> Vec<String> {
    losses(history, WriteForm::Cobra)
}

/// A history in which every value is written once.
fn plain() -> HistoryBuilder {
    let mut builder = HistoryBuilder::default();
    let zero = builder.value(0);
    builder.history_mut().header.initial = Initial::Uniform(zero);
    builder.begin("T4").put(7, 1).put(8, 2).end(Outcome::Committed);
    builder.begin("T5").get(7, Some(1)).get(9, Some(0)).end(Outcome::Committed);
    builder.begin("T4").put(7, 3).end(Outcome::Aborted);
    builder
}

#[test]
fn what_was_read_from_logs_is_written_as_it_was() {
    let first = again(&plain().finish(), "plain");
    assert_eq!(lost(&first), Vec::<String>::new());
    let second = again(&first, "plain-again");
    assert_eq!(told(&first), told(&second));
    let names: Vec<String> = second.sessions.iter().map(|s| s.name.to_string()).collect();
    assert_eq!(names, ["T4", "T5"]);
    assert_eq!(second.txns[1].outcome, Outcome::Aborted);
    assert_eq!(second.hints.sources.len(), 2);
}

#[test]
fn values_that_are_written_once_stay() {
    let history = again(&plain().finish(), "values");
    let values: Vec<String> = (0..4).map(|value| history.values.get(value).to_string()).collect();
    assert_eq!(values, ["1", "2", "3", "init"]);
}

#[test]
fn a_value_of_several_writers_makes_the_trace_anonymous() {
    let mut builder = HistoryBuilder::default();
    builder.begin("T1").put(7, 5).end(Outcome::Committed);
    builder.begin("T2").put(7, 5).end(Outcome::Committed);
    builder.begin("T3").get(7, Some(5)).end(Outcome::Committed);
    let mut history = builder.finish();
    assert_eq!(lost(&history), Vec::<String>::new());
    let read = again(&history, "anonymous");
    assert!(read.hints.sources.is_empty(), "nobody is named");
    assert_eq!(sources(&read), sources(&history));

    let op = OpRef { txn: TxnId(2), op: 0 };
    let hint = SourceHint { op, key: KeyId(0), from: Some(TxnId(1)), line: 1 };
    history.hints.sources.push(hint);
    assert_eq!(lost(&history), ["that sources of reads were only hints (they become certain): 1"]);
    let read = again(&history, "hinted");
    assert_eq!(read.hints.sources[0].from, Some(TxnId(1)));

    let mut builder = HistoryBuilder::from(history);
    builder.begin("T4").get(7, Some(5)).get(8, None).end(Outcome::Committed);
    assert_eq!(lost(&builder.finish()), ["hints about the sources of reads: 1"]);
}

#[test]
fn a_write_of_the_initial_value_cannot_be_told_from_the_initial_state() {
    let mut builder = plain();
    builder.begin("T6").put(9, 0).end(Outcome::Committed);
    let mut history = builder.finish();
    assert_eq!(
        lost(&history),
        ["that reads may have seen a write of the initial value (they name the initial state): 1"]
    );
    let op = OpRef { txn: TxnId(1), op: 1 };
    for from in [None, Some(TxnId(3))] {
        let hint = SourceHint { op, key: KeyId(2), from, line: 1 };
        history.hints.sources = vec![hint];
        let said = "that sources of reads were only hints (they become certain): 1";
        assert_eq!(lost(&history), [said]);
        let read = again(&history, "initial");
        assert_eq!(read.hints.sources[1].from.is_none(), from.is_none());
    }
}

#[test]
fn a_committed_version_is_named_rather_than_another_write_of_the_value() {
    let mut builder = HistoryBuilder::default();
    builder.begin("T1").put(7, 5).end(Outcome::Aborted);
    builder.begin("T2").put(7, 5).put(7, 6).end(Outcome::Committed);
    builder.begin("T3").put(7, 5).end(Outcome::Committed);
    builder.begin("T4").get(7, Some(5)).end(Outcome::Committed);
    let history = builder.finish();
    assert_eq!(lost(&history), Vec::<String>::new());
    let read = again(&history, "committed");
    assert_eq!(read.hints.sources[0].from, Some(TxnId(2)));
}

#[test]
fn a_key_that_was_there_at_the_start_is_absent_only_by_a_delete() {
    let mut builder = plain();
    builder.begin("T6").delete(9).end(Outcome::Committed);
    builder.begin("T7").get(9, None).end(Outcome::Committed);
    let history = builder.finish();
    assert_eq!(lost(&history), Vec::<String>::new());
    assert_eq!(sources(&again(&history, "deleted")), sources(&history));
    let mut builder = plain();
    builder.begin("T7").get(10, None).end(Outcome::Committed);
    let lost = lost(&builder.finish());
    assert_eq!(lost, ["initial values of keys that were only ever found absent: 1"]);
}

#[test]
fn everything_that_gets_lost_is_listed() {
    let mut builder = HistoryBuilder::default();
    builder.begin("alice").append("x", 1).list("x", &[1]).end(Outcome::Committed);
    builder
        .begin("bob")
        .put_if(7, 1, Presence::Present, Some(1))
        .put_if(7, 2, Presence::Absent, Some(0))
        .put_if(8, 3, Presence::Absent, Some(1))
        .scan_keys(0..9, &[(7, 1)])
        .savepoint("s")
        .put(9, 4)
        .rollback("s")
        .during(5, 6)
        .end(Outcome::Unknown);
    builder.begin("bob").get(7, Some(1)).end(Outcome::Committed);
    let locked = OpKind::Get { key: builder.key(7), seen: Observed::Unknown, locking: true };
    builder.begin("bob").op(locked).get(9, Some(9)).end(Outcome::Committed);
    let mut history = builder.finish();
    history.ops[0].status = OpStatus::Failed;
    history.ops[1].status = OpStatus::Pending;
    history.txns[1].name = Some(Box::new("B".into()));
    history.txns[1].level = Some("si".into());
    history.txns[1].error = Some("timeout".into());
    history.header.initial = Initial::Unknown;
    history.header.own_writes = OwnWrites::May;
    history.header.database = Some("a database".into());
    history.header.level = Some("si".into());
    history.header.assumptions = vec!["unique-values".into()];
    history.notes = vec![(1, "a note".into())];
    assert_eq!(
        lost(&history),
        [
            "that the initial state is unknown (it becomes what was read and never written)",
            "that reads need not see own writes (now they have to)",
            "the database",
            "the claimed level",
            "the assumptions",
            "the notes",
            "names of sessions (they become numbers): 2",
            "names of transactions (they become numbers): 1",
            "keys and values other than natural numbers of 64 bits (they become hashes): 1",
            "times of transactions: 1",
            "levels of transactions: 1",
            "errors that ended transactions: 1",
            "unknown outcomes (they become committed if another transaction saw a write, else aborted): 1",
            "operations that failed: 1",
            "operations that never returned (writes become certain): 1",
            "results that were not recorded: 1",
            "row counts that show that a key was present: 2",
            "operations on lists: 2",
            "range reads (returned items become reads, other keys are lost): 1",
            "savepoints and rollbacks (undone operations are omitted): 2",
            "locks taken by reads: 1",
        ]
    );
    let read = again(&history, "lossy");
    assert_eq!(read.txns[1].outcome, Outcome::Committed, "somebody read what it wrote");
    let kinds: Vec<&str> = read.ops.iter().map(|op| kind(&op.kind)).collect();
    assert_eq!(kinds, ["put", "get", "put", "get", "get", "get"]);
}

fn kind(kind: &OpKind) -> &'static str {
    match kind {
        OpKind::Get { .. } => "get",
        OpKind::Put { .. } => "put",
        OpKind::Delete { .. } => "delete",
        _ => "something else",
    }
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let path = place("taken");
    fs::create_dir_all(&path).expect("a folder");
    let history = plain().finish();
    write_to(&history, WriteForm::Cobra, &path).expect("an empty folder is fine");
    let error = write_to(&history, WriteForm::Cobra, &path).expect_err("now it is not");
    assert_eq!(error.to_string(), "the folder is not empty; a trace needs its own folder");
    let error = write(&history, WriteForm::Cobra, &mut Vec::new()).expect_err("no folder");
    assert_eq!(error.to_string(), "this format is a folder, not a file");
    assert!(write_to(&history, WriteForm::Cobra, &path.join("T4.log")).is_err(), "a file");
    fs::write(path.join("T9.debug"), "no log").expect("another file");
    assert_eq!(open(&path, Some(Format::Cobra)).expect("a trace").sessions.len(), 2);
    let error = open(&path, Some(Format::Simple)).expect_err("a folder");
    let expected = "found a folder, expected a file, because simple traces are files";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn numbers_that_mean_something_else_are_avoided() {
    let init = 0xbebe_ebee;
    let mut builder = HistoryBuilder::default();
    builder.begin("T1").put(init, init).get(init, Some(init)).end(Outcome::Committed);
    builder.begin("T2").get(init, Some(init)).get(7, Some(init)).end(Outcome::Committed);
    let mut history = builder.finish();
    history.txns[0].name = Some(Box::new("bebeebee".into()));
    let read = again(&history, "marks");
    assert_eq!(sources(&read), sources(&history));
    assert_eq!(read.label(TxnId(0)), "1");
}

/// What every read of a committed transaction can have come from, from the definitions.
fn sources(history: &History) -> Vec<String> {
    let committed = |id: &TxnId| history.txn(*id).outcome == Outcome::Committed;
    let mut sessions: Vec<&Session> = history.sessions.iter().collect();
    sessions.sort_by_key(|session| &session.name);
    let txns = sessions.into_iter().flat_map(|session| session.txns.iter().copied());
    txns.filter(committed).flat_map(|id| sources_of(history, id)).collect()
}

fn sources_of(history: &History, reader: TxnId) -> Vec<String> {
    let mut own: Vec<(KeyId, Observed)> = Vec::new();
    let mut all = Vec::new();
    for (key, seen, written) in accesses(history, reader) {
        if let Some(seen) = seen {
            let last = own.iter().rev().find(|(other, _)| *other == key).map(|(_, value)| *value);
            let found = match last {
                Some(last) => format!("own {}", last == seen),
                None => external(history, reader, key, seen),
            };
            all.push(format!("{} {found}", history.key(key)));
        }
        own.extend(written.map(|value| (key, value)));
    }
    all
}

/// What a transaction read and then wrote, key by key.
fn accesses(
    history: &History,
    id: TxnId,
) -> impl Iterator<Item = (KeyId, Option<Observed>, Option<Observed>)> {
    history.ops_of(id).iter().map(|op| match op.kind {
        OpKind::Get { key, seen, .. } => (key, Some(seen), None),
        OpKind::Put { key, value } => (key, None, Some(Observed::Value(value))),
        OpKind::Delete { key, .. } => (key, None, Some(Observed::Absent)),
        OpKind::ReadModifyWrite { key, seen, value } => {
            (key, Some(seen), Some(Observed::Value(value)))
        }
        _ => panic!("not made here"),
    })
}

fn external(history: &History, reader: TxnId, key: KeyId, seen: Observed) -> String {
    let mut installed = BTreeSet::new();
    let (mut dirty, mut future) = (false, false);
    for session in &history.sessions {
        for (place, &id) in session.txns.iter().enumerate() {
            let writes = accesses(history, id).filter(|access| access.0 == key);
            let writes: Vec<Observed> = writes.filter_map(|access| access.2).collect();
            let effective = history.txn(id).outcome != Outcome::Aborted;
            match writes.last() {
                _ if id == reader => future |= writes.contains(&seen),
                Some(last) if effective && *last == seen => {
                    installed.insert((session.name.to_string(), place));
                }
                _ => dirty |= writes.contains(&seen),
            }
        }
    }
    let initial = history.initial_of(key) == Some(seen);
    match (initial, installed.is_empty()) {
        (false, true) if dirty => "dirty".to_owned(),
        (false, true) if future => "future".to_owned(),
        (false, true) => "nobody".to_owned(),
        (initial, _) => format!("{initial} {installed:?}"),
    }
}

/// A random history of what logs can say.
fn random(seed: u64) -> History {
    let mut rng = Rng::new(seed);
    let mut builder = HistoryBuilder::default();
    let zero = builder.value(0);
    builder.history_mut().header.initial = match rng.below(6) {
        0 => Initial::Uniform(zero),
        1 => Initial::Given([(builder.key(1), zero)].into_iter().collect()),
        _ => Initial::Empty,
    };
    let unique = rng.percent(50);
    let mut fresh = 0;
    for _ in 0..rng.below(12) + 1 {
        let session = format!("T{}", rng.below(3) + 1);
        let mut txn = builder.begin(session.as_str());
        for _ in 0..rng.below(5) {
            let key = rng.below(if unique { 3 } else { 2 }) as i64;
            fresh += 1;
            let value = if unique { fresh } else { rng.below(2) as i64 + 1 };
            let old = rng.below(if unique { fresh as u64 + 2 } else { 4 }) as i64;
            txn = match rng.below(6) {
                0 => txn.delete(key),
                1 | 2 => txn.put(key, value),
                3 => txn.get(key, None),
                _ => txn.get(key, Some(old)),
            };
        }
        txn.end(if rng.percent(80) { Outcome::Committed } else { Outcome::Aborted });
    }
    builder.finish()
}

#[test]
fn no_read_gains_or_loses_a_source_unless_that_is_said() {
    let (mut kept, mut anonymous) = (0, 0);
    for seed in 0..500 {
        let history = random(seed);
        let read = again(&history, "random");
        let fine = lost(&history).is_empty();
        if fine {
            kept += 1;
            assert_eq!(sources(&read), sources(&history), "seed {seed}");
        }
        anonymous += usize::from(fine && repeats(&read));
        let twice = again(&read, "random-again");
        if lost(&read).is_empty() {
            assert_eq!(sources(&twice), sources(&read), "seed {seed}, the second time");
        }
        assert_eq!(read.txns.len(), history.txns.len());
        assert_eq!(read.ops.len(), history.ops.len());
    }
    assert!(kept > 300, "{kept} of 500 are told completely");
    assert!(anonymous > 30, "{anonymous} of them have values that repeat");
}

/// Whether a value is written to a key more than once.
fn repeats(history: &History) -> bool {
    let mut written = BTreeSet::new();
    let puts = history.ops.iter().filter_map(|op| match op.kind {
        OpKind::Put { key, value } => Some((key, value)),
        _ => None,
    });
    !puts.into_iter().all(|put| written.insert(put))
}

#[test]
fn read_modify_writes_become_reads_and_writes() {
    let mut builder = HistoryBuilder::default();
    let (key, value) = (builder.key(7), builder.value(1));
    let first = OpKind::ReadModifyWrite { key, seen: Observed::Absent, value };
    builder.begin("T1").op(first).end(Outcome::Committed);
    let second = builder.value(2);
    let second = OpKind::ReadModifyWrite { key, seen: Observed::Value(value), value: second };
    builder.begin("T2").op(second).end(Outcome::Committed);
    let history = builder.finish();
    assert_eq!(lost(&history), Vec::<String>::new());
    let read = again(&history, "rmw");
    assert_eq!(sources(&read), sources(&history));
    assert_eq!(read.ops.len(), 4);
}

#[test]
fn keys_that_are_no_numbers_stay_apart() {
    let mut builder = HistoryBuilder::default();
    let keys = ["x".into(), "y".into(), Datum::Int(-1), Datum::from(&b"x"[..]), Datum::Int(0)];
    for (number, key) in keys.into_iter().enumerate() {
        builder.begin("T1").put(key, number as i64 + 1).end(Outcome::Committed);
    }
    let read = again(&builder.finish(), "keys");
    assert_eq!(read.keys.len(), 5);
}

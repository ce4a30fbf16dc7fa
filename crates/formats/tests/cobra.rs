//! Cobra's logs, byte by byte.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::told;
use tristan_formats::TraceError;
use tristan_formats::{Folder, Format, detect, read, read_folder};
use tristan_history::{
    Datum, History, Initial, Observed, OpKind, Outcome, SourceHint, Span, TxnId,
};

const INIT: u64 = 0xbebe_ebee;
const NULL: u64 = 0xdead_beef;
const DELETE: u64 = 0xabcd_efab;
const ANON: u64 = 0xabdd_efee;
const MISSING: u64 = 0xadea_fbee;
const COLLECTOR: u64 = 0x2333_2333;

/// A log being written.
#[derive(Clone, Default)]
struct Log(Vec<u8>);

impl Log {
    fn record(mut self, tag: u8, numbers: &[u64]) -> Self {
        self.0.push(tag);
        self.0.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        self
    }

    fn begin(self, txn: u64) -> Self {
        self.record(b'S', &[txn])
    }

    fn write(self, write: u64, key: u64, content: u64) -> Self {
        self.record(b'W', &[write, key, content])
    }

    fn read(self, writer: u64, write: u64, key: u64, content: u64) -> Self {
        self.record(b'R', &[writer, write, key, content])
    }

    fn commit(self, txn: u64) -> Self {
        self.record(b'C', &[txn])
    }

    fn abort(self, txn: u64) -> Self {
        self.record(b'A', &[txn])
    }
}

fn log() -> Log {
    Log::default()
}

fn folder(logs: &[(&str, Log)]) -> Folder {
    Folder::in_memory("run", logs.iter().map(|(name, log)| ((*name).to_owned(), log.0.clone())))
}

fn open(logs: &[(&str, Log)]) -> Result<History, TraceError> {
    read_folder(&folder(logs), Some(Format::Cobra))
}

fn history(logs: &[(&str, Log)]) -> History {
    open(logs).unwrap_or_else(|error| panic!("{error}"))
}

/// The complaint about one file.
fn complaint(log: Log) -> String {
    match open(&[("T1.log", log)]) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// What every read saw.
fn seen(history: &History) -> Vec<String> {
    let seen = history.ops.iter().filter_map(|op| match op.kind {
        OpKind::Get { seen: Observed::Value(value), .. } => Some(history.value(value).to_string()),
        OpKind::Get { seen: Observed::Absent, .. } => Some("absent".to_owned()),
        _ => None,
    });
    seen.collect()
}

#[test]
fn a_trace_of_two_sessions() {
    let history = history(&[
        ("T10.log", log().begin(0x1f).write(500, 7, 70).commit(0x1f).begin(0x20).commit(0x20)),
        ("T11.log", log().begin(0x2a).read(INIT, INIT, 8, 1).read(0x1f, 500, 7, 70).commit(0x2a)),
    ]);
    let sessions: Vec<String> = history.sessions.iter().map(|s| s.name.to_string()).collect();
    assert_eq!(sessions, ["T10", "T11"]);
    let names: Vec<String> = history.txn_ids().map(|id| history.label(id)).collect();
    assert_eq!(names, ["1f", "20", "2a"]);
    assert!(history.txns.iter().all(|txn| txn.outcome == Outcome::Committed));
    assert_eq!(seen(&history), ["init", "500"]);
    let lines: Vec<(u32, u32)> = history.txns.iter().map(|txn| txn.lines).collect();
    assert_eq!(lines, [(1, 3), (4, 5), (1, 4)]);
    let Initial::Given(given) = &history.header.initial else { panic!("a key was loaded") };
    let given: Vec<(&Datum, String)> = given
        .iter()
        .map(|(key, value)| (history.key(*key), history.value(*value).to_string()))
        .collect();
    assert_eq!(given, [(&Datum::Int(8), "init".to_owned())]);
    let from: Vec<(u32, Option<TxnId>)> =
        history.hints.sources.iter().map(|hint| (hint.line, hint.from)).collect();
    assert_eq!(from, [(2, None), (3, Some(TxnId(0)))]);
}

#[test]
fn keys_and_ids_use_all_64_bits() {
    let history =
        history(&[("T1.log", log().begin(u64::MAX).write(u64::MAX, u64::MAX, 0).commit(u64::MAX))]);
    assert_eq!(history.keys.get(0), &Datum::Int(u64::MAX.into()));
    assert_eq!(*history.values.get(0), Datum::Int(u64::MAX.into()));
    assert_eq!(history.label(TxnId(0)), "ffffffffffffffff");
}

#[test]
fn an_absent_key_is_absent_unless_it_was_also_loaded() {
    let absent = log().begin(1).read(NULL, NULL, 7, 0).commit(1);
    assert_eq!(seen(&history(&[("T1.log", absent.clone())])), ["absent"]);
    let loaded = log().begin(2).read(INIT, INIT, 7, 9).commit(2);
    let both = history(&[("T1.log", absent), ("T2.log", loaded)]);
    assert_eq!(seen(&both), ["init", "init"]);
    assert!(both.hints.sources.iter().all(|hint| hint.from.is_none()));
}

#[test]
fn deletes_have_one_id_and_hints_tell_whose_it_was() {
    let history = history(&[
        ("T1.log", log().begin(1).write(DELETE, 7, 0).commit(1)),
        ("T2.log", log().begin(2).read(1, DELETE, 7, 0).read(3, DELETE, 7, 0).commit(2)),
        ("T4.log", log().begin(4).write(DELETE, 7, 0).read(DELETE, DELETE, 7, 0).commit(4)),
    ]);
    assert!(matches!(history.ops[0].kind, OpKind::Delete { rows: None, .. }));
    assert_eq!(seen(&history), ["absent", "absent", "absent"]);
    let [SourceHint { from: Some(TxnId(0)), .. }] = history.hints.sources[..] else {
        panic!("one hint: {:?}", history.hints.sources);
    };
}

#[test]
fn anonymous_writes_are_known_by_their_content() {
    let history = history(&[
        ("T1.log", log().begin(1).write(ANON, 7, 70).write(DELETE, 8, 0).commit(1)),
        ("T2.log", log().begin(2).write(ANON, 7, 70).read(INIT, INIT, 9, 3).commit(2)),
        ("T3.log", log().begin(3).read(ANON, ANON, 7, 70).read(NULL, NULL, 8, 0).commit(3)),
    ]);
    assert_eq!(seen(&history), ["init", "70", "absent"]);
    let values: Vec<u32> = history
        .ops
        .iter()
        .filter_map(|op| match op.kind {
            OpKind::Put { value, .. } => Some(value.0),
            _ => None,
        })
        .collect();
    assert_eq!(values, [0, 0], "both wrote the same value");
    assert_eq!(history.hints.sources.len(), 1, "only the initial state is named");
}

#[test]
fn what_no_log_has_written_stays_a_value_that_nobody_wrote() {
    let writer = log().begin(1).write(500, 7, 70).commit(1);
    for (read, value) in [
        (log().begin(2).read(9, 900, 7, 70).commit(2), "900"),
        (log().begin(2).read(1, 900, 7, 70).commit(2), "900"),
        (log().begin(2).read(1, 500, 7, 71).commit(2), "500 with another content"),
        (log().begin(2).read(1, 500, 8, 70).commit(2), "500 with another key"),
        (log().begin(2).read(9, 500, 7, 70).commit(2), "500 with another transaction"),
    ] {
        let history = history(&[("T1.log", writer.clone()), ("T2.log", read)]);
        assert_eq!(seen(&history), [value]);
        assert!(history.hints.sources.is_empty(), "{value}");
    }
}

#[test]
fn own_writes_may_be_read_and_aborted_transactions_may_be_logged() {
    let history = history(&[(
        "T1.log",
        log()
            .begin(1)
            .write(500, 7, 70)
            .read(1, 500, 7, 70)
            .commit(1)
            .begin(2)
            .write(501, 7, 71)
            .abort(2),
    )]);
    assert_eq!(seen(&history), ["500"]);
    assert!(history.hints.sources.is_empty());
    assert_eq!(history.txns[1].outcome, Outcome::Aborted);
}

#[test]
fn times_bound_begin_and_end() {
    let timed = log()
        .record(b'S', &[1, 1000])
        .write(500, 7, 70)
        .record(b'C', &[1, 1005])
        .record(b'S', &[2, 1009])
        .record(b'A', &[2, 1009]);
    let history = history(&[("T1.log", timed), ("T2.log", log().begin(3).commit(3))]);
    let spans: Vec<(Span, Span)> =
        history.txns.iter().map(|txn| (txn.begin(), txn.end())).collect();
    let span = |call, ret| Span { call, ret };
    assert_eq!(
        spans,
        [
            (span(None, Some(1_000_999_999)), span(Some(1_005_000_000), Some(1_009_999_999))),
            (span(Some(1_005_000_000), Some(1_009_999_999)), span(Some(1_009_000_000), None)),
            (Span::default(), Span::default()),
        ]
    );
}

#[test]
fn a_file_that_makes_sense_in_both_ways_has_no_times() {
    // With times: S id (time) C id (time). Without: S id C id S id C id, where the numbers
    // 0x53… and 0x43… are the letters.
    let bytes = |tag: u8, rest: u64| u64::from(tag) << 56 | rest;
    let log = log()
        .record(b'S', &[bytes(b'C', 0)])
        .record(b'C', &[bytes(b'C', 0)])
        .record(b'S', &[1])
        .record(b'C', &[1]);
    assert_eq!(history(&[("T1.log", log)]).txns.len(), 2);
}

#[test]
fn empty_files_are_no_sessions() {
    let logs = [("T1.log", log()), ("T2.log", log().begin(1).commit(1))];
    assert_eq!(history(&logs).sessions.len(), 1);
    let error = open(&[("T1.log", log())]).expect_err("nothing in it");
    assert_eq!(error.to_string(), "run: byte 0: found no transactions, expected a transaction");
}

#[test]
fn logs_are_recognised() {
    let good = log().begin(1).commit(1);
    assert_eq!(detect(&good.0), Some(Format::Cobra));
    assert_eq!(detect(b"Some other text"), None);
    assert_eq!(detect(b"S"), None);
    let folder = folder(&[("T1.log", log()), ("T2.log", good.clone())]);
    assert_eq!(read_folder(&folder, None).expect("a trace").txns.len(), 1);
    let history = read(good.0.as_slice(), "logs/T5.log", None).expect("one session");
    assert_eq!(history.sessions[0].name, "T5".into());
}

/// One case: what goes in, what comes out.
macro_rules! complains {
    ($($name:ident: $log:expr => $message:expr;)*) => {
        $(#[test] fn $name() { assert_eq!(complaint($log), concat!("run/T1.log: ", $message)); })*
    };
}

complains! {
    unknown_letter: log().begin(1).record(b'X', &[]).commit(1)
        => "byte 9: found byte 0x58, expected a record that starts with S, W, R, C or A";
    write_outside: log().write(1, 2, 3)
        => "byte 0: found W outside of a transaction, expected S, where a transaction begins";
    read_outside: log().begin(1).commit(1).read(1, 2, 3, 4)
        => "byte 18: found R outside of a transaction, expected S, where a transaction begins";
    commit_outside: log().commit(1)
        => "byte 0: found C outside of a transaction, expected S, where a transaction begins";
    abort_outside: log().abort(1)
        => "byte 0: found A outside of a transaction, expected S, where a transaction begins";
    nested_begin: log().begin(0x1f).begin(0x20)
        => "byte 9: found S of transaction 20, expected C or A of transaction 1f before";
    end_of_another: log().begin(0x1f).commit(0x20)
        => "byte 9: found C of transaction 20, expected the end of transaction 1f";
    cut_within_a_number: Log(log().begin(1).write(1, 2, 3).0[..20].to_vec())
        => "byte 18: found the end of the file, expected the hash of the key";
    cut_after_a_letter: Log(b"S".to_vec())
        => "byte 1: found the end of the file, expected the id of the transaction";
    cut_within_a_transaction: log().begin(0x1f).write(1, 2, 3)
        => "byte 34: found the end of the file, expected C or A of transaction 1f";
    cut_with_times: Log(log().record(b'S', &[1, 1000]).record(b'C', &[1, 1001]).0[..30].to_vec())
        => "byte 26: found the end of the file, expected a time";
    time_runs_backwards: log().record(b'S', &[1, 1000]).record(b'C', &[1, 999])
        => "byte 26: found time 999, expected none before 1000";
    time_from_nowhere: log().record(b'S', &[1, 1000]).record(b'C', &[1, u64::MAX])
        => "byte 26: found time 18446744073709551615, expected milliseconds since 1970";
    same_transaction_again: log().begin(0x1f).commit(0x1f).begin(0x1f).commit(0x1f)
        => "byte 18: found transaction 1f again, expected a unique id";
    mark_as_transaction: log().begin(INIT).commit(INIT)
        => "byte 0: found the mark of the initial state as the id of a transaction, expected another number";
    same_write_again: log().begin(1).write(5, 7, 1).write(5, 8, 1).commit(1)
        => "byte 34: found write 5 again, expected a unique id";
    mark_as_write: log().begin(1).write(NULL, 7, 1).commit(1)
        => "byte 9: found the mark of an absent key as the id of a write, expected another number";
    collector_as_write: log().begin(1).write(COLLECTOR, 7, 1).commit(1)
        => "byte 9: found a mark of the garbage collector as the id of a write, expected another number";
    read_of_the_collector: log().begin(1).read(INIT, COLLECTOR, 7, 1).commit(1)
        => "byte 9: found a read of a mark of the garbage collector, expected the log of a run without garbage collection";
    read_of_a_missing_write: log().begin(1).read(MISSING, MISSING, 7, 1).commit(1)
        => "byte 9: found a read of the mark of a missing write, expected the log of a run without garbage collection";
    two_marks: log().begin(1).read(INIT, NULL, 7, 1).commit(1)
        => "byte 9: found the mark of an absent key from the mark of the initial state, expected ids of a transaction and its write, or one mark twice";
    half_a_mark: log().begin(1).read(INIT, 0x1f, 7, 1).commit(1)
        => "byte 9: found id 1f from the mark of the initial state, expected ids of a transaction and its write, or one mark twice";
    an_id_among_anonymous_ones: log().begin(1).write(ANON, 7, 1).write(5, 7, 2).commit(1)
        => "byte 34: found write 5, expected an anonymous one, as before";
    an_anonymous_one_among_ids: log().begin(1).read(2, 5, 7, 1).write(ANON, 7, 2).commit(1)
        => "byte 42: found an anonymous write, expected an id, as before";
}

#[test]
fn ids_are_compared_across_files() {
    let first = ("T1.log", log().begin(1).write(5, 7, 1).commit(1));
    let second = ("T2.log", log().begin(2).write(5, 7, 1).commit(2));
    let error = open(&[first, second]).expect_err("the same write twice");
    assert_eq!(error.to_string(), "run/T2.log: byte 9: found write 5 again, expected a unique id");
}

/// Everything that can be in a log, twice.
fn sample() -> [(&'static str, Log); 2] {
    let first = log()
        .begin(1)
        .read(INIT, INIT, 7, 3)
        .write(500, 7, 70)
        .commit(1)
        .begin(2)
        .write(DELETE, 8, 0)
        .abort(2);
    let second = log()
        .record(b'S', &[3, 1000])
        .read(1, 500, 7, 70)
        .read(NULL, NULL, 8, 0)
        .record(b'C', &[3, 1001])
        .record(b'S', &[4, 1002])
        .record(b'C', &[4, 1003]);
    [("T1.log", first), ("T2.log", second)]
}

#[test]
fn a_cut_file_is_an_error_unless_whole_transactions_are_left() {
    let whole = history(&sample());
    for file in 0..2 {
        let ends: &[usize] = [&[0, 76, 119][..], &[0, 100, 134]][file];
        for cut in 0..=sample()[file].1.0.len() {
            let mut logs = sample();
            logs[file].1.0.truncate(cut);
            match open(&logs) {
                Ok(history) => {
                    assert!(ends.contains(&cut), "file {file} cut at {cut} is accepted");
                    assert!(
                        history.txns.len() < whole.txns.len() || told(&history) == told(&whole)
                    );
                }
                Err(error) => {
                    assert!(!ends.contains(&cut), "file {file} cut at {cut}: {error}");
                    assert!(matches!(error, TraceError::Bytes { .. }), "{error}");
                }
            }
        }
    }
}

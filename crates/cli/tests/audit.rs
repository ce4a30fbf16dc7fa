//! `tristan audit` from end to end.

use crate::common;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{file, folder, root, run, run_on};
use serde_json::{Value, json};

const BANK: &str = "docs/examples/audit/bank.jsonl";
const TRANSFER: &str = "docs/examples/audit/transfer.jsonl";

#[test]
fn exit_codes_tell_what_was_found() {
    let cases = [
        (BANK, "ser", 1),
        (BANK, "rc", 1),
        (TRANSFER, "ser", 0),
        (TRANSFER, "ssi", 1),
        (TRANSFER, "rc", 0),
    ];
    for (log, level, code) in cases {
        let run = run(&["audit", log, "--level", level]);
        assert_eq!(run.code, code, "{log} at {level}: {run:?}");
    }
}

#[test]
fn the_worst_of_several_logs_decides() {
    let run = run(&["audit", TRANSFER, BANK, "--level", "ser", "--json"]);
    let verdicts: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let words: Vec<&str> = verdicts.iter().filter_map(|v| v["verdict"].as_str()).collect();
    assert_eq!((run.code, words), (1, vec!["accept", "reject"]), "{}", run.err);
}

#[test]
fn a_statement_that_is_not_supported_is_named() {
    let log = "{\"tristan\":\"sql-log/1\",\"dialect\":\"postgresql\"}\n\
               {\"schema\":\"CREATE TABLE t (k INT PRIMARY KEY)\"}\n\
               {\"txn\":7,\"do\":[{\"sql\":\"SELECT k FROM t TABLESAMPLE SYSTEM (10)\",\"rows\":[]}]}\n";
    let unsure = run_on(&["audit", "-"], log.as_bytes());
    assert_eq!(unsure.code, 2, "{unsure:?}");
    assert!(
        unsure.out.contains("TABLESAMPLE") && unsure.out.contains("transaction 7"),
        "{unsure:?}"
    );
    assert_eq!(run_on(&["audit", "-", "--unknown-as", "reject"], log.as_bytes()).code, 1);
    assert_eq!(run_on(&["audit", "-", "--unknown-as", "accept"], log.as_bytes()).code, 0);
}

#[test]
fn a_bad_log_is_reported_with_its_line() {
    let run = run_on(&["audit", "-"], b"{\"tristan\":\"sql-log/1\"}\n{\"call\":1}\n");
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.err.contains("stdin:2: found a call without txn and c"), "{run:?}");
    assert_eq!(common::run(&["audit", "no-such-file.jsonl"]).code, 66);
    assert_eq!(common::run(&["audit", BANK, "--level", "best"]).code, 64);
    assert_eq!(common::run(&["audit", BANK, "-o", "svg=x"]).code, 64);
}

#[test]
fn one_run_writes_every_output() {
    let dir = folder("audit-outputs");
    let kinds = [
        ("html", "<!doctype html>"),
        ("junit", "<failure type=\"audit\""),
        ("github", "::error file=docs/examples/audit/bank.jsonl,line=7,"),
        ("markdown", "### REJECT"),
        ("json", "\"verdict\": \"reject\""),
        ("text", "REJECT"),
    ];
    let outputs: Vec<String> =
        kinds.iter().map(|(kind, _)| format!("{kind}={}", dir.join(kind).display())).collect();
    let mut args = vec!["audit", BANK];
    args.extend(outputs.iter().flat_map(|output| ["-o", output]));
    let run = run(&args);
    assert_eq!(run.code, 1, "{run:?}");
    for (kind, words) in kinds {
        let written = fs::read_to_string(dir.join(kind)).expect("the output");
        assert!(written.contains(words), "{kind}: {written}");
    }
}

#[test]
fn the_small_log_is_wrong_for_the_same_reason() {
    let dir = folder("audit-small");
    let first = run(&["audit", BANK, "--json"]);
    let verdict: Value = serde_json::from_str(&first.out).expect("JSON");
    let lines = verdict["rejection"]["shrunk"].as_array().expect("a small log");
    let text: String =
        lines.iter().filter_map(Value::as_str).map(|line| format!("{line}\n")).collect();
    let small = file(&dir, "small.jsonl", text.as_bytes());
    let again: Value = serde_json::from_str(&run(&["audit", &small, "--json"]).out).expect("JSON");
    assert_eq!(again["rejection"]["transaction"], verdict["rejection"]["transaction"]);
    assert_eq!(again["rejection"]["observed"], verdict["rejection"]["observed"]);
    let whole = fs::read_to_string(root().join(BANK)).expect("the log");
    assert!(lines.len() <= whole.lines().count(), "{lines:?}");
}

/// A log of transfers as a proxy writes it, from one transaction to another. Each takes a tenth of a second.
fn transfers(numbers: std::ops::Range<u64>) -> String {
    let mut lines = String::new();
    for number in numbers {
        let at = |tenths: u64| number * 100_000_000 + tenths * 10_000_000;
        let (call, wrong) = (3 * number, number == 999);
        let seen = if wrong { 7 } else { number };
        for line in [
            json!({"call": call, "c": 1, "txn": number, "sql": "BEGIN", "at": at(1)}),
            json!({"end": call, "txn": number, "tag": "BEGIN", "at": at(2)}),
            json!({"call": call + 1, "c": 1, "txn": number, "sql": "UPDATE a SET n = n + 1 RETURNING n", "at": at(3)}),
            json!({"end": call + 1, "txn": number, "rows": [[seen]], "at": at(4)}),
            json!({"call": call + 2, "c": 1, "txn": number, "sql": "COMMIT", "at": at(5)}),
            json!({"end": call + 2, "txn": number, "tag": "COMMIT", "at": at(6)}),
            json!({"finish": number, "c": 1, "outcome": "committed", "at": at(7)}),
        ] {
            lines += &format!("{line}\n");
        }
    }
    lines
}

const COUNTER: &str = "{\"tristan\":\"sql-log/1\",\"dialect\":\"postgresql\"}\n\
    {\"schema\":\"CREATE TABLE a (k INT PRIMARY KEY, n INT)\"}\n\
    {\"rows\":\"a\",\"values\":[[1,0]]}\n";

/// Follows a log in a file, which other code writes.
fn following(log: &Path, more: &[&str]) -> Child {
    let mut command = common::tristan(&["audit", "--every", "100ms", "--follow"]);
    command.arg(log).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary starts")
}

/// Waits until a file says something.
fn wait_for(path: &Path, what: &str) {
    let there = || fs::read_to_string(path).is_ok_and(|text| text.contains(what));
    // Far more than any machine needs.
    for _ in 0..6_000 {
        if there() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    assert!(there(), "{} does not say {what}", path.display());
}

fn append(path: &Path, text: &str) {
    let file = fs::OpenOptions::new().append(true).open(path);
    file.expect("a log").write_all(text.as_bytes()).expect("a disk");
}

#[test]
fn a_pipe_is_followed_to_its_end() {
    let right = format!("{COUNTER}{}", transfers(1..60));
    let run = run_on(&["audit", "--follow", "-"], right.as_bytes());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("stdin   ACCEPT   serializable   59 txns · 59 statements"), "{run:?}");
    let right_out = run.out;
    let wrong = format!("{right}{}", transfers(999..1000));
    let run = run_on(&["audit", "--follow", "-", "--json"], wrong.as_bytes());
    let last = run.out.lines().last().expect("a verdict");
    let last: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!((run.code, &last["verdict"]), (1, &json!("reject")), "{run:?}");
    let first: Value = serde_json::from_str(run.out.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["schema"], "tristan-follow/1", "{run:?}");
    let empty = run_on(&["audit", "--follow", "-"], b"");
    assert!(empty.out.contains("warning: the log contains no transactions"), "{empty:?}");
    assert!(!right_out.contains("no transactions"), "{right_out}");
    let folder = folder("follow_folder");
    let given = common::run(&["audit", "--follow", &folder.display().to_string()]);
    assert_eq!(given.code, 65, "{given:?}");
    assert!(given.err.contains("follow_folder is a folder; name a log"), "{given:?}");
    assert_eq!(run_on(&["audit", "--follow", "-", "--level", "si"], b"").code, 64);
    assert_eq!(run_on(&["audit", "--follow", "-", "--checkpoint", "x"], b"").code, 64);
}

#[test]
fn a_file_is_followed_while_it_grows_until_an_answer_is_wrong() {
    let log = folder("follow_grows").join("log.jsonl");
    fs::write(&log, COUNTER).expect("a disk");
    let child = following(&log, &[]);
    let text = transfers(1..40) + &transfers(999..1000);
    // The last transaction is wrong, and nothing comes behind it. The pauses let the reader meet parts of lines;
    // nothing depends on how long they are.
    for part in text.as_bytes().chunks(777) {
        append(&log, std::str::from_utf8(part).expect("text"));
        thread::sleep(Duration::from_millis(2));
    }
    let run = common::finish(child.wait_with_output().expect("it ends by itself"));
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("Statement 1 of transaction 999 returned"), "{run:?}");
}

#[test]
fn a_log_that_is_truncated_or_replaced_is_reported() {
    for (name, change, said) in [
        ("follow_truncated", "truncate", "it was truncated"),
        ("follow_replaced", "replace", "the log was moved or replaced"),
    ] {
        let log = folder(name).join("log.jsonl");
        let checkpoint = log.with_extension("checkpoint");
        fs::write(&log, format!("{COUNTER}{}", transfers(1..60))).expect("a disk");
        let child = following(&log, &["--checkpoint", checkpoint.to_str().expect("text")]);
        wait_for(&checkpoint, "\"sum\"");
        match change {
            "truncate" => fs::write(&log, COUNTER).expect("a disk"),
            _ => {
                fs::rename(&log, log.with_extension("1")).expect("a disk");
                fs::write(&log, COUNTER).expect("a disk");
            }
        }
        let run = common::finish(child.wait_with_output().expect("it ends by itself"));
        assert!(run.code == 65 && run.err.contains(said), "{run:?}");
    }
}

#[test]
fn an_audit_that_was_killed_goes_on_from_its_checkpoint() {
    let log = folder("follow_killed").join("log.jsonl");
    let checkpoint = log.with_extension("checkpoint");
    let more = ["--checkpoint", checkpoint.to_str().expect("text")];
    fs::write(&log, format!("{COUNTER}{}", transfers(1..60))).expect("a disk");
    let mut killed = following(&log, &more);
    wait_for(&checkpoint, "\"transactions\":3");
    killed.kill().expect("it runs");
    killed.wait().expect("it ends");
    // What was judged is not read again: without it, the rest is explained only by the checkpoint.
    let text = fs::read_to_string(&log).expect("a log");
    let hidden = text.replace("\"rows\":[[5]]", "\"rows\":[[6]]");
    fs::write(&log, hidden).expect("a disk");
    append(&log, &transfers(60..80));
    append(&log, &transfers(999..1000));
    append(&log, &transfers(1000..1050));
    let run = common::finish(following(&log, &more).wait_with_output().expect("it ends by itself"));
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("Statement 1 of transaction 999 returned"), "{run:?}");
    fs::write(&checkpoint, "{}\n").expect("a disk");
    let run = common::finish(following(&log, &more).wait_with_output().expect("it ends by itself"));
    assert!(run.code == 65 && run.err.contains("the checkpoint is damaged"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_following_with_a_verdict() {
    let log = folder("follow_signal").join("log.jsonl");
    let checkpoint = log.with_extension("checkpoint");
    fs::write(&log, format!("{COUNTER}{}", transfers(1..60))).expect("a disk");
    let child = following(&log, &["--checkpoint", checkpoint.to_str().expect("text")]);
    wait_for(&checkpoint, "\"sum\"");
    let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(stopped.expect("kill runs").success());
    let run = common::finish(child.wait_with_output().expect("it ends"));
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("ACCEPT   serializable   59 txns · 59 statements"), "{run:?}");
}

//! Errors inside pipelines: the server skips everything up to the next `Sync`, whether that was sent
//! before the error or later.

use std::fs;

use serde_json::{Value, json};
use tristan_history::{History, OpKind, OpStatus, Outcome};
use tristan_proxy::Protocol;

use crate::common::pg::{Message, Pg, bind, execute, framed, parse, query, sync, text};
use crate::common::{closed, finished, outcome, server, start_with_tables, statement, wait, with};
use crate::nonsense::{Fake, postgres_welcome, startup};

/// A statement in the extended protocol, without its `Sync`.
fn run(sql: &str) -> Vec<Message> {
    vec![parse("", sql, &[]), bind("", &[], false), execute()]
}

fn bytes(messages: &[Message]) -> Vec<u8> {
    messages.iter().flat_map(|(kind, body)| framed(*kind, body)).collect()
}

/// What a server says of a statement that it has carried out.
fn done(tag: &str) -> Vec<Message> {
    vec![(b'1', Vec::new()), (b'2', Vec::new()), (b'C', text(tag))]
}

/// One row with one column.
fn row(value: &str) -> Message {
    let length = (value.len() as u32).to_be_bytes();
    (b'D', [&[0, 1][..], &length, value.as_bytes()].concat())
}

fn error() -> Message {
    (b'E', [&b"SERROR\0C22012\0Mdivision by zero\0"[..], &[0]].concat())
}

fn ready(status: u8) -> Message {
    (b'Z', vec![status])
}

fn history(path: &std::path::Path) -> History {
    tristan_formats::open(path, None).expect("a trace")
}

fn skipped(log: &[Value], sql: &str) -> bool {
    statement(log, sql).1.is_some_and(|end| end["skipped"] == true)
}

const WRITE: &str = "update accounts set balance = 11 where id = 1";
const READ: &str = "select balance from accounts where id = 1";
const BROKEN: &str = "select 1/0";

/// Plays a conversation and returns its log, in which everything made sense.
fn understood(name: &str, script: &[(bool, Vec<Message>)]) -> (Vec<Value>, History) {
    let fake = Fake::new();
    let proxy = fake.proxy(name, Protocol::Postgres);
    let mut steps = vec![(true, startup()), (false, postgres_welcome())];
    steps.extend(script.iter().map(|(client, messages)| (*client, bytes(messages))));
    fake.play(&proxy, &steps);
    let log = closed(&proxy.log);
    let senseless =
        |line: &&Value| line["note"].as_str().is_some_and(|note| note.contains("sense"));
    assert_eq!(with(&log, "note").iter().filter(|line| senseless(line)).count(), 0, "{log:#?}");
    assert_eq!(with(&log, "call").len(), with(&log, "end").len(), "{log:#?}");
    assert_eq!(with(&log, "close")[0]["by"], "client", "{log:#?}");
    let trace = fs::read_to_string(&proxy.trace).expect("a trace");
    assert!(!trace.contains("ends here"), "{trace}");
    (log, history(&proxy.trace))
}

#[test]
fn what_is_sent_after_an_error_is_skipped_up_to_the_sync() {
    let (log, history) = understood(
        "pipeline-later",
        &[
            (true, run(WRITE)),
            (false, done("UPDATE 1")),
            (true, run(BROKEN)),
            (false, vec![error()]),
            // Neither these nor a simple query are answered.
            (true, [run("select 2"), run(READ), vec![query("select 3")]].concat()),
            (true, [vec![sync()], run(READ), vec![sync()]].concat()),
            (false, [vec![ready(b'I')], done("SELECT 1")[..2].to_vec()].concat()),
            (false, vec![row("10"), (b'C', text("SELECT 1")), ready(b'I')]),
            (true, vec![(b'X', Vec::new())]),
        ],
    );
    assert!(skipped(&log, "select 2") && skipped(&log, "select 3"), "{log:#?}");
    assert_eq!(outcome(&log, WRITE), Some("aborted"), "the implicit transaction failed");
    assert_eq!(finished(&log, "committed"), 1, "{log:#?}");
    // The read that was skipped is not in the trace, and the one that was carried out is.
    let outcomes: Vec<Outcome> = history.txns.iter().map(|txn| txn.outcome).collect();
    assert_eq!(outcomes, [Outcome::Aborted, Outcome::Committed]);
    assert_eq!(history.ops.len(), 2);
}

#[test]
fn each_sync_ends_a_transaction_of_its_own() {
    let (log, history) = understood(
        "pipeline-syncs",
        &[
            (true, [run(BROKEN), run(WRITE), vec![sync()]].concat()),
            (true, [run("update accounts set balance = 12 where id = 1"), vec![sync()]].concat()),
            (true, [run(READ), vec![sync()]].concat()),
            (false, vec![(b'1', Vec::new()), (b'2', Vec::new()), error(), ready(b'I')]),
            (false, [done("UPDATE 1"), vec![ready(b'I')]].concat()),
            (false, [done("")[..2].to_vec(), vec![row("12"), (b'C', text("SELECT 1"))]].concat()),
            (false, vec![ready(b'I')]),
            (true, vec![(b'X', Vec::new())]),
        ],
    );
    assert!(skipped(&log, WRITE), "{log:#?}");
    assert_eq!((finished(&log, "aborted"), finished(&log, "committed")), (1, 2), "{log:#?}");
    let committed = history.txns.iter().filter(|txn| txn.outcome == Outcome::Committed).count();
    assert_eq!(committed, 2);
}

#[test]
fn a_commit_that_is_skipped_does_not_commit() {
    let (log, history) = understood(
        "pipeline-commit",
        &[
            (true, [run("begin"), run(WRITE), run(BROKEN)].concat()),
            (false, [done("BEGIN"), done("UPDATE 1"), vec![error()]].concat()),
            (true, [run("commit"), vec![sync()]].concat()),
            (false, vec![ready(b'E')]),
            (true, vec![query("rollback")]),
            (false, vec![(b'C', text("ROLLBACK")), ready(b'I')]),
            (true, vec![(b'X', Vec::new())]),
        ],
    );
    assert!(skipped(&log, "commit"), "{log:#?}");
    assert_eq!(finished(&log, "aborted"), 1, "{log:#?}");
    assert_eq!(history.txns.len(), 1);
    assert_eq!(history.txns[0].outcome, Outcome::Aborted);
}

#[test]
fn names_that_were_closed_in_vain_still_stand_for_their_statements() {
    let close = (b'C', [&b"S"[..], &text("s")].concat());
    let (log, history) = understood(
        "pipeline-names",
        &[
            (true, vec![parse("s", READ, &[]), sync()]),
            (false, vec![(b'1', Vec::new()), ready(b'I')]),
            (true, run(BROKEN)),
            (false, vec![error()]),
            (true, vec![close, sync(), bind("s", &[], false), execute(), sync()]),
            (false, vec![ready(b'I'), (b'2', Vec::new()), row("10"), (b'C', text("SELECT 1"))]),
            (false, vec![ready(b'I')]),
            (true, vec![(b'X', Vec::new())]),
        ],
    );
    assert_eq!(statement(&log, READ).1.expect("an end")["rows"], json!([["10"]]));
    assert_eq!(history.ops.len(), 1);
}

#[test]
fn what_is_not_understood_ends_the_trace_and_says_so() {
    let fake = Fake::new();
    let proxy = fake.proxy("pipeline-poison", Protocol::Postgres);
    let ask = |sql: &str| (true, bytes(&[query(sql)]));
    let welcome = [(true, startup()), (false, postgres_welcome())];
    // The server answers something that was never asked, and the client goes on to write.
    let odd = [
        ask("begin"),
        (false, bytes(&[(b'C', text("BEGIN")), ready(b'T')])),
        ask(WRITE),
        (false, bytes(&[(b'1', Vec::new()), (b'C', text("UPDATE 1")), ready(b'T')])),
        ask("commit"),
        (false, bytes(&[(b'C', text("COMMIT")), ready(b'I')])),
    ];
    fake.play(&proxy, &[&welcome[..], &odd].concat());
    // Whoever reads it now must not seem to read what was never written.
    let read = [row("11"), (b'C', text("SELECT 1")), ready(b'I')];
    let leave = (true, bytes(&[(b'X', Vec::new())]));
    fake.play(&proxy, &[&welcome[..], &[ask(READ), (false, bytes(&read)), leave]].concat());
    let log = wait(&proxy.log, |log| with(log, "close").len() == 2);
    let closes: Vec<&Value> = with(&log, "close").iter().map(|line| &line["by"]).collect();
    assert_eq!(closes, ["proxy", "client"], "the server has not closed anything");
    assert_eq!(outcome(&log, WRITE), Some("unknown"), "it may commit, unheard");
    let trace = fs::read_to_string(&proxy.trace).expect("a trace");
    assert_eq!(trace.matches("the trace ends here").count(), 1, "{trace}");
    let history = history(&proxy.trace);
    assert_eq!(history.txns.len(), 1, "{trace}");
    assert_eq!(history.txns[0].outcome, Outcome::Unknown);
    assert!(history.ops.iter().all(|op| !matches!(op.kind, OpKind::Get { .. })), "{trace}");
    assert!(history.ops.iter().all(|op| op.status == OpStatus::Pending), "{trace}");
}

/// What psycopg does in a pipeline: everything is sent at once, the error comes, and more is sent.
#[test]
fn a_correct_server_is_accepted_after_an_error_in_a_pipeline() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let user = url.user().unwrap_or("postgres");
    let running = start_with_tables("pipeline-live", &place, &["pipelined:id:balance"]);
    let connect = || Pg::connect(running.address, user, &[]).expect("a connection");
    let mut client = connect();
    for sql in [
        "drop table if exists pipelined",
        "create table pipelined (id int primary key, balance int)",
        "insert into pipelined (id, balance) values (1, 10)",
        "update pipelined set balance = 11 where id = 1",
    ] {
        client.query(sql).expect("an answer");
    }
    let flush = (b'H', Vec::new());
    client.send(&[run(BROKEN), vec![flush]].concat()).expect("it is sent");
    while client.read().expect("an answer").0 != b'E' {}
    let late = run("update pipelined set balance = 99 where id = 1");
    client.send(&[late, vec![sync()]].concat()).expect("it is sent");
    let answers = client.until_ready().expect("the server is ready");
    assert_eq!(answers.len(), 1, "what was skipped has no answer: {answers:?}");
    client.query("update pipelined set balance = 12 where id = 1").expect("an answer");
    let mut other = connect();
    other.query("select balance from pipelined where id = 1").expect("an answer");
    drop((client, other));
    let log = closed(&running.log);
    assert!(skipped(&log, "update pipelined set balance = 99 where id = 1"));
    assert!(with(&log, "close").iter().all(|line| line["by"] == "client"));
    let history = history(&running.trace);
    let written = history.ops.iter().filter(|op| matches!(op.kind, OpKind::PutIf { .. })).count();
    assert_eq!(written, 3, "10, 11 and 12");
    crate::common::accepted(&history, "serializable");
}

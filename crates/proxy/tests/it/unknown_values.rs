//! Statements that do not say which value they write: the trace goes on, and nothing false is in it.

use std::fs;
use std::thread;

use mysql_async::prelude::Queryable;
use tristan_history::{History, Observed, OpKind, Outcome};

use crate::common::pg::Pg;
use crate::common::{Running, closed, outcome, server, start_with_tables};
use crate::mysql;

fn history(running: &Running) -> History {
    tristan_formats::open(&running.trace, None).expect("a trace")
}

/// How many reads of keys have a result in the trace, and how many have none.
fn reads(history: &History) -> (usize, usize) {
    let mut counts = (0, 0);
    for op in &history.ops {
        match &op.kind {
            OpKind::Get { seen: Observed::Unknown, .. } | OpKind::Scan { items: None, .. } => {
                counts.1 += 1;
            }
            OpKind::Get { .. } | OpKind::Scan { .. } => counts.0 += 1,
            _ => {}
        }
    }
    counts
}

#[test]
fn a_stock_that_is_counted_down_does_not_end_the_trace() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let user = url.user().unwrap_or("postgres");
    let running = start_with_tables("unknown-live", &place, &["counted:id:n"]);
    let connect = || Pg::connect(running.address, user, &[]).expect("a connection");
    let mut client = connect();
    client.query("drop table if exists counted").expect("an answer");
    client.query("create table counted (id int primary key, n int)").expect("an answer");
    client
        .query("insert into counted (id, n) values (1, 100), (2, 200), (3, 300)")
        .expect("an answer");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut client = connect();
                for _ in 0..20 {
                    for sql in [
                        "begin",
                        "select n from counted where id = 1",
                        "select n from counted where id = 2",
                        "update counted set n = n - 1 where id = 1",
                        "update counted set n = n - 1 where id = 9",
                        "select n from counted where id = 1",
                        "commit",
                    ] {
                        client.query(sql).expect("an answer");
                    }
                }
            });
        }
    });
    for sql in [
        "update counted set n = null where id = 3",
        "select n from counted where id = 3",
        "select id, n from counted",
        "select n from counted where id = 9",
        "update counted set n = n + 1 where id = 1 returning n",
    ] {
        client.query(sql).expect("an answer");
    }
    drop(client);
    closed(&running.log);
    let trace = fs::read_to_string(&running.trace).expect("a trace");
    assert!(!trace.contains("ends here"), "{trace}");
    assert_eq!(trace.matches("are omitted from here on").count(), 3, "{trace}");
    let history = history(&running);
    let committed = history.txns.iter().filter(|txn| txn.outcome == Outcome::Committed).count();
    assert_eq!(committed, 1 + 80 + 5);
    let (seen, unseen) = reads(&history);
    assert!(seen > 80, "key 2 is read, and key 9, which is not there: {seen} {unseen}");
    assert!(unseen >= 80 + 2, "{seen} {unseen}");
    crate::common::accepted(&history, "read-committed");
}

/// A write that cannot be told does no harm before the trace begins, unless a transaction in the trace
/// may have read from before it.
#[test]
fn the_trace_begins_after_writes_that_are_not_in_it() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let user = url.user().unwrap_or("postgres");
    let mut direct = Pg::direct(&place, user).expect("a connection");
    direct.query("drop table if exists loaded").expect("an answer");
    direct.query("create table loaded (id int primary key, n int)").expect("an answer");
    direct.query("insert into loaded (id, n) values (1, 10)").expect("an answer");
    let running = start_with_tables("untold", &place, &["loaded:id:n"]);
    let connect = || Pg::connect(running.address, user, &[]).expect("a connection");
    let (mut loader, mut early, mut late) = (connect(), connect(), connect());
    let read = "select n from loaded where id = 1";
    let repeatable = "begin isolation level repeatable read";
    loader.query("begin").expect("an answer");
    loader.query("update loaded set n = 0").expect("an answer");
    // Both of these read from before the loader, one of them after it has committed.
    late.query(read).expect("an answer");
    early.query(repeatable).expect("an answer");
    early.query("select 1 from pg_class limit 1").expect("an answer");
    loader.query("commit").expect("an answer");
    early.query(read).expect("an answer");
    early.query("commit").expect("an answer");
    late.query(read).expect("an answer");
    drop((loader, early, late));
    closed(&running.log);
    let trace = fs::read_to_string(&running.trace).expect("a trace");
    assert_eq!(trace.matches("omitted: ").count(), 3, "{trace}");
    let history = history(&running);
    assert_eq!((history.ops.len(), reads(&history)), (1, (1, 0)), "{trace}");
    crate::common::accepted(&history, "serializable");
}

#[test]
fn mysql_does_not_end_a_transaction_whose_commit_was_skipped() {
    let Some((url, place)) = server("TRISTAN_MARIADB") else { return };
    let running = start_with_tables("unknown-mysql", &place, &["counted:id:n"]);
    mysql::prepare_database(&url);
    mysql::run(&url, &mysql::place(&running), Some("test"), async |mut client| {
        for sql in [
            "drop table if exists counted",
            "create table counted (id int primary key, n int) engine=innodb",
            "insert into counted (id, n) values (1, 5)",
            "update counted set n = n - 1 where id = 1",
            "begin",
            "update counted set n = 7 where id = 1; select nothing; commit",
            // The transaction goes on, and this commits it.
            "commit",
            "select n from counted where id = 1",
        ] {
            let done = client.query_drop(sql).await;
            assert_eq!(done.is_err(), sql.contains("nothing"), "{sql}: {done:?}");
        }
        client.disconnect().await.expect("it leaves");
    });
    let log = closed(&running.log);
    assert_eq!(outcome(&log, "update counted set n = 7 where id = 1"), Some("committed"));
    let trace = fs::read_to_string(&running.trace).expect("a trace");
    assert!(trace.contains("its transaction continues"), "{trace}");
    let aborted = |history: &History| {
        history.txns.iter().filter(|txn| txn.outcome == Outcome::Aborted).count()
    };
    assert_eq!(aborted(&history(&running)), 0, "{trace}");
}

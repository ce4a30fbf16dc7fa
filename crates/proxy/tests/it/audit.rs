//! What the proxy writes can be audited: tables that are made in the log, clients at the same time,
//! savepoints, errors, rollbacks.

use std::fs;
use std::thread;

use crate::common::pg::Pg;
use crate::common::{PATIENCE, closed, folder, proxy, server, start};
use serde_json::Value;
use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, AuditOptions, audit};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

fn judged(log: &str) -> AuditVerdict {
    let log = TextSource::new("proxy", log.as_bytes().to_vec());
    let time = Some(PATIENCE.as_millis() as u64);
    audit(&log, &AuditOptions { time, ..AuditOptions::new(AuditLevel::Serializable) })
        .expect("a log")
}

/// Adds to two accounts, many times; what fails is rolled back.
fn deposits(client: &mut Pg, own: usize) {
    for round in 0..40 {
        let other = 1 + (own + round) % 5;
        for sql in [
            "begin isolation level serializable".to_owned(),
            format!("update audited set v = v + 1 where k = {other}"),
            "savepoint s".to_owned(),
            format!("update audited set v = v - 50 where k = {other} and v > 50"),
            "rollback to savepoint s".to_owned(),
            "select sum(v), count(*) from audited".to_owned(),
            format!("select v from audited where k = {other}"),
            if round % 7 == 0 { "rollback" } else { "commit" }.to_owned(),
        ] {
            client.query(&sql).expect("an answer");
        }
    }
}

/// The log, in which a transaction that has committed is told one deposit less.
fn changed(log: &str) -> String {
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let committed = |txn: &Value| {
        lines.iter().any(|line| line["finish"] == *txn && line["outcome"] == "committed")
    };
    let sum = |line: &Value| -> Option<i64> {
        let row = line["rows"].as_array()?.first()?.as_array().filter(|row| row.len() == 2)?;
        row[0].as_i64().or_else(|| row[0].as_str()?.parse().ok())
    };
    let seen = |line: &&Value| sum(line).is_some_and(|sum| sum > 2) && committed(&line["txn"]);
    let end = lines.iter().position(|line| seen(&line)).expect("a transaction saw three deposits");
    let mut changed = lines.clone();
    changed[end]["rows"][0][0] = (sum(&lines[end]).unwrap_or(0) - 1).to_string().into();
    changed.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_log_of_the_proxy_is_accepted_until_somebody_changes_it() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("audit"), &place, None));
    let user = url.user().unwrap_or("postgres");
    let connect = || Pg::connect(running.address, user, &[]).expect("a connection");
    let mut first = connect();
    for sql in [
        "drop table if exists audited",
        "create table audited (k int primary key, v int not null)",
        "insert into audited values (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)",
    ] {
        first.query(sql).expect("an answer");
    }
    thread::scope(|scope| {
        for own in 0..4 {
            let mut client = connect();
            scope.spawn(move || deposits(&mut client, own));
        }
    });
    drop(first);
    closed(&running.log);
    let log = fs::read_to_string(&running.log).expect("a log");
    let verdict = judged(&log);
    assert!(matches!(verdict.answer, AuditAnswer::Accept { .. }), "{}", verdict.to_json());
    assert!(verdict.log.committed > 20, "{:?}", verdict.log);
    let verdict = judged(&changed(&log));
    assert!(matches!(verdict.answer, AuditAnswer::Reject { .. }), "{}", verdict.to_json());
}

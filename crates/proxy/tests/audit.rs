//! What the proxy writes can be audited: tables that are made in the log, clients at the same time,
//! savepoints, errors, rollbacks.

mod common;

use std::fs;
use std::thread;

use common::pg::Pg;
use common::{closed, folder, proxy, server, start};
use tristan_audit::log::TextSource;
use tristan_audit::{Level, Options, audit};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

fn judged(log: &str) -> AuditVerdict {
    let log = TextSource::new("proxy", log.as_bytes().to_vec());
    audit(&log, &Options::new(Level::Serializable)).expect("a log")
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
    let wrong = log.replacen("\"rows\":[[\"3\",\"5\"]]", "\"rows\":[[\"2\",\"5\"]]", 1);
    let wrong = wrong.replacen("\"rows\":[[3,5]]", "\"rows\":[[2,5]]", 1);
    assert_ne!(wrong, log, "somebody has seen three deposits");
    let verdict = judged(&wrong);
    assert!(matches!(verdict.answer, AuditAnswer::Reject { .. }), "{}", verdict.to_json());
}

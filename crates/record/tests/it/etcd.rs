//! etcd: transactions out of single requests.
//!
//! The server is the one that `TRISTAN_ETCD` names, as in `etcd://127.0.0.1:2379`; without it, only
//! what a server of a few lines can show is tested.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use crate::common::scripts::{self, Outcome::*};
use crate::common::{Client, level, open, record_on, server_at, workload};
use tristan_generate::{Mix, Pattern, Workload};
use tristan_record::{Connection, DatabaseError, databases};

/// A part of the server that no other test uses.
fn server(test: &str) -> Option<String> {
    server_at("TRISTAN_ETCD")
        .map(|url| format!("{}/{test}-{}", url.trim_end_matches('/'), std::process::id()))
}

const LEVELS: [&str; 3] = ["serializable-snapshot", "snapshot", "read-committed"];

#[test]
fn single_transactions_do_what_they_say() {
    let Some(url) = server("single") else { return };
    let database = open(&url, &[]);
    assert!(database.describe().starts_with("etcd 3."));
    for name in LEVELS {
        let level = level(&*database, name);
        scripts::own_writes(&*database, level);
        scripts::deletes(&*database, level);
        assert_eq!(scripts::disjoint_writers(&*database, level), Allowed);
    }
}

#[test]
fn many_keys_are_prepared() {
    let Some(url) = server("many") else { return };
    let initial: Vec<(i64, i64)> = (0..1_000).map(|key| (key, -key)).collect();
    let database = open(&url, &initial);
    let level = level(&*database, "snapshot");
    let last = crate::common::alone(&*database, level, |connection| connection.get(999, false));
    assert_eq!(last, Some(-999));
}

#[test]
fn every_level_prevents_what_it_should_and_no_more() {
    let Some(url) = server("levels") else { return };
    let database = open(&url, &[]);
    for (name, snapshot, update, skew) in [
        ("serializable-snapshot", true, Prevented, Prevented),
        ("snapshot", true, Prevented, Allowed),
        ("read-committed", false, Allowed, Allowed),
    ] {
        let level = level(&*database, name);
        assert_eq!(scripts::keeps_its_snapshot(&*database, level), snapshot, "{name}");
        assert_eq!(scripts::lost_update(&*database, level), update, "{name}");
        assert_eq!(scripts::lost_delete(&*database, level), update, "{name}");
        assert_eq!(scripts::overtaken_by_a_short_life(&*database, level), update, "{name}");
        assert_eq!(scripts::write_skew(&*database, level), skew, "{name}");
    }
}

#[test]
fn a_key_that_came_and_went_is_still_absent() {
    let Some(url) = server("absent") else { return };
    let database = open(&url, &[]);
    let level = level(&*database, "serializable-snapshot");
    let mut late = Client::begin(&*database, level);
    assert_eq!(late.get(1), None);
    crate::common::alone(&*database, level, |connection| connection.put(1, 10));
    crate::common::alone(&*database, level, |connection| connection.delete(1).map(drop));
    late.put(2, 20);
    assert!(late.commit(), "what it read is true");
}

#[test]
fn commits_have_revisions_that_go_up() {
    let Some(url) = server("revisions") else { return };
    let database = open(&url, &[]);
    let level = level(&*database, "snapshot");
    let commit = |run: fn(&mut dyn Connection) -> Result<(), DatabaseError>| {
        let mut client = Client::begin(&*database, level);
        client.ask(run);
        client.ask(|connection| connection.commit()).expect("a commit").stamp
    };
    let put = commit(|connection| connection.put(1, 10)).expect("a revision");
    let delete = commit(|connection| connection.delete(7).map(drop)).expect("a revision");
    assert!(put < delete);
    assert_eq!(commit(|connection| connection.get(1, false).map(drop)), None);
}

#[test]
fn too_many_changes_are_refused() {
    let Some(url) = server("many-changes") else { return };
    let database = open(&url, &[]);
    let mut client = Client::begin(&*database, level(&*database, "read-committed"));
    (0..200).for_each(|key| client.put(key, key));
    assert!(!client.commit());
    assert_eq!(crate::common::contents(&*database, level(&*database, "snapshot")), []);
}

/// Point operations with deletes.
fn with_deletes(txns: usize, keys: u64) -> Workload {
    let mix = Mix { read: 30, write: 20, delete: 20, read_then_write: 30, ..Mix::default() };
    Workload { pattern: Pattern::Mixed(mix), ops: 4, ..workload("pairs", txns, keys) }
}

#[test]
fn workloads_keep_what_is_claimed() {
    for at in LEVELS {
        for (name, keys) in [("pairs", 20), ("bank", 5)] {
            let Some(url) = server(&format!("{at}-{name}")) else { return };
            record_on(&url, at, &workload(name, 60, keys)).keeps_its_claim().committed(20);
        }
    }
}

#[test]
fn workloads_with_deletes_keep_what_is_claimed() {
    for at in LEVELS {
        let Some(url) = server(&format!("{at}-deletes")) else { return };
        record_on(&url, at, &with_deletes(100, 10)).keeps_its_claim().committed(20);
    }
}

#[test]
fn levels_break_where_the_next_one_begins() {
    let skew = workload("write-skew", 150, 4);
    let Some(url) = server("skew-serializable") else { return };
    record_on(&url, "serializable-snapshot", &skew).keeps("strict-serializable").met();
    let Some(url) = server("skew-snapshot") else { return };
    record_on(&url, "snapshot", &skew).breaks("serializable").met();
    let Some(url) = server("skew-read-committed") else { return };
    let pairs = workload("pairs", 100, 5);
    record_on(&url, "read-committed", &pairs).breaks("snapshot-isolation");
}

#[test]
fn an_answer_that_does_not_come_is_lost() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("etcd://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming() {
            answer_all(stream.expect("a client"));
        }
    });
    let database = databases::open(&url.parse().expect("an address")).expect("a server");
    assert_eq!(database.describe(), "etcd 0.0.1");
    let mut connection = database.connect(database.levels()[0]).expect("a connection");
    connection.begin().expect("a transaction");
    assert_eq!(connection.get(1, false), Ok(Some(7)));
    assert_eq!(connection.get(1, false), Ok(Some(7)));
    connection.put(1, 8).expect("a write");
    assert!(matches!(connection.commit(), Err(DatabaseError::Lost(_))));
}

#[test]
fn a_server_that_is_not_there_is_said_so() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("etcd://{}", listener.local_addr().expect("an address"));
    drop(listener);
    assert!(databases::open(&url.parse().expect("an address")).is_err());
}

/// A server that knows its version and one key, and hangs up when it should commit.
fn answer_all(stream: TcpStream) {
    let mut stream = BufReader::new(stream);
    while let Some(path) = read_request(&mut stream) {
        let body = match path.as_str() {
            "/version" => r#"{"etcdserver":"0.0.1"}"#,
            "/v3/kv/range" => {
                r#"{"header":{"revision":"5"},"kvs":[{"key":"eA==","value":"Nw==","mod_revision":"3"}]}"#
            }
            _ => return,
        };
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        let stream = stream.get_mut();
        stream.write_all((head + body).as_bytes()).expect("the client listens");
    }
}

/// The path of the next request. Returns `None` if there is none.
fn read_request(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut first = String::new();
    stream.read_line(&mut first).ok().filter(|count| *count > 0)?;
    let (mut line, mut length) = (String::new(), 0);
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).ok()?;
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().ok()?;
        }
    }
    stream.read_exact(&mut vec![0; length]).ok()?;
    first.split(' ').nth(1).map(str::to_owned)
}

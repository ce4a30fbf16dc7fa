//! Whoever is killed: what anybody was told is in the log, and the log can be read.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::common::pg::{Pg, query};
use crate::common::{
    PATIENCE, closed, folder, outcome, proxy, server, start, statement, wait, with,
};
use serde_json::Value;
use tristan_history::Outcome;
use tristan_testkit::{comes_true, found, free_port};

const CHILD: &str = "TRISTAN_PROXY_CHILD";

/// Not a test: this program starts itself as a proxy that can be killed.
#[test]
fn a_proxy_of_its_own() {
    let Ok(settings) = std::env::var(CHILD) else { return };
    let (place, folder) = settings.split_once(' ').expect("two settings");
    let mut proxy = proxy(Path::new(folder), place, None);
    proxy.trace = Some(Path::new(folder).join("trace.jsonl"));
    proxy.tables = vec!["proxy_kill:id:n".parse().expect("a table")];
    let bound = proxy.bind().expect("the proxy starts");
    println!("address {}", bound.local_addr().expect("an address"));
    bound.run(&AtomicBool::new(false)).expect("it runs until it is killed");
}

fn start_child(place: &str, folder: &Path) -> (Child, String) {
    let mut child = Command::new(std::env::current_exe().expect("a program"))
        .args(["--exact", "kills::a_proxy_of_its_own", "--nocapture"])
        .env(CHILD, format!("{place} {}", folder.display()))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let address = lines
        .find_map(|line| {
            line.expect("a line").split_once("address ").map(|(_, place)| place.to_owned())
        })
        .expect("an address");
    thread::spawn(move || lines.for_each(drop));
    (child, address)
}

/// Lines up to one that was cut off.
fn whole_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a log in UTF-8");
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn nothing_acknowledged_is_missing_when_the_proxy_is_killed() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let user = url.user().unwrap_or("postgres").to_owned();
    let mut direct = Pg::direct(&place, &user).expect("a connection");
    direct.query("drop table if exists proxy_kill").expect("an answer");
    direct.query("create table proxy_kill (id int primary key, n int)").expect("an answer");
    for round in 0..5 {
        let folder = folder(&format!("kill-proxy-{round}"));
        let (mut child, address) = start_child(&place, &folder);
        let progress = AtomicU64::new(0);
        let (acknowledged, enough): (Vec<Vec<String>>, bool) = thread::scope(|scope| {
            let clients: Vec<_> = (0..4)
                .map(|client| {
                    let (address, user, progress) = (&address, &user, &progress);
                    let client = round * 4 + client;
                    scope.spawn(move || insert_until_killed(address, user, client, progress))
                })
                .collect();
            // Somewhere in the middle, at a different place in each round.
            let enough = comes_true(|| progress.load(Ordering::Relaxed) >= 25 + 7 * round);
            child.kill().expect("it is killed");
            child.wait().expect("it is gone");
            let joined = clients.into_iter().map(|client| client.join().expect("a client"));
            (joined.collect(), enough)
        });
        assert!(enough, "only {} rows in {PATIENCE:?}", progress.load(Ordering::Relaxed));
        let log = whole_lines(&folder.join("log.jsonl"));
        let acknowledged: Vec<String> = acknowledged.concat();
        let committed: std::collections::HashSet<&Value> = with(&log, "finish")
            .into_iter()
            .filter(|line| line["outcome"] == "committed")
            .map(|line| &line["finish"])
            .collect();
        let calls: std::collections::HashMap<&str, &Value> = with(&log, "call")
            .into_iter()
            .map(|line| (line["sql"].as_str().expect("a text"), line))
            .collect();
        for sql in &acknowledged {
            let call = calls.get(sql.as_str()).expect("it was called");
            assert!(committed.contains(&call["txn"]), "{sql}");
        }
        // What the server holds is a subset of what was called.
        let rows = direct.query("select n from proxy_kill order by n").expect("an answer");
        let held = rows.iter().filter(|(kind, _)| *kind == b'D').count();
        assert!(held >= acknowledged.len(), "{held}");
        let history = tristan_formats::open(&folder.join("trace.jsonl"), None).expect("a trace");
        let told = history.txns.iter().filter(|txn| txn.outcome == Outcome::Committed).count();
        assert!(told >= acknowledged.len(), "{told}");
    }
}

/// Inserts rows, some of them in transactions, and returns those that were acknowledged.
fn insert_until_killed(
    address: &str,
    user: &str,
    client: u64,
    progress: &AtomicU64,
) -> Vec<String> {
    let mut acknowledged = Vec::new();
    let Ok(mut client_) = Pg::connect(address, user, &[]) else { return acknowledged };
    for number in 0.. {
        let id = client * 1_000_000 + number;
        let sql = format!("insert into proxy_kill (id, n) values ({id}, {number})");
        let done = match number % 2 {
            0 => client_.query(&sql).is_ok(),
            _ => ["begin", &sql, "commit"].iter().all(|sql| client_.query(sql).is_ok()),
        };
        if !done {
            break;
        }
        acknowledged.push(sql);
        progress.fetch_add(1, Ordering::Relaxed);
    }
    acknowledged
}

#[test]
fn what_a_killed_client_did_is_in_the_log() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("kill-client"), &place, None));
    let user = url.user().unwrap_or("postgres");
    let connect = || Pg::connect(running.address, user, &[]).expect("a connection");
    // One dies in a transaction, one right after it has asked for something.
    let mut open = connect();
    open.query("begin").expect("an answer");
    open.query("select 'in a transaction'").expect("an answer");
    let mut asking = connect();
    asking.send(&[query("select pg_sleep(0.2), 'asked'")]).expect("it is sent");
    // Nobody is there to be killed in one process; a reset is what a kill looks like from outside.
    drop(open);
    drop(asking);
    let log = closed(&running.log);
    assert_eq!(outcome(&log, "select 'in a transaction'"), Some("aborted"));
    let (_, end) = statement(&log, "select pg_sleep(0.2), 'asked'");
    assert!(end.is_some(), "its end is known or said to be lost");
    assert!(outcome(&log, "select pg_sleep(0.2), 'asked'").is_some());
    assert!(with(&log, "close").iter().all(|line| line["by"] == "client"));
}

#[test]
fn psql_can_be_killed() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("kill-psql"), &place, None));
    let mut command = Command::new("psql");
    command
        .env("PGUSER", url.user().unwrap_or("postgres"))
        .args(["-h", "127.0.0.1", "-p", &running.address.port().to_string(), "-d", "postgres"])
        .args(["-c", "begin", "-c", "select pg_sleep(61)"])
        .stdout(Stdio::null());
    let Some(mut child) = found("psql", command.spawn().ok()) else { return };
    wait(&running.log, |log| log.iter().any(|line| line["sql"] == "select pg_sleep(61)"));
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
    // The server sleeps on and cannot know; somebody has to wake it.
    let mut direct = Pg::direct(&place, url.user().unwrap_or("postgres")).expect("a connection");
    let wake = "select pg_cancel_backend(pid) from pg_stat_activity where query = 'select pg_sleep(61)' and pid <> pg_backend_pid()";
    direct.query(wake).expect("an answer");
    let log = closed(&running.log);
    assert_eq!(outcome(&log, "select pg_sleep(61)"), Some("aborted"));
}

/// A port that nobody uses now.
#[test]
fn a_commit_is_unknown_if_the_server_is_killed() {
    if server("TRISTAN_POSTGRES").is_none() {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/servers");
    let data = std::env::temp_dir().join(format!("tristan-proxy-kill-{}", std::process::id()));
    let port = free_port().to_string();
    let started = Command::new(&script)
        .args(["postgres", &data.display().to_string(), &port])
        .stdout(Stdio::null())
        .status();
    assert!(started.is_ok_and(|status| status.success()), "no server of its own starts");
    let running = start(proxy(&folder("kill-server"), &format!("127.0.0.1:{port}"), None));
    let mut idle = Pg::connect(running.address, "postgres", &[]).expect("a connection");
    idle.query("begin").expect("an answer");
    idle.query("select 'before'").expect("an answer");
    let mut busy = Pg::connect(running.address, "postgres", &[]).expect("a connection");
    // The commit waits for this, so that the server can be killed in the middle.
    busy.query("create table slow (x int)").expect("an answer");
    busy.query("create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(600); return null; end'").expect("an answer");
    busy.query("create constraint trigger t after insert on slow deferrable initially deferred for each row execute function wait()").expect("an answer");
    busy.query("begin").expect("an answer");
    busy.query("insert into slow values (1)").expect("an answer");
    busy.send(&[query("commit")]).expect("it is sent");
    wait(&running.log, |log| log.iter().any(|line| line["sql"] == "commit"));
    kill_all(&data);
    let log = closed(&running.log);
    let _ = fs::remove_dir_all(&data);
    assert_eq!(outcome(&log, "select 'before'"), Some("aborted"));
    assert_eq!(outcome(&log, "insert into slow values (1)"), Some("unknown"));
    assert!(with(&log, "close").iter().all(|line| line["by"] == "server"));
    let mut late = std::net::TcpStream::connect(running.address).expect("the proxy is still there");
    std::io::Write::write_all(&mut late, b"\0\0\0\x10\0\x03\0\0user\0me\0").expect("it is sent");
    let mut told = Vec::new();
    std::io::Read::read_to_end(&mut late, &mut told).expect("an answer");
    assert!(told.starts_with(b"E") && String::from_utf8_lossy(&told).contains("08006"), "{told:?}");
}

/// Kills a server and all of its processes, which have its folder in their command line or are its
/// children.
fn kill_all(data: &Path) {
    let pid = fs::read_to_string(data.join("pid")).expect("a process id").trim().to_owned();
    let children = Command::new("ps").args(["-o", "pid=", "--ppid", &pid]).output().expect("ps");
    let children = String::from_utf8_lossy(&children.stdout).into_owned();
    for victim in std::iter::once(pid.as_str()).chain(children.split_whitespace()) {
        let _ = Command::new("kill").args(["-KILL", victim]).status();
    }
}

//! Proxies for tests, and what they wrote.

#![allow(clippy::panic, reason = "helpers of tests")]

pub mod pg;

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use tristan_check::budget::Limits;
use tristan_check::{Options, Silent, check};
use tristan_history::History;
use tristan_proxy::{LogStart, Protocol, Proxy};
use tristan_record::Url;
use tristan_spec::Catalog;
use tristan_testkit::{comes_true, server_at};
use tristan_verdict::Answer;

pub use tristan_testkit::PATIENCE;

/// A proxy that runs in a thread of this process.
pub struct Running {
    pub address: SocketAddr,
    pub log: PathBuf,
    pub trace: PathBuf,
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    tristan_testkit::folder(env!("CARGO_TARGET_TMPDIR"), name)
}

/// A proxy that is not started yet.
pub fn proxy(folder: &Path, upstream: &str, protocol: Option<Protocol>) -> Proxy {
    Proxy {
        listen: "127.0.0.1:0".into(),
        upstream: upstream.into(),
        protocol,
        log: folder.join("log.jsonl"),
        trace: None,
        tables: Vec::new(),
        level: None,
        max_rows: Proxy::MAX_ROWS,
        start: LogStart::default(),
    }
}

/// Starts a proxy.
pub fn start(proxy: Proxy) -> Running {
    let log = proxy.log.clone();
    let trace = proxy.trace.clone().unwrap_or_default();
    let bound = proxy.bind().expect("the proxy starts");
    let address = bound.local_addr().expect("an address");
    std::thread::spawn(move || bound.run(&AtomicBool::new(false)));
    Running { address, log, trace }
}

/// A proxy that also writes a trace of some tables.
pub fn start_with_tables(name: &str, upstream: &str, tables: &[&str]) -> Running {
    let folder = folder(name);
    let mut proxy = proxy(&folder, upstream, None);
    proxy.trace = Some(folder.join("trace.jsonl"));
    proxy.tables = tables.iter().map(|table| table.parse().expect("a table")).collect();
    start(proxy)
}

/// A server to test against, if there is one: its address, and `host:port`.
pub fn server(variable: &str) -> Option<(Url, String)> {
    let text = server_at(variable)?;
    let url: Url = text.parse().expect("an address");
    let place = format!("{}:{}", url.host(), url.port().expect("a port"));
    Some((url, place))
}

/// All lines of a log, each of which is JSON.
pub fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a log in UTF-8");
    assert!(text.ends_with('\n'), "whole lines");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Lines that have a field.
pub fn with<'a>(lines: &'a [Value], field: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line.get(field).is_some()).collect()
}

/// Transactions that ended in a way.
pub fn finished(lines: &[Value], outcome: &str) -> usize {
    with(lines, "finish").iter().filter(|line| line["outcome"] == outcome).count()
}

/// The call of a statement with this text and its end, if it has one.
pub fn statement<'a>(lines: &'a [Value], sql: &str) -> (&'a Value, Option<&'a Value>) {
    let call = lines.iter().find(|line| line["sql"] == sql).unwrap_or_else(|| panic!("no {sql}"));
    (call, lines.iter().find(|line| line["end"] == call["call"]))
}

/// The outcome of the transaction that a statement with this text was in.
pub fn outcome<'a>(lines: &'a [Value], sql: &str) -> Option<&'a str> {
    let (call, end) = statement(lines, sql);
    let txn = end.map_or(&call["txn"], |end| &end["txn"]);
    let finish = lines.iter().find(|line| line["finish"] == *txn)?;
    finish["outcome"].as_str()
}

/// Waits until a log is as it should be.
pub fn wait(path: &Path, mut good: impl FnMut(&[Value]) -> bool) -> Vec<Value> {
    let mut found = Vec::new();
    let is_good = comes_true(|| {
        found = lines(path);
        good(&found)
    });
    assert!(is_good, "{} does not become as it should: {found:#?}", path.display());
    found
}

/// The level holds; the check has a limit of its own.
pub fn accepted(history: &History, level: &str) {
    let level = Catalog::default().find(level).expect(level);
    let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let answer = check(history, &level, &options, &Silent).verdict.answer;
    assert!(matches!(answer, Answer::Accept { .. }), "{answer:#?}");
}

/// Waits until every connection that was opened is closed.
pub fn closed(path: &Path) -> Vec<Value> {
    wait(path, |lines| {
        let opened = with(lines, "open").len();
        opened > 0 && opened == with(lines, "close").len()
    })
}

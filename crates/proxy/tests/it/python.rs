//! Applications in Python through the proxy, unchanged.

#![allow(clippy::print_stdout, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{closed, finished, found, server, start_with_tables};
use tristan_history::Outcome;

/// Where clients for Python are, fetched if they are not there; `None` if that cannot be done.
fn clients(name: &str) -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("python-{name}"));
    if place.join(name).exists() {
        return Some(place);
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&place).arg(name);
    let fetched = pip.output().is_ok_and(|output| output.status.success());
    found(name, fetched.then_some(place))
}

/// Runs an application through a proxy and looks at what was written.
fn transfers(variable: &str, client: &str, driver: &str, database: &str) {
    let Some((url, upstream)) = server(variable) else { return };
    let Some(clients) = clients(client) else { return };
    let table = format!("python_{}", std::process::id());
    let declared = format!("{table}:id:balance");
    let running = start_with_tables(&format!("through-{client}"), &upstream, &[&declared]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/transfers.py");
    let (host, port) = (running.address.ip().to_string(), running.address.port().to_string());
    let user = url.user().unwrap_or_default();
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", clients).arg(script);
    python.args([driver, database, &host, &port, user, &table]);
    let output = python.output().expect("python3 starts");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("60") && said.contains("140"), "{said}");
    let log = closed(&running.log);
    assert!(finished(&log, "committed") >= 10, "{log:#?}");
    assert_eq!(finished(&log, "aborted"), 2);
    let history = tristan_formats::open(&running.trace, None).expect("a trace");
    let ended = |outcome| {
        let told = history.txns.iter().filter(|txn| txn.op_count > 0);
        told.filter(|txn| txn.outcome == outcome).count()
    };
    assert_eq!((ended(Outcome::Committed), ended(Outcome::Aborted)), (10, 2));
}

#[test]
fn pg8000_runs_unchanged() {
    transfers("TRISTAN_POSTGRES", "pg8000", "pg8000.dbapi", "postgres");
}

#[test]
fn pymysql_runs_unchanged() {
    transfers("TRISTAN_MARIADB", "pymysql", "pymysql", "test");
}

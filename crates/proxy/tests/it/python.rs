//! Applications in Python through the proxy, unchanged.

use std::path::Path;
use std::process::Command;

use crate::common::{closed, finished, server, start_with_tables};
use tristan_history::Outcome;
use tristan_testkit::python_package;

/// Runs an application through a proxy and looks at what was written.
fn transfers(variable: &str, client: &str, driver: &str, database: &str) {
    let Some((url, upstream)) = server(variable) else { return };
    let Some(clients) = python_package(env!("CARGO_TARGET_TMPDIR"), client) else { return };
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

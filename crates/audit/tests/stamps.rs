//! A log in which the likely order of commits explains nothing and the database's own order does.
//!
//! `logs/tpcc-mariadb-serializable.jsonl.gz` is `tristan record -w sql-tpcc` on MariaDB 10.11 at
//! SERIALIZABLE with 24 clients, without the transactions that do not matter. A search
//! through all orders of its 185 transactions does not end.

use crate::common;

use std::path::Path;
use std::process::Command;

use common::word;
use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, AuditOptions, audit};

#[test]
fn the_order_of_the_stamps_is_tried_before_all_orders() {
    let packed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs/tpcc-mariadb-serializable.jsonl.gz");
    let output = Command::new("gzip").arg("-dc").arg(packed).output().expect("gzip starts");
    assert!(output.status.success(), "{output:?}");
    // Without the stamps, a search that is cut short: unknown instead of hours.
    let options =
        AuditOptions { worlds: 8, attempts: 200, ..AuditOptions::new(AuditLevel::Serializable) };
    let verdict = audit(&TextSource::new("log", output.stdout), &options).expect("a log");
    assert_eq!(word(&verdict), "accept", "{:?}", verdict.answer);
}

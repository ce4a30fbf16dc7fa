//! Records applications, and has their logs judged.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{PATIENCE, server_at};
use tristan_audit::log::FileSource;
use tristan_audit::{AuditOptions, audit};
use tristan_record::applications::{ApplicationRun, Kind, LogHeader, Sizes, SqlLog};
use tristan_record::run::{Count, Tally};
use tristan_record::sql::Dialect;
use tristan_record::{Database, Url};
use tristan_verdict::audit::{AuditAnswer, AuditWitness};

/// All applications of a server live in one place, one after the other.
pub static PLACE: Mutex<()> = Mutex::new(());

pub fn address(variable: &str) -> Option<Url> {
    server_at(variable).map(|address| address.parse().expect("an address"))
}

/// A log that is deleted in the end, unless the test fails.
pub struct Log(pub PathBuf);

impl Log {
    pub fn new(name: &str) -> Self {
        let file = format!("tristan-{name}-{}.jsonl", std::process::id());
        Self(std::env::temp_dir().join(file))
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("a log")
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // A log that stays behind does no harm.
            let _ = std::fs::remove_file(&self.0);
        }
    }
}

/// Runs an application, and writes its log. What a slow machine has not done after a while is left out.
pub fn record(database: &dyn Database, kind: &Kind, level: &str, sizes: Sizes, log: &Log) -> Count {
    let end = End { within: Duration::from_secs(20), stop: &AtomicBool::new(false) };
    record_until(database, kind, level, sizes, log, end)
}

/// What ends a run before all its transactions have committed.
pub struct End<'a> {
    pub within: Duration,
    pub stop: &'a AtomicBool,
}

/// The same with an end of its own.
pub fn record_until(
    database: &dyn Database,
    kind: &Kind,
    level: &str,
    sizes: Sizes,
    log: &Log,
    end: End<'_>,
) -> Count {
    let dialect = database.dialect().expect("it speaks SQL");
    let level = *database.levels().iter().find(|known| known.name == level).expect("a level");
    let application = kind.open(&sizes);
    let start = application.start();
    database.furnish(&start.statements(dialect)).expect("tables");
    let name = if dialect == Dialect::Mysql { "mysql" } else { "postgresql" };
    let server = database.describe();
    let collation = database.collation();
    let collation = collation.as_deref();
    let header = LogHeader { dialect: name, server: &server, collation, level: level.name };
    let written = Arc::new(SqlLog::create(&log.0, header, &start).expect("a log"));
    let run = ApplicationRun {
        database,
        dialect,
        level,
        sizes,
        think: Duration::ZERO,
        until: Some(Instant::now() + end.within),
        hints: true,
        patient: true,
    };
    let tally = Tally::default();
    run.go(application.as_ref(), &written, &tally, end.stop).expect("the run ends");
    written.finish().expect("the log is complete");
    tally.now()
}

/// Has a log judged: how many transactions have committed in it, and why they could. An audit that
/// takes too long is a failure, and its log is kept.
pub fn accepted(log: &Log, level: &str) -> (u64, AuditWitness) {
    let time = Some(PATIENCE.as_millis() as u64);
    let options = AuditOptions { time, ..AuditOptions::new(level.parse().expect("a level")) };
    let verdict = audit(&FileSource::new(log.0.clone()), &options).expect("a verdict");
    match verdict.answer {
        AuditAnswer::Accept { witness } => (verdict.log.committed, witness),
        AuditAnswer::Reject { rejection } => panic!("{}: {}", log.0.display(), rejection.sentence),
        AuditAnswer::Unknown { reason, .. } => panic!("{}: {reason}", log.0.display()),
    }
}

//! Applications run on PostgreSQL and MariaDB, and `tristan audit` accepts what has run at SERIALIZABLE.
//! Needs `scripts/servers run cargo test`; without a server there is nothing to see.
//! `TRISTAN_SQL_TXNS` says how many transactions are to commit in each run.

#![allow(clippy::print_stdout, clippy::panic, reason = "helpers of tests")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tristan_audit::log::FileSource;
use tristan_audit::{Options, audit};
use tristan_record::applications::{ApplicationRun, KINDS, Kind, LogHeader, Sizes, SqlLog};
use tristan_record::faults::Relay;
use tristan_record::run::{Count, Tally};
use tristan_record::sql::Dialect;
use tristan_record::{Database, Url, databases};
use tristan_verdict::audit::AuditAnswer;

/// The levels that applications run at.
const LEVELS: [&str; 3] = ["serializable", "repeatable-read", "read-committed"];

/// All applications of a server live in one place, one after the other.
static PLACE: Mutex<()> = Mutex::new(());

fn address(variable: &str) -> Option<Url> {
    let Ok(address) = std::env::var(variable) else {
        println!("{variable} is not set: nothing is tested");
        return None;
    };
    Some(address.parse().expect("an address"))
}

fn txns() -> u64 {
    std::env::var("TRISTAN_SQL_TXNS").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

/// A log that is deleted in the end, unless the test fails.
struct Log(PathBuf);

impl Log {
    fn new(name: &str) -> Self {
        let file = format!("tristan-{name}-{}.jsonl", std::process::id());
        Self(std::env::temp_dir().join(file))
    }

    fn text(&self) -> String {
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

/// Runs an application, and writes its log.
fn record(database: &dyn Database, kind: &Kind, level: &str, sizes: Sizes, log: &Log) -> Count {
    let dialect = database.dialect().expect("it speaks SQL");
    let level = *database.levels().iter().find(|known| known.name == level).expect("a level");
    let application = kind.open(&sizes);
    let start = application.start();
    database.furnish(&start.statements(dialect)).expect("tables");
    let name = if dialect == Dialect::Mysql { "mysql" } else { "postgresql" };
    let server = database.describe();
    let header = LogHeader { dialect: name, server: &server, level: level.name };
    let written = Arc::new(SqlLog::create(&log.0, header, &start).expect("a log"));
    let run = ApplicationRun {
        database,
        dialect,
        level,
        sizes,
        think: Duration::ZERO,
        until: Some(Instant::now() + Duration::from_secs(20)),
        hints: true,
        patient: true,
    };
    let tally = Tally::default();
    run.go(application.as_ref(), &written, &tally, &AtomicBool::new(false)).expect("the run ends");
    written.finish().expect("the log is complete");
    tally.now()
}

/// Has a log judged; says how many transactions have committed in it.
fn accepted(log: &Log, level: &str) -> u64 {
    let options = Options::new(level.parse().expect("a level"));
    let verdict = audit(&FileSource::new(log.0.clone()), &options).expect("a verdict");
    match verdict.answer {
        AuditAnswer::Accept { .. } => verdict.log.committed,
        AuditAnswer::Reject { rejection } => panic!("{}: {}", log.0.display(), rejection.sentence),
        AuditAnswer::Unknown { reason, .. } => panic!("{}: {reason}", log.0.display()),
    }
}

/// Records everything at every level; what has run serially is judged, too.
fn all_run(variable: &str) {
    let Some(url) = address(variable) else { return };
    let database = databases::open(&url).expect("a server");
    let _alone = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    for kind in KINDS {
        for level in LEVELS {
            let log = Log::new(&format!("{}-{level}-{}", kind.name, variable.to_lowercase()));
            let scale = if kind.name == "sql-tpcc" { 1 } else { 20 };
            let sizes = Sizes { txns: txns(), clients: 6, scale, seed: 7, ..kind.usual() };
            let count = record(database.as_ref(), kind, level, sizes, &log);
            println!("{} at {level}, seed 7: {count:?}", kind.name);
            assert!(count.committed > 0 && count.unknown == 0, "{count:?}");
            let finished = log.text().matches("\"outcome\":\"committed\"").count() as u64;
            assert_eq!(finished, count.committed, "{}", log.0.display());
            if level == "serializable" && variable == "TRISTAN_POSTGRES" {
                assert_eq!(accepted(&log, "ser"), count.committed, "{}", log.0.display());
            }
        }
    }
}

#[test]
fn everything_runs_on_postgresql() {
    all_run("TRISTAN_POSTGRES");
}

#[test]
fn everything_runs_on_mariadb() {
    all_run("TRISTAN_MARIADB");
}

#[test]
fn connections_that_are_cut_are_in_the_log() {
    let Some(url) = address("TRISTAN_POSTGRES") else { return };
    let _alone = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let port = databases::port(&url).expect("a port");
    let relay = Relay::start(url.host(), port).expect("a relay");
    let moved = url.moved_to(&relay.address().ip().to_string(), relay.address().port());
    let database = databases::open(&moved).expect("a server");
    let (kind, log) = (Kind::named("sql-bank").expect("a bank"), Log::new("cut"));
    let sizes = Sizes { txns: 400, clients: 6, scale: 20, seed: 3, ..kind.usual() };
    let over = AtomicBool::new(false);
    let count = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(30));
                relay.cut();
            }
        });
        let count = record(database.as_ref(), kind, "serializable", sizes, &log);
        over.store(true, Ordering::Relaxed);
        count
    });
    println!("seed 3: {count:?}");
    let text = log.text();
    let outcomes = |outcome: &str| text.matches(&format!("\"outcome\":\"{outcome}\"")).count();
    assert_eq!(outcomes("committed") as u64, count.committed);
    assert_eq!(outcomes("unknown") as u64, count.unknown);
    assert!(text.contains("\"by\":\"server\"") && text.contains("\"lost\":true"), "{count:?}");
    accepted(&log, "ser");
}

#[test]
fn every_application_fits_its_tables() {
    for kind in KINDS {
        let start = kind.open(&Sizes { scale: 3, ..kind.usual() }).start();
        assert!(start.tables.iter().any(|table| !table.rows.is_empty()), "{}", kind.name);
        for table in &start.tables {
            let create = table.create[0];
            assert!(create.starts_with(&format!("CREATE TABLE {} (", table.name)), "{create}");
            let widths: Vec<usize> = table.rows.iter().map(Vec::len).collect();
            assert!(widths.iter().all(|width| *width == widths[0]), "{}", table.name);
        }
    }
}

//! Applications run on PostgreSQL and MariaDB, and `tristan audit` accepts their logs at the level they
//! ran at. Needs `scripts/servers run cargo test`; without a server there is nothing to see.
//! `TRISTAN_SQL_TXNS` says how many transactions are to commit in each run.

#![allow(clippy::print_stdout, reason = "helpers of tests")]

use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::PATIENCE;
use crate::common::applications::{End, Log, PLACE, accepted, address, record, record_until};
use tristan_record::applications::{KINDS, Kind, Sizes};
use tristan_record::databases;
use tristan_record::faults::Relay;
use tristan_testkit::comes_true;

fn txns() -> u64 {
    std::env::var("TRISTAN_SQL_TXNS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// Records everything at every level with 2, 8 and 24 clients in turn, and has it judged there.
fn all_run(variable: &str, levels: [(&str, &str); 3]) {
    let Some(url) = address(variable) else { return };
    let database = databases::open(&url).expect("a server");
    let _alone = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut clients = [24, 8, 2].into_iter().cycle();
    for kind in KINDS {
        for (level, judged) in levels {
            let log = Log::new(&format!("{}-{level}-{}", kind.name, variable.to_lowercase()));
            let scale = if kind.name == "sql-tpcc" { 1 } else { 20 };
            let clients = clients.next().unwrap_or(2);
            let sizes = Sizes { txns: txns(), clients, scale, seed: 7, ..kind.usual() };
            let count = record(database.as_ref(), kind, level, sizes, &log);
            println!("{} at {level}, {clients} clients, seed 7: {count:?}", kind.name);
            assert!(count.committed > 0 && count.unknown == 0, "{count:?}");
            let finished = log.text().matches("\"outcome\":\"committed\"").count() as u64;
            assert_eq!(finished, count.committed, "{}", log.0.display());
            assert_eq!(accepted(&log, judged).0, count.committed, "{}", log.0.display());
        }
        clients.next();
    }
}

#[test]
fn everything_runs_on_postgresql() {
    let levels =
        [("serializable", "ser"), ("repeatable-read", "ssi"), ("read-committed", "strong-rc")];
    all_run("TRISTAN_POSTGRES", levels);
}

#[test]
fn everything_runs_on_mariadb() {
    let levels = [
        ("serializable", "ser"),
        ("repeatable-read", "mariadb-rr"),
        ("read-committed", "strong-rc"),
    ];
    all_run("TRISTAN_MARIADB", levels);
}

/// Raises a flag at the end, whatever happens.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether a log tells of answers that never came, and of connections that the server ended.
fn has_lost_answers(log: &str) -> bool {
    log.contains("\"by\":\"server\"") && log.contains("\"lost\":true")
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
    // More than anybody waits for: the run ends when the log has what is looked for.
    let sizes = Sizes { txns: 1_000_000, clients: 6, scale: 20, seed: 3, ..kind.usual() };
    let over = AtomicBool::new(false);
    let count = std::thread::scope(|scope| {
        scope.spawn(|| {
            let _over = Raise(&over);
            let mut at_last_cut = 0;
            comes_true(|| {
                let text = std::fs::read_to_string(&log.0).unwrap_or_default();
                let committed = text.matches("\"outcome\":\"committed\"").count();
                if committed >= at_last_cut + 10 {
                    at_last_cut = committed;
                    relay.cut();
                }
                over.load(Ordering::Relaxed) || (committed >= 200 && has_lost_answers(&text))
            });
        });
        let _over = Raise(&over);
        let end = End { within: 2 * PATIENCE, stop: &over };
        record_until(database.as_ref(), kind, "serializable", sizes, &log, end)
    });
    println!("seed 3: {count:?}");
    let text = log.text();
    let outcomes = |outcome: &str| text.matches(&format!("\"outcome\":\"{outcome}\"")).count();
    assert_eq!(outcomes("committed") as u64, count.committed);
    assert_eq!(outcomes("unknown") as u64, count.unknown);
    assert!(has_lost_answers(&text), "{count:?}");
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

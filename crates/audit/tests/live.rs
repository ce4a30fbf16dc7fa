//! Logs of a real PostgreSQL are accepted at the level they ran at.
//!
//! Runs if TRISTAN_POSTGRES names a server, as `scripts/servers run` does. AUDIT_TXNS says how many
//! transactions each client runs.

mod common;

#[path = "common/postgres.rs"]
mod postgres;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use common::word;
use postgres::{Client, Recorded};
use serde_json::json;
use tristan_audit::log::TextSource;
use tristan_audit::{Level, Options, audit};

/// A workload on one table.
struct Run<'a> {
    url: &'a str,
    table: String,
    level: &'static str,
    accounts: u64,
    clients: u64,
    each: u64,
}

impl Run<'_> {
    fn log(&self) -> Vec<String> {
        let schema =
            format!("CREATE TABLE {} (acc_id INT PRIMARY KEY, balance DECIMAL(12,2))", self.table);
        let rows: Vec<String> = (1..=self.accounts).map(|id| format!("({id}, 1000.00)")).collect();
        let fill = format!("INSERT INTO {} VALUES {}", self.table, rows.join(", "));
        let mut client = Client::connect(self.url).expect("a server");
        for sql in [&format!("DROP TABLE IF EXISTS {}", self.table), &schema, &fill] {
            client.run(sql).expect("an answer");
        }
        let mut lines = vec![
            json!({"tristan": "sql-log/1", "dialect": "postgresql"}).to_string(),
            json!({"schema": format!("{schema}; {fill}")}).to_string(),
        ];
        let (more, numbers, epoch) = (Mutex::new(Vec::new()), AtomicU64::new(1), Instant::now());
        thread::scope(|scope| {
            for session in 0..self.clients {
                let (more, numbers) = (&more, &numbers);
                scope.spawn(move || self.client(session, epoch, numbers, more));
            }
        });
        client.run(&format!("DROP TABLE {}", self.table)).expect("an answer");
        lines.extend(more.into_inner().expect("nobody panicked"));
        lines
    }

    fn client(
        &self,
        session: u64,
        epoch: Instant,
        numbers: &AtomicU64,
        lines: &Mutex<Vec<String>>,
    ) {
        let mut client = Client::connect(self.url).expect("a server");
        let mut state = session * 7919 + 12_345;
        let mut below = |most: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % most
        };
        for _ in 0..self.each {
            let (one, other) = (below(self.accounts) + 1, below(self.accounts) + 1);
            let (amount, table) = (below(500) + 1, &self.table);
            let add = |sign: &str, id: u64| {
                format!("UPDATE {table} SET balance = balance {sign} {amount} WHERE acc_id = {id}")
            };
            let read = |id: u64| format!("SELECT balance FROM {table} WHERE acc_id = {id}");
            let statements = match below(7) {
                0 => vec![read(one)],
                1 => vec![read(one), read(other)],
                2 => vec![add("+", one)],
                3 => vec![format!("{} AND balance >= {}", add("-", one), amount * 2)],
                4 => vec![add("+", one), add("-", other)],
                5 => vec![read(one), add("-", other)],
                _ => vec![format!("SELECT sum(balance), count(*) FROM {table} WHERE acc_id <= 20")],
            };
            let mut txn = Recorded::begin(&mut client, epoch, self.level).expect("an answer");
            let go_on = statements.iter().all(|sql| txn.run(sql).expect("an answer"));
            let number = numbers.fetch_add(1, Ordering::Relaxed);
            if let Some(line) = txn.commit(number, session, go_on).expect("an answer") {
                lines.lock().expect("nobody panicked").push(line);
            }
        }
    }
}

#[test]
fn real_logs_are_accepted_at_their_level() {
    let Ok(url) = std::env::var("TRISTAN_POSTGRES") else {
        println!("TRISTAN_POSTGRES is not set: nothing is tested");
        return;
    };
    let each = std::env::var("AUDIT_TXNS").ok().and_then(|each| each.parse().ok()).unwrap_or(100);
    let levels = [
        ("SERIALIZABLE", Level::Serializable),
        ("REPEATABLE READ", Level::StrongSnapshot),
        ("READ COMMITTED", Level::ReadCommitted),
    ];
    for (name, level) in levels {
        for (clients, accounts) in [(2, 1000), (8, 100), (24, 30)] {
            let table = format!("audit_{}_{clients}_{}", level.name(), std::process::id());
            let run = Run { url: &url, table, level: name, accounts, clients, each };
            let lines = run.log();
            let log = TextSource::new("live", (lines.join("\n") + "\n").into_bytes());
            let verdict = audit(&log, &Options::new(level)).expect("a log");
            let kept = lines.len() - 2;
            println!("{name}, {clients} clients: {kept} transactions, {}", word(&verdict));
            if word(&verdict) != "accept" {
                let file = std::env::temp_dir()
                    .join(format!("audit-live-{}-{clients}.jsonl", level.name()));
                std::fs::write(&file, lines.join("\n")).expect("a file");
                panic!("{name} with {clients} clients: {}; see {}", word(&verdict), file.display());
            }
        }
    }
}

//! A Django application through the proxy, unchanged, and audited from a dump, on PostgreSQL and on MariaDB.

#![allow(clippy::print_stdout, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tristan_audit::log::TextSource;
use tristan_audit::{AuditOptions, audit};
use tristan_record::Url;
use tristan_testkit::{django, program};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

use crate::common::{PATIENCE, closed, folder, proxy, server, start};

/// The level that Django asks for, the level that is audited, and whether parameters are sent apart.
type Run = (&'static str, &'static str, bool);

const POSTGRES_RUNS: [Run; 3] = [
    ("read committed", "strong-rc", false),
    ("repeatable read", "ssi", true),
    // Queries outside of transactions run at READ COMMITTED all the same, so the whole need not be serializable.
    ("serializable", "ssi", false),
];

const MARIADB_RUNS: [Run; 3] = [
    ("read committed", "strong-rc", false),
    ("repeatable read", "mariadb-rr", false),
    ("serializable", "ser", false),
];

fn application() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/django")
}

/// A database of the application.
struct Shop<'a> {
    django: &'a Path,
    url: &'a Url,
    database: String,
}

impl Shop<'_> {
    fn is_postgres(&self) -> bool {
        self.url.scheme == "postgres"
    }

    /// Runs a command of Django on the database behind a port.
    fn manage(&self, port: u16, (level, _, apart): Run, args: &[&str]) {
        let mut python = Command::new("python3");
        let (scheme, host) = (&self.url.scheme, self.url.host());
        let database = format!("{scheme}://{}@{host}:{port}/{}", self.user(), self.database);
        python.current_dir(application()).arg("manage.py").args(args);
        python.env("PYTHONPATH", self.django).env("PYTHONDONTWRITEBYTECODE", "1");
        python.env("DATABASE_URL", database).env("ISOLATION", level);
        if apart {
            python.env("SERVER_SIDE_BINDING", "1");
        }
        output(python);
    }

    fn user(&self) -> &str {
        self.url.user().unwrap_or(if self.is_postgres() { "postgres" } else { "root" })
    }

    fn create(&self) {
        match self.is_postgres() {
            true => drop(self.program("createdb", &[&self.database])),
            false => self.execute(&format!("CREATE DATABASE {}", self.database)),
        }
    }

    /// The tables and rows, as the program of the server writes them.
    fn dump(&self) -> String {
        match self.is_postgres() {
            true => self.program("pg_dump", &[&self.database]),
            false => self.program("mariadb-dump", &[&self.database]),
        }
    }

    fn drop(&self) {
        match self.is_postgres() {
            true => drop(self.program("dropdb", &["--force", &self.database])),
            false => self.execute(&format!("DROP DATABASE {}", self.database)),
        }
    }

    fn execute(&self, sql: &str) {
        self.program("mariadb", &["-e", sql]);
    }

    fn program(&self, name: &str, args: &[&str]) -> String {
        let mut command = Command::new(name);
        let port = self.url.port().expect("a port").to_string();
        match self.is_postgres() {
            true => command.args(["-h", self.url.host(), "-p", &port, "-U", self.user()]),
            false => command.args(["-h", self.url.host(), "-P", &port, "-u", self.user()]),
        };
        command.args(args);
        output(command)
    }
}

fn output(mut command: Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn judged(log: &str, schema: &str, level: &str, collation: &str) -> AuditVerdict {
    let log = TextSource::new("django", log.as_bytes().to_vec());
    let mut options = AuditOptions::new(level.parse().expect("a level"));
    options.schema = Some(schema.to_owned());
    options.collation = Some(collation.to_owned());
    options.time = Some(PATIENCE.as_millis() as u64);
    audit(&log, &options).expect("a log")
}

/// The log, in which one client is told that a product costs nothing.
fn changed(log: &str) -> String {
    let mut lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let asks = |line: &Value| {
        line["sql"].as_str().map(|sql| sql.replace(['"', '`'], "")).is_some_and(|sql| {
            sql.starts_with("SELECT orders_product.id") && sql.contains("WHERE orders_product.id =")
        })
    };
    let calls: Vec<Value> =
        lines.iter().filter(|line| asks(line)).map(|line| line["call"].clone()).collect();
    let committed: Vec<Value> = lines
        .iter()
        .filter(|line| line["outcome"] == "committed")
        .map(|line| line["finish"].clone())
        .collect();
    let price = |line: &Value| {
        let columns = line["columns"].as_array()?;
        columns.iter().position(|column| column[0] == "price")
    };
    let (answer, column) = lines
        .iter_mut()
        .filter(|line| calls.contains(&line["end"]) && committed.contains(&line["txn"]))
        .filter(|line| !line["rows"][0].is_null())
        .find_map(|line| price(line).map(|column| (line, column)))
        .expect("a query for a product that returned a row");
    answer["rows"][0][column] = Value::from("0.00");
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// How the application runs on a server.
struct Expectation {
    /// Where the server is.
    variable: &'static str,
    runs: [Run; 3],
    collation: &'static str,
    /// Of so many transactions, one may not be judged in full.
    one_in: u64,
    /// Whether a changed answer is always rejected; otherwise it may also be undecided.
    certain: bool,
}

/// Runs the application at all levels, and has the logs judged, as they are and with one answer changed.
fn accepted_until_changed(expected: &Expectation) {
    let Expectation { variable, runs, collation, one_in, certain } = *expected;
    let Some((url, place)) = server(variable) else { return };
    let Some(django) = django(env!("CARGO_TARGET_TMPDIR")) else { return };
    let direct = url.port().expect("a port");
    for (number, run) in runs.into_iter().enumerate() {
        let database = format!("django_{number}_{}", std::process::id());
        let shop = Shop { django: &django, url: &url, database };
        shop.create();
        shop.manage(direct, run, &["migrate", "-v0"]);
        shop.manage(direct, run, &["seed"]);
        let schema = shop.dump();
        let folder = folder(&format!("django-{}-{number}", url.scheme));
        let running = start(proxy(&folder, &place, None));
        let seed = (number + 1).to_string();
        let work = ["workload", "--clients", "8", "--requests", "40", "--seed", &seed];
        shop.manage(running.address.port(), run, &work);
        closed(&running.log);
        let log = fs::read_to_string(&running.log).expect("a log");
        let verdict = judged(&log, &schema, run.1, collation);
        let told = format!("{:?} {:?}", verdict.log, verdict.answer);
        assert!(matches!(verdict.answer, AuditAnswer::Accept { .. }), "{told}");
        println!(
            "{}: {} of {} transactions not in full",
            run.0, verdict.log.partly, verdict.log.committed
        );
        assert!(verdict.log.partly * one_in <= verdict.log.committed, "{told}");
        let verdict = judged(&changed(&log), &schema, run.1, collation);
        let told = format!("{:?} {:?}", verdict.log, verdict.answer);
        let undecided = matches!(verdict.answer, AuditAnswer::Unknown { .. });
        let rejected = matches!(verdict.answer, AuditAnswer::Reject { .. });
        assert!(rejected || undecided && !certain, "{told}");
        shop.drop();
    }
}

#[test]
fn a_django_application_is_accepted_until_an_answer_is_changed() {
    let Some(_) = program("psql") else { return };
    accepted_until_changed(&Expectation {
        variable: "TRISTAN_POSTGRES",
        runs: POSTGRES_RUNS,
        collation: "C",
        // Rows that got their numbers unseen may be lost with their table.
        one_in: 10,
        certain: true,
    });
}

#[test]
fn a_django_application_on_mariadb_is_accepted_until_an_answer_is_changed() {
    let Some(_) = program("mariadb-dump") else { return };
    accepted_until_changed(&Expectation {
        variable: "TRISTAN_MARIADB",
        runs: MARIADB_RUNS,
        collation: "utf8mb4_general_ci",
        // Many-to-many relations, which INSERT IGNORE fills, are judged as well.
        one_in: 20,
        // Statements that lock several rows while others change them leave too much open.
        certain: false,
    });
}

//! pgbench through the proxy, unchanged, and audited from what pg_dump writes.

use std::collections::HashSet;
use std::fs;
use std::process::Command;

use crate::common::{PATIENCE, Running, closed, folder, proxy, server, start};
use serde_json::Value;
use tristan_audit::log::TextSource;
use tristan_audit::{AuditOptions, audit};
use tristan_record::Url;
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

/// How clients send statements, the level they ask for, and the level that is audited.
const RUNS: [(&str, &str, &str); 3] = [
    ("simple", "read\\ committed", "strong-rc"),
    ("extended", "repeatable\\ read", "ssi"),
    ("prepared", "serializable", "ser"),
];

/// The scripts that are built into pgbench.
const SCRIPTS: [&str; 3] = ["tpcb-like", "simple-update", "select-only"];

fn program(name: &str, url: &Url, port: &str) -> Command {
    let mut command = Command::new(name);
    command.args(["-h", url.host(), "-p", port, "-U", url.user().unwrap_or("postgres")]);
    command
}

fn output(mut command: Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs all scripts, each by a few clients at once.
fn work(running: &Running, url: &Url, database: &str, mode: &str, level: &str) {
    let port = running.address.port().to_string();
    for script in SCRIPTS {
        let mut pgbench = program("pgbench", url, &port);
        pgbench.env("PGOPTIONS", format!("-c default_transaction_isolation={level}"));
        pgbench.args(["-n", "-c", "4", "-t", "10", "--max-tries=1000", "-M", mode]);
        pgbench.args(["-b", script, database]);
        output(pgbench);
    }
}

fn judged(log: &str, schema: &str, level: &str) -> AuditVerdict {
    let log = TextSource::new("pgbench", log.as_bytes().to_vec());
    let mut options = AuditOptions::new(level.parse().expect("a level"));
    options.schema = Some(schema.to_owned());
    options.time = Some(PATIENCE.as_millis() as u64);
    audit(&log, &options).expect("a log")
}

/// A dump with only the accounts that the log mentions. Reducing a log loads the dump once per attempt, so a
/// large one would take minutes.
fn used(schema: &str, log: &str) -> String {
    let numbers: HashSet<&str> = log.split(|letter: char| !letter.is_ascii_digit()).collect();
    let mut accounts = false;
    let kept = schema.lines().filter(|line| {
        accounts &= !line.starts_with("\\.");
        let kept = !accounts || line.split('\t').next().is_some_and(|id| numbers.contains(id));
        accounts |= line.starts_with("COPY public.pgbench_accounts");
        kept
    });
    kept.map(|line| format!("{line}\n")).collect()
}

/// The log, in which one committed transaction is told another balance.
fn changed(log: &str) -> String {
    let mut lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let asks =
        |line: &Value| line["sql"].as_str().is_some_and(|sql| sql.contains("SELECT abalance"));
    let calls: Vec<Value> =
        lines.iter().filter(|line| asks(line)).map(|line| line["call"].clone()).collect();
    let committed: Vec<Value> = lines
        .iter()
        .filter(|line| line["outcome"] == "committed")
        .map(|line| line["finish"].clone())
        .collect();
    let told = lines.iter_mut().filter(|line| calls.contains(&line["end"]));
    let mut told = told.filter(|line| committed.contains(&line["txn"]));
    let answer = told.nth(17).expect("many clients asked for a balance");
    answer["rows"][0][0] = Value::from(123_456_789);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn pgbench_is_accepted_in_every_mode_until_an_answer_is_changed() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    // pg_dump comes with psql.
    let Some(_) = tristan_testkit::program("psql") else { return };
    let Some(_) = tristan_testkit::program("pgbench") else { return };
    let port = url.port().expect("a port").to_string();
    let database = format!("pgbench_{}", std::process::id());
    let mut create = program("psql", &url, &port);
    create.args(["-d", "postgres", "-c", &format!("CREATE DATABASE {database}")]);
    output(create);
    for (mode, asked, level) in RUNS {
        let mut fill = program("pgbench", &url, &port);
        fill.args(["-i", "-q", &database]);
        output(fill);
        let mut dump = program("pg_dump", &url, &port);
        dump.arg(&database);
        let schema = output(dump);
        let running = start(proxy(&folder(&format!("pgbench-{mode}")), &place, None));
        work(&running, &url, &database, mode, asked);
        closed(&running.log);
        let log = fs::read_to_string(&running.log).expect("a log");
        let verdict = judged(&log, &schema, level);
        assert!(matches!(verdict.answer, AuditAnswer::Accept { .. }), "{}", verdict.to_json());
        // pgbench looks into the system catalog once per run.
        let seen = (verdict.log.partly, verdict.log.questions);
        assert!(verdict.log.committed >= 120 && seen == (0, 3), "{:?}", verdict.log);
        let verdict = judged(&changed(&log), &used(&schema, &log), level);
        assert!(matches!(verdict.answer, AuditAnswer::Reject { .. }), "{}", verdict.to_json());
    }
    let mut drop = program("psql", &url, &port);
    drop.args(["-d", "postgres", "-c", &format!("DROP DATABASE {database} WITH (FORCE)")]);
    output(drop);
}

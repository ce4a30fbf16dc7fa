//! Random SQL, generated from the manuals of the servers by `manual.py`: a live server answers it through
//! `tristan proxy`, and `tristan audit` must not reject what the server answered.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tristan_testkit::program;

use crate::common::{finish, folder, root, run, server_at, signal, text, tristan};

/// Each script has its own database, because a statement that is not supported can end the audit of its log.
const SCRIPTS: u64 = 20;
const STATEMENTS: &str = "30";
/// The first of the seeds; `MANUAL_SEED` overrides it.
const SEED: u64 = 1;

/// A server, and how to talk to it.
struct Server {
    dialect: &'static str,
    host: String,
    port: String,
    user: String,
    collation: &'static str,
}

impl Server {
    fn new(dialect: &'static str, url: &str, collation: &'static str) -> Self {
        let place = url.split_once("://").map_or(url, |(_, rest)| rest);
        let (user, place) = place.split_once('@').expect("a user");
        let place = place.split('/').next().expect("a host and a port");
        let (host, port) = place.split_once(':').expect("a port");
        let [host, port, user] = [host, port, user].map(str::to_owned);
        Self { dialect, host, port, user, collation }
    }

    /// The level of the audit for the level that a script names in its first line.
    fn level(&self, script: &str) -> &'static str {
        let first = script.lines().next().expect("a line");
        match (first.trim_start_matches("-- level "), self.dialect) {
            ("rc", _) => "strong-rc",
            ("rr", "mariadb") => "mariadb-rr",
            ("rr", _) => "ssi",
            ("ser", _) => "ser",
            other => panic!("{other:?} is no level"),
        }
    }

    /// Runs statements on a database, through a port; those that fail do not stop the others.
    fn execute(&self, port: &str, database: &str, sql: &str) -> Output {
        let is_mariadb = self.dialect == "mariadb";
        let mut client = Command::new(if is_mariadb { "mariadb" } else { "psql" });
        if is_mariadb {
            client.args([
                "--no-defaults",
                "--force",
                "--comments",
                "--default-character-set=utf8mb4",
            ]);
            client.args(["-h", &self.host, "-P", port, "-u", &self.user, database]);
        } else {
            client
                .args(["-X", "-q", "-h", &self.host, "-p", port, "-U", &self.user, "-d", database]);
            client.env("PGTZ", "UTC").env("PGCLIENTENCODING", "UTF8");
        }
        client.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = client.spawn().expect("the client starts");
        let mut input = child.stdin.take().expect("a pipe");
        let sql = sql.to_owned();
        // The client may say more than a pipe holds before it has read everything.
        let writer = std::thread::spawn(move || input.write_all(sql.as_bytes()));
        let output = child.wait_with_output().expect("the client ends");
        writer.join().expect("the writer ends").expect("the client reads everything");
        output
    }

    /// Runs statements that must not fail, directly on the server.
    fn prepare(&self, sql: &str) {
        let database = if self.dialect == "mariadb" { "mysql" } else { "postgres" };
        let output = self.execute(&self.port, database, sql);
        assert!(output.status.success() && output.stderr.is_empty(), "{sql}: {output:?}");
    }

    /// Creates an empty database, instead of the one that an earlier run may have left.
    fn create(&self, database: &str) {
        self.drop(database);
        let charset = " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci";
        let charset = if self.dialect == "mariadb" { charset } else { "" };
        self.prepare(&format!("CREATE DATABASE {database}{charset};"));
    }

    fn drop(&self, database: &str) {
        let quiet =
            if self.dialect == "mariadb" { "" } else { "SET client_min_messages = error;\n" };
        self.prepare(&format!("{quiet}DROP DATABASE IF EXISTS {database};"));
    }

    /// A proxy in front of the server, and the port where it listens.
    fn proxy(&self, log: &Path) -> (Child, String) {
        let upstream = format!("{}:{}", self.host, self.port);
        let mut proxy = tristan(&[
            "proxy",
            "--listen",
            "127.0.0.1:0",
            "--upstream",
            &upstream,
            "-o",
            text(log),
        ]);
        proxy.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = proxy.spawn().expect("the proxy starts");
        let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        let address = line.split_whitespace().nth(2).expect("an address");
        let port = address.rsplit(':').next().expect("a port").to_owned();
        std::thread::spawn(move || said.lines().for_each(drop));
        (child, port)
    }
}

fn script(dialect: &str, seed: u64) -> String {
    let generator = root().join("crates/cli/tests/manual.py");
    let mut python = Command::new("python3");
    python.args([text(&generator), dialect, &seed.to_string(), STATEMENTS]);
    let output = python.output().expect("python3 starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("a script in UTF-8")
}

/// How many statements a verdict counts as judged and as not judged.
fn judged(verdict: &Value) -> (u64, u64) {
    let log = &verdict["log"];
    let left_out = log["unjudged"].as_array().map_or(0, |reasons| {
        reasons.iter().filter_map(|reason| reason["statements"].as_u64()).sum()
    });
    (log["statements"].as_u64().expect("a number of statements"), left_out)
}

/// Statements in a log that have an answer to judge, whatever became of them.
fn answers(log: &str) -> u64 {
    let others = "begin start commit end rollback abort set create alter drop truncate";
    let counts = |line: &&str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let Some(sql) = line["sql"].as_str() else { return false };
        let word: String = sql.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
        let is_other = others.split(' ').any(|other| other.eq_ignore_ascii_case(&word));
        !is_other || sql.to_lowercase().starts_with("rollback to")
    };
    log.lines().filter(counts).count() as u64
}

fn nothing_is_rejected(server: &Server) {
    let seed = std::env::var("MANUAL_SEED").map_or(SEED, |seed| seed.parse().expect("a number"));
    println!("{}: MANUAL_SEED={seed}", server.dialect);
    let place = folder(&format!("manual-{}", server.dialect));
    let (mut all, mut good) = (0, 0);
    for seed in seed..seed + SCRIPTS {
        let script = script(server.dialect, seed);
        let database = format!("manual_{seed}");
        server.create(&database);
        let log = place.join(format!("{seed}.jsonl"));
        let (proxy, port) = server.proxy(&log);
        server.execute(&port, &database, &script);
        signal(&proxy, "-TERM");
        let proxy = finish(proxy.wait_with_output().expect("the proxy ends"));
        assert_eq!(proxy.code, 0, "{proxy:?}");
        server.drop(&database);
        let level = server.level(&script);
        let arguments =
            ["audit", text(&log), "--level", level, "--collation", server.collation, "--json"];
        let audit = run(&arguments);
        let command = format!("{}, seed {seed}: tristan {}", server.dialect, arguments.join(" "));
        assert!([0, 2].contains(&audit.code), "{command}\n{}\n{}", audit.out, audit.err);
        let verdict = serde_json::from_str(&audit.out).expect("JSON");
        let (judged, left_out) = judged(&verdict);
        let answers = answers(&std::fs::read_to_string(&log).expect("a log"));
        println!("{command}: {judged} of {answers} judged, {left_out} not supported");
        all += answers;
        good += judged;
    }
    assert!(good * 2 >= all, "only {good} of {all} statements were judged");
}

#[test]
fn no_answer_of_postgresql_is_rejected() {
    let Some(url) = server_at("TRISTAN_POSTGRES") else { return };
    let (Some(_), Some(_)) = (program("python3"), program("psql")) else { return };
    nothing_is_rejected(&Server::new("postgresql", &url, "C"));
}

#[test]
fn no_answer_of_mariadb_is_rejected() {
    let Some(url) = server_at("TRISTAN_MARIADB") else { return };
    let (Some(_), Some(_)) = (program("python3"), program("mariadb")) else { return };
    nothing_is_rejected(&Server::new("mariadb", &url, "utf8mb4_general_ci"));
}

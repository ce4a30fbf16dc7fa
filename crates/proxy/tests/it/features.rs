//! The SQL that applications use, feature by feature: each one runs on the server through the proxy, and its log
//! is audited. Nothing may be rejected, and `docs/sql-features.md` says what was judged in full.
//!
//! `UPDATE_EXPECT=1` rewrites the page. `TRISTAN_FEATURES='enum|CREATE DOMAIN'` runs the features with one of these
//! words in their names, and prints the part of the page about them instead of comparing it.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mysql_async::prelude::Queryable;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::NoTls;
use tristan_audit::log::TextSource;
use tristan_audit::{AuditOptions, audit};
use tristan_record::Url;
use tristan_sqltext::{Dialect, split};
use tristan_verdict::audit::AuditAnswer;

use crate::common::{PATIENCE, closed, folder, proxy, server, start};

/// A heading of the list, and the statements below it.
struct Feature<'a> {
    group: &'a str,
    name: &'a str,
    statements: Vec<&'a str>,
}

/// Reads a list: `-- # group`, `-- ## feature`, and statements.
fn features(text: &str, dialect: Dialect) -> Vec<Feature<'_>> {
    let mut found = Vec::new();
    for group in text.split("\n-- # ").skip(1) {
        let (name, rest) = group.split_once('\n').expect("a group with features");
        for feature in rest.split("\n-- ## ").skip(1) {
            let (feature, statements) = feature.split_once('\n').expect("a feature");
            found.push(Feature {
                group: name.trim(),
                name: feature.trim(),
                statements: split(statements, dialect).iter().map(|part| part.text).collect(),
            });
        }
    }
    found
}

/// What is known of the server beside its answers.
struct Target<'a> {
    runtime: Runtime,
    url: &'a Url,
    port: u16,
}

impl Target<'_> {
    /// Sends statements over a connection of their own, to an empty schema; errors are answers, too.
    fn postgres(&self, number: usize, feature: &Feature<'_>) {
        let connect = |port: u16, options: &str| {
            let (host, user) = (self.url.host(), self.url.user().unwrap_or("postgres"));
            format!("host={host} port={port} user={user} dbname=postgres options='{options}'")
        };
        let schema = format!("feature{number}");
        self.runtime.block_on(async {
            let direct = connect(self.url.port().expect("a port"), "");
            let (client, connection) =
                tokio_postgres::connect(&direct, NoTls).await.expect("a server");
            let watched = tokio::spawn(connection);
            let create = format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}");
            client.batch_execute(&create).await.expect("a schema");
            let options = format!("-c search_path={schema} -c TimeZone=UTC");
            let proxied = connect(self.port, &options);
            let (through, connection) =
                tokio_postgres::connect(&proxied, NoTls).await.expect("a proxy");
            let proxied = tokio::spawn(connection);
            for statement in &feature.statements {
                drop(through.simple_query(statement).await);
            }
            drop(through);
            drop(proxied.await);
            let drop_schema = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
            client.batch_execute(&drop_schema).await.expect("the schema is there");
            drop(client);
            drop(watched.await);
        });
    }

    /// The same with a database of MariaDB.
    fn mariadb(&self, number: usize, feature: &Feature<'_>) {
        let connect = |port: u16, database: Option<String>| {
            let options = mysql_async::OptsBuilder::default()
                .ip_or_hostname(self.url.host())
                .tcp_port(port)
                .user(self.url.user())
                .db_name(database)
                .prefer_socket(false);
            mysql_async::Conn::new(options)
        };
        let schema = format!("feature{number}");
        self.runtime.block_on(async {
            let port = self.url.port().expect("a port");
            let mut direct = connect(port, None).await.expect("a server");
            direct
                .query_drop(format!("DROP DATABASE IF EXISTS {schema}"))
                .await
                .expect("it may be there");
            let create = format!("CREATE DATABASE {schema} CHARACTER SET utf8mb4");
            direct.query_drop(create).await.expect("a database");
            let zone = "SET GLOBAL time_zone = '+00:00'";
            direct.query_drop(zone).await.expect("a time zone");
            let mut through = connect(self.port, Some(schema.clone())).await.expect("a proxy");
            for statement in &feature.statements {
                drop(through.query_drop(*statement).await);
            }
            drop(through.disconnect().await);
            direct
                .query_drop(format!("DROP DATABASE IF EXISTS {schema}"))
                .await
                .expect("it is there");
            drop(direct.disconnect().await);
        });
    }
}

/// The lines of each connection, in the order in which the connections were opened, each with the first line.
fn logs(lines: Vec<Value>, known: &[(&str, &str)]) -> Vec<String> {
    let mut lines = lines.into_iter();
    let mut header = lines.next().expect("a first line");
    for (field, value) in known {
        header[*field] = json!(value);
    }
    let (mut logs, mut places, mut calls) = (Vec::new(), HashMap::new(), HashMap::new());
    for line in lines {
        let number = |field: &str| line[field].as_u64();
        let connection = number("open").or(number("c")).or(number("close"));
        let connection = connection.or_else(|| calls.get(&number("end")?).copied());
        let Some(connection) = connection else { continue };
        if let Some(call) = number("call") {
            calls.insert(call, connection);
        }
        let place = *places.entry(connection).or_insert_with(|| {
            logs.push(format!("{header}\n"));
            logs.len() - 1
        });
        writeln!(logs[place], "{line}").expect("a line");
    }
    logs
}

/// How a feature is judged.
enum Judged {
    /// Every answer was judged.
    Full,
    /// Every answer was judged but those to questions about the schema or the session, which are only counted.
    Asked,
    /// Not in full, for this reason.
    Partly(String),
}

/// How a feature is judged. A rejection of what a real server answered is wrong.
fn judged(feature: &Feature<'_>, log: &str) -> Judged {
    let source = TextSource::new(feature.name, log.as_bytes().to_vec());
    let mut options = AuditOptions::new("ser".parse().expect("a level"));
    options.time = Some(PATIENCE.as_millis() as u64);
    let verdict = audit(&source, &options).expect(feature.name);
    match &verdict.answer {
        AuditAnswer::Accept { .. } => match verdict.log.unjudged.first() {
            Some(one) => Judged::Partly(one.reason.clone()),
            None if verdict.log.questions > 0 => Judged::Asked,
            None => Judged::Full,
        },
        AuditAnswer::Unknown { reason, .. } => Judged::Partly(reason.clone()),
        AuditAnswer::Reject { .. } => panic!("{} is rejected: {}", feature.name, verdict.to_json()),
    }
}

/// The part of the page about one server.
fn chapter(title: &str, file: &str, judged: &[(Feature<'_>, Judged)]) -> String {
    let all = judged.len();
    let count = |is: fn(&Judged) -> bool| judged.iter().filter(|(_, how)| is(how)).count();
    let asked = count(|how| matches!(how, Judged::Asked));
    let full = asked + count(|how| matches!(how, Judged::Full));
    let mut page = format!(
        "## {title}\n\n{full} of {all} features ([the statements](sql-features/{file}.sql)) are judged in full. \
         {asked} of the {full} contain questions about the schema or the session, whose answers are not compared.\n"
    );
    let mut group = "";
    for (feature, how) in judged {
        if feature.group != group {
            group = feature.group;
            write!(page, "\n### {title}: {group}\n\n| feature | judged |\n|---|---|\n")
                .expect("a group");
        }
        let told = match how {
            Judged::Full => "yes".to_owned(),
            Judged::Asked => "yes (schema question, answer not compared)".to_owned(),
            Judged::Partly(reason) => {
                let line = reason.split_whitespace().collect::<Vec<_>>().join(" ");
                let short: String = line.chars().take(120).collect();
                format!("not in full: {}", short.replace('|', "\\|"))
            }
        };
        writeln!(page, "| {} | {told} |", feature.name.replace('|', "\\|")).expect("a feature");
    }
    page
}

/// Compares a chapter with the page, or puts it there.
fn published(title: &str, chapter: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql-features.md");
    let page = fs::read_to_string(&path).expect("docs/sql-features.md");
    let start = page.find(&format!("## {title}\n")).expect("a chapter");
    let end = page[start + 3..].find("\n## ").map_or(page.len(), |end| start + 3 + end + 1);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let blank = if end < page.len() { "\n" } else { "" };
        let page = format!("{}{chapter}{blank}{}", &page[..start], &page[end..]);
        return fs::write(&path, page).expect("the page is written");
    }
    let update =
        "scripts/servers run env UPDATE_EXPECT=1 cargo test -p tristan-proxy --test it features";
    assert!(
        page[start..end].trim_end() == chapter.trim_end(),
        "stale; {update} rewrites it:\n{chapter}"
    );
}

fn judge(title: &str, file: &str, variable: &str, dialect: Dialect, known: &[(&str, &str)]) {
    let Some((url, place)) = server(variable) else { return };
    let list =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/sql-features/{file}.sql"));
    let list = fs::read_to_string(list).expect("a list of features");
    let mut features = features(&list, dialect);
    let wanted = std::env::var("TRISTAN_FEATURES").ok();
    if let Some(wanted) = &wanted {
        features.retain(|feature| wanted.split('|').any(|word| feature.name.contains(word)));
    }
    let running = start(proxy(&folder(&format!("features-{file}")), &place, None));
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let target = Target { runtime, url: &url, port: running.address.port() };
    for (number, feature) in features.iter().enumerate() {
        match dialect {
            Dialect::PostgreSql => target.postgres(number, feature),
            _ => target.mariadb(number, feature),
        }
    }
    let logs = logs(closed(&running.log), known);
    assert_eq!(logs.len(), features.len(), "one connection per feature");
    let results = features.into_iter().zip(&logs).map(|(feature, log)| {
        let how = judged(&feature, log);
        (feature, how)
    });
    let results: Vec<_> = results.collect();
    let chapter = chapter(title, file, &results);
    match wanted {
        Some(_) => print!("{chapter}"),
        None => published(title, &chapter),
    }
}

#[test]
fn features_of_postgresql() {
    let known = [("collation", "C"), ("timezone", "UTC")];
    judge("PostgreSQL", "postgresql", "TRISTAN_POSTGRES", Dialect::PostgreSql, &known);
}

#[test]
fn features_of_mariadb() {
    let known = [("collation", "utf8mb4_general_ci"), ("timezone", "UTC")];
    judge("MariaDB", "mariadb", "TRISTAN_MARIADB", Dialect::MariaDb, &known);
}

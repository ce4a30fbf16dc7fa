//! A log that begins with what is in the database can be audited on its own.

use std::fs;

use mysql_async::prelude::Queryable;
use tokio::runtime::Builder;
use tokio_postgres::NoTls;
use tristan_audit::log::TextSource;
use tristan_audit::{AuditOptions, audit};
use tristan_proxy::LogStart;
use tristan_record::{Url, databases, sql};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

use crate::common::{Running, closed, folder, proxy, server, start};

const POSTGRES: &[&str] = &[
    "CREATE TABLE parent (id serial PRIMARY KEY, name text NOT NULL DEFAULT 'it''s', CHECK (name <> ''))",
    "CREATE TABLE child (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
     p int REFERENCES parent ON DELETE CASCADE, n numeric(10, 2), \
     twice numeric GENERATED ALWAYS AS (n * 2) STORED, tags text[], doc jsonb, raw bytea, b boolean)",
    "CREATE UNIQUE INDEX child_p ON child (p) WHERE b",
    "CREATE VIEW v AS SELECT parent.id, child.n FROM parent JOIN child ON child.p = parent.id",
    "CREATE FUNCTION next(a int) RETURNS int LANGUAGE sql AS 'SELECT a + 1'",
    r"INSERT INTO parent (name) VALUES ('one'), ('two'), (E'back\\slash')",
    r#"INSERT INTO child (p, n, tags, doc, raw, b) VALUES
       (1, 1.5, '{a,"b c"}', '{"k": [1, null]}', '\x00ff', true), (2, NULL, NULL, NULL, NULL, false)"#,
];

const POSTGRES_CLIENT: &[&str] = &[
    "SELECT id, name FROM parent ORDER BY id",
    "SELECT id, p, n, twice, tags, doc, raw, b FROM child ORDER BY id",
    "INSERT INTO child (p, b) VALUES (1, true)",
    "UPDATE child SET n = n + 1 WHERE p = 1 RETURNING twice",
    "SELECT * FROM v ORDER BY id",
    "SELECT next(3)",
    "DELETE FROM parent WHERE id = 1",
    "SELECT count(*) FROM child",
];

const MARIADB: &[&str] = &[
    "CREATE TABLE parent (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL DEFAULT 'it''s')",
    "CREATE TABLE child (id INT AUTO_INCREMENT PRIMARY KEY, p INT, n DECIMAL(10, 2), d DATE, \
     twice DECIMAL(11, 2) AS (n * 2) STORED, FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE)",
    r"INSERT INTO parent VALUES (1, 'one'), (2, 'two'), (3, 'back\\slash')",
    "INSERT INTO child (p, n, d) VALUES (1, 1.5, '2026-02-28'), (2, NULL, NULL)",
];

const MARIADB_CLIENT: &[&str] = &[
    "SELECT id, name FROM parent ORDER BY id",
    "SELECT id, p, n, d, twice FROM child ORDER BY id",
    "UPDATE child SET n = n + 1 WHERE p = 1",
    "SELECT twice FROM child ORDER BY id",
    "DELETE FROM parent WHERE id = 1",
    "SELECT COUNT(*) FROM child",
];

/// Fills a database, and records statements after a snapshot of it. Returns the log.
fn recorded(variable: &str, filling: &[&str], statements: &[&str]) -> Option<String> {
    let (url, upstream) = server(variable)?;
    let name = format!("snapshot_{}", std::process::id());
    let server = sql::open(&url).expect("a server");
    let of = |place: &str| -> Url {
        let scheme = &url.scheme;
        let user = url.user().expect("a user");
        format!("{scheme}://{user}@{place}/{name}").parse().expect("an address")
    };
    match variable {
        "TRISTAN_POSTGRES" => {
            let mut client = server.connect("public").expect("a connection");
            client.execute(&format!("CREATE DATABASE {name}")).expect("a database");
        }
        _ => server.create(&name).expect("a database"),
    }
    let place = if variable == "TRISTAN_POSTGRES" { "public" } else { name.as_str() };
    let own = sql::open(&of(&upstream)).expect("the database");
    let mut client = own.connect(place).expect("a connection");
    for statement in filling {
        client.execute(statement).expect(statement);
    }
    let snapshot = databases::open(&of(&upstream)).expect("the database").snapshot();
    let snapshot = snapshot.expect("a snapshot");
    assert!(snapshot.collation.is_some(), "{snapshot:?}");
    let mut lines = Vec::new();
    snapshot.write(&mut lines).expect("memory");
    let mut proxy = proxy(&folder(&format!("{name}-{}", url.scheme)), &upstream, None);
    proxy.start = LogStart { collation: snapshot.collation, timezone: snapshot.timezone, lines };
    let running = start(proxy);
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    match variable {
        "TRISTAN_POSTGRES" => runtime.block_on(ask_postgres(&url, &running, &name, statements)),
        _ => runtime.block_on(ask_mariadb(&url, &running, &name, statements)),
    }
    closed(&running.log);
    Some(fs::read_to_string(running.log).expect("a log"))
}

/// Sends statements through the proxy; errors are answers, too.
async fn ask_postgres(url: &Url, proxy: &Running, database: &str, statements: &[&str]) {
    let (user, port) = (url.user().expect("a user"), proxy.address.port());
    let place = format!("host=127.0.0.1 port={port} user={user} dbname={database}");
    let (client, connection) = tokio_postgres::connect(&place, NoTls).await.expect("the proxy");
    let served = tokio::spawn(connection);
    for statement in statements {
        drop(client.simple_query(statement).await);
    }
    drop(client);
    drop(served.await);
}

/// The same for MariaDB.
async fn ask_mariadb(url: &Url, proxy: &Running, database: &str, statements: &[&str]) {
    let options = mysql_async::OptsBuilder::default()
        .ip_or_hostname("127.0.0.1")
        .tcp_port(proxy.address.port())
        .user(url.user())
        .db_name(Some(database))
        .prefer_socket(false);
    let mut client = mysql_async::Conn::new(options).await.expect("the proxy");
    for statement in statements {
        drop(client.query_drop(*statement).await);
    }
    drop(client.disconnect().await);
}

fn judged(log: &str) -> AuditVerdict {
    let level = "strong-rc".parse().expect("a level");
    let source = TextSource::new("log", log.as_bytes());
    audit(&source, &AuditOptions::new(level)).expect("a log")
}

/// Everything is judged and right; a value that is changed is found.
fn is_complete(log: &str, (value, changed): (&str, &str)) {
    let verdict = judged(log);
    assert!(matches!(verdict.answer, AuditAnswer::Accept { .. }), "{verdict:#?}");
    assert!(verdict.log.unjudged.is_empty() && verdict.warnings.is_empty(), "{verdict:#?}");
    let place = log.rfind(value).expect("the value");
    let wrong = format!("{}{changed}{}", &log[..place], &log[place + value.len()..]);
    let verdict = judged(&wrong);
    assert!(matches!(verdict.answer, AuditAnswer::Reject { .. }), "{verdict:#?}");
}

#[test]
fn a_log_of_postgres_begins_with_a_snapshot() {
    let Some(log) = recorded("TRISTAN_POSTGRES", POSTGRES, POSTGRES_CLIENT) else { return };
    is_complete(&log, ("\"5.00\"", "\"5.01\""));
}

#[test]
fn a_log_of_mariadb_begins_with_a_snapshot() {
    let Some(log) = recorded("TRISTAN_MARIADB", MARIADB, MARIADB_CLIENT) else { return };
    is_complete(&log, ("\"5.00\"", "\"5.01\""));
}

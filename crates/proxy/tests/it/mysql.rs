//! MariaDB or MySQL through the proxy: its own client, and one that prepares statements.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{
    Running, closed, folder, outcome, proxy, server, start, start_with_tables, statement, with,
};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, OptsBuilder, Value as Sent};
use serde_json::json;
use tristan_history::Outcome;
use tristan_record::Url;
use tristan_testkit::found;

/// The command-line client, if there is one.
fn client() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let unpacked = root.join("target/tools/mariadb/usr/bin/mariadb");
    let names = ["mariadb".into(), "mysql".into(), unpacked];
    let works = |name: &PathBuf| {
        Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    found("mariadb", names.into_iter().find(works))
}

pub fn prepare_database(url: &Url) {
    let name = url.path().unwrap_or("test").to_owned();
    let place = (url.host().to_owned(), url.port().expect("a port"));
    run(url, &place, None, async move |mut conn| {
        conn.query_drop(format!("create database if not exists {name}")).await.expect("a database");
    });
}

/// Does something with a connection.
pub fn run<F>(
    url: &Url,
    place: &(String, u16),
    database: Option<&str>,
    work: impl FnOnce(Conn) -> F,
) where
    F: Future<Output = ()>,
{
    let options = OptsBuilder::default()
        .ip_or_hostname(place.0.clone())
        .tcp_port(place.1)
        .user(url.user())
        .pass(url.password())
        .prefer_socket(false)
        .db_name(database);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let conn = Conn::new(options).await.expect("a connection");
        work(conn).await;
    });
}

pub fn place(running: &Running) -> (String, u16) {
    (running.address.ip().to_string(), running.address.port())
}

#[test]
fn a_script_in_the_client_is_in_the_log() {
    let (Some((url, upstream)), Some(program)) = (server("TRISTAN_MARIADB"), client()) else {
        return;
    };
    prepare_database(&url);
    let folder = folder("mariadb");
    let running = start(proxy(&folder, &upstream, None));
    let file = folder.join("rows.tsv");
    std::fs::write(&file, "5\t50\n6\t60\n").expect("a file");
    let script = format!(
        "drop table if exists proxy_script;
         create table proxy_script (id int primary key, v bigint unsigned, b blob, t text) engine=innodb;
         insert into proxy_script values (1, 18446744073709551615, x'00ff', 'é'), (2, 7, null, null);
         select * from proxy_script order by id;
         set session transaction isolation level serializable;
         begin; update proxy_script set v = 7 where id = 2; commit;
         begin; delete from proxy_script where id = 2; rollback;
         set autocommit = 0; update proxy_script set v = 8 where id = 2; select 'still open'; rollback;
         set autocommit = 1;
         begin; update proxy_script set v = 9 where id = 1; begin; select 'next'; commit;
         begin; update proxy_script set v = 10 where id = 1; create table if not exists proxy_other (x int);
         load data local infile '{}' into table proxy_script (id, v);
         select 1 union select 2;
         drop table proxy_script, proxy_other;",
        file.display()
    );
    let mut command = Command::new(program);
    command
        .args(["--no-defaults", "-h", "127.0.0.1", "-P", &running.address.port().to_string()])
        .args([
            "--local-infile=1",
            "--default-character-set=utf8mb4",
            "-u",
            url.user().unwrap_or("root"),
        ])
        .arg(url.path().unwrap_or("test"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("the client starts");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    let log = closed(&running.log);
    let (_, end) = statement(&log, "select * from proxy_script order by id");
    let end = end.expect("an end");
    assert_eq!(end["rows"], json!([[1, u64::MAX, {"hex":"00ff"}, "é"], [2, 7, null, null]]));
    assert_eq!(end["columns"][1], json!(["v", "bigint unsigned"]));
    let (call, end) = statement(&log, "update proxy_script set v = 7 where id = 2");
    assert_eq!(call["level"], "serializable");
    assert_eq!(end.expect("an end")["affected"], 0);
    for (sql, expected) in [
        ("update proxy_script set v = 7 where id = 2", "committed"),
        ("delete from proxy_script where id = 2", "aborted"),
        ("update proxy_script set v = 8 where id = 2", "aborted"),
        ("select 'still open'", "aborted"),
        ("update proxy_script set v = 9 where id = 1", "committed"),
        ("update proxy_script set v = 10 where id = 1", "committed"),
    ] {
        assert_eq!(outcome(&log, sql), Some(expected), "{sql}");
    }
    let txn = |sql: &str| statement(&log, sql).1.expect("an end")["txn"].clone();
    assert_ne!(txn("update proxy_script set v = 9 where id = 1"), txn("select 'next'"));
    let loaded = log.iter().find(|line| {
        line["tag"].as_str().is_some_and(|tag| tag.starts_with("Records: 2  Deleted"))
    });
    assert!(loaded.is_some(), "a file was loaded");
    assert_eq!(with(&log, "call").len(), with(&log, "end").len());
    assert!(with(&log, "note").is_empty());
}

#[test]
fn statements_that_were_prepared_are_in_the_log() {
    let Some((url, upstream)) = server("TRISTAN_MARIADB") else { return };
    prepare_database(&url);
    let running = start(proxy(&folder("prepared"), &upstream, None));
    run(&url, &place(&running), url.path(), async |mut conn| {
        let sql = "select ?, ?, ?, ?, cast(? as decimal(10, 2))";
        let params = || {
            mysql_async::Params::Positional(vec![
                Sent::Int(-7),
                Sent::UInt(u64::MAX),
                Sent::Bytes("é".into()),
                Sent::NULL,
                Sent::Bytes("1.5".into()),
            ])
        };
        for _ in 0..2 {
            let row: Option<mysql_async::Row> =
                conn.exec_first(sql, params()).await.expect("a row");
            assert!(row.is_some());
        }
        conn.query_drop("select 1; select 2").await.expect("two results");
        assert!(conn.exec_drop("select nothing", ()).await.is_err());
        assert!(conn.query_drop("select nonsense").await.is_err());
        conn.disconnect().await.expect("a goodbye");
    });
    let log = closed(&running.log);
    let sql = "select ?, ?, ?, ?, cast(? as decimal(10, 2))";
    let calls: Vec<_> = log.iter().filter(|line| line["sql"] == sql).collect();
    assert_eq!(calls.len(), 2, "{log:#?}");
    for call in calls {
        assert_eq!(call["params"], json!([-7, u64::MAX, "é", null, "1.5"]));
        let end = log.iter().find(|line| line["end"] == call["call"]).expect("an end");
        assert_eq!(end["rows"], json!([[-7, u64::MAX, "é", null, "1.50"]]));
    }
    assert_eq!(statement(&log, "select 2").1.expect("an end")["rows"], json!([[2]]));
    for sql in ["select nothing", "select nonsense"] {
        assert_eq!(statement(&log, sql).1.expect("an end")["error"]["code"], "1054", "{sql}");
    }
    assert_eq!(with(&log, "call").len(), with(&log, "end").len());
    assert_eq!(with(&log, "close")[0]["by"], "client");
}

#[test]
fn operations_on_keys_become_a_trace() {
    let Some((url, upstream)) = server("TRISTAN_MARIADB") else { return };
    prepare_database(&url);
    const TABLES: [&str; 2] = ["proxy_a", "proxy_b"];
    let tables = TABLES.map(|table| format!("{table}:id:v"));
    let tables = tables.each_ref().map(String::as_str);
    let running = start_with_tables("mysql-keys", &upstream, &tables);
    run(&url, &place(&running), url.path(), async |mut conn| {
        for table in TABLES {
            let create = format!(
                "create table if not exists {table} (id int primary key, v int) engine=innodb"
            );
            conn.query_drop(create).await.expect("a table");
            conn.query_drop(format!("truncate {table}")).await.expect("an empty table");
        }
        for table in TABLES {
            let insert = format!("insert into {table} (id, v) values (?, ?)");
            conn.exec_drop(insert, (1, 10)).await.expect("a row");
        }
        for sql in [
            "start transaction",
            "select v from proxy_a where id = 1 for update",
            "update proxy_a set v = 10 where id = 1",
            "insert into proxy_b (id, v) values (1, 11) on duplicate key update v = values(v)",
            "commit",
            "select id, v from proxy_b",
            "update proxy_a set v = v + 1 where id = 1",
        ] {
            conn.query_drop(sql).await.expect("an answer");
        }
        conn.disconnect().await.expect("a goodbye");
    });
    closed(&running.log);
    let text = std::fs::read_to_string(&running.trace).expect("a trace");
    for part in [
        r#""op":"get","k":"proxy_a/1","lock":true"#,
        r#""op":"put","k":"proxy_b/1","v":11,"at""#,
        r#""lo":"proxy_b/","hi":"proxy_b0""#,
        r#""items":[["proxy_b/1",11]]"#,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("omitted: ").count(), 2, "two TRUNCATEs: {text}");
    assert!(!text.contains("the trace ends here"), "{text}");
    assert_eq!(text.matches("are omitted from here on").count(), 1, "an UPDATE: {text}");
    let history = tristan_formats::open(&running.trace, None).expect("a trace");
    assert_eq!(history.txns.len(), 5);
    assert!(history.txns.iter().all(|txn| txn.outcome == Outcome::Committed));
}

//! Clients of one's own, recorded: four of them add to ten counters at once.

use std::path::{Path, PathBuf};
use std::thread;

use mysql_async::Opts;
use mysql_async::prelude::Queryable;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::NoTls;
use tristan_check::budget::Limits;
use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_history::Outcome;
use tristan_record::clients::{RecordedMysql, RecordedPostgres};
use tristan_recorder::{Answer as Told, Header, Recorder, Request};
use tristan_spec::Catalog;
use tristan_verdict::Answer;

use crate::common::{PATIENCE, server_at};

const CLIENTS: i64 = 4;
const ROUNDS: i64 = 30;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

fn trace(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.jsonl", std::process::id()))
}

/// The address of a server, if there is one, without what comes after the host.
fn server(variable: &str) -> Option<String> {
    server_at(variable)
}

/// How many transactions committed, if the trace is serializable.
fn judged(path: &Path) -> usize {
    let history = formats::open(path, None).expect("a trace");
    let level = Catalog::default().find("serializable").expect("a level");
    let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let verdict = check(&history, &level, &options, &Silent).verdict;
    assert!(matches!(verdict.answer, Answer::Accept { .. }), "{}: {verdict:#?}", path.display());
    std::fs::remove_file(path).expect("a file");
    let committed = |txn: &&tristan_history::Txn| txn.outcome == Outcome::Committed;
    history.txns.iter().filter(committed).count()
}

#[test]
fn tokio_postgres_is_recorded() {
    let Some(address) = server("TRISTAN_POSTGRES") else { return };
    let table = format!("counters_{}", std::process::id());
    let connect = |address: String| async move {
        let (client, connection) =
            tokio_postgres::connect(&address, NoTls).await.expect("a connection");
        tokio::spawn(connection);
        client
    };
    runtime().block_on(async {
        let client = connect(address.clone()).await;
        let create = format!("CREATE TABLE {table} (id BIGINT PRIMARY KEY, n BIGINT)");
        client.batch_execute(&create).await.expect("a table");
    });
    let path = trace("tokio-postgres");
    let recorder = Recorder::create(&path, &Header::default()).expect("a trace");
    thread::scope(|scope| {
        for session in 0..CLIENTS {
            let (address, table, recorder) = (address.clone(), &table, &recorder);
            scope.spawn(move || {
                runtime().block_on(async {
                    let client = connect(address).await;
                    let mut client = RecordedPostgres::new(client, recorder.session(session));
                    for round in 0..ROUNDS {
                        let added = add(&mut client, table, (session * 7 + round) % 10).await;
                        if added.is_err() {
                            client.rollback().await.expect("a way back");
                        }
                    }
                });
            });
        }
    });
    recorder.finish().expect("a whole trace");
    assert!(judged(&path) >= ROUNDS as usize);
    runtime().block_on(async {
        let client = connect(address).await;
        client.batch_execute(&format!("DROP TABLE {table}")).await.expect("no table");
    });
}

async fn add(
    client: &mut RecordedPostgres,
    table: &str,
    key: i64,
) -> Result<(), tokio_postgres::Error> {
    client.begin("BEGIN ISOLATION LEVEL SERIALIZABLE").await?;
    let select = format!("SELECT n FROM {table} WHERE id = $1");
    let held: Option<i64> = client.get(key, &select, &[&key]).await?;
    let new = held.unwrap_or(0) + 1;
    let (request, statement) = match held {
        Some(_) => (Request::update(key, new), format!("UPDATE {table} SET n = $2 WHERE id = $1")),
        None => (Request::insert(key, new), format!("INSERT INTO {table} VALUES ($1, $2)")),
    };
    assert_eq!(client.write(&request, &statement, &[&key, &new]).await?, 1);
    let all = format!("SELECT id, n FROM {table} ORDER BY id");
    let seen: Vec<(i64, i64)> = client.scan((None, None), &all, &[]).await?;
    assert!(seen.contains(&(key, new)));
    client.commit().await
}

#[test]
fn mysql_async_is_recorded() {
    let Some(address) = server("TRISTAN_MARIADB") else { return };
    let table = format!("counters_{}", std::process::id());
    let connect = |address: String| async move {
        let opts = Opts::from_url(&address).expect("an address");
        mysql_async::Conn::new(opts).await.expect("a connection")
    };
    runtime().block_on(async {
        let create = format!("CREATE TABLE {table} (id BIGINT PRIMARY KEY, n BIGINT)");
        connect(address.clone()).await.query_drop(create).await.expect("a table");
    });
    let path = trace("mysql-async");
    let recorder = Recorder::create(&path, &Header::default()).expect("a trace");
    thread::scope(|scope| {
        for session in 0..CLIENTS {
            let (address, table, recorder) = (address.clone(), &table, &recorder);
            scope.spawn(move || {
                runtime().block_on(async {
                    let mut conn = connect(address).await;
                    let level = "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE";
                    conn.query_drop(level).await.expect("a level");
                    let mut client = RecordedMysql::new(conn, recorder.session(session));
                    for round in 0..ROUNDS {
                        let added = increase(&mut client, table, (session * 7 + round) % 10).await;
                        if added.is_err() {
                            client.rollback().await.expect("a way back");
                        }
                    }
                });
            });
        }
    });
    recorder.finish().expect("a whole trace");
    assert!(judged(&path) >= ROUNDS as usize);
    runtime().block_on(async {
        let drop = format!("DROP TABLE {table}");
        connect(address).await.query_drop(drop).await.expect("no table");
    });
}

async fn increase(
    client: &mut RecordedMysql,
    table: &str,
    key: i64,
) -> Result<(), mysql_async::Error> {
    client.begin("START TRANSACTION").await?;
    let select = format!("SELECT n FROM {table} WHERE id = ?");
    let held: Option<i64> = client.get(key, &select, (key,)).await?;
    let new = held.unwrap_or(0) + 1;
    let upsert = format!("INSERT INTO {table} VALUES (?, ?) ON DUPLICATE KEY UPDATE n = VALUES(n)");
    client.write(&Request::put(key, new), &upsert, (key, new)).await?;
    let all = format!("SELECT id, n FROM {table} ORDER BY id");
    let seen: Vec<(i64, i64)> = client.scan((None, None), &all, ()).await?;
    assert!(seen.contains(&(key, new)));
    client.commit().await
}

#[test]
fn a_begin_that_is_refused_leaves_a_trace_that_can_be_read() {
    let path = trace("refused");
    let recorder = Recorder::create(&path, &Header::default()).expect("a trace");
    let mut session = recorder.session(1);
    let begin = session.call(&Request::Begin(None));
    session.answer(begin, &Told::Failed("database is locked".to_owned()));
    session.ended();
    let put = session.call(&Request::insert(1, 2));
    session.answer(put, &Told::Rows(1));
    let commit = session.call(&Request::Commit);
    session.answer(commit, &Told::Done);
    drop(session);
    recorder.finish().expect("a whole trace");
    let history = formats::open(&path, None).expect("a trace that can be read");
    let committed = history.txns.iter().filter(|txn| txn.outcome == Outcome::Committed);
    assert_eq!(committed.count(), 1);
}

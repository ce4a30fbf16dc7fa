//! PostgreSQL does what a connection promises. Needs `scripts/servers run cargo test`; without a server
//! there is nothing to see.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::common::scripts::{RANGE_KEYS, lists_grow, ranges_end_early};
use crate::common::server_at;
use tokio::runtime::Builder;
use tokio_postgres::NoTls;
use tristan_record::connection::{Committed, Range};
use tristan_record::databases::{OpenError, open};
use tristan_record::{Connection, Database, DatabaseError, DatabaseLevel, Url};
use tristan_testkit::wait_until;

/// Carries out SQL as somebody else.
fn sql(address: &str, statements: &[&str]) {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (client, connection) =
            tokio_postgres::connect(address, NoTls).await.expect("a connection");
        tokio::spawn(connection);
        for statement in statements {
            client.batch_execute(statement).await.expect(statement);
        }
    });
}

/// A database of its own for a test, dropped in the end.
struct Own {
    server: String,
    name: String,
    database: Arc<dyn Database>,
}

impl Own {
    /// Returns `None` if there is no server.
    fn new(test: &str, initial: &[(i64, i64)]) -> Option<Self> {
        let server = server_at("TRISTAN_POSTGRES")?;
        let name = format!("tristan_{}_{test}", std::process::id());
        sql(&server, &[&format!("CREATE DATABASE {name}")]);
        let database = open(&address(&server, &name, "timeout=20")).expect("a database");
        database.prepare(initial).expect("tables");
        Some(Self { server, name, database })
    }

    fn connect(&self, level: &str) -> Box<dyn Connection> {
        self.database.connect(self.level(level)).expect("a connection")
    }

    fn level(&self, name: &str) -> DatabaseLevel {
        let levels = self.database.levels();
        *levels.iter().find(|level| level.name == name).expect("a level")
    }

    /// Whether a connection to this database waits for another one.
    fn has_waiting(&self) -> bool {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (client, connection) =
                tokio_postgres::connect(&self.server, NoTls).await.expect("a connection");
            tokio::spawn(connection);
            let waiting = "SELECT pid FROM pg_stat_activity
                           WHERE datname = $1 AND cardinality(pg_blocking_pids(pid)) > 0";
            !client.query(waiting, &[&self.name]).await.expect("an answer").is_empty()
        })
    }

    /// Ends all other connections to this database.
    fn cut(&self) {
        let cut = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'",
            self.name
        );
        sql(&self.server, &[&cut]);
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if !thread::panicking() {
            sql(&self.server, &[&format!("DROP DATABASE {} WITH (FORCE)", self.name)]);
        }
    }
}

fn address(server: &str, name: &str, options: &str) -> Url {
    let (server, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{server}/{name}?{options}").parse().expect("an address")
}

fn is_refused<T>(result: &Result<T, DatabaseError>) -> bool {
    matches!(result, Err(DatabaseError::Refused(_)))
}

fn is_lost<T>(result: &Result<T, DatabaseError>) -> bool {
    matches!(result, Err(DatabaseError::Lost(_)))
}

/// Writes one key in a transaction of its own.
fn write(connection: &mut dyn Connection, key: i64, value: i64) -> Committed {
    connection.begin().expect("begin");
    connection.put(key, value).expect("put");
    connection.commit().expect("commit")
}

#[test]
fn a_transaction_sees_its_own_writes_and_the_next_one_too() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("writes", &[(1, 10), (2, 20)]) else { return Ok(()) };
    for level in ["read-committed", "repeatable-read", "serializable"] {
        own.database.prepare(&[(1, 10), (2, 20)])?;
        let mut one = own.connect(level);
        one.begin()?;
        assert_eq!((one.get(1, false)?, one.get(3, false)?), (Some(10), None), "{level}");
        one.put(1, 11)?;
        one.put(3, 30)?;
        assert_eq!((one.delete(2)?, one.delete(2)?), (Some(1), Some(0)), "{level}");
        let state = vec![(1, 11), (3, 30)];
        assert_eq!((one.get(1, true)?, one.get(2, false)?), (Some(11), None), "{level}");
        assert_eq!(one.scan(Range::default())?, state, "{level}");

        let mut other = own.connect(level);
        other.begin()?;
        assert_eq!(other.scan(Range::default())?, [(1, 10), (2, 20)], "{level}");
        other.commit()?;
        one.commit()?;
        other.begin()?;
        assert_eq!(other.scan(Range::default())?, state, "{level}");
        other.put(1, 99)?;
        other.abort()?;
        other.begin()?;
        assert_eq!(other.get(1, false)?, Some(11), "{level}");
        other.commit()?;
    }
    Ok(())
}

#[test]
fn ranges_end_before_their_upper_bound() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("ranges", &RANGE_KEYS.map(|key| (key, 1))) else { return Ok(()) };
    ranges_end_early(own.connect("repeatable-read").as_mut())
}

#[test]
fn lists_grow_at_their_end() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("lists", &[]) else { return Ok(()) };
    let (mut one, mut other) = (own.connect("read-committed"), own.connect("read-committed"));
    lists_grow(one.as_mut(), other.as_mut())
}

#[test]
fn a_write_skew_is_refused_at_serializable_only() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("skew", &[]) else { return Ok(()) };
    for (level, refused) in [("repeatable-read", false), ("serializable", true)] {
        own.database.prepare(&[(1, 1), (2, 1)])?;
        let (mut one, mut other) = (own.connect(level), own.connect(level));
        one.begin()?;
        other.begin()?;
        assert_eq!((one.get(2, false)?, other.get(1, false)?), (Some(1), Some(1)));
        one.put(1, 0)?;
        other.put(2, 0)?;
        one.commit()?;
        let commit = other.commit();
        assert_eq!(is_refused(&commit), refused, "{level}: {commit:?}");
        write(other.as_mut(), 3, 3);
    }
    Ok(())
}

#[test]
fn a_lost_update_is_refused_above_read_committed() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("lost", &[]) else { return Ok(()) };
    for level in ["read-committed", "repeatable-read", "serializable"] {
        own.database.prepare(&[(1, 0)])?;
        let (mut one, mut other) = (own.connect(level), own.connect(level));
        one.begin()?;
        other.begin()?;
        assert_eq!((one.get(1, false)?, other.get(1, false)?), (Some(0), Some(0)));
        one.put(1, 1)?;
        one.commit()?;
        let put = other.put(1, 2);
        assert_eq!(is_refused(&put), level != "read-committed", "{level}: {put:?}");
        if put.is_ok() {
            other.commit()?;
        }
        // A refused transaction is over, and the next one may begin.
        other.begin()?;
        let expected = if level == "read-committed" { 2 } else { 1 };
        assert_eq!(other.get(1, false)?, Some(expected), "{level}");
        other.commit()?;
    }
    Ok(())
}

#[test]
fn a_key_that_comes_twice_is_kept_twice() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("twice", &[(1, 10)]) else { return Ok(()) };
    let (mut one, mut other) = (own.connect("repeatable-read"), own.connect("repeatable-read"));
    one.begin()?;
    assert_eq!(one.scan(Range::default())?, [(1, 10)]);
    other.begin()?;
    assert_eq!(other.delete(1)?, Some(1));
    other.commit()?;
    one.put(1, 11)?;
    let mut seen = one.scan(Range::default())?;
    seen.sort_unstable();
    assert_eq!(seen, [(1, 10), (1, 11)], "old and new row, as PostgreSQL shows them");
    one.commit()?;
    Ok(())
}

#[test]
fn a_locking_read_makes_others_wait() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("lock", &[(1, 0)]) else { return Ok(()) };
    let (mut one, mut other) = (own.connect("read-committed"), own.connect("read-committed"));
    one.begin()?;
    assert_eq!(one.get(1, true)?, Some(0));
    let waiting = thread::spawn(move || write(other.as_mut(), 1, 2));
    wait_until("the other one waits for a lock", || own.has_waiting());
    assert!(!waiting.is_finished());
    one.put(1, 1)?;
    one.commit()?;
    waiting.join().expect("the other one");
    one.begin()?;
    assert_eq!(one.get(1, false)?, Some(2));
    one.commit()?;
    Ok(())
}

/// What `INSERT … ON CONFLICT DO NOTHING` found is a read, and PostgreSQL's SERIALIZABLE does not track it
/// (seen on 15 and 18). A write skew commits: each transaction misses what the other one wrote. The same
/// with `SELECT` is refused.
#[test]
fn what_an_upsert_found_is_not_tracked_at_serializable() {
    let Some(own) = Own::new("found", &[]) else { return };
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let skew = async |read: &str| {
        let (server, _) = own.server.rsplit_once('/').expect("an address with a database");
        let address = format!("{server}/{}", own.name);
        let (one, connection) = tokio_postgres::connect(&address, NoTls).await.expect("a server");
        tokio::spawn(connection);
        let (other, connection) = tokio_postgres::connect(&address, NoTls).await.expect("a server");
        tokio::spawn(connection);
        let tables = "DROP TABLE IF EXISTS x, y; CREATE TABLE x (k int PRIMARY KEY);
                      CREATE TABLE y (k int PRIMARY KEY); INSERT INTO x VALUES (1)";
        one.batch_execute(tables).await.expect("tables");
        for client in [&one, &other] {
            client.batch_execute("BEGIN ISOLATION LEVEL SERIALIZABLE").await.expect("begin");
        }
        one.batch_execute(read).await.expect("it is there already");
        other.batch_execute("SELECT * FROM y; DELETE FROM x WHERE k = 1").await.expect("an answer");
        one.batch_execute("INSERT INTO y VALUES (1); COMMIT").await.expect("a commit");
        other.batch_execute("COMMIT").await.is_ok()
    };
    let upsert = "INSERT INTO x VALUES (1) ON CONFLICT DO NOTHING";
    assert!(runtime.block_on(skew(upsert)), "both commit");
    assert!(!runtime.block_on(skew("SELECT k FROM x WHERE k = 1")), "one is refused");
}

#[test]
fn one_of_two_in_a_deadlock_is_refused() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("deadlock", &[(1, 0), (2, 0)]) else { return Ok(()) };
    let (mut one, mut other) = (own.connect("read-committed"), own.connect("read-committed"));
    one.begin()?;
    other.begin()?;
    one.put(1, 1)?;
    other.put(2, 2)?;
    let waiting = thread::spawn(move || (other.put(1, 2), other));
    let first = one.put(2, 1);
    let (second, mut other) = waiting.join().expect("the other one");
    assert!(is_refused(&first) != is_refused(&second), "{first:?} {second:?}");
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    let kept = if first.is_ok() { &mut one } else { &mut other };
    kept.commit()?;
    write(one.as_mut(), 1, 5);
    write(other.as_mut(), 1, 6);
    Ok(())
}

#[test]
fn a_connection_that_was_cut_is_lost() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("cut", &[(1, 0)]) else { return Ok(()) };
    let mut idle = own.connect("serializable");
    let (mut reading, mut committing) = (own.connect("serializable"), own.connect("serializable"));
    reading.begin()?;
    committing.begin()?;
    committing.put(1, 1)?;
    own.cut();
    let (begin, get) = (idle.begin(), reading.get(1, false));
    assert!(is_lost(&begin) && is_lost(&get), "{begin:?} {get:?}");
    let commit = committing.commit();
    assert!(is_lost(&commit), "{commit:?}");
    let again = idle.begin();
    assert!(is_lost(&again), "{again:?}");
    // Others can be opened.
    let mut fresh = own.connect("serializable");
    fresh.begin()?;
    assert_eq!(fresh.get(1, false)?, Some(0));
    fresh.commit()?;
    Ok(())
}

#[test]
fn commits_are_put_in_order() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("order", &[]) else { return Ok(()) };
    let (mut one, mut other) = (own.connect("serializable"), own.connect("serializable"));
    let mut tags = Vec::new();
    for round in 0..10 {
        for connection in [&mut one, &mut other] {
            tags.push(write(connection.as_mut(), 1, round).tag.expect("a tag"));
            thread::sleep(Duration::from_millis(1));
        }
    }
    // What was not committed has no place in the order.
    let mut asked: Vec<String> = tags.iter().rev().cloned().collect();
    asked.push("3".into());
    assert_eq!(own.database.commit_order(&asked)?, tags);

    one.begin()?;
    assert_eq!((one.get(1, false)?, one.delete(2)?), (Some(9), Some(0)));
    assert_eq!(one.commit()?, Committed::default(), "nothing was written");

    let silent = open(&address(&own.server, &own.name, "hints=off")).expect("a database");
    let mut one = silent.connect(own.level("serializable"))?;
    assert_eq!(write(one.as_mut(), 1, 100), Committed::default());
    assert!(silent.commit_order(&tags)?.is_empty());
    Ok(())
}

#[test]
fn the_server_says_what_it_is() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("name", &[]) else { return Ok(()) };
    let name = own.database.describe();
    let version = name.strip_prefix("PostgreSQL ").expect("its name");
    assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()), "{name}");
    Ok(())
}

#[test]
fn what_cannot_be_opened_is_told_at_once() {
    let Some(own) = Own::new("open", &[]) else { return };
    let absent = open(&address(&own.server, "tristan_no_such_database", "timeout=5"));
    let Err(OpenError::Database(DatabaseError::Failed(text))) = absent.map(drop) else {
        panic!("there is no such database")
    };
    assert!(text.contains("tristan_no_such_database"), "{text}");

    let nobody = "postgres://postgres@127.0.0.1:1/x?timeout=5".parse().expect("an address");
    let refused = open(&nobody).map(drop);
    assert!(matches!(refused, Err(OpenError::Database(DatabaseError::Lost(_)))), "{refused:?}");
}

//! MariaDB does what a connection promises. Needs `scripts/servers run cargo test`; without a server
//! there is nothing to see.

use std::sync::Arc;
use std::thread;

use crate::common::scripts::{RANGE_KEYS, lists_grow, ranges_end_early};
use crate::common::server_at;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts};
use tokio::runtime::Builder;
use tristan_record::connection::{Committed, Range};
use tristan_record::databases::{OpenError, open};
use tristan_record::{Connection, Database, DatabaseError, DatabaseLevel, Url};

/// Asks as somebody else, for numbers.
fn ask(address: &str, statement: &str) -> Result<Vec<u64>, mysql_async::Error> {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let options = Opts::from_url(address).expect("an address");
        let mut connection = Conn::new(options).await.expect("a connection");
        let answer = connection.query(statement).await;
        connection.disconnect().await.expect("the end");
        answer
    })
}

fn sql(address: &str, statement: &str) -> Vec<u64> {
    ask(address, statement).expect(statement)
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
        let server = server_at("TRISTAN_MARIADB")?;
        let name = format!("tristan_{}_{test}", std::process::id());
        sql(&server, &format!("CREATE DATABASE {name}"));
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

    /// Ends all other connections to this database.
    fn cut(&self) {
        let theirs = "SELECT id FROM information_schema.processlist WHERE db = ";
        for id in sql(&self.server, &format!("{theirs}'{}'", self.name)) {
            // One that has just ended by itself cannot be killed any more.
            let _ = ask(&self.server, &format!("KILL HARD CONNECTION {id}"));
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if !thread::panicking() {
            sql(&self.server, &format!("DROP DATABASE {}", self.name));
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

/// Lets two transactions that have read write what they wait for each other to release; says how
/// it went for each.
fn collide(
    mut one: Box<dyn Connection>,
    mut other: Box<dyn Connection>,
    (first, second): (i64, i64),
) -> [(Result<Committed, DatabaseError>, Box<dyn Connection>); 2] {
    let waiting = thread::spawn(move || {
        let ended = other.put(second, 2).and_then(|()| other.commit());
        (ended, other)
    });
    let ended = one.put(first, 1).and_then(|()| one.commit());
    [(ended, one), waiting.join().expect("the other one")]
}

#[test]
fn a_transaction_sees_its_own_writes_and_the_next_one_too() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("writes", &[]) else { return Ok(()) };
    for level in ["read-committed", "repeatable-read"] {
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
fn levels_differ_in_what_they_show() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("levels", &[]) else { return Ok(()) };
    let seen = [
        ("read-uncommitted", [Some(1), Some(1)]),
        ("read-committed", [Some(0), Some(1)]),
        ("repeatable-read", [Some(0), Some(0)]),
    ];
    for (level, expected) in seen {
        own.database.prepare(&[(1, 0), (2, 0)])?;
        let (mut one, mut other) = (own.connect(level), own.connect(level));
        one.begin()?;
        assert_eq!(one.get(2, false)?, Some(0));
        other.begin()?;
        other.put(1, 1)?;
        let before = one.get(1, false)?;
        other.commit()?;
        assert_eq!([before, one.get(1, false)?], expected, "{level}");
        one.commit()?;
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
    for (level, most) in [("repeatable-read", 2), ("serializable", 1)] {
        own.database.prepare(&[(1, 1), (2, 1)])?;
        let (mut one, mut other) = (own.connect(level), own.connect(level));
        one.begin()?;
        other.begin()?;
        assert_eq!((one.get(2, false)?, other.get(1, false)?), (Some(1), Some(1)));
        let ended = collide(one, other, (1, 2));
        let committed = ended.iter().filter(|(ended, _)| ended.is_ok()).count();
        let refused = ended.iter().filter(|(ended, _)| is_refused(ended)).count();
        assert_eq!((committed, refused), (most, 2 - most), "{level}");
        // A refused transaction is over, and the next one may begin.
        for (_, mut connection) in ended {
            write(connection.as_mut(), 3, 3);
        }
    }
    Ok(())
}

#[test]
fn a_lost_update_is_refused_where_that_is_claimed() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("lost", &[(1, 0)]) else { return Ok(()) };
    let level = own.level("repeatable-read");
    let (mut one, mut other) = (own.connect(level.name), own.connect(level.name));
    one.begin()?;
    other.begin()?;
    assert_eq!((one.get(1, false)?, other.get(1, false)?), (Some(0), Some(0)));
    one.put(1, 1)?;
    one.commit()?;
    let ended = other.put(1, 2).and_then(|()| other.commit());
    assert_eq!(is_refused(&ended), level.claims == "snapshot-isolation", "{ended:?}");
    assert_eq!(ended.is_ok(), level.claims == "repeatable-read", "{ended:?}");
    Ok(())
}

#[test]
fn one_of_two_in_a_deadlock_is_refused() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("deadlock", &[(1, 0), (2, 0)]) else { return Ok(()) };
    let (mut one, mut other) = (own.connect("read-committed"), own.connect("read-committed"));
    one.begin()?;
    other.begin()?;
    one.put(1, 1)?;
    other.put(2, 2)?;
    let ended = collide(one, other, (2, 1));
    let refused = ended.iter().filter(|(ended, _)| is_refused(ended)).count();
    let committed = ended.iter().filter(|(ended, _)| ended.is_ok()).count();
    assert_eq!((committed, refused), (1, 1));
    Ok(())
}

#[test]
fn who_waits_too_long_for_a_lock_is_refused() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("wait", &[(1, 0)]) else { return Ok(()) };
    let hasty = open(&address(&own.server, &own.name, "timeout=3")).expect("a database");
    let mut other = hasty.connect(own.level("read-committed"))?;
    let mut one = own.connect("read-committed");
    one.begin()?;
    assert_eq!(one.get(1, true)?, Some(0));
    other.begin()?;
    other.put(2, 2)?;
    let put = other.put(1, 2);
    assert!(is_refused(&put), "{put:?}");
    // All of it was rolled back, not the statement alone.
    other.begin()?;
    assert_eq!(other.get(2, false)?, None);
    other.commit()?;
    one.commit()?;
    Ok(())
}

#[test]
fn a_connection_that_was_cut_is_lost() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("cut", &[(1, 0)]) else { return Ok(()) };
    let mut idle = own.connect("read-committed");
    let (mut reading, mut committing) =
        (own.connect("read-committed"), own.connect("read-committed"));
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
    let mut fresh = own.connect("read-committed");
    fresh.begin()?;
    assert_eq!(fresh.get(1, false)?, Some(0));
    fresh.commit()?;
    Ok(())
}

#[test]
fn commits_that_write_something_are_numbered_in_order() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("order", &[]) else { return Ok(()) };
    let (mut one, mut other) = (own.connect("serializable"), own.connect("serializable"));
    let mut stamps = Vec::new();
    for round in 0..10 {
        for (number, connection) in [&mut one, &mut other].into_iter().enumerate() {
            let value = 2 * round + number as i64;
            stamps.push(write(connection.as_mut(), 1, value).stamp.expect("a stamp"));
        }
    }
    assert!(stamps.is_sorted_by(|one, next| one < next), "{stamps:?}");

    one.begin()?;
    assert_eq!(one.get(1, false)?, Some(19));
    assert_eq!(one.commit()?, Committed::default(), "nothing was written");
    let next = write(one.as_mut(), 1, 20).stamp.expect("a stamp");
    assert!(stamps.iter().all(|&stamp| stamp < next));

    let silent = open(&address(&own.server, &own.name, "hints=off")).expect("a database");
    let mut one = silent.connect(own.level("serializable"))?;
    assert_eq!(write(one.as_mut(), 1, 100), Committed::default());
    Ok(())
}

#[test]
fn the_server_says_what_it_is() -> Result<(), DatabaseError> {
    let Some(own) = Own::new("name", &[]) else { return Ok(()) };
    let name = own.database.describe();
    let version = name.strip_prefix("MariaDB ").expect("its name");
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

    let nobody = "mysql://root@127.0.0.1:1/x?timeout=5".parse().expect("an address");
    let refused = open(&nobody).map(drop);
    assert!(matches!(refused, Err(OpenError::Database(DatabaseError::Lost(_)))), "{refused:?}");
}

//! SQLite, inside this process, with a write-ahead log.
//!
//! ```text
//!   reader   BEGIN ── SELECT ─────────────────── SELECT ── COMMIT    its snapshot stays
//!   writer            BEGIN ── INSERT ── COMMIT                      beside it
//! ```
//!
//! A transaction begins *deferred*: it takes its snapshot with its first statement and becomes
//! a writer with its first write, which fails if another transaction is one or if the snapshot is no
//! longer the newest state. So there is one writer at a time, and what it has read is still true when
//! it commits. That is strictly serializable; SQLite's manual says so too ("Isolation In
//! SQLite").
//!
//! At `read-uncommitted` all connections share one cache, and with it the newest state of every page:
//! a reader sees what the writer has not committed, and no transaction has a snapshot. There is still
//! one writer at a time; a second one gets an error at once, and `wait` has no effect.
//!
//! Options: `begin=immediate` makes every transaction a writer from the start, `wait=50` is how
//! many milliseconds a writer waits for another before it gives up.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Error, ErrorCode, OpenFlags, OptionalExtension, params};

use super::home::Home;
use super::order;
use super::{Kind, OpenError};
use crate::connection::{Committed, Iterated, Range};
use crate::url::UrlError;
use crate::{Connection, Database, DatabaseError, DatabaseLevel, Offers, Url};

const SERIALIZABLE: DatabaseLevel =
    DatabaseLevel { name: "serializable", claims: "strict-serializable" };
const READ_UNCOMMITTED: DatabaseLevel =
    DatabaseLevel { name: "read-uncommitted", claims: "read-uncommitted" };
const LEVELS: &[DatabaseLevel] = &[SERIALIZABLE, READ_UNCOMMITTED];

/// How long a writer waits for another.
const WAIT: Duration = Duration::from_secs(1);

const TABLES: &str = "
    DROP TABLE IF EXISTS tristan_kv;
    DROP TABLE IF EXISTS tristan_list;
    CREATE TABLE tristan_kv (k INTEGER PRIMARY KEY, v INTEGER NOT NULL);
    CREATE TABLE tristan_list (k INTEGER PRIMARY KEY, elements TEXT NOT NULL);";

const GET: &str = "SELECT v FROM tristan_kv WHERE k = ?1";
const PUT: &str = "INSERT INTO tristan_kv VALUES (?1, ?2)
    ON CONFLICT (k) DO UPDATE SET v = excluded.v";
const DELETE: &str = "DELETE FROM tristan_kv WHERE k = ?1";
const ITEMS: &str = "SELECT k, v FROM tristan_kv WHERE k BETWEEN ?1 AND ?2 ORDER BY k";
const APPEND: &str = "INSERT INTO tristan_list VALUES (?1, ?2)
    ON CONFLICT (k) DO UPDATE SET elements = elements || ' ' || excluded.elements";
const LIST: &str = "SELECT elements FROM tristan_list WHERE k = ?1";

pub(super) const KIND: Kind = Kind {
    schemes: &["sqlite"],
    example: "sqlite:test.db",
    about: "SQLite, in this process; without a path, in a temporary file",
    port: None,
    open,
};

/// Opens the file of an address, or a fresh one.
fn open(url: &Url) -> Result<Arc<dyn Database>, OpenError> {
    url.only_options(&["begin", "wait"])?;
    let sqlite = Sqlite { begin: begin(url)?, wait: wait(url)?, home: Arc::new(Home::of(url)?) };
    // The log stays with the file, so that it is enough to ask for it once.
    let mode: String = sqlite
        .attach(SERIALIZABLE)
        .and_then(|connection| {
            connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        })
        .map_err(lost)?;
    if mode != "wal" {
        let text = format!("the file has journal mode {mode}, expected a write-ahead log");
        return Err(DatabaseError::Lost(text).into());
    }
    Ok(Arc::new(sqlite))
}

fn begin(url: &Url) -> Result<&'static str, UrlError> {
    match url.option("begin") {
        None | Some("deferred") => Ok("BEGIN DEFERRED"),
        Some("immediate") => Ok("BEGIN IMMEDIATE"),
        Some(other) => Err(UrlError::new(format!("begin={other}"), "deferred or immediate")),
    }
}

fn wait(url: &Url) -> Result<Duration, UrlError> {
    url.option("wait").map_or(Ok(WAIT), |text| {
        let wrong = |_| UrlError::new(format!("wait={text}"), "a number of milliseconds");
        text.parse().map(Duration::from_millis).map_err(wrong)
    })
}

struct Sqlite {
    /// The statement that begins a transaction at the selected level.
    begin: &'static str,
    wait: Duration,
    home: Arc<Home>,
}

impl Sqlite {
    fn attach(&self, level: DatabaseLevel) -> rusqlite::Result<rusqlite::Connection> {
        let shared = level.name == READ_UNCOMMITTED.name;
        let mut flags = OpenFlags::default();
        flags.set(OpenFlags::SQLITE_OPEN_SHARED_CACHE, shared);
        let connection = rusqlite::Connection::open_with_flags(self.home.path(), flags)?;
        connection.busy_timeout(self.wait)?;
        connection.pragma_update(None, "read_uncommitted", shared)?;
        // With a write-ahead log this loses nothing unless the power fails.
        connection.execute_batch("PRAGMA synchronous = NORMAL")?;
        Ok(connection)
    }

    fn fill(&self, initial: &[(i64, i64)]) -> rusqlite::Result<()> {
        let mut connection = self.attach(SERIALIZABLE)?;
        let transaction = connection.transaction()?;
        transaction.execute_batch(TABLES)?;
        for (key, value) in initial {
            transaction.prepare_cached(PUT)?.execute([key, value])?;
        }
        transaction.commit()
    }
}

impl Database for Sqlite {
    fn describe(&self) -> String {
        format!("SQLite {}", rusqlite::version())
    }

    fn levels(&self) -> &'static [DatabaseLevel] {
        LEVELS
    }

    fn offers(&self) -> Offers {
        Offers { deletes: true, ranges: true, lists: true, locks: false }
    }

    fn prepare(&self, initial: &[(i64, i64)]) -> Result<(), DatabaseError> {
        self.fill(initial).map_err(lost)
    }

    fn connect(&self, level: DatabaseLevel) -> Result<Box<dyn Connection>, DatabaseError> {
        let connection = self.attach(level).map_err(lost)?;
        Ok(Box::new(Client { connection, begin: self.begin, _home: Arc::clone(&self.home) }))
    }
}

struct Client {
    connection: rusqlite::Connection,
    begin: &'static str,
    /// The files stay while a client is connected.
    _home: Arc<Home>,
}

impl Client {
    fn ask<T>(
        &self,
        run: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T>,
    ) -> Result<T, DatabaseError> {
        run(&self.connection).map_err(|error| self.ended(error))
    }

    fn execute(&self, statement: &str) -> Result<(), DatabaseError> {
        self.ask(|connection| connection.prepare_cached(statement)?.execute([]).map(drop))
    }

    /// What an error means. A transaction that found the database locked is rolled back; nothing else
    /// is known to leave no trace.
    fn ended(&self, error: Error) -> DatabaseError {
        let late = matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
        );
        if late && self.roll_back().is_ok() {
            return DatabaseError::Refused(error.to_string());
        }
        lost(error)
    }

    fn roll_back(&self) -> rusqlite::Result<()> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.connection.execute_batch("ROLLBACK")
    }

    /// The first items of a range, and whether there are no more.
    fn items(&self, range: Range, most: usize) -> Result<Iterated, DatabaseError> {
        let Some((first, last)) = order::ends(range) else {
            return Ok(Iterated { items: Vec::new(), end: true });
        };
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(ITEMS)?;
            let mut rows = statement.query([first, last])?;
            let mut items = Vec::new();
            while items.len() < most {
                match rows.next()? {
                    Some(row) => items.push((row.get(0)?, row.get(1)?)),
                    None => return Ok(Iterated { items, end: true }),
                }
            }
            Ok(Iterated { items, end: false })
        })
    }
}

impl Connection for Client {
    fn begin(&mut self) -> Result<(), DatabaseError> {
        self.execute(self.begin)
    }

    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, DatabaseError> {
        if lock {
            return Err(DatabaseError::Unsupported("SQLite has no locking reads".into()));
        }
        self.ask(|connection| {
            connection.prepare_cached(GET)?.query_row([key], |row| row.get(0)).optional()
        })
    }

    fn put(&mut self, key: i64, value: i64) -> Result<(), DatabaseError> {
        self.ask(|connection| connection.prepare_cached(PUT)?.execute([key, value]).map(drop))
    }

    fn delete(&mut self, key: i64) -> Result<Option<u64>, DatabaseError> {
        self.ask(|connection| {
            let rows = connection.prepare_cached(DELETE)?.execute([key])?;
            Ok(Some(rows as u64))
        })
    }

    fn scan(&mut self, range: Range) -> Result<Vec<(i64, i64)>, DatabaseError> {
        Ok(self.items(range, usize::MAX)?.items)
    }

    fn iterate(&mut self, range: Range, most: usize) -> Result<Iterated, DatabaseError> {
        self.items(range, most)
    }

    fn append(&mut self, key: i64, element: i64) -> Result<(), DatabaseError> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(APPEND)?;
            statement.execute(params![key, element.to_string()]).map(drop)
        })
    }

    fn list(&mut self, key: i64) -> Result<Vec<i64>, DatabaseError> {
        let elements: Option<String> = self.ask(|connection| {
            connection.prepare_cached(LIST)?.query_row([key], |row| row.get(0)).optional()
        })?;
        let number = |text: &str| {
            text.parse().map_err(|_| DatabaseError::Failed(format!("a list with \"{text}\" in it")))
        };
        elements.unwrap_or_default().split_whitespace().map(number).collect()
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        self.execute("COMMIT").map(|()| Committed::default())
    }

    fn abort(&mut self) -> Result<(), DatabaseError> {
        self.roll_back().map_err(lost)
    }
}

fn lost(error: Error) -> DatabaseError {
    DatabaseError::Lost(error.to_string())
}

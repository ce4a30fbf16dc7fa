//! PostgreSQL, through its simple query protocol: statements and rows are text.

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Config, NoTls, SimpleQueryMessage, SimpleQueryRow};

use super::{
    Dialect, LockWatch, SERVER_PATIENCE, SqlClient, SqlDatabase, SqlLevel, StatementResult,
};
use crate::databases::{OpenError, postgres_failures as failures};
use crate::{DatabaseError, DatabaseLevel, Url};

/// Its levels. `READ UNCOMMITTED` is another name for `READ COMMITTED`; of `REPEATABLE READ` the
/// manual says that it is snapshot isolation.
const LEVELS: [SqlLevel; 3] = [
    SqlLevel {
        level: DatabaseLevel { name: "read-committed", claims: "read-committed" },
        begin: &["BEGIN ISOLATION LEVEL READ COMMITTED"],
    },
    SqlLevel {
        level: DatabaseLevel { name: "repeatable-read", claims: "snapshot-isolation" },
        begin: &["BEGIN ISOLATION LEVEL REPEATABLE READ"],
    },
    SqlLevel {
        level: DatabaseLevel { name: "serializable", claims: "serializable" },
        begin: &["BEGIN ISOLATION LEVEL SERIALIZABLE"],
    },
];

/// A PostgreSQL server.
pub(super) struct Postgres {
    config: Config,
    version: String,
}

impl Postgres {
    pub(super) fn open(url: &Url) -> Result<Self, OpenError> {
        url.only_options(&[])?;
        let mut config = Config::new();
        config.host(url.host()).port(url.port().unwrap_or(5432)).application_name("tristan");
        config.user(url.user().unwrap_or("postgres"));
        if let Some(password) = url.password() {
            config.password(password);
        }
        if let Some(name) = url.path() {
            config.dbname(name);
        }
        let version = Client::open(&config)?.text("SELECT version()")?;
        // "PostgreSQL 15.18 (Debian …) on x86_64…"
        let words: Vec<&str> = version.split_whitespace().take(2).collect();
        let version = words.join(" ").trim_end_matches(',').to_owned();
        Ok(Self { config, version })
    }
}

impl SqlDatabase for Postgres {
    fn describe(&self) -> String {
        self.version.clone()
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn levels(&self) -> &[SqlLevel] {
        &LEVELS
    }

    fn create(&self, place: &str) -> Result<(), DatabaseError> {
        Client::open(&self.config)?.execute(&format!("CREATE SCHEMA {place}")).map(drop)
    }

    fn remove(&self, place: &str) -> Result<(), DatabaseError> {
        let sql = format!("DROP SCHEMA IF EXISTS {place} CASCADE");
        Client::open(&self.config)?.execute(&sql).map(drop)
    }

    fn connect(&self, place: &str) -> Result<Box<dyn SqlClient>, DatabaseError> {
        let mut client = Client::open(&self.config)?;
        client.execute(&format!("SET search_path TO {place}"))?;
        client.execute(&format!("SET statement_timeout TO '{SERVER_PATIENCE}s'"))?;
        // Deadlocks are found sooner this way; only a superuser may say so.
        let _ = client.execute("SET deadlock_timeout TO '10ms'");
        client.id = client.text("SELECT pg_backend_pid()")?.parse().unwrap_or(0);
        Ok(Box::new(client))
    }

    fn watch(&self) -> Result<Option<Box<dyn LockWatch>>, DatabaseError> {
        let mut client = Client::open(&self.config)?;
        // Databases that merely speak the protocol may not know this function.
        match client.execute("SELECT pg_blocking_pids(0)") {
            Ok(_) => Ok(Some(Box::new(Watch(client)))),
            Err(failure @ DatabaseError::Lost(_)) => Err(failure),
            Err(_) => Ok(None),
        }
    }
}

struct Client {
    /// Drives the connection whenever a caller waits for an answer.
    runtime: Runtime,
    client: tokio_postgres::Client,
    id: u64,
}

impl Client {
    fn open(config: &Config) -> Result<Self, DatabaseError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| DatabaseError::Lost(error.to_string()))?;
        let connected = runtime.block_on(config.connect(NoTls));
        let (client, connection) = connected.map_err(|error| failures::of_connecting(&error))?;
        // What the connection has to say, the next answer says as well.
        runtime.spawn(async move { drop(connection.await) });
        Ok(Self { runtime, client, id: 0 })
    }

    /// The only value of the only row.
    fn text(&mut self, sql: &str) -> Result<String, DatabaseError> {
        let first = self.execute(sql)?.rows.into_iter().flatten().next();
        Ok(first.flatten().unwrap_or_default())
    }
}

impl SqlClient for Client {
    fn execute(&mut self, sql: &str) -> Result<StatementResult, DatabaseError> {
        let messages = self.runtime.block_on(self.client.simple_query(sql)).map_err(failure)?;
        let mut outcome = StatementResult::default();
        for message in messages {
            match message {
                SimpleQueryMessage::RowDescription(columns) => outcome.columns = columns.len(),
                SimpleQueryMessage::Row(row) => outcome.rows.push(values(&row)),
                SimpleQueryMessage::CommandComplete(rows) => outcome.affected = rows,
                _ => {}
            }
        }
        Ok(outcome)
    }

    fn id(&self) -> u64 {
        self.id
    }
}

fn values(row: &SimpleQueryRow) -> Vec<Option<String>> {
    (0..row.len()).map(|column| row.get(column).map(str::to_owned)).collect()
}

/// After an error nothing but a rollback is accepted, so the transaction is over; unless it is the
/// statement that makes no sense.
fn failure(error: tokio_postgres::Error) -> DatabaseError {
    let class = error.code().and_then(|code| code.code().get(..2));
    match (failures::of_statement(&error), class) {
        // Syntax errors, missing tables, missing rights, missing features.
        (DatabaseError::Refused(text), Some("42" | "0A")) => DatabaseError::Unsupported(text),
        // Memory or disks are full, something crashed, or the server's patience ran out.
        (DatabaseError::Refused(text), Some("53" | "57" | "58" | "XX")) => {
            DatabaseError::Lost(text)
        }
        (failure, _) => failure,
    }
}

/// Asks the server which session blocks which.
struct Watch(Client);

impl LockWatch for Watch {
    fn waits(&mut self, client: u64) -> Result<Option<Vec<u64>>, DatabaseError> {
        // An array as text: {}, {17}, {17,18}.
        let blockers = self.0.text(&format!("SELECT pg_blocking_pids({client})"))?;
        let pids = blockers.trim_matches(['{', '}']).split(',');
        let pids: Vec<u64> = pids.filter_map(|pid| pid.parse().ok()).collect();
        Ok(Some(pids).filter(|pids| !pids.is_empty()))
    }
}

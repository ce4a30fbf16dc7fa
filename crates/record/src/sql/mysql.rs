//! MariaDB and MySQL, through their text protocol.

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, Opts, OptsBuilder, Row, Value};
use tokio::runtime::{Builder, Runtime};

use super::{
    Dialect, LockWatch, SERVER_PATIENCE, SqlClient, SqlDatabase, SqlLevel, StatementResult,
};
use crate::databases::{OpenError, mysql_failures as failures};
use crate::{DatabaseError, DatabaseLevel, Url};

/// The levels of InnoDB.
const LEVELS: [SqlLevel; 4] = [
    SqlLevel {
        level: DatabaseLevel { name: "read-uncommitted", claims: "read-uncommitted" },
        begin: &["SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED", "START TRANSACTION"],
    },
    SqlLevel {
        level: DatabaseLevel { name: "read-committed", claims: "read-committed" },
        begin: &["SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "START TRANSACTION"],
    },
    SqlLevel {
        level: DatabaseLevel { name: "repeatable-read", claims: "repeatable-read" },
        begin: &["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION"],
    },
    SqlLevel {
        level: DatabaseLevel { name: "serializable", claims: "serializable" },
        begin: &["SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "START TRANSACTION"],
    },
];

/// A lock was waited for too long.
const LOCK_WAIT_TIMEOUT: u16 = 1205;
/// The row is there already; a value is missing, too long or out of range; a constraint.
const REFUSED_ROWS: [u16; 8] = [1022, 1048, 1062, 1264, 1406, 1451, 1452, 4025];

/// A server.
pub(super) struct Mysql {
    opts: Opts,
    version: String,
    levels: Vec<SqlLevel>,
}

impl Mysql {
    pub(super) fn open(url: &Url) -> Result<Self, OpenError> {
        url.only_options(&[])?;
        let opts = OptsBuilder::default()
            .ip_or_hostname(url.host())
            .tcp_port(url.port().unwrap_or(3306))
            .user(Some(url.user().unwrap_or("root")))
            .pass(url.password())
            .db_name(url.path())
            .prefer_socket(false)
            .into();
        let mut client = Client::open(&opts)?;
        let version = described(&client.cell("SELECT VERSION()", 0)?);
        let snapshots = "SHOW VARIABLES LIKE 'innodb_snapshot_isolation'";
        let levels = levels(client.cell(snapshots, 1)? == "ON");
        Ok(Self { opts, version, levels })
    }
}

/// MariaDB can be told to make `REPEATABLE READ` snapshot isolation.
fn levels(snapshots: bool) -> Vec<SqlLevel> {
    let mut levels = LEVELS.to_vec();
    if snapshots {
        levels[2].level.claims = "snapshot-isolation";
    }
    levels
}

/// `10.11.19-MariaDB-0+deb12u1` is MariaDB 10.11.19, `9.7.4` is MySQL 9.7.4.
fn described(version: &str) -> String {
    let number = version.split('-').next().unwrap_or(version);
    let name = if version.contains("MariaDB") { "MariaDB" } else { "MySQL" };
    format!("{name} {number}")
}

impl SqlDatabase for Mysql {
    fn describe(&self) -> String {
        self.version.clone()
    }

    fn dialect(&self) -> Dialect {
        Dialect::Mysql
    }

    fn levels(&self) -> &[SqlLevel] {
        &self.levels
    }

    fn create(&self, place: &str) -> Result<(), DatabaseError> {
        Client::open(&self.opts)?.execute(&format!("CREATE DATABASE {place}")).map(drop)
    }

    fn remove(&self, place: &str) -> Result<(), DatabaseError> {
        Client::open(&self.opts)?.execute(&format!("DROP DATABASE IF EXISTS {place}")).map(drop)
    }

    fn connect(&self, place: &str) -> Result<Box<dyn SqlClient>, DatabaseError> {
        let mut client = Client::open(&self.opts)?;
        client.execute(&format!("USE {place}"))?;
        client.execute(&format!("SET SESSION innodb_lock_wait_timeout = {SERVER_PATIENCE}"))?;
        Ok(Box::new(client))
    }

    fn watch(&self) -> Result<Option<Box<dyn LockWatch>>, DatabaseError> {
        let mut watch = Watch(Client::open(&self.opts)?);
        // Not every user has the privilege.
        match watch.waits(0) {
            Ok(_) => Ok(Some(Box::new(watch))),
            Err(failure @ DatabaseError::Lost(_)) => Err(failure),
            Err(_) => Ok(None),
        }
    }
}

struct Client {
    runtime: Runtime,
    /// There until the end.
    conn: Option<Conn>,
}

impl Client {
    fn open(opts: &Opts) -> Result<Self, DatabaseError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| DatabaseError::Lost(error.to_string()))?;
        let conn = runtime.block_on(Conn::new(opts.clone()));
        let conn = conn.map_err(|error| failures::of_connecting(&error))?;
        Ok(Self { runtime, conn: Some(conn) })
    }

    /// One value of the first row; empty if there is none.
    fn cell(&mut self, sql: &str, column: usize) -> Result<String, DatabaseError> {
        let row = self.execute(sql)?.rows.into_iter().next().unwrap_or_default();
        Ok(row.into_iter().nth(column).flatten().unwrap_or_default())
    }
}

impl SqlClient for Client {
    fn execute(&mut self, sql: &str) -> Result<StatementResult, DatabaseError> {
        let closed = || DatabaseError::Lost("the connection is closed".into());
        let conn = self.conn.as_mut().ok_or_else(closed)?;
        self.runtime.block_on(ask(conn, sql)).map_err(failure)
    }

    fn id(&self) -> u64 {
        self.conn.as_ref().map_or(0, |conn| u64::from(conn.id()))
    }
}

async fn ask(conn: &mut Conn, sql: &str) -> Result<StatementResult, Error> {
    let mut result = conn.query_iter(sql).await?;
    let (affected, columns) = (result.affected_rows(), result.columns_ref().len());
    let rows: Vec<Row> = result.collect().await?;
    result.drop_result().await?;
    Ok(StatementResult { columns, rows: rows.iter().map(values).collect(), affected })
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(conn) = self.conn.take() {
            // If it cannot be closed politely, it is closed all the same.
            let _ = self.runtime.block_on(conn.disconnect());
        }
    }
}

fn values(row: &Row) -> Vec<Option<String>> {
    (0..row.len()).map(|column| row.as_ref(column).and_then(text)).collect()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::NULL => None,
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        other => Some(other.as_sql(true)),
    }
}

/// What concerns rows fails the statement; anything else means that it makes no sense.
fn failure(error: Error) -> DatabaseError {
    let code = match &error {
        Error::Server(said) => said.code,
        _ => 0,
    };
    match failures::of_statement(&error) {
        DatabaseError::Refused(text) if code == LOCK_WAIT_TIMEOUT => DatabaseError::Lost(text),
        DatabaseError::Failed(text) if !REFUSED_ROWS.contains(&code) => {
            DatabaseError::Unsupported(text)
        }
        failure => failure,
    }
}

/// Reads the engine's report on its transactions.
///
/// The tables of `information_schema` would be handier, but are refreshed only if no session has
/// looked at them for a tenth of a second; the report is always fresh.
struct Watch(Client);

impl LockWatch for Watch {
    fn waits(&mut self, client: u64) -> Result<Option<Vec<u64>>, DatabaseError> {
        let report = self.0.cell("SHOW ENGINE INNODB STATUS", 2)?;
        Ok(is_waiting(&report, client).then(Vec::new))
    }
}

/// Whether a connection's transaction waits for a lock, in a report of this form:
///
/// ```text
/// ---TRANSACTION 35, ACTIVE 0 sec starting index read
/// mysql tables in use 1, locked 1
/// LOCK WAIT 2 lock struct(s), heap size 1128, 1 row lock(s)
/// MariaDB thread id 12, OS thread handle 139832, query id 61 127.0.0.1 root Updating
/// ```
fn is_waiting(report: &str, client: u64) -> bool {
    let thread = format!("thread id {client},");
    let mut transactions = report.split("---TRANSACTION ").skip(1);
    transactions.any(|transaction| {
        let ours = |line: &str| line.contains(&thread);
        let mut about = transaction.lines().take_while(|line| !ours(line));
        about.any(|line| line.starts_with("LOCK WAIT ")) && transaction.lines().any(ours)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
TRANSACTIONS
------------
Trx id counter 37
LIST OF TRANSACTIONS FOR EACH SESSION:
---TRANSACTION 36, ACTIVE 0 sec starting index read
mysql tables in use 1, locked 1
LOCK WAIT 2 lock struct(s), heap size 1128, 1 row lock(s)
MariaDB thread id 12, OS thread handle 1398, query id 61 127.0.0.1 root Updating
UPDATE t SET value = 12 WHERE id = 1
------- TRX HAS BEEN WAITING 51 us FOR THIS LOCK TO BE GRANTED:
---TRANSACTION 35, ACTIVE 0 sec
2 lock struct(s), heap size 1128, 1 row lock(s), undo log entries 1
MariaDB thread id 1, OS thread handle 1397, query id 60 127.0.0.1 root
--------
";

    #[test]
    fn the_report_tells_who_waits() {
        assert!(is_waiting(REPORT, 12));
        assert!(!is_waiting(REPORT, 1) && !is_waiting(REPORT, 2) && !is_waiting("", 12));
    }

    #[test]
    fn versions_are_told_apart() {
        assert_eq!(described("10.11.19-MariaDB-0+deb12u1"), "MariaDB 10.11.19");
        assert_eq!(described("9.7.4"), "MySQL 9.7.4");
    }
}

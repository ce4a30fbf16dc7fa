//! SQLite: a file, and locks on all of it.
//!
//! No session waits here: a statement that cannot have its lock fails at once (`SQLITE_BUSY`), which
//! is what a program sees that sets no busy timeout.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode, Row};

use super::{Dialect, LockWatch, SqlClient, SqlDatabase, SqlLevel, StatementResult};
use crate::databases::OpenError;
use crate::{DatabaseError, DatabaseLevel, Url, UrlError};

const LEVELS: [SqlLevel; 1] = [SqlLevel {
    level: DatabaseLevel { name: "serializable", claims: "serializable" },
    begin: &["BEGIN"],
}];

/// What a database leaves beside its file.
const COMPANIONS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// SQLite in a folder.
pub(super) struct Sqlite {
    /// The file that was named: ours will be beside it.
    beside: Option<PathBuf>,
    journal: &'static str,
}

impl Sqlite {
    pub(super) fn open(url: &Url) -> Result<Self, OpenError> {
        url.only_options(&["journal"])?;
        let journal = match url.option("journal") {
            None | Some("wal") => "wal",
            Some("delete") => "delete",
            Some(other) => {
                let found = format!("the journal \"{other}\"");
                return Err(UrlError::new(found, "wal or delete").into());
            }
        };
        Ok(Self { beside: url.path().map(PathBuf::from), journal })
    }

    fn file(&self, place: &str) -> PathBuf {
        match &self.beside {
            None => std::env::temp_dir().join(format!("{place}.db")),
            Some(file) => {
                let mut name = file.clone().into_os_string();
                name.push(format!(".{place}"));
                name.into()
            }
        }
    }
}

impl SqlDatabase for Sqlite {
    fn describe(&self) -> String {
        format!("SQLite {}, journal {}", rusqlite::version(), self.journal)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn levels(&self) -> &[SqlLevel] {
        &LEVELS
    }

    fn create(&self, place: &str) -> Result<(), DatabaseError> {
        let connection = Connection::open(self.file(place)).map_err(failure)?;
        connection.pragma_update(None, "journal_mode", self.journal).map_err(failure)
    }

    fn remove(&self, place: &str) -> Result<(), DatabaseError> {
        for companion in COMPANIONS {
            let mut file = self.file(place).into_os_string();
            file.push(companion);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(DatabaseError::Lost(format!("{}: {error}", file.display())));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn connect(&self, place: &str) -> Result<Box<dyn SqlClient>, DatabaseError> {
        let connection = Connection::open(self.file(place)).map_err(failure)?;
        connection.busy_timeout(Duration::ZERO).map_err(failure)?;
        Ok(Box::new(Client(connection)))
    }

    fn watch(&self) -> Result<Option<Box<dyn LockWatch>>, DatabaseError> {
        Ok(Some(Box::new(NobodyWaits)))
    }
}

struct Client(Connection);

impl SqlClient for Client {
    fn execute(&mut self, sql: &str) -> Result<StatementResult, DatabaseError> {
        let mut statement = self.0.prepare(sql).map_err(failure)?;
        let columns = statement.column_count();
        let mut outcome = StatementResult { columns, ..StatementResult::default() };
        if columns == 0 {
            outcome.affected = statement.execute([]).map_err(failure)? as u64;
            return Ok(outcome);
        }
        let mut rows = statement.query([]).map_err(failure)?;
        while let Some(row) = rows.next().map_err(failure)? {
            outcome.rows.push(values(row, columns).map_err(failure)?);
        }
        Ok(outcome)
    }

    fn id(&self) -> u64 {
        0
    }
}

fn values(row: &Row<'_>, columns: usize) -> Result<Vec<Option<String>>, Error> {
    let text = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).into_owned());
    let value = |column: usize| {
        Ok(match row.get_ref(column)? {
            ValueRef::Null => None,
            ValueRef::Integer(number) => Some(number.to_string()),
            ValueRef::Real(number) => Some(number.to_string()),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => text(bytes),
        })
    };
    (0..columns).map(value).collect()
}

fn failure(error: Error) -> DatabaseError {
    let message = error.to_string();
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::ConstraintViolation,
        ) => DatabaseError::Failed(message),
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::SystemIoFailure
            | ErrorCode::DiskFull
            | ErrorCode::ReadOnly
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase,
        ) => DatabaseError::Lost(message),
        _ => DatabaseError::Unsupported(message),
    }
}

struct NobodyWaits;

impl LockWatch for NobodyWaits {
    fn waits(&mut self, _: u64) -> Result<Option<Vec<u64>>, DatabaseError> {
        Ok(None)
    }
}

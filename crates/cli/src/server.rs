//! Databases that the user names by their addresses.

use std::sync::Arc;

use tristan_record::databases::{self, OpenError};
use tristan_record::snapshot::Snapshot;
use tristan_record::sql::Dialect;
use tristan_record::{Database, Url};

use crate::complain;
use crate::exit::{CommandError, Exit};

/// Opens the database at an address.
pub(crate) fn open(url: &Url) -> Result<Arc<dyn Database>, CommandError> {
    databases::open(url).map_err(|error| {
        let exit = match error {
            OpenError::Url(_) => Exit::Usage,
            OpenError::Database(_) => Exit::MissingInput,
        };
        CommandError::new(exit, format!("{url}: {error}"))
    })
}

/// Everything that is in the database at an address, and how statements look there.
pub(crate) fn snapshot(url: &Url) -> Result<(Snapshot, Dialect), CommandError> {
    let database = open(url)?;
    let dialect = database.dialect().ok_or_else(|| {
        let found = database.describe();
        let message = format!("{url}: found {found}, expected PostgreSQL, MariaDB or MySQL");
        CommandError::new(Exit::Usage, message)
    })?;
    let snapshot = database
        .snapshot()
        .map_err(|error| CommandError::new(Exit::MissingInput, format!("{url}: {error}")))?;
    let (rows, tables) = (snapshot.rows(), snapshot.tables.len());
    complain(&format!("{url}: read {rows} rows of {tables} tables"));
    Ok((snapshot, dialect))
}

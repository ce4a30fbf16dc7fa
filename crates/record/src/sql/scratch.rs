//! A place of our own in a database, gone when we are done.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{SqlClient, SqlDatabase};
use crate::DatabaseError;

/// A place that is removed at the end.
pub struct Scratch<'a> {
    database: &'a dyn SqlDatabase,
    name: String,
    /// Whether it may be there.
    made: bool,
}

static PLACES: AtomicU64 = AtomicU64::new(0);

impl<'a> Scratch<'a> {
    /// Chooses a name that is not used yet; nothing is created yet.
    pub fn new(database: &'a dyn SqlDatabase) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let place = PLACES.fetch_add(1, Ordering::Relaxed);
        let name =
            format!("tristan_litmus_{}_{}_{place}", std::process::id(), since.subsec_micros());
        Self { database, name, made: false }
    }

    /// Makes the place, or empties it.
    ///
    /// # Errors
    /// If the database does not do it.
    pub fn clear(&mut self) -> Result<(), DatabaseError> {
        self.made = true;
        self.database.remove(&self.name)?;
        self.database.create(&self.name)
    }

    /// Opens a connection into the place.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub fn connect(&self) -> Result<Box<dyn SqlClient>, DatabaseError> {
        self.database.connect(&self.name)
    }

    /// Removes the place.
    ///
    /// # Errors
    /// If the database does not do it.
    pub fn remove(mut self) -> Result<(), DatabaseError> {
        let made = std::mem::take(&mut self.made);
        if made { self.database.remove(&self.name) } else { Ok(()) }
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if self.made {
            // A caller that gets here has something worse to report.
            let _ = self.database.remove(&self.name);
        }
    }
}

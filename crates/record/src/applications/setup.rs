//! What is chosen for a run of an application: where, at which level, how large, how long.

use std::time::{Duration, Instant};

use super::Sizes;
use crate::dialect::Dialect;
use crate::{Database, DatabaseLevel};

/// An application on a database.
pub struct ApplicationRun<'a> {
    /// Where.
    pub database: &'a dyn Database,
    /// How its SQL looks.
    pub dialect: Dialect,
    /// At which of its levels.
    pub level: DatabaseLevel,
    /// How many clients and transactions there are, and what seed they have.
    pub sizes: Sizes,
    /// How long clients wait before each statement.
    pub think: Duration,
    /// When to stop, even if transactions are left.
    pub until: Option<Instant>,
    /// Whether the database is asked in which order transactions committed.
    pub hints: bool,
    /// Whether connections that were lost are opened again, as long as it takes. Otherwise one that
    /// cannot be opened ends the run.
    pub patient: bool,
}

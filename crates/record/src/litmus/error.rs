//! What can be wrong with a case, and what can go wrong while it is played.

use thiserror::Error;

use crate::DatabaseError;

/// A file that is no case.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: found {found}, expected {expected}")]
pub struct CaseError {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// What is there.
    pub found: String,
    /// What should be.
    pub expected: String,
}

/// Why nothing can be said about a case.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The database is gone, or never was there.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The database does not understand a statement.
    #[error("{file}:{line}: the database rejected this statement: {message}")]
    Statement {
        /// The case's file.
        file: String,
        /// The line of the statement.
        line: usize,
        /// What the database says.
        message: String,
    },
    /// No answer, and no session that could be waited for.
    #[error("{file}: no answer for {seconds} s from {sessions}")]
    Silence {
        /// The case's file.
        file: String,
        /// How long the session was silent.
        seconds: u64,
        /// The sessions that do not answer.
        sessions: String,
    },
}

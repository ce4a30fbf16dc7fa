//! What can be wrong with a log, or with what is asked of it.

use std::io;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The log cannot be read.
    #[error("{name}: {source}")]
    Io {
        /// The name of the log.
        name: String,
        /// What the system says.
        source: io::Error,
    },
    /// A line does not say what it should.
    #[error("{name}:{line}: found {found}, expected {expected}")]
    Line {
        /// The name of the log.
        name: String,
        /// The line, from 1.
        line: u64,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// The rows or tables at the start do not fit.
    #[error("{name}:{line}: {problem}")]
    Start {
        /// The name of the log or of the schema file.
        name: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// A checkpoint cannot be written, or not be used.
    #[error("{problem}")]
    Checkpoint {
        /// What is wrong with it.
        problem: String,
    },
    /// A log cannot be followed in this way.
    #[error("{reason}; audit the log without --follow")]
    Follow {
        /// Why not.
        reason: String,
    },
}

impl Error {
    /// The log with this name cannot be read.
    pub(crate) fn io(name: &str, source: io::Error) -> Self {
        Self::Io { name: name.to_owned(), source }
    }
}

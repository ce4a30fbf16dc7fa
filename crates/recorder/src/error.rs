//! What can go wrong between a client and a database, as far as a trace has to tell it apart.

use thiserror::Error;

/// Why an operation, a begin or a commit did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DatabaseError {
    /// The database ended the transaction: nothing of it took effect, and nothing will.
    #[error("{0}")]
    Refused(String),
    /// The operation had no effect; the transaction goes on.
    #[error("{0}")]
    Failed(String),
    /// The connection is gone, and with it the answer: it is unknown what took effect.
    #[error("{0}")]
    Lost(String),
    /// The database cannot do this at all.
    #[error("{0}")]
    Unsupported(String),
}

//! What PostgreSQL's errors mean for a transaction.
//!
//! | the error comes | from the server | with the end of the connection, or not from the server |
//! |---|---|---|
//! | from a statement | the transaction has failed: `Refused` | `Lost` |
//! | from `COMMIT` | it did not commit: `Refused` | the outcome is unknown: `Lost` |

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::DatabaseError;

/// Why there is no connection. What will not get better by itself is [`DatabaseError::Failed`].
pub(crate) fn of_connecting(error: &Error) -> DatabaseError {
    let text = text(error);
    match error.code().map(SqlState::code) {
        // What a server says that insists on encryption, among others.
        Some("28000") => DatabaseError::Failed(format!("{text} (TLS is not supported)")),
        Some(code) if code.starts_with("28") || code.starts_with("3D") => {
            DatabaseError::Failed(text)
        }
        _ => DatabaseError::Lost(text),
    }
}

/// Why a statement outside of transactions did not work.
pub(crate) fn of_asking(error: &Error) -> DatabaseError {
    match error.as_db_error() {
        Some(said) if !ends_connection(said) => DatabaseError::Failed(text(error)),
        _ => DatabaseError::Lost(text(error)),
    }
}

/// Why a statement of a transaction did not work. If this is [`DatabaseError::Refused`], the server has
/// aborted the transaction and waits for a `ROLLBACK`.
pub(crate) fn of_statement(error: &Error) -> DatabaseError {
    match error.as_db_error() {
        Some(said) if !ends_connection(said) => DatabaseError::Refused(text(error)),
        _ => DatabaseError::Lost(text(error)),
    }
}

/// Why a transaction did not commit, as far as one knows.
pub(crate) fn of_commit(error: &Error) -> DatabaseError {
    match error.as_db_error() {
        Some(said) if !ends_connection(said) && !is_unsure(said) => {
            DatabaseError::Refused(text(error))
        }
        _ => DatabaseError::Lost(text(error)),
    }
}

/// Whether the server says goodbye: it shuts down, it has crashed, it was told to drop the client.
fn ends_connection(said: &DbError) -> bool {
    let code = said.code().code();
    let fatal = matches!(said.parsed_severity(), Some(Severity::Fatal | Severity::Panic));
    fatal || code.starts_with("08") || code.starts_with("57P")
}

/// Whether the server itself does not know.
fn is_unsure(said: &DbError) -> bool {
    *said.code() == SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN
}

fn text(error: &Error) -> String {
    match error.as_db_error() {
        Some(said) => format!("{} {}", said.code().code(), said.message()),
        None => causes(error),
    }
}

/// An error with what is behind it, as in "error connecting to server: connection refused".
fn causes(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        text.push_str(&format!(": {deeper}"));
        cause = deeper.source();
    }
    text
}

//! What the errors of MariaDB and MySQL mean for a transaction.
//!
//! | the error comes | a conflict | another one of the server | with the end of the connection |
//! |---|---|---|---|
//! | from a statement | `Refused` | only the statement failed: `Failed` | `Lost` |
//! | from `COMMIT` | `Refused` | the manual does not say: `Lost` | `Lost` |

use mysql_async::{Error, ServerError};

use crate::DatabaseError;

/// The row has changed since the snapshot (`innodb_snapshot_isolation`), a lock was waited for too
/// long, or there was a deadlock. The first and the last end the transaction; the second may end the
/// statement only, so the transaction has to be rolled back.
const CONFLICTS: [u16; 3] = [1020, 1205, 1213];

/// The server shuts down, reads or writes of the connection fail or take too long, or the
/// connection was killed or idle for too long.
const GOODBYES: [u16; 9] = [1053, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031];

/// Too many connections, or the host is blocked for now.
const LATERS: [u16; 3] = [1040, 1129, 1203];

/// Why there is no connection. What will not get better by itself is [`DatabaseError::Failed`].
pub(crate) fn of_connecting(error: &Error) -> DatabaseError {
    match error {
        Error::Server(said) if said.code == 3159 => {
            DatabaseError::Failed(format!("{} (TLS is not supported)", text(error)))
        }
        Error::Server(said) if !ends_connection(said) && !LATERS.contains(&said.code) => {
            DatabaseError::Failed(text(error))
        }
        _ => DatabaseError::Lost(text(error)),
    }
}

/// Why a statement did not work. If this is [`DatabaseError::Refused`], the transaction still has to be
/// rolled back.
pub(crate) fn of_statement(error: &Error) -> DatabaseError {
    match error {
        Error::Server(said) if is_conflict(said) => DatabaseError::Refused(text(error)),
        Error::Server(said) if !ends_connection(said) => DatabaseError::Failed(text(error)),
        _ => DatabaseError::Lost(text(error)),
    }
}

/// Why a transaction did not commit, as far as one knows.
pub(crate) fn of_commit(error: &Error) -> DatabaseError {
    match error {
        Error::Server(said) if is_conflict(said) => DatabaseError::Refused(text(error)),
        _ => DatabaseError::Lost(text(error)),
    }
}

fn is_conflict(said: &ServerError) -> bool {
    CONFLICTS.contains(&said.code)
}

fn ends_connection(said: &ServerError) -> bool {
    GOODBYES.contains(&said.code)
}

fn text(error: &Error) -> String {
    match error {
        Error::Server(said) => format!("{} {}", said.code, said.message),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(code: u16) -> Error {
        Error::Server(ServerError { code, message: "no".into(), state: "HY000".into() })
    }

    #[test]
    fn only_conflicts_promise_that_nothing_was_committed() {
        for code in CONFLICTS {
            assert_eq!(of_commit(&server(code)), DatabaseError::Refused(format!("{code} no")));
            assert_eq!(of_statement(&server(code)), DatabaseError::Refused(format!("{code} no")));
        }
        for code in [1180, 1317, 1927] {
            assert_eq!(of_commit(&server(code)), DatabaseError::Lost(format!("{code} no")));
        }
        assert_eq!(of_statement(&server(1317)), DatabaseError::Failed("1317 no".into()));
        assert_eq!(of_statement(&server(1927)), DatabaseError::Lost("1927 no".into()));
    }

    #[test]
    fn only_what_may_pass_is_worth_another_try() {
        assert_eq!(of_connecting(&server(1040)), DatabaseError::Lost("1040 no".into()));
        assert_eq!(of_connecting(&server(1045)), DatabaseError::Failed("1045 no".into()));
        let encrypted = of_connecting(&server(3159));
        assert_eq!(encrypted, DatabaseError::Failed("3159 no (TLS is not supported)".into()));
    }
}

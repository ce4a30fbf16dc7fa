//! What a statement does to transactions.

use tristan_sqltext::{Control as Said, Dialect, Subject, split, subject};

use super::item::Header;
use crate::model::Control;

/// How the statements of a log are read; as those of PostgreSQL unless the log says otherwise.
pub(super) fn dialect(header: &Header) -> Dialect {
    header.dialect.as_deref().and_then(Dialect::from_name).unwrap_or(Dialect::PostgreSql)
}

/// What a text does to the transaction it is in.
pub(super) fn control(sql: &str, dialect: Dialect) -> Control {
    match said(sql, dialect) {
        None => Control::Statement,
        Some(Subject::Transaction(Said::Savepoint(name))) => Control::Savepoint(name),
        Some(Subject::Transaction(Said::RollbackTo(name))) => Control::RollbackTo(name),
        Some(Subject::Path(path)) => Control::Path(path),
        Some(Subject::Setting(name)) => Control::Setting(name),
        Some(Subject::Data | Subject::Explanation { runs: true, .. }) => Control::Statement,
        Some(_) => Control::Other,
    }
}

/// Whether a text asks for the end of the transaction, and for its effects to stay.
pub(super) fn is_commit(sql: &str, dialect: Dialect) -> bool {
    matches!(said(sql, dialect), Some(Subject::Transaction(Said::Commit { .. } | Said::Prepare)))
}

/// What a text is about. Returns `None` if it consists of several statements.
fn said(sql: &str, dialect: Dialect) -> Option<Subject> {
    match split(sql, dialect).as_slice() {
        [] => Some(Subject::Nothing),
        [part] => Some(subject(&part.tokens, dialect)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_statements_do_to_transactions() {
        let cases = [
            ("select 1", Control::Statement),
            ("/* x */ -- y\n SAVEPOINT A1", Control::Savepoint("a1".into())),
            ("rollback to savepoint \"A1\"", Control::RollbackTo("A1".into())),
            ("ROLLBACK WORK TO a1;", Control::RollbackTo("a1".into())),
            ("rollback", Control::Other),
            ("rollback to a; update t set v = 1", Control::Statement),
            ("explain select 1", Control::Other),
            ("explain analyze delete from t", Control::Statement),
            ("-- nothing", Control::Other),
            ("BEGIN ISOLATION LEVEL SERIALIZABLE", Control::Other),
        ];
        let dialect = Dialect::PostgreSql;
        for (sql, expected) in cases {
            assert_eq!(control(sql, dialect), expected, "{sql}");
        }
        assert_eq!(control("# x\nROLLBACK TO A", Dialect::MySql), Control::RollbackTo("a".into()));
        assert!(is_commit("COMMIT;", dialect) && is_commit("/* x */ end", dialect));
        assert!(!is_commit("begin", dialect));
    }
}

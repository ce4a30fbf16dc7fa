//! What a statement does to transactions.
//!
//! A log repeats few texts many times, so each is looked at once and kept once.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tristan_sqltext::{Control as Said, Dialect, Subject, split, subject};

use super::item::Header;
use crate::model::Control;

/// How the statements of a log are read; as those of PostgreSQL unless the log says otherwise.
pub(super) fn dialect(header: &Header) -> Dialect {
    header.dialect.as_deref().and_then(Dialect::from_name).unwrap_or(Dialect::PostgreSql)
}

/// How many texts are remembered at a time.
const MOST: usize = 4096;

/// How long a text may be that is remembered.
const LONGEST: usize = 4096;

/// The texts that were met, with what they do.
#[derive(Debug, Default)]
pub(super) struct Texts {
    dialect: Option<Dialect>,
    known: FxHashMap<Arc<str>, Text>,
}

/// The text of a statement, and what it does.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) sql: Arc<str>,
    pub(super) control: Control,
    /// Whether it asks for the end of the transaction, and for its effects to stay.
    pub(super) commits: bool,
}

impl Texts {
    pub(super) fn of(&mut self, sql: &str, dialect: Dialect) -> Text {
        if self.dialect != Some(dialect) || self.known.len() >= MOST {
            *self = Self { dialect: Some(dialect), known: FxHashMap::default() };
        }
        if let Some(text) = self.known.get(sql) {
            return text.clone();
        }
        let (control, commits) = (control(sql, dialect), is_commit(sql, dialect));
        let text = Text { sql: sql.into(), control, commits };
        if sql.len() <= LONGEST {
            self.known.insert(Arc::clone(&text.sql), text.clone());
        }
        text
    }
}

/// What a text does to the transaction it is in.
fn control(sql: &str, dialect: Dialect) -> Control {
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

fn is_commit(sql: &str, dialect: Dialect) -> bool {
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

    #[test]
    fn texts_mean_something_else_in_another_dialect() {
        let mut texts = Texts::default();
        let hash = "# x\nROLLBACK TO A";
        let first = texts.of(hash, Dialect::MySql);
        assert_eq!(first.control, Control::RollbackTo("a".into()));
        assert!(Arc::ptr_eq(&first.sql, &texts.of(hash, Dialect::MySql).sql));
        assert_ne!(texts.of(hash, Dialect::PostgreSql).control, first.control);
        let many = (0..MOST).map(|number| texts.of(&format!("select {number}"), Dialect::MySql));
        assert!(many.into_iter().all(|text| text.control == Control::Statement));
        assert!(texts.known.len() <= MOST);
    }
}

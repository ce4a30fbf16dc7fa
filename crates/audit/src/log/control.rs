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

/// The texts that were met in one dialect, with what they do.
#[derive(Debug)]
pub(super) struct Texts {
    dialect: Dialect,
    known: FxHashMap<Arc<str>, Text>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { dialect: Dialect::PostgreSql, known: FxHashMap::default() }
    }
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
    /// The same texts may mean something else from now on.
    pub(super) fn speak(&mut self, dialect: Dialect) {
        if self.dialect != dialect {
            *self = Self { dialect, known: FxHashMap::default() };
        }
    }

    pub(super) fn of(&mut self, sql: &str) -> Text {
        if let Some(text) = self.known.get(sql) {
            return text.clone();
        }
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let (control, commits) = (control(sql, self.dialect), is_commit(sql, self.dialect));
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
        texts.speak(Dialect::MySql);
        let first = texts.of(hash);
        assert_eq!(first.control, Control::RollbackTo("a".into()));
        assert!(Arc::ptr_eq(&first.sql, &texts.of(hash).sql));
        texts.speak(Dialect::PostgreSql);
        assert_ne!(texts.of(hash).control, first.control);
        let many = (0..=MOST).map(|number| texts.of(&format!("select {number}")));
        assert!(many.into_iter().all(|text| text.control == Control::Statement));
        assert!(texts.known.len() <= MOST);
    }
}

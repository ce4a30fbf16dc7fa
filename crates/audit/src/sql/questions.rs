//! Questions about the schema or the session, whose answers are not compared.
//!
//! ```text
//!   SELECT relname FROM pg_class …        which tables are there?
//!   SELECT pg_try_advisory_lock(7)        is this lock free?
//!   SELECT current_setting('app.user')    what did this session set?
//!   SHOW TABLES                           the same in other words
//! ```
//!
//! No promise of an isolation level is about such answers, and no table changes with them. A question that the audit
//! can answer itself is judged like any other query. The others are counted apart from the statements that are not
//! judged: the verdict says how many there were.

use tristan_sqltext::{Effects, Words, is_question, tokens};

use super::machine::{QUESTIONS, Sql};
use crate::model::{Call, Observed};

impl Sql {
    /// Whether a statement asks about the schema or the session, and can do nothing else.
    pub(super) fn asks(&self, sql: &str) -> bool {
        let dialect = self.catalog.dialect().text();
        is_question(&tokens(sql, dialect), dialect) && self.effects(sql) == Effects::Nothing
    }

    /// Counts a statement about the session if it asked for rows. `SELECT @@name` is not counted: drivers send it
    /// whenever they connect.
    pub(super) fn note_answer(&mut self, call: &Call) {
        let tokens = tokens(&call.sql, self.catalog.dialect().text());
        let asks = ["show", "describe", "desc"];
        if matches!(call.observed, Observed::Rows { .. })
            && asks.iter().any(|first| Words::new(&tokens).is(first))
        {
            self.count_question();
        }
    }

    /// Counts a question whose answer is not compared.
    pub(super) fn count_question(&mut self) {
        *self.unjudged.entry(QUESTIONS.to_owned()).or_default() += 1;
    }

    /// How many questions there were by now whose answers were not compared.
    pub(crate) fn questions(&self) -> u64 {
        self.unjudged.get(QUESTIONS).copied().unwrap_or_default()
    }
}

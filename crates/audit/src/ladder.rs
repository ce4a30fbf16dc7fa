//! What the audit excludes when predicted values explain nothing.
//!
//! ```text
//!   with predicted values ──► explained ──► accept
//!        │ nothing explains it
//!        ▼
//!   without the queries that show such values
//!        │ nothing explains it
//!        ▼
//!   without the columns that hold them, or the table ──► accept, or reject
//!   where it is not clear which columns do
//!        │ it is clear nowhere, not supported, or too much to try
//!        ▼
//!   without the tables that hold them ──► accept, reject or unknown
//! ```
//!
//! `sql/blurred.rs` argues why a log may be rejected without some of its columns.
//!
//! With `--follow`, whole tables are excluded at once: what is known of a column would have to be carried from one piece
//! to the next.

use crate::load::Source;
use crate::options::AuditOptions;
use crate::passes::Pass;

/// The current rung.
pub(crate) struct Ladder {
    /// Whether columns can be excluded.
    blurs: bool,
    /// The options before any column was excluded.
    before: Option<AuditOptions>,
}

impl Ladder {
    /// The first rung for a log, or a piece of one.
    pub(crate) fn new(source: Source<'_>) -> Self {
        Self { blurs: matches!(source, Source::Log(_)), before: None }
    }

    /// Excludes the columns that hold values that were guessed in a pass, or the table where it is not clear which columns
    /// these are. Returns `false` if nothing is left to exclude.
    pub(crate) fn blur(&mut self, options: &mut AuditOptions, pass: &Pass) -> bool {
        if !self.blurs {
            return false;
        }
        let before = options.clone();
        let reasons = pass.search.sql.guesses();
        for (table, columns) in pass.search.sql.guessed_columns() {
            match (columns, reasons.get(&table)) {
                _ if options.unfollowed.contains_key(&table) => {}
                (Some(columns), _) => {
                    options.blurred.extend(columns.into_iter().map(|one| (table.clone(), one)));
                }
                (None, Some(reason)) => {
                    options.unfollowed.insert(table, reason.clone());
                }
                (None, None) => {}
            }
        }
        // Without a column, this rung is the same as the next one.
        if options.blurred.is_empty() {
            *options = before;
            return false;
        }
        let more = *options != before;
        self.before.get_or_insert(before);
        more
    }

    /// Restores all columns, so that tables are excluded instead. Returns `false` if no column was excluded.
    pub(crate) fn go_back(&mut self, options: &mut AuditOptions) -> bool {
        let Some(before) = self.before.take() else { return false };
        *options = before;
        self.blurs = false;
        true
    }
}

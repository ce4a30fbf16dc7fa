//! What is done without if values that were predicted explain nothing.
//!
//! ```text
//!   with predicted values ──► explained ──► accept
//!        │ nothing explains it
//!        ▼
//!   without the queries that show such values
//!        │ nothing explains it
//!        ▼
//!   without the columns that hold them ──► accept, or reject
//!        │ not clear which columns, not supported, or too much to try
//!        ▼
//!   without the tables that hold them ──► accept, reject or unknown
//! ```
//!
//! Why it is right to reject a log without some of its columns is told in `sql/blurred.rs`.
//!
//! A log that is followed goes without whole tables at once: what is known of a column would have to be carried from one
//! piece to the next.

use crate::load::Source;
use crate::options::AuditOptions;
use crate::passes::Pass;

/// Which rung has been reached.
pub(crate) struct Ladder {
    /// Whether columns can be done without.
    blurs: bool,
    /// What was to be judged before any column was left out.
    before: Option<AuditOptions>,
}

impl Ladder {
    /// The first rung for a log, or a piece of one.
    pub(crate) fn new(source: Source<'_>) -> Self {
        Self { blurs: matches!(source, Source::Log(_)), before: None }
    }

    /// Does without the columns with values that were guessed in a pass; without the tables where it is not clear which
    /// columns these are. Returns `false` if there is nothing else to do without.
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

    /// Judges all columns again, to do without tables instead. Returns `false` if no column was left out.
    pub(crate) fn go_back(&mut self, options: &mut AuditOptions) -> bool {
        let Some(before) = self.before.take() else { return false };
        *options = before;
        self.blurs = false;
        true
    }
}

//! Which of several errors of a query a server meets first.
//!
//! ```text
//!   SELECT 10 / a FROM t WHERE b + 1 > 0           row by row: 10 / a of the first row, then b + 1 of the second
//!   SELECT avg(a + 1) FROM t GROUP BY 10 / b       10 / b for all rows first, if they are sorted by it; if they
//!                                                  are hashed, a + 1 of the first row, then 10 / b of the second
//! ```
//!
//! Here one step is carried out for all rows before the next one. So after an error in one step, the errors of later
//! steps are looked for in the rows that get there, and the server may report any of them.
//!
//! Layer `run`; knows the steps of a query.

use crate::error::{ExecutionError, ServerError};
use crate::plan::{Expr, Select, Source, may_fail};

use super::frame::Frame;
use super::source::Wide;
use super::state::Run;

impl Run<'_> {
    /// What is reported after an error in the condition or in the groups of a query.
    pub(super) fn error_in_query(
        &mut self,
        select: &Select,
        error: ServerError,
        outer: Option<&Frame<'_>>,
    ) -> ExecutionError {
        if shows_early(select) {
            return refused("an error in a query that may show groups before it", &error);
        }
        let later = per_row(select);
        let mut errors = vec![error.clone()];
        errors.extend(self.errors_of_conditions(select, outer));
        if later.is_empty() {
            return self.one_error(errors);
        }
        let Some(rows) = self.rows_without_errors(select, outer) else {
            return refused("an error in a join beside others that may come first", &error);
        };
        for row in &rows {
            for expr in &later {
                match self.eval(expr, &Frame { row, outer }) {
                    Ok(_) => {}
                    Err(ExecutionError::Server(error)) => errors.push(error),
                    Err(error) => return error,
                }
            }
        }
        self.one_error(errors)
    }

    /// What the conditions of a query over one table end in, row by row: in which order they come is open.
    fn errors_of_conditions(
        &mut self,
        select: &Select,
        outer: Option<&Frame<'_>>,
    ) -> Vec<ServerError> {
        let Source::Table { table, filter, .. } = &select.source else { return Vec::new() };
        let mut errors = Vec::new();
        for (_, row) in self.scan(*table).iter() {
            for condition in filter.iter().chain(&select.filter) {
                if let Err(ExecutionError::Server(error)) =
                    self.truth(condition, &Frame { row, outer })
                {
                    errors.push(error);
                }
            }
        }
        errors
    }

    /// The rows whose conditions can be decided; `None` if what they are joined by cannot.
    fn rows_without_errors(&mut self, select: &Select, outer: Option<&Frame<'_>>) -> Option<Wide> {
        self.forgiving = true;
        let rows = self.wide_rows(select, outer);
        self.forgiving = false;
        rows.ok()
    }
}

fn refused(what: &str, error: &ServerError) -> ExecutionError {
    ExecutionError::Unsupported(format!("{what} ({})", error.detail))
}

/// What is computed for single rows behind the condition and may fail.
fn per_row(select: &Select) -> Vec<&Expr> {
    let exprs: Vec<&Expr> = match &select.grouping {
        Some(grouping) => {
            let aggregates = grouping.aggregates.iter();
            let within = aggregates.flat_map(|one| one.args.iter().chain(&one.filter));
            grouping.keys.iter().map(|(key, _)| key).chain(within).collect()
        }
        None => select.items.iter().collect(),
    };
    exprs.into_iter().filter(|expr| may_fail(expr)).collect()
}

/// Whether something that may fail is computed for a group while others are still read.
fn shows_early(select: &Select) -> bool {
    let several = select.grouping.as_ref().is_some_and(|grouping| !grouping.keys.is_empty());
    let shown = select.items.iter().chain(&select.having);
    select.windows.is_some() || several && shown.into_iter().any(may_fail)
}

//! Conditions on a query in FROM, or on a view, that a server may decide on rows which that query drops.
//!
//! ```text
//!   SELECT * FROM v WHERE 1 / v.x > 0        v: SELECT x FROM t WHERE rtrim(s) > 'z'
//! ```
//!
//! PostgreSQL makes one query of both and decides the cheapest condition first. So an error in a condition on `v` may
//! come from a row of `t` that `v` does not have.
//!
//! Layer `run`; knows sources and conditions.

use crate::error::ExecutionError;
use crate::plan::{Body, Expr, Query, Select, Source, may_fail, rewrite};

use super::frame::Frame;
use super::state::Run;

impl Run<'_> {
    /// Notes errors in conditions on rows that a query in FROM drops.
    pub(super) fn look_below(&mut self, select: &Select, outer: Option<&Frame<'_>>) {
        if !self.dialect.is_strictly_typed() {
            return;
        }
        let Some(open) = decided_below(select) else { return };
        let rows = match self.chosen_rows(&open, outer) {
            Ok(rows) => rows,
            Err(ExecutionError::Server(error)) => return self.note_early(error),
            Err(_) => return,
        };
        let failing: Vec<Expr> =
            select.filter.iter().filter(|part| fails_alone(part)).cloned().collect();
        for row in rows {
            self.look_early(&failing, &Frame { row: &row, outer });
        }
    }
}

/// The query in FROM without its own conditions, if conditions that may fail can be decided before these.
pub(super) fn decided_below(select: &Select) -> Option<Query> {
    let Source::Derived { query, lateral: false, .. } = &select.source else { return None };
    select.filter.iter().any(fails_alone).then(|| without_conditions(query)).flatten()
}

/// Whether a condition may fail, and does nothing else: what calls a function, counts or holds a query is not repeated.
fn fails_alone(part: &Expr) -> bool {
    let mut plain = may_fail(part);
    rewrite(&mut part.clone(), 0, &mut |inner: &mut Expr, _: usize| {
        plain &= !matches!(
            inner,
            Expr::Routine { .. }
                | Expr::Number { .. }
                | Expr::Open { .. }
                | Expr::Exists { .. }
                | Expr::Scalar { .. }
                | Expr::Quantified { .. }
        );
        plain
    });
    plain
}

/// The same query without conditions. Returns `None` if it has none, or if it does not show its rows one by one.
fn without_conditions(query: &Query) -> Option<Query> {
    let Body::Select(select) = &query.body else { return None };
    let whole = query.limit.is_none() && query.offset.is_none() && query.first_of.is_none();
    let alone = select.grouping.is_none() && select.windows.is_none() && select.distinct.is_none();
    if !whole || !alone {
        return None;
    }
    let mut open = select.clone();
    let mut dropped = !open.filter.is_empty();
    open.filter.clear();
    match &mut open.source {
        Source::Table { filter, access, .. } => {
            dropped |= !filter.is_empty() || access.is_some();
            filter.clear();
            *access = None;
        }
        Source::Derived { query, lateral, .. } if !*lateral => {
            if let Some(inner) = without_conditions(query) {
                dropped = true;
                **query = inner;
                // Its rows are not those that are remembered of the query with its conditions.
                *lateral = true;
            }
        }
        _ => {}
    }
    dropped.then(|| Query { body: Body::Select(open), order: Vec::new(), ..query.clone() })
}

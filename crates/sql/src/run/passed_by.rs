//! Errors in the conditions of a join that a server may never meet.
//!
//! ```text
//!   a JOIN b ON 1 / b.x > 0  WHERE rtrim(a.s) > 'z'      no row of a is left: b need not be read
//!   a LEFT JOIN b ON 1 / b.x > 0  WHERE rtrim(a.s) > 'z'     the same
//!   SELECT a.x FROM a LEFT JOIN b ON b.id = a.x AND 1 / b.y > 0     b shows nowhere, and is left out
//! ```
//!
//! In which order tables are joined, and where a condition is decided, is up to the server. But a server that does
//! not compute a condition for some rows gives the same result, whatever the condition says of them. So all
//! conditions that end in an error are taken for false, and then for true: only if both give the same rows, as far
//! as the statement uses their columns, may the server meet none of the errors.
//!
//! Layer `run`; knows sources and conditions.

use crate::error::{ExecutionError, Result, ServerError};
use crate::plan::{Body, Expr, JoinKind, Locate, NodeId, Select, Source, may_fail, walk_columns};
use crate::value::Value;

use super::frame::Frame;
use super::source::Wide;
use super::state::Run;

/// A join, with the conditions on its rows.
pub(super) struct Conditions<'q> {
    node: NodeId,
    source: &'q Source,
    filter: &'q [Expr],
    /// The columns that the statement uses behind the conditions; `None` for all of them.
    used: Option<Vec<usize>>,
}

impl<'q> Conditions<'q> {
    pub(super) fn of_select(select: &'q Select) -> Self {
        let Select { id, source, filter, .. } = select;
        Self { node: *id, source, filter, used: Some(used_behind(select)) }
    }

    /// `number_at` is the column with the number of the row that is changed.
    pub(super) fn of_locate(locate: &'q Locate, number_at: usize) -> Self {
        let Locate { id, source, filter, .. } = locate;
        let used = has_outer_join(source).then(|| vec![number_at]);
        Self { node: *id, source, filter, used }
    }

    pub(super) fn of_source(source: &'q Source) -> Self {
        Self { node: NodeId::default(), source, filter: &[], used: None }
    }

    /// What a statement uses of a row.
    fn seen<'r>(&self, row: &'r [Value]) -> Vec<&'r Value> {
        match &self.used {
            Some(used) => used.iter().filter_map(|column| row.get(*column)).collect(),
            None => row.iter().collect(),
        }
    }
}

impl Run<'_> {
    /// The rows in which a statement finds what it changes, unless the server meets an error in a condition first.
    pub(super) fn changed_join(&mut self, join: &Conditions<'_>) -> Result<Wide> {
        let assumed = self.assumed.take();
        let rows = self.source(join.source, &[], None);
        let rows = rows.and_then(|rows| self.meeting(join.node, join.filter, rows, None));
        if self.choices.may_fail() {
            self.look_alone(join.source, 0, None);
            self.look_inside(join.source, join.filter, None);
        }
        let rows = match rows {
            Err(ExecutionError::Server(error)) if matches!(join.source, Source::Join(_)) => {
                self.join_with_error(join, error, None)
            }
            rows => rows,
        };
        self.assumed = assumed;
        let early = std::mem::take(&mut self.early_errors);
        self.unless_early(rows?, &early)
    }

    /// The rows of a join, or one of these errors in conditions on other rows, which the server may meet.
    pub(super) fn unless_early(&mut self, rows: Wide, early: &[ServerError]) -> Result<Wide> {
        match self.any_of(early.len() + 1) {
            0 => Ok(rows),
            met => Err(ExecutionError::Server(early[met - 1].clone())),
        }
    }

    /// Notes errors in what a server may compute for all rows of the queries in conditions.
    pub(super) fn look_inside(
        &mut self,
        source: &Source,
        conditions: &[Expr],
        outer: Option<&Frame<'_>>,
    ) {
        let own: &[Expr] = if let Source::Table { filter, .. } = source { filter } else { &[] };
        for mut condition in conditions.iter().chain(own) {
            while let Expr::Not(inner) = condition {
                condition = inner;
            }
            let (Expr::Exists { closed, query } | Expr::Quantified { closed, query, .. }) =
                condition
            else {
                continue;
            };
            if let Body::Select(select) = &query.body {
                let nulls = vec![Value::Null; source.width()];
                let around = Frame { row: &nulls, outer };
                if *closed && decides_what_may_fail(select) {
                    let rows = self.inner_rows(true, query, &around, None);
                    if let Err(ExecutionError::Server(error)) = rows {
                        self.note_early(error);
                    }
                }
                self.look_alone(&select.source, 0, Some(&around));
                self.look_inside(&select.source, &select.filter, Some(&around));
            }
        }
    }

    /// What becomes of a join whose conditions end in an error for some rows: the error, another one that the server
    /// meets first, or the rows that it gives without meeting any.
    pub(super) fn join_with_error(
        &mut self,
        join: &Conditions<'_>,
        error: ServerError,
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        let dropped = self.rows_assuming(false, join, outer)?;
        let kept = self.rows_assuming(true, join, outer)?;
        let same = dropped.len() == kept.len()
            && dropped.iter().zip(&kept).all(|(one, other)| join.seen(one) == join.seen(other));
        // MySQL and MariaDB stop as soon as they find no row in one of the tables.
        let stops =
            !self.dialect.is_strictly_typed() && dropped.is_empty() && has_inner_join(join.source);
        if (same || stops) && self.choices.choose(2) == 1 {
            return Ok(dropped);
        }
        let others = std::mem::take(&mut self.early_errors);
        Err(self.one_error([vec![error], others].concat()))
    }

    /// The rows of a join if all conditions that end in an error have this value. The errors are noted.
    fn rows_assuming(
        &mut self,
        value: bool,
        join: &Conditions<'_>,
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        self.assumed = Some(value);
        let rows = self.source(join.source, &[], outer);
        let rows = rows.and_then(|rows| self.meeting(join.node, join.filter, rows, outer));
        self.assumed = None;
        rows
    }

    /// Whether a row meets all conditions if those that end in an error have this value.
    pub(super) fn keeps_assuming(
        &mut self,
        value: bool,
        conditions: &[Expr],
        frame: &Frame<'_>,
    ) -> Result<bool> {
        let mut kept = true;
        for condition in conditions {
            kept &= match self.truth(condition, frame) {
                Ok(truth) => truth == Some(true),
                Err(ExecutionError::Server(error)) => {
                    self.note_early(error);
                    value
                }
                Err(error) => return Err(error),
            };
        }
        Ok(kept)
    }
}

/// The columns of the source that a query uses behind its conditions.
fn used_behind(select: &Select) -> Vec<usize> {
    let mut exprs: Vec<Expr> = Vec::new();
    let mut used = Vec::new();
    match (&select.grouping, &select.windows) {
        (Some(grouping), _) => {
            used.extend(&grouping.shown);
            exprs.extend(grouping.keys.iter().map(|(key, _)| key.clone()));
            for one in &grouping.aggregates {
                exprs.extend(one.args.iter().chain(&one.filter).chain(&one.order).cloned());
            }
        }
        (None, Some(windowing)) => used.extend(&windowing.used),
        (None, None) => exprs.extend(select.items.iter().chain(&select.having).cloned()),
    }
    for expr in &mut exprs {
        walk_columns(expr, &mut |out, column| {
            if out == 0 && !used.contains(&column) {
                used.push(column);
            }
        });
    }
    used
}

/// Whether a query computes something that may fail before it shows a row.
fn decides_what_may_fail(select: &Select) -> bool {
    fn within(source: &Source) -> bool {
        match source {
            Source::Table { filter, .. } => filter.iter().any(may_fail),
            Source::Join(join) => {
                join.on.iter().any(may_fail) || within(&join.left) || within(&join.right)
            }
            _ => false,
        }
    }
    select.filter.iter().chain(&select.items).any(may_fail) || within(&select.source)
}

/// Whether a source puts tables side by side of which each drops rows of the other.
fn has_inner_join(source: &Source) -> bool {
    let Source::Join(join) = source else { return false };
    join.kind == JoinKind::Inner || has_inner_join(&join.left) || has_inner_join(&join.right)
}

fn has_outer_join(source: &Source) -> bool {
    let Source::Join(join) = source else { return false };
    join.kind != JoinKind::Inner || has_outer_join(&join.left) || has_outer_join(&join.right)
}

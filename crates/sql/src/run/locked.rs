//! Rows that are changed: locked, and looked at again.
//!
//! PostgreSQL finds the rows to change in the snapshot of the statement, and locks them one after the other. A row that
//! another transaction has changed meanwhile is looked at again as it is now, *with the rows of other tables
//! that it was found with*: if it still meets the conditions, it is changed, otherwise left alone. Queries
//! inside the statement still see the snapshot. (PostgreSQL's source calls this `EvalPlanQual`.)
//!
//! One thing depends on the plan. `IN (SELECT …)` and `EXISTS` are carried out as joins where that is possible;
//! then the row of the query that was found stays, too. It makes a difference only if the row has changed in a
//! column that the condition uses, and then both is tried.
//!
//! Layer `run`; knows conditions and how the run sees rows.

use crate::error::Result;
use crate::plan::{Expr, Join, JoinKind, Locate, NodeId, Source, rewrite, walk_columns};
use crate::value::{Row, Value};

use super::frame::Frame;
use super::state::Run;
use super::update::Located;

impl Run<'_> {
    /// The rows that are still to be changed when they are locked, as they are then.
    pub(super) fn locked(
        &mut self,
        locate: &Locate,
        located: Vec<Located>,
    ) -> Result<Vec<Located>> {
        let mut kept = Vec::with_capacity(located.len());
        for (id, wide) in located {
            // What an earlier statement of the same routine has changed is locked already.
            let now = match self.past.has(locate.table, id) {
                true => None,
                false => self.rows.locked(locate.table, id),
            };
            match now {
                None => kept.push((id, wide)),
                Some(None) => {}
                Some(Some(row)) => {
                    let again = Again::new(locate.at, wide, &row);
                    if self.still_meets(&locate.source, &again)?
                        && self.still_keeps(locate.id, &locate.filter, &again)?
                    {
                        kept.push((id, again.wide));
                    }
                }
            }
        }
        Ok(kept)
    }

    /// Whether a row meets the conditions that it was joined by. Those of outer joins do not mention the table that is
    /// changed.
    fn still_meets(&mut self, source: &Source, again: &Again) -> Result<bool> {
        match source {
            Source::Table { id, filter, .. } => self.still_keeps(*id, filter, again),
            Source::Join(join) if join.kind == JoinKind::Inner => {
                let Join { id, left, right, on, .. } = join.as_ref();
                Ok(self.still_meets(left, again)?
                    && self.still_meets(right, again)?
                    && self.still_keeps(*id, on, again)?)
            }
            _ => Ok(true),
        }
    }

    fn still_keeps(&mut self, node: NodeId, conditions: &[Expr], again: &Again) -> Result<bool> {
        let (open, plain): (Vec<Expr>, Vec<Expr>) =
            conditions.iter().cloned().partition(|condition| again.depends_on_plan(condition));
        let kept = self.keeps(node, &plain, &Frame { row: &again.wide, outer: None })?;
        Ok(kept && (open.is_empty() || self.choices.choose(2) == 0))
    }
}

/// A row that has changed since it was found.
struct Again {
    /// What it was found in, with the row as it is now.
    wide: Vec<Value>,
    /// The columns that are different.
    changed: Vec<usize>,
}

impl Again {
    fn new(at: usize, mut wide: Vec<Value>, row: &Row) -> Self {
        let columns = (at..).zip(row.iter());
        let changed = columns.filter(|(column, value)| wide[*column] != **value);
        let changed = changed.map(|(column, _)| column).collect();
        wide[at..at + row.len()].clone_from_slice(row);
        Self { wide, changed }
    }

    /// Whether a condition has a query that may have been carried out as a join, and depends on what has changed.
    fn depends_on_plan(&self, condition: &Expr) -> bool {
        let mut condition = condition.clone();
        let mut joins = false;
        rewrite(&mut condition, 0, &mut |part: &mut Expr, _| {
            joins |= matches!(part, Expr::Exists { .. } | Expr::Quantified { .. });
            true
        });
        let mut uses = false;
        walk_columns(&mut condition, &mut |out, column| {
            uses |= out == 0 && self.changed.contains(&column);
        });
        joins && uses
    }
}

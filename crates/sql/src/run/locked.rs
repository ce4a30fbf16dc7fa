//! Rows that are locked, and looked at again.
//!
//! PostgreSQL finds the rows to change, or those of `SELECT … FOR UPDATE`, in the snapshot of the statement, and locks
//! them one after the other. A row that another transaction has changed meanwhile is looked at again as it is
//! now, *with the rows of other tables that it was found with*: if it still meets the conditions, it is changed
//! or shown as it is now, otherwise left out. Queries inside the statement still see the snapshot, and rows stay
//! in the order of the snapshot. (PostgreSQL's source calls this `EvalPlanQual`.)
//!
//! One thing depends on the plan. `IN (SELECT …)` and `EXISTS` are carried out as joins where that is possible;
//! then the row of the query that was found stays, too. It makes a difference only if the row has changed in a
//! column that the condition uses, and then both is tried.
//!
//! Layer `run`; knows conditions and how the run sees rows.

use crate::error::Result;
use crate::plan::{
    Body, Expr, Join, JoinKind, Locate, NodeId, Query, Select, Source, rewrite, walk_columns,
};
use crate::rows::{RowId, TableId};
use crate::value::{Row, Value};

use super::frame::Frame;
use super::source::Wide;
use super::state::Run;
use super::update::Located;

/// A table of a source whose rows have numbers.
struct Numbered {
    table: TableId,
    /// Where its columns begin, and how many there are; the number follows.
    at: usize,
    width: usize,
}

/// The tables of a query whose rows are locked.
fn numbered(source: &Source, at: usize, into: &mut Vec<Numbered>) {
    match source {
        Source::Table { table, width, numbered: true, .. } => {
            into.push(Numbered { table: *table, at, width: *width });
        }
        Source::Join(join) => {
            numbered(&join.left, at, into);
            numbered(&join.right, at + join.left.width(), into);
        }
        _ => {}
    }
}

/// Whether a query locks rows that it shows one by one, so that they can be looked at again.
pub(super) fn locks(select: &Select) -> bool {
    let mut tables = Vec::new();
    numbered(&select.source, 0, &mut tables);
    let row_by_row =
        select.grouping.is_none() && select.windows.is_none() && select.distinct.is_none();
    row_by_row && !tables.is_empty()
}

/// Whether a query is one whose rows are looked at again, and how that ends is known.
pub(crate) fn looks_again(query: &Query) -> bool {
    matches!(&query.body, Body::Select(select) if locks(select) && is_inner(&select.source))
}

/// Whether all rows of a source are joined by conditions that have to hold.
fn is_inner(source: &Source) -> bool {
    match source {
        Source::Join(join) => {
            join.kind == JoinKind::Inner && is_inner(&join.left) && is_inner(&join.right)
        }
        _ => true,
    }
}

impl Run<'_> {
    /// The rows that are still to be changed when they are locked, as they are then.
    pub(super) fn locked(
        &mut self,
        locate: &Locate,
        located: Vec<Located>,
    ) -> Result<Vec<Located>> {
        let mut kept = Vec::with_capacity(located.len());
        for (id, wide) in located {
            match self.now_of(locate.table, id) {
                None => kept.push((id, wide)),
                Some(None) => {}
                Some(Some(row)) => {
                    let mut again = Again { wide, changed: Vec::new() };
                    again.replace(locate.at, &row);
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

    /// The rows of a locking query that are still to be shown when they are locked, as they are then. Each comes with
    /// what it was found in behind it. `ends` says where each group of ties ends, and is kept up to date.
    pub(super) fn locked_rows(
        &mut self,
        select: &Select,
        rows: Wide,
        ends: &mut Vec<usize>,
    ) -> Result<Wide> {
        let mut tables = Vec::new();
        numbered(&select.source, 0, &mut tables);
        let mut kept = Vec::with_capacity(rows.len());
        let mut kept_ends = Vec::with_capacity(ends.len());
        let mut rows = rows.into_iter();
        let mut begin = 0;
        for &end in ends.iter() {
            for row in rows.by_ref().take(end - begin) {
                kept.extend(self.locked_row(select, &tables, row)?);
            }
            begin = end;
            if kept.len() > kept_ends.last().copied().unwrap_or(0) {
                kept_ends.push(kept.len());
            }
        }
        *ends = kept_ends;
        Ok(kept)
    }

    fn locked_row(
        &mut self,
        select: &Select,
        tables: &[Numbered],
        mut shown: Vec<Value>,
    ) -> Result<Option<Vec<Value>>> {
        let wide = shown.split_off(select.items.len());
        let mut again = Again { wide, changed: Vec::new() };
        let mut moved = false;
        for Numbered { table, at, width } in tables {
            let Some(Value::Int(number)) = again.wide.get(at + width) else { continue };
            #[allow(clippy::cast_sign_loss, reason = "the bits of the number of a row")]
            match self.now_of(*table, RowId(*number as u64)) {
                None => {}
                Some(None) => return Ok(None),
                Some(Some(row)) => {
                    moved = true;
                    again.replace(*at, &row);
                }
            }
        }
        if !moved {
            return Ok(Some(shown));
        }
        let still = self.still_meets(&select.source, &again)?
            && self.still_keeps(select.id, &select.filter, &again)?;
        if !still {
            return Ok(None);
        }
        let frame = Frame { row: &again.wide, outer: None };
        let items = select.items.iter().map(|item| self.eval(item, &frame));
        Ok(Some(items.collect::<Result<_>>()?))
    }

    /// A row as it is when it is locked. What an earlier statement of the same routine has changed is locked already.
    fn now_of(&mut self, table: TableId, id: RowId) -> Option<Option<Row>> {
        if self.has_changed(table, id) {
            return None;
        }
        self.rows.locked(table, id)
    }

    /// Whether a row meets the conditions that it was joined by. Those of outer joins do not mention a table that is
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
    /// Puts a row as it is now in the place of the one that was found.
    fn replace(&mut self, at: usize, row: &Row) {
        let columns = (at..).zip(row.iter());
        let changed = columns.filter(|(column, value)| self.wide[*column] != **value);
        self.changed.extend(changed.map(|(column, _)| column));
        self.wide[at..at + row.len()].clone_from_slice(row);
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

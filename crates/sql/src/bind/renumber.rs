//! Columns that get other places in their table: one of them goes, or they are put in another order.
//!
//! Layer `bind`; knows drafts of tables and plans.

use crate::catalog::DefaultValue;
use crate::plan::{Expr, rewrite};

use super::draft::Draft;

impl Draft<'_> {
    /// Whatever names a column by its place names it by its new place.
    pub(super) fn renumber(&mut self, place: &impl Fn(usize) -> usize) {
        let moved = |column: &mut usize| *column = place(*column);
        let table = &mut self.table;
        for key in &mut table.keys {
            key.columns.iter_mut().for_each(moved);
            key.bound_mut().for_each(|expr| renumber(expr, place));
        }
        table.checks.iter_mut().for_each(|check| renumber(&mut check.expr, place));
        for key in &mut table.foreign {
            key.columns.iter_mut().for_each(moved);
            if key.parent == table.id {
                key.referred.iter_mut().for_each(moved);
            }
        }
        for column in &mut table.columns {
            if let DefaultValue::Generated(expr) | DefaultValue::Virtual(expr) = &mut column.default
            {
                renumber(expr, place);
            }
        }
        self.defaults.iter_mut().for_each(|(column, _)| moved(column));
        self.generated.iter_mut().for_each(|(column, ..)| moved(column));
        self.implied.iter_mut().for_each(moved);
    }
}

/// Gives the columns of a table other places in an expression.
pub(super) fn renumber(expr: &mut Expr, place: &impl Fn(usize) -> usize) {
    rewrite(expr, 0, &mut |part: &mut Expr, around: usize| {
        if let Expr::Column { depth, index } = part
            && *depth == around
        {
            *index = place(*index);
        }
        true
    });
}

//! Expressions over one table of a join, which a server may compute for every row of that table, even for
//! those that are joined with nothing: an error in one of them may show.
//!
//! ```text
//!   a JOIN b ON b.id = a.id  WHERE 1 / b.x > 2            b may be read alone, with the condition
//!   a JOIN b ON b.id = a.id  WHERE 1 / b.x = a.y          1 / b.x may be computed for a table of hashes
//!   a JOIN b ON b.id = a.id  WHERE 1 / b.x < a.y          or to look up rows in an index of a.y
//! ```
//!
//! Layer `bind`; knows plans only.

use crate::plan::{Expr, Join, JoinKind, Source, may_fail};

use super::columns::{first_column, last_column};

/// Notes what may be computed for the rows of single tables.
pub(super) fn note_alone(source: &mut Source, filter: &[Expr]) {
    if matches!(source, Source::Join(_)) {
        filter.iter().for_each(|part| note(source, 0, part));
        note_joins(source, 0);
    }
}

/// Conditions of joins say something about the sides that are filled up with NULLs, or about both.
fn note_joins(source: &mut Source, at: usize) {
    let Source::Join(join) = source else { return };
    let Join { kind, left, right, on, .. } = &mut **join;
    let middle = at + left.width();
    for part in on.iter() {
        if matches!(kind, JoinKind::Inner | JoinKind::Right) {
            note(left, at, part);
        }
        if matches!(kind, JoinKind::Inner | JoinKind::Left) {
            note(right, middle, part);
        }
    }
    note_joins(left, at);
    note_joins(right, middle);
}

fn note(source: &mut Source, at: usize, part: &Expr) {
    if note_at_table(source, at, part) {
        return;
    }
    match part {
        Expr::And(left, right) | Expr::Or(left, right) => {
            note(source, at, left);
            note(source, at, right);
        }
        Expr::Compare { left, right, .. } => {
            note_at_table(source, at, left);
            note_at_table(source, at, right);
        }
        Expr::In { list, .. } => {
            for side in list.iter().flat_map(|(left, right, _)| [left, right]) {
                note_at_table(source, at, side);
            }
        }
        _ => {}
    }
}

/// Says whether there is a table that the expression is about.
fn note_at_table(source: &mut Source, at: usize, expr: &Expr) -> bool {
    let end = at + source.width();
    match source {
        Source::Table { alone, .. } => {
            let own = first_column(expr) >= at && last_column(expr) < end && may_fail(expr);
            if own {
                alone.push(expr.clone());
            }
            own
        }
        Source::Join(join) => {
            let middle = at + join.left.width();
            let left = matches!(join.kind, JoinKind::Inner | JoinKind::Left);
            let right = matches!(join.kind, JoinKind::Inner | JoinKind::Right);
            (left && note_at_table(&mut join.left, at, expr))
                || (right && note_at_table(&mut join.right, middle, expr))
        }
        Source::Nothing
        | Source::Derived { .. }
        | Source::Series { .. }
        | Source::Unnest { .. }
        | Source::Called { .. }
        | Source::Working { .. } => false,
    }
}

//! Conditions go to the table where they can be decided first, and equalities with keys become lookups.
//!
//! ```text
//!   FROM a JOIN b ON b.id = a.b  WHERE a.id = 1 AND b.x > a.y
//!
//!        a: lookup id = 1            b: lookup id = a.b, keep where b.x > a.y
//! ```
//!
//! Layer `bind`; knows plans and the keys of tables.

use crate::catalog::{Catalog, Table};
use crate::eval::truth;
use crate::plan::{Access, Between, CompareOp, Expr, Join, JoinKind, Source, may_fail};
use crate::types::Type;
use crate::value::Collation;

use super::alone::note_alone;
use super::columns::{first_column, last_column, uses_own_query};
use super::reduce::reduce_joins;

/// Moves conditions into a source as far as they can go; returns what must be decided at the end.
pub(super) fn push_down(
    catalog: &Catalog,
    source: &mut Source,
    mut filter: Vec<Expr>,
) -> Vec<Expr> {
    // What is never true is all that matters.
    let never = |part: &&Expr| matches!(part, Expr::Const(value) if truth(value) != Some(true));
    if let Some(never) = filter.iter().find(never) {
        return vec![never.clone()];
    }
    reduce_joins(source, 0, &filter);
    note_alone(source, &mut filter);
    settle_joins(source, 0);
    let mut left = Vec::new();
    let joined = matches!(source, Source::Join(_));
    for part in filter {
        // In a join it is open whether a condition meets rows that other conditions drop.
        if joined && may_fail(&part) {
            look_early(source, 0, &part);
            left.push(part);
        } else {
            left.extend(place(source, 0, part));
        }
    }
    choose_access(catalog, source, 0);
    left
}

/// Lets a condition fail early at the table that it is about.
fn look_early(source: &mut Source, at: usize, part: &Expr) {
    match source {
        Source::Table { early, .. } => early.push(part.clone()),
        Source::Join(join) if join.kind == JoinKind::Inner => {
            let middle = at + join.left.width();
            let last = last_column(part);
            if last < middle {
                look_early(&mut join.left, at, part);
            } else {
                look_early(&mut join.right, middle, part);
            }
        }
        Source::Join(join) => {
            let middle = at + join.left.width();
            let (first, last) = (first_column(part), last_column(part));
            match join.kind {
                JoinKind::Left if last < middle => look_early(&mut join.left, at, part),
                JoinKind::Right if (middle..usize::MAX - 1).contains(&first) => {
                    look_early(&mut join.right, middle, part);
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// Conditions of joins, which go on downwards.
fn settle_joins(source: &mut Source, at: usize) {
    let Source::Join(join) = source else { return };
    let Join { kind, left, right, on, .. } = &mut **join;
    settle_joins(left, at);
    settle_joins(right, at + left.width());
    match kind {
        JoinKind::Inner => {
            let parts = std::mem::take(on);
            for part in parts {
                if may_fail(&part) {
                    on.push(part);
                } else {
                    on.extend(place_in_join(left, right, at, part));
                }
            }
        }
        JoinKind::Left => {
            if let Source::Table { filter, .. } = right {
                filter.append(on);
            }
        }
        JoinKind::Right | JoinKind::Full => {}
    }
}

/// Gives the condition back if it has no place here.
fn place(source: &mut Source, at: usize, part: Expr) -> Option<Expr> {
    match source {
        Source::Table { filter, .. } => {
            filter.push(part);
            None
        }
        Source::Join(join) => {
            let Join { kind, left, right, .. } = &mut **join;
            match kind {
                JoinKind::Inner => place_in_join(left, right, at, part),
                JoinKind::Left if last_column(&part) < at + left.width() => place(left, at, part),
                _ => Some(part),
            }
        }
        Source::Nothing
        | Source::Derived { .. }
        | Source::Series { .. }
        | Source::Unnest { .. }
        | Source::Called { .. }
        | Source::Working { .. } => Some(part),
    }
}

fn place_in_join(left: &mut Source, right: &mut Source, at: usize, part: Expr) -> Option<Expr> {
    let middle = at + left.width();
    if last_column(&part) < middle { place(left, at, part) } else { place(right, middle, part) }
}

fn choose_access(catalog: &Catalog, source: &mut Source, at: usize) {
    match source {
        Source::Table { table, access, filter, width, .. } => {
            if let Some(table) = catalog.by_id(*table) {
                *access = best_access(catalog.collation(), table, filter, at, *width);
            }
        }
        Source::Join(join) => {
            let middle = at + join.left.width();
            choose_access(catalog, &mut join.left, at);
            choose_access(catalog, &mut join.right, middle);
        }
        Source::Nothing
        | Source::Derived { .. }
        | Source::Series { .. }
        | Source::Unnest { .. }
        | Source::Called { .. }
        | Source::Working { .. } => {}
    }
}

fn best_access(
    usual: Collation,
    table: &Table,
    filter: &[Expr],
    at: usize,
    width: usize,
) -> Option<Access> {
    let all: Vec<Known<'_>> =
        filter.iter().filter_map(|part| comparison(usual, table, part, at, width)).collect();
    let known: Vec<(usize, &Expr)> = all
        .iter()
        .filter(|(op, ..)| *op == CompareOp::Eq)
        .map(|(_, column, value)| (*column, *value))
        .collect();
    let value = |column: &usize| {
        known.iter().find(|(known, _)| known == column).map(|(_, value)| (*value).clone())
    };
    let mut best: Option<(bool, usize, Vec<usize>)> = None;
    let mut next = None;
    for key in table.keys() {
        let covered: Vec<usize> =
            key.columns().iter().copied().take_while(|column| value(column).is_some()).collect();
        let whole = key.is_unique() && covered.len() == key.columns().len();
        let better = best
            .as_ref()
            .is_none_or(|(unique, length, _)| (whole, covered.len()) > (*unique, *length));
        if !covered.is_empty() && better {
            next = key.columns().get(covered.len()).copied();
            best = Some((whole, covered.len(), covered));
        }
    }
    let (_, _, columns) = best?;
    let values = columns.iter().filter_map(value).collect();
    let between = next.and_then(|column| bounds(table, column, &all));
    Some(Access { columns, values, between })
}

/// How a column is compared with a value.
type Known<'a> = (CompareOp, usize, &'a Expr);

/// What a column of whole numbers is at least and at most.
fn bounds(table: &Table, column: usize, known: &[Known<'_>]) -> Option<Box<Between>> {
    use CompareOp::{Greater, GreaterEq, Less, LessEq};
    let bound = |ops: [CompareOp; 2]| {
        let found = known.iter().find(|(op, own, _)| *own == column && ops.contains(op));
        found.map(|(_, _, value)| (*value).clone())
    };
    let whole = matches!(table.columns()[column].ty(), Type::Int(_));
    whole.then_some(())?;
    let (low, high) = (bound([Greater, GreaterEq])?, bound([Less, LessEq])?);
    Some(Box::new(Between { column, low, high }))
}

/// The column of this table and the value that it is compared with.
fn comparison<'a>(
    usual: Collation,
    table: &Table,
    part: &'a Expr,
    at: usize,
    width: usize,
) -> Option<Known<'a>> {
    let Expr::Compare { op, collation, left, right } = part else { return None };
    let own = |expr: &Expr| match expr {
        Expr::Column { depth: 0, index } => index.checked_sub(at).filter(|column| *column < width),
        _ => None,
    };
    let (op, column, value) = match (own(left), own(right)) {
        (Some(column), None) => (*op, column, &**right),
        (None, Some(column)) => (op.turned(), column, &**left),
        _ => return None,
    };
    let uses_later = {
        let last = last_column(value);
        last >= at && uses_own_query(value)
    };
    let collates = *collation == Collation::Bytes
        || table.columns()[column].ty().collation(usual) == *collation;
    (!uses_later && collates).then_some((op, column, value))
}

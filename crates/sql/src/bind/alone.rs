//! Expressions over one table of a join, or of a query with others inside, which a server may compute for every row of
//! that table, even for those that are joined with nothing: an error in one of them may show.
//!
//! ```text
//!   a JOIN b ON b.id = a.id  WHERE 1 / b.x > 2            b may be read alone, with the condition
//!   a JOIN b ON b.id = a.id  WHERE 1 / b.x = a.y          1 / b.x may be computed for a table of hashes
//!   a JOIN b ON b.id = a.id  WHERE 1 / b.x < a.y          or to look up rows in an index of a.y
//!   a LEFT JOIN b ON 1 / a.x = b.y                        1 / a.x may be computed although b is empty
//!   a WHERE NOT EXISTS (SELECT … WHERE 1 / a.x = b.y)     the same
//! ```
//!
//! Where there are three tables or more, the same is true of expressions over some of them.
//!
//! Layer `bind`; knows plans only.

use std::ops::Range;

use crate::plan::{
    Body, Expr, Join, JoinKind, Quantifier, Source, may_fail, rewrite, walk_columns,
};
use crate::rows::TableId;

use super::columns::{first_column, last_column};

/// Notes what may be computed for the rows of single tables.
pub(super) fn note_alone(source: &mut Source, filter: &mut [Expr]) {
    if matches!(source, Source::Join(_)) {
        filter.iter().for_each(|part| note(source, 0, part));
        note_joins(source, 0);
    }
    let tables = source.tables(0);
    if let Source::Join(join) = source
        && tables.len() > 2
    {
        let mut together = Vec::new();
        filter.iter().for_each(|part| gather(&tables, part, true, &mut together));
        gather_joins(join, &tables, &mut together);
        join.together = together;
    }
    filter.iter_mut().for_each(|part| note_query(source, part));
}

/// A table and its columns.
type Place = (TableId, Range<usize>);

/// What the conditions of joins compute of some tables.
fn gather_joins(join: &Join, tables: &[Place], into: &mut Vec<Expr>) {
    let inner = join.kind == JoinKind::Inner;
    join.on.iter().for_each(|part| gather(tables, part, inner, into));
    for side in [&join.left, &join.right] {
        if let Source::Join(join) = side {
            gather_joins(join, tables, into);
        }
    }
}

/// Notes what uses several tables, but not all of them. A condition of an outer join is decided where both sides meet,
/// but what it compares may be computed before.
fn gather(tables: &[Place], part: &Expr, whole: bool, into: &mut Vec<Expr>) {
    if whole && is_over_some(tables, part) {
        into.push(part.clone());
        return;
    }
    match part {
        Expr::And(left, right) | Expr::Or(left, right) => {
            gather(tables, left, whole, into);
            gather(tables, right, whole, into);
        }
        Expr::Compare { left, right, .. } => {
            let sides = [left, right].into_iter().filter(|side| is_over_some(tables, side));
            into.extend(sides.map(|side| Expr::clone(side)));
        }
        _ => {}
    }
}

fn is_over_some(tables: &[Place], expr: &Expr) -> bool {
    if !may_fail(expr) || last_column(expr) == usize::MAX - 1 {
        return false;
    }
    let (mut used, mut others) = (vec![false; tables.len()], false);
    walk_columns(&mut expr.clone(), &mut |out, column| {
        if out == 0 {
            match tables.iter().position(|(_, columns)| columns.contains(&column)) {
                Some(place) => used[place] = true,
                None => others = true,
            }
        }
    });
    let count = used.iter().filter(|used| **used).count();
    !others && count > 1 && count < tables.len()
}

/// A query in a condition may be carried out as a join: then its conditions may be decided for all its rows, and what
/// they compare with its columns may be computed for all rows around it. A closed query is computed as a whole.
fn note_query(source: &mut Source, part: &mut Expr) {
    let query = match part {
        Expr::Not(inner) => return note_query(source, inner),
        Expr::Exists { closed: false, query }
        | Expr::Quantified { closed: false, query, quantifier: Quantifier::Any, .. } => query,
        _ => return,
    };
    let Body::Select(select) = &mut query.body else { return };
    let mut conditions = select.filter.clone();
    if let Source::Table { filter, .. } = &select.source {
        conditions.extend_from_slice(filter);
        let inside = conditions.iter().chain(&select.items);
        inside.for_each(|one| note(&mut select.source, 0, one));
    }
    if let Source::Table { alone, .. } = &mut select.source {
        // What is sure to come first is decided with the rows of this table alone.
        let first = conditions.iter().filter(|one| !may_fail(one) && !uses_around(one)).cloned();
        if let Some(first) = first.reduce(Expr::and) {
            for expr in alone {
                let then = std::mem::replace(expr, Expr::null());
                let branches = vec![(first.clone(), then)];
                *expr = Expr::Case { branches, otherwise: Box::new(Expr::null()) };
            }
        }
    }
    for condition in &conditions {
        if let Expr::Compare { left, right, .. } = condition {
            for side in [left, right].into_iter().filter_map(|side| seen_around(side)) {
                note_at_table(source, 0, &side);
            }
        }
    }
}

fn uses_around(expr: &Expr) -> bool {
    let mut uses = false;
    walk_columns(&mut expr.clone(), &mut |out, _| uses |= out > 0);
    uses
}

/// An expression in a query that uses only columns of the query around it, as it looks there.
fn seen_around(expr: &Expr) -> Option<Expr> {
    let mut seen = expr.clone();
    let mut only = true;
    rewrite(&mut seen, 0, &mut |part: &mut Expr, _: usize| {
        match part {
            Expr::Column { depth, .. } => match depth.checked_sub(1) {
                Some(around) => *depth = around,
                None => only = false,
            },
            Expr::Exists { .. } | Expr::Scalar { .. } | Expr::Quantified { .. } => only = false,
            _ => {}
        }
        only
    });
    only.then_some(seen)
}

/// Conditions of joins say something about the sides that are filled up with NULLs, or about both.
fn note_joins(source: &mut Source, at: usize) {
    let Source::Join(join) = source else { return };
    let Join { kind, left, right, on, .. } = &mut **join;
    let middle = at + left.width();
    for part in on.iter() {
        match kind {
            JoinKind::Inner | JoinKind::Right => note(left, at, part),
            JoinKind::Left | JoinKind::Full => note_key(left, at, part),
        }
        match kind {
            JoinKind::Inner | JoinKind::Left => note(right, middle, part),
            JoinKind::Right | JoinKind::Full => note_key(right, middle, part),
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
        Expr::Compare { .. } => note_sides(source, at, part),
        Expr::In { list, .. } => {
            for side in list.iter().flat_map(|(left, right, _)| [left, right]) {
                note_at_table(source, at, side);
            }
        }
        _ => {}
    }
}

/// What is compared with the other table may be computed for a table of hashes, or to sort rows, even for rows that an
/// outer join keeps whatever the condition says.
fn note_key(source: &mut Source, at: usize, part: &Expr) {
    if first_column(part) < at || last_column(part) >= at + source.width() {
        note_sides(source, at, part);
    }
}

fn note_sides(source: &mut Source, at: usize, part: &Expr) {
    if let Expr::Compare { left, right, .. } = part {
        note_at_table(source, at, left);
        note_at_table(source, at, right);
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

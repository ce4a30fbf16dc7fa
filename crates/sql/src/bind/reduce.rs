//! Outer joins that are none: if a condition drops every row that a join fills up with NULLs, the join
//! need not make these rows.
//!
//! The rows of the result are the same. It shows in errors: `a FULL JOIN b … WHERE 1 / a.x = b.y` never
//! looks at a row of `a` without one of `b`, so that row may hold a zero. Servers know this of every
//! condition that is not true where its columns are NULL.
//!
//! Layer `bind`; knows plans only.

use std::ops::Range;

use crate::eval::truth;
use crate::plan::{Expr, Join, JoinKind, Source};

/// Makes joins as narrow as these conditions on their rows allow.
pub(super) fn reduce_joins(source: &mut Source, at: usize, conditions: &[Expr]) {
    let Source::Join(join) = source else { return };
    let Join { kind, left, right, on, .. } = &mut **join;
    let middle = at + left.width();
    let end = middle + right.width();
    let drops = |columns: Range<usize>| conditions.iter().any(|one| is_not_true(one, &columns));
    let (needs_left, needs_right) = (drops(at..middle), drops(middle..end));
    *kind = match kind {
        JoinKind::Left if needs_right => JoinKind::Inner,
        JoinKind::Right if needs_left => JoinKind::Inner,
        JoinKind::Full if needs_left && needs_right => JoinKind::Inner,
        JoinKind::Full if needs_left => JoinKind::Left,
        JoinKind::Full if needs_right => JoinKind::Right,
        JoinKind::Inner | JoinKind::Left | JoinKind::Right | JoinKind::Full => *kind,
    };
    // A side that is filled up is looked at only where the rows meet.
    let with_on = [conditions, on].concat();
    let of_left = matches!(kind, JoinKind::Inner | JoinKind::Right);
    let of_right = matches!(kind, JoinKind::Inner | JoinKind::Left);
    reduce_joins(left, at, if of_left { &with_on } else { conditions });
    reduce_joins(right, middle, if of_right { &with_on } else { conditions });
}

/// Whether a condition is false or NULL where all these columns are NULL.
fn is_not_true(condition: &Expr, columns: &Range<usize>) -> bool {
    match condition {
        Expr::Const(value) => truth(value) != Some(true),
        Expr::And(left, right) => is_not_true(left, columns) || is_not_true(right, columns),
        Expr::Or(left, right) => is_not_true(left, columns) && is_not_true(right, columns),
        Expr::IsNull { negated: true, expr } => is_null(expr, columns),
        Expr::IsTruth { truth: Some(_), negated: false, expr } => is_null(expr, columns),
        Expr::IsTruth { truth: None, negated: true, expr } => is_null(expr, columns),
        other => is_null(other, columns),
    }
}

/// Whether an expression is NULL where all these columns are NULL.
fn is_null(expr: &Expr, columns: &Range<usize>) -> bool {
    let null = |expr: &Expr| is_null(expr, columns);
    match expr {
        Expr::Const(value) => value.is_null(),
        Expr::Column { depth: 0, index } => columns.contains(index),
        Expr::Not(inner) | Expr::Neg(_, inner) | Expr::Cast { expr: inner, .. } => null(inner),
        Expr::And(left, right) | Expr::Or(left, right) => null(left) && null(right),
        Expr::Arith { left, right, .. }
        | Expr::Compare { left, right, .. }
        | Expr::Like { expr: left, pattern: right, .. } => null(left) || null(right),
        Expr::In { list, .. } => list.iter().all(|(left, right, _)| null(left) || null(right)),
        Expr::Call { function, args, .. } => !function.takes_nulls() && args.iter().any(null),
        _ => false,
    }
}

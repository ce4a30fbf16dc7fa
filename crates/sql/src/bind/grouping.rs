//! GROUP BY: expressions over rows become expressions over groups.
//!
//! The row of a group holds its keys, its aggregates, and the columns of one of its rows:
//!
//! ```text
//!   SELECT a, sum(b) + 1 FROM t GROUP BY a      ──►   [ a | sum(b) | … ]   items: #0, #1 + 1
//! ```
//!
//! Layer `bind`; knows plans and the keys of tables.

use crate::catalog::Catalog;
use crate::error::{ErrorClass, Result, fail};
use crate::plan::{Arith, Expr, Grouping, Source, rewrite};
use crate::types::Type;
use crate::value::{Collation, Value};

/// Rewrites an expression over rows to one over groups.
pub(super) fn over_groups(
    catalog: &Catalog,
    source: &Source,
    grouping: &mut Grouping,
    expr: &mut Expr,
) -> Result<()> {
    let keys = grouping.keys.clone();
    let aggregates = grouping.aggregates.len();
    let dependent = catalog.dialect().shows_any_row_of_a_group() || {
        let shown = |table: &Source, at: usize| is_grouped_by_key(catalog, table, at, &keys);
        covers(source, 0, &shown)
    };
    let sets = grouping.sets.is_some();
    let mut ungrouped = None;
    let mut unknown = false;
    let shown = &mut grouping.shown;
    rewrite(expr, 0, &mut |part: &mut Expr, depth: usize| {
        for (index, (key, _)) in keys.iter().enumerate() {
            if *part == deepened(key, depth) {
                *part = Expr::Column { depth, index };
                return false;
            }
        }
        match part {
            Expr::Grouping(args) => {
                match left_out(&keys, sets, args, depth) {
                    Some(bits) => *part = bits,
                    None => unknown = true,
                }
                false
            }
            Expr::Aggregate(index) => {
                *part = Expr::Column { depth, index: keys.len() + *index };
                false
            }
            Expr::Column { depth: out, index } if *out == depth => {
                if !dependent && !is_dependent(catalog, source, &keys, *index) {
                    ungrouped = Some(*index);
                }
                let place = shown.iter().position(|one| one == index).unwrap_or_else(|| {
                    shown.push(*index);
                    shown.len() - 1
                });
                *index = keys.len() + aggregates + place;
                false
            }
            _ => true,
        }
    });
    if unknown {
        return fail(ErrorClass::Grouping, "GROUPING() of something that is not grouped by");
    }
    match ungrouped {
        Some(column) => {
            fail(ErrorClass::Grouping, format!("column {column} is neither grouped nor aggregated"))
        }
        None => Ok(()),
    }
}

/// GROUPING(): a number whose bits say which of its arguments are left out of the group.
fn left_out(keys: &[(Expr, Collation)], sets: bool, args: &[Expr], depth: usize) -> Option<Expr> {
    let arith = |op: Arith, left: Expr, right: Expr| Expr::Arith {
        op,
        result: Type::INT4,
        left: Box::new(left),
        right: Box::new(right),
    };
    let number = |number: usize| Expr::Const(Value::Int(i64::try_from(number).unwrap_or(0)));
    let mut bits = number(0);
    for arg in args {
        let index = keys.iter().position(|(key, _)| *arg == deepened(key, depth))?;
        if sets {
            let all = Expr::Column { depth, index: keys.len() - 1 };
            let bit = arith(Arith::ShiftRight, all, number(index));
            let bit = arith(Arith::BitAnd, bit, number(1));
            bits = arith(Arith::Add, arith(Arith::Mul, bits, number(2)), bit);
        }
    }
    Some(bits)
}

/// The same expression, seen from `depth` queries further in.
fn deepened(key: &Expr, depth: usize) -> Expr {
    if depth == 0 {
        return key.clone();
    }
    let mut key = key.clone();
    rewrite(&mut key, 0, &mut |part: &mut Expr, inside: usize| {
        if let Expr::Column { depth: out, .. } = part
            && *out >= inside
        {
            *out += depth;
        }
        true
    });
    key
}

/// Whether a column belongs to a table whose primary key is grouped by.
fn is_dependent(
    catalog: &Catalog,
    source: &Source,
    keys: &[(Expr, Collation)],
    column: usize,
) -> bool {
    let holds = |table: &Source, at: usize| {
        (at..at + table.width()).contains(&column) && is_grouped_by_key(catalog, table, at, keys)
    };
    any(source, 0, &holds)
}

fn is_grouped_by_key(
    catalog: &Catalog,
    table: &Source,
    at: usize,
    keys: &[(Expr, Collation)],
) -> bool {
    let Source::Table { table, .. } = table else { return false };
    let Some(table) = catalog.by_id(*table) else { return false };
    let Some(primary) = table.keys().iter().find(|key| key.is_primary()) else { return false };
    primary
        .columns()
        .iter()
        .all(|column| keys.iter().any(|(key, _)| *key == Expr::column(at + column)))
}

fn any(source: &Source, at: usize, holds: &dyn Fn(&Source, usize) -> bool) -> bool {
    match source {
        Source::Join(join) => {
            any(&join.left, at, holds) || any(&join.right, at + join.left.width(), holds)
        }
        table => holds(table, at),
    }
}

fn covers(source: &Source, at: usize, holds: &dyn Fn(&Source, usize) -> bool) -> bool {
    match source {
        Source::Join(join) => {
            covers(&join.left, at, holds) && covers(&join.right, at + join.left.width(), holds)
        }
        table => holds(table, at),
    }
}

//! Answers that no rows have, because of how the query asks for them.
//!
//! ```text
//!   SELECT n FROM t ORDER BY n        showed (3), (2)          2 belongs before 3
//!   SELECT DISTINCT n FROM t          showed (3), (2), (3)     3 is shown twice
//!   SELECT n FROM t LIMIT 1           showed (3), (2)          there is a row too many
//! ```
//!
//! Orders are compared by whole numbers and decimals only, up to the first key that is something else or not shown.
//! This is about queries that lock no rows: PostgreSQL sorts rows before it waits for them, and shows what they have
//! become.
//!
//! Layer `run`; reads plans, and compares the values that were shown.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::observed::ObservedValue;
use crate::plan::{Body, Expr, Plan, Query};
use crate::types::Type;
use crate::value::Value;

use super::displayed::value_of;
use super::order::by_key;

/// What is wrong with the rows of an answer, whatever is in the tables. Rows are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misshapen {
    /// This row belongs in front of the one before it.
    Order(usize),
    /// This row equals one before it, in spite of DISTINCT.
    Repeated(usize),
    /// There are more rows than LIMIT allows.
    Limit(u64),
}

/// What is wrong with the rows that a query showed, if something is.
pub(crate) fn misshapen(
    plan: &Plan,
    params: &[Value],
    rows: &[Vec<ObservedValue>],
) -> Option<Misshapen> {
    let Plan::Query(query) = plan else { return None };
    too_many(query, params, rows)
        .or_else(|| unordered(query, rows))
        .or_else(|| repeated(query, rows))
}

fn too_many(query: &Query, params: &[Value], rows: &[Vec<ObservedValue>]) -> Option<Misshapen> {
    let limit = match query.limit.as_ref()? {
        _ if query.with_ties => return None,
        Expr::Const(Value::Int(limit)) => *limit,
        Expr::Param { index, .. } => match params.get(*index)? {
            Value::Int(limit) => *limit,
            _ => return None,
        },
        _ => return None,
    };
    let limit = u64::try_from(limit).ok()?;
    (rows.len() as u64 > limit).then_some(Misshapen::Limit(limit))
}

fn unordered(query: &Query, rows: &[Vec<ObservedValue>]) -> Option<Misshapen> {
    let value = |row: &[ObservedValue], column: usize| {
        value_of(row.get(column)?, query.output.get(column)?.ty)
    };
    let belongs_before = |(one, next): (&Vec<ObservedValue>, &Vec<ObservedValue>)| {
        for key in &query.order {
            let (Some(a), Some(b)) = (value(one, key.index), value(next, key.index)) else {
                return false;
            };
            match by_key(&a, &b, key.descending, key.nulls_first, key.collation) {
                Ordering::Less => return false,
                Ordering::Equal => {}
                Ordering::Greater => return true,
            }
        }
        false
    };
    let place = rows.iter().zip(rows.iter().skip(1)).position(belongs_before)?;
    Some(Misshapen::Order(place + 1))
}

fn repeated(query: &Query, rows: &[Vec<ObservedValue>]) -> Option<Misshapen> {
    let Body::Select(select) = &query.body else { return None };
    let exact =
        |ty: Type| matches!(ty, Type::Bool | Type::Int(_) | Type::Decimal(_) | Type::Text { .. });
    let clear = select.distinct.is_some()
        && select.items.len() == query.output.len()
        && query.output.iter().all(|output| exact(output.ty));
    if !clear {
        return None;
    }
    let mut seen = HashSet::new();
    rows.iter().position(|row| !seen.insert(row)).map(Misshapen::Repeated)
}

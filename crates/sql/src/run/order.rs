//! ORDER BY, and windows over ties.
//!
//! Layer `run`; knows values and sort keys, and who picks among ties.

use std::cmp::Ordering;

use crate::error::{ErrorClass, Result, fail, server_error};
use crate::outcome::Rowset;
use crate::plan::{Expr, SortKey};
use crate::value::{Asked, Collation, Value};

use super::frame::Frame;
use super::state::Run;

/// Sorts rows; returns where each group of ties ends. Without an order, all rows are tied.
fn sort(rows: &mut [Vec<Value>], keys: &[SortKey]) -> Vec<usize> {
    if rows.is_empty() {
        return Vec::new();
    }
    if keys.is_empty() {
        return vec![rows.len()];
    }
    rows.sort_by(|a, b| by_keys(a, b, keys));
    let mut ends: Vec<usize> = (1..rows.len())
        .filter(|index| by_keys(&rows[index - 1], &rows[*index], keys).is_ne())
        .collect();
    ends.push(rows.len());
    ends
}

fn by_keys(a: &[Value], b: &[Value], keys: &[SortKey]) -> Ordering {
    for key in keys {
        let order =
            by_key(&a[key.index], &b[key.index], key.descending, key.nulls_first, key.collation);
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// The order of two values.
pub(super) fn by_key(
    a: &Value,
    b: &Value,
    descending: bool,
    nulls_first: bool,
    collation: Collation,
) -> Ordering {
    match (a.is_null(), b.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => {
            if nulls_first {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (false, true) => {
            if nulls_first {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (false, false) => {
            let order = a.compare(b, collation).unwrap_or(Ordering::Equal);
            if descending { order.reverse() } else { order }
        }
    }
}

impl Run<'_> {
    /// Sorts rows; returns where each group of ties ends.
    ///
    /// If every row is certainly in front of the next one, the whole order is certain.
    pub(super) fn sort(&mut self, rows: &mut [Vec<Value>], keys: &[SortKey]) -> Vec<usize> {
        let ends = sort(rows, keys);
        for pair in rows.windows(2) {
            for key in keys {
                let (a, b) = (&pair[0][key.index], &pair[1][key.index]);
                if self.doubt_order(a, b, key.collation).is_ne() {
                    break;
                }
            }
        }
        ends
    }

    /// Which of two neighbours in an order comes first; says so if that is not certain.
    pub(super) fn doubt_order(&mut self, a: &Value, b: &Value, collation: Collation) -> Ordering {
        if let (Value::Text(a), Value::Text(b)) = (a, b)
            && !collation.is_certain(Asked::Order, a, b)
        {
            self.choices.collate(a, b);
        }
        by_key(a, b, false, false, collation)
    }

    /// LIMIT or OFFSET as a number; `None` if it is NULL.
    pub(super) fn bound(
        &mut self,
        bound: Option<&Expr>,
        outer: Option<&Frame<'_>>,
        class: ErrorClass,
    ) -> Result<Option<u64>> {
        let Some(bound) = bound else { return Ok(None) };
        let value = self.eval(bound, &Frame { row: &[], outer })?;
        match value.as_integer() {
            None if value.is_null() => Ok(None),
            Some(number) => match u64::try_from(number) {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(server_error(class, "a negative number of rows")),
            },
            None => fail(ErrorClass::Syntax, "expected a number of rows"),
        }
    }

    /// Picks the rows that a window shows, of ties any.
    pub(super) fn pick(
        &mut self,
        rows: Vec<Vec<Value>>,
        ends: &[usize],
        offset: u64,
        limit: Option<u64>,
    ) -> Vec<Vec<Value>> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(rows.len());
        let most = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let to = from.saturating_add(most).min(rows.len());
        let mut picked = Vec::new();
        let mut start = 0;
        for end in ends {
            let wanted = (*end).min(to).saturating_sub(start.max(from));
            let mut ties = rows[start..*end].to_vec();
            if wanted > 0 {
                self.pick_ties(&mut ties, wanted, &mut picked);
            }
            start = *end;
        }
        picked
    }

    /// The rows that are shown, in an order that the server may choose.
    pub(crate) fn in_some_order(&mut self, table: Rowset) -> Vec<Vec<Value>> {
        let mut ordered = Vec::with_capacity(table.rows.len());
        let mut start = 0;
        for end in &table.ends {
            let mut ties = table.rows[start..*end].to_vec();
            while !ties.is_empty() {
                self.pick_ties(&mut ties, 1, &mut ordered);
            }
            start = *end;
        }
        let skipped = usize::try_from(table.offset).unwrap_or(usize::MAX);
        let most =
            table.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        ordered.into_iter().skip(skipped).take(most).collect()
    }

    fn pick_ties(
        &mut self,
        ties: &mut Vec<Vec<Value>>,
        wanted: usize,
        picked: &mut Vec<Vec<Value>>,
    ) {
        if wanted == ties.len() {
            picked.append(ties);
            return;
        }
        for _ in 0..wanted {
            // Equal rows are one possibility.
            let mut different: Vec<usize> = Vec::new();
            for index in 0..ties.len() {
                if !different.iter().any(|known| ties[*known] == ties[index]) {
                    different.push(index);
                }
            }
            let choice = if different.len() > 1 { self.choices.choose(different.len()) } else { 0 };
            picked.push(ties.remove(different[choice.min(different.len() - 1)]));
        }
    }
}

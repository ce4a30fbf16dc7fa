//! FROM: the rows of tables side by side.
//!
//! A source is evaluated behind the columns to its left, so a table can be looked up by them.
//!
//! Layer `run`; knows conditions and how the run sees rows.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use crate::catalog::Table;
use crate::error::{ExecutionError, Result, ServerError, unsupported};
use crate::plan::{Access, Between, Expr, Join, JoinKind, Source, walk_columns};
use crate::rows::{Found, TableId};
use crate::types::Type;
use crate::value::{Row, Value};

use super::frame::Frame;
use super::state::Run;

/// Rows behind a common prefix.
pub(super) type Wide = Vec<Vec<Value>>;

/// Joins with more rows are not carried out.
const MOST_JOINED: usize = 10_000_000;

impl Run<'_> {
    /// The rows of a source, each behind `prefix`.
    pub(super) fn source(
        &mut self,
        source: &Source,
        prefix: &[Value],
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        match source {
            Source::Nothing => Ok(vec![prefix.to_vec()]),
            Source::Table { id: node, table, access, numbered, filter, early, .. } => {
                let found = self.find(*table, access.as_ref(), prefix, outer)?;
                let mut rows = Vec::new();
                for (id, row) in found.iter() {
                    // Most rows are not wanted; those in front need not be copied to see that.
                    if prefix.is_empty() {
                        let keeps = self.keeps(*node, filter, &Frame { row, outer });
                        if self.forgive(keeps)? != Some(true) {
                            continue;
                        }
                    }
                    let mut wide = Vec::with_capacity(prefix.len() + row.len() + 1);
                    wide.extend_from_slice(prefix);
                    wide.extend_from_slice(row);
                    if *numbered {
                        #[allow(clippy::cast_possible_wrap, reason = "the same bits come back")]
                        wide.push(Value::Int(id.0 as i64));
                    }
                    let frame = Frame { row: &wide, outer };
                    let keeps = if prefix.is_empty() {
                        Ok(true)
                    } else {
                        self.keeps(*node, filter, &frame)
                    };
                    if self.forgive(keeps)? == Some(true) {
                        self.look_early(early, &frame);
                        rows.push(wide);
                    }
                }
                Ok(rows)
            }
            Source::Derived { query, lateral, .. } => {
                let known = if *lateral { None } else { self.memo.subqueries.get(&query.id) };
                let rows = match known {
                    Some(rows) => Arc::clone(rows),
                    None => {
                        // Only LATERAL lets it use what is to its left.
                        let around = Frame { row: prefix, outer };
                        let rows = match self.chosen_rows(query, Some(&around)) {
                            // The server may leave out columns that nothing uses, and what fails in them.
                            Err(ExecutionError::Server(error)) => {
                                return unsupported(format!(
                                    "an error in a query in FROM ({error})"
                                ));
                            }
                            rows => Arc::new(rows?),
                        };
                        if !lateral {
                            self.memo.subqueries.insert(query.id, Arc::clone(&rows));
                        }
                        rows
                    }
                };
                Ok(rows.iter().map(|row| joined(prefix, row)).collect())
            }
            Source::Series { args, ty } => {
                let numbers = self.series(args, *ty, &Frame { row: prefix, outer })?;
                Ok(numbers.into_iter().map(|number| joined(prefix, &[number])).collect())
            }
            Source::Unnest { arrays, places } => {
                let rows = self.unnest(arrays, *places, &Frame { row: prefix, outer })?;
                Ok(rows.iter().map(|row| joined(prefix, row)).collect())
            }
            Source::Called { name, args, types } => {
                let frame = Frame { row: prefix, outer };
                let args = args.iter().map(|arg| self.eval(arg, &frame));
                let args = args.collect::<Result<Vec<_>>>()?;
                let rows = self.call_for_rows(name, args, types)?;
                Ok(rows.iter().map(|row| joined(prefix, row)).collect())
            }
            Source::Working { number, .. } => {
                let rows = self.working_rows(*number)?;
                Ok(rows.iter().map(|row| joined(prefix, row)).collect())
            }
            Source::Join(join) => self.join(join, prefix, outer),
        }
    }

    /// Notes an error in conditions that are decided later.
    pub(super) fn look_early(&mut self, conditions: &[Expr], frame: &Frame<'_>) {
        for condition in conditions {
            if let Err(ExecutionError::Server(error)) = self.truth(condition, frame) {
                self.note_early(error);
            }
        }
    }

    /// Notes an error that may show; one of each class is enough.
    pub(super) fn note_early(&mut self, error: ServerError) {
        if self.early_errors.iter().all(|known| known.class != error.class) {
            self.early_errors.push(error);
        }
    }

    /// Notes an error in what may be computed for all rows of a table.
    pub(super) fn look_alone(&mut self, source: &Source, at: usize, outer: Option<&Frame<'_>>) {
        match source {
            Source::Join(join) => {
                self.look_alone(&join.left, at, outer);
                self.look_alone(&join.right, at + join.left.width(), outer);
                let tables = source.tables(at);
                join.together.iter().for_each(|expr| self.look_together(expr, &tables, outer));
            }
            Source::Table { table, alone, .. } if !alone.is_empty() => {
                for (_, row) in self.scan(*table).iter() {
                    let wide = joined(&vec![Value::Null; at], row);
                    self.look_early(alone, &Frame { row: &wide, outer });
                }
            }
            _ => {}
        }
    }

    /// Notes an error in what may be computed for the rows of some tables side by side, unless there are too many.
    fn look_together(
        &mut self,
        expr: &Expr,
        tables: &[(TableId, Range<usize>)],
        outer: Option<&Frame<'_>>,
    ) {
        const MOST: usize = 10_000;
        let mut used = vec![false; tables.len()];
        walk_columns(&mut expr.clone(), &mut |out, column| {
            let place = tables.iter().position(|(_, columns)| columns.contains(&column));
            place.filter(|_| out == 0).into_iter().for_each(|place| used[place] = true);
        });
        let end = tables.last().map_or(0, |(_, columns)| columns.end);
        let mut wides: Wide = vec![vec![Value::Null; end]];
        for ((table, columns), _) in tables.iter().zip(used).filter(|(_, used)| *used) {
            let rows = self.scan(*table);
            if wides.len().saturating_mul(rows.len()) > MOST {
                return;
            }
            let with = |wide: &Vec<Value>, row: &Row| {
                let mut wide = wide.clone();
                wide[columns.start..columns.start + row.len()].clone_from_slice(row);
                wide
            };
            wides = wides
                .iter()
                .flat_map(|wide| rows.iter().map(move |(_, row)| with(wide, row)))
                .collect();
        }
        for row in &wides {
            self.look_early(std::slice::from_ref(expr), &Frame { row, outer });
        }
    }

    fn join(&mut self, join: &Join, prefix: &[Value], outer: Option<&Frame<'_>>) -> Result<Wide> {
        match join.kind {
            JoinKind::Inner | JoinKind::Left => self.join_forward(join, prefix, outer),
            JoinKind::Right | JoinKind::Full => self.join_backward(join, prefix, outer),
        }
    }

    fn join_forward(
        &mut self,
        join: &Join,
        prefix: &[Value],
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        let mut rows = Vec::new();
        for left in self.source(&join.left, prefix, outer)? {
            let before = rows.len();
            for wide in self.source(&join.right, &left, outer)? {
                let keeps = self.keeps(join.id, &join.on, &Frame { row: &wide, outer });
                if self.forgive(keeps)? == Some(true) {
                    rows.push(wide);
                }
            }
            if rows.len() > MOST_JOINED {
                return unsupported("a join with this many rows");
            }
            if join.kind == JoinKind::Left && rows.len() == before {
                rows.push(padded(&left, join.right.width()));
            }
        }
        Ok(rows)
    }

    /// The right side keeps all its rows, so it goes first.
    fn join_backward(
        &mut self,
        join: &Join,
        prefix: &[Value],
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        let lefts = self.source(&join.left, prefix, outer)?;
        let middle = prefix.len() + join.left.width();
        let rights = self.source(&join.right, &padded(prefix, join.left.width()), outer)?;
        let mut met = vec![false; lefts.len()];
        let mut rows = Vec::new();
        for right in &rights {
            let before = rows.len();
            for (index, left) in lefts.iter().enumerate() {
                let wide = joined(left, &right[middle..]);
                let keeps = self.keeps(join.id, &join.on, &Frame { row: &wide, outer });
                if self.forgive(keeps)? == Some(true) {
                    met[index] = true;
                    rows.push(wide);
                }
            }
            if rows.len() == before {
                rows.push(right.clone());
            }
        }
        if join.kind == JoinKind::Full {
            let alone = lefts.iter().zip(met).filter(|(_, met)| !met);
            rows.extend(alone.map(|(left, _)| padded(left, join.right.width())));
        }
        Ok(rows)
    }

    /// The rows of a table, found by a key if there is one.
    pub(super) fn find(
        &mut self,
        table: TableId,
        access: Option<&Access>,
        prefix: &[Value],
        outer: Option<&Frame<'_>>,
    ) -> Result<Arc<Found>> {
        let Some(access) = access else { return Ok(self.scan(table)) };
        let Some(found) = self.catalog.by_id(table).cloned() else {
            return Ok(Arc::new(Vec::new()));
        };
        let values = self.evaluated(access, prefix, outer)?;
        match self.lookup_values(&found, access, values) {
            Ok(values) => {
                let range = self.few_numbers(access.between.as_deref(), prefix, outer)?;
                Ok(Arc::new(match range {
                    Some((column, numbers)) => {
                        self.lookups(table, access, &values, column, numbers)
                    }
                    None => self.lookup(table, &access.columns, &values),
                }))
            }
            Err(Lookup::Nothing) => Ok(Arc::new(Vec::new())),
            Err(_) => Ok(self.scan(table)),
        }
    }

    /// The values that rows of a table can be looked up by, if there are any.
    pub(super) fn access_values(
        &mut self,
        table: TableId,
        access: &Access,
        outer: Option<&Frame<'_>>,
    ) -> Result<Option<Vec<Value>>> {
        let Some(table) = self.catalog.by_id(table).cloned() else { return Ok(None) };
        let values = self.evaluated(access, &[], outer)?;
        Ok(self.lookup_values(&table, access, values).ok())
    }

    /// What rows are looked up by; nothing in place of an error.
    fn evaluated(
        &mut self,
        access: &Access,
        prefix: &[Value],
        outer: Option<&Frame<'_>>,
    ) -> Result<Vec<Option<Value>>> {
        let frame = Frame { row: prefix, outer };
        access.values.iter().map(|value| self.eval_quietly(value, &frame)).collect()
    }

    /// Whole numbers that can as well be looked up one by one.
    fn few_numbers(
        &mut self,
        between: Option<&Between>,
        prefix: &[Value],
        outer: Option<&Frame<'_>>,
    ) -> Result<Option<(usize, RangeInclusive<i64>)>> {
        const FEW: i64 = 64;
        // What earlier statements of a routine left comes with every lookup.
        let Some(Between { column, low, high }) = between.filter(|_| !self.has_done_something())
        else {
            return Ok(None);
        };
        let frame = Frame { row: prefix, outer };
        let bounds = (self.eval_quietly(low, &frame)?, self.eval_quietly(high, &frame)?);
        let (Some(Value::Int(low)), Some(Value::Int(high))) = bounds else { return Ok(None) };
        let few = high.checked_sub(low).is_some_and(|more| more < FEW);
        Ok(few.then_some((*column, low..=high)))
    }

    /// The rows that have one of these numbers in one more column.
    fn lookups(
        &mut self,
        table: TableId,
        access: &Access,
        values: &[Value],
        column: usize,
        numbers: RangeInclusive<i64>,
    ) -> Found {
        let columns = [&access.columns[..], &[column]].concat();
        let mut values = [values, &[Value::Null]].concat();
        let last = values.len() - 1;
        let mut found = Vec::new();
        for number in numbers {
            values[last] = Value::Int(number);
            found.extend(self.lookup(table, &columns, &values));
        }
        found
    }

    /// An error in a value that rows are looked up by shows only if there are rows to compare it with.
    fn eval_quietly(&mut self, expr: &Expr, frame: &Frame<'_>) -> Result<Option<Value>> {
        match self.eval(expr, frame) {
            Ok(value) => Ok(Some(value)),
            Err(ExecutionError::Server(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Values in the form that lookups compare.
    fn lookup_values(
        &mut self,
        table: &Table,
        access: &Access,
        values: Vec<Option<Value>>,
    ) -> Result<Vec<Value>, Lookup> {
        let pairs = access.columns.iter().zip(values);
        let looked_up = |(column, value): (&usize, Option<Value>)| match self
            .lookup_value(table, *column, value)
        {
            Lookup::Value(value) => Ok(value),
            other => Err(other),
        };
        pairs.map(looked_up).collect()
    }

    /// One value in that form.
    pub(super) fn lookup_value(
        &mut self,
        table: &Table,
        column: usize,
        value: Option<Value>,
    ) -> Lookup {
        let column = &table.columns()[column];
        match (column.ty(), value) {
            (_, None) => Lookup::Unsuitable,
            (_, Some(Value::Null)) => Lookup::Nothing,
            (
                Type::Int(_) | Type::Decimal(_),
                Some(value @ (Value::Int(_) | Value::Large(_) | Value::Decimal(_))),
            )
            | (Type::Date, Some(value @ Value::Date(_)))
            | (Type::Timestamp(_), Some(value @ Value::Timestamp(_)))
            | (Type::Instant(_), Some(value @ Value::Instant(_)))
            | (Type::Uuid, Some(value @ Value::Uuid(_)))
            | (Type::Bool, Some(value @ Value::Bool(_)))
            | (Type::Text { .. } | Type::Char(_), Some(value @ Value::Text(_))) => {
                Lookup::Value(self.canonical(&value, self.catalog.collation_of(column)))
            }
            _ => Lookup::Unsuitable,
        }
    }
}

/// Whether rows can be looked up by a value.
pub(super) enum Lookup {
    Value(Value),
    /// No row is equal to NULL.
    Nothing,
    /// The value is of another kind than the column.
    Unsuitable,
}

pub(super) fn joined(left: &[Value], right: &[Value]) -> Vec<Value> {
    [left, right].concat()
}

fn padded(left: &[Value], nulls: usize) -> Vec<Value> {
    let mut wide = left.to_vec();
    wide.resize(left.len() + nulls, Value::Null);
    wide
}

/// A row as it is kept.
pub(super) fn to_row(values: Vec<Value>) -> Row {
    Row::from(values)
}

//! What a table demands of its rows.
//!
//! Layer `run`; knows the catalog, whose tables say what they demand.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::catalog::{Check, DefaultValue, Key, Table};
use crate::choices::Open;
use crate::error::{
    ErrorClass, ExecutionError, Result, ServerError, fail, server_error, unsupported,
};
use crate::eval::convert;
use crate::plan::{Assignment, CastMode, WriteCheck};
use crate::rows::{Found, RowId};
use crate::types::Type;
use crate::value::{Row, Value};

use super::frame::Frame;
use super::state::Run;

impl Run<'_> {
    /// What a column holds if the statement gives no value.
    pub(super) fn default_value(&mut self, table: &Table, column: usize) -> Result<Value> {
        let described = &table.columns()[column];
        match &described.default {
            DefaultValue::Sequence { sequence, .. } => {
                self.next_number(*sequence, table.id(), column, false)
            }
            DefaultValue::Expr(expr) => self.eval(expr, &Frame::EMPTY),
            DefaultValue::Generated(_) | DefaultValue::Virtual(_) => Ok(Value::Null),
            DefaultValue::Nothing
                if described.is_not_null() && !self.dialect.is_strictly_typed() =>
            {
                fail(ErrorClass::NoDefault, format!("{} has no default", described.name()))
            }
            DefaultValue::Nothing => Ok(Value::Null),
        }
    }

    /// A value that the statement gives for a column.
    pub(super) fn given_value(
        &mut self,
        table: &Table,
        column: usize,
        value: Value,
    ) -> Result<Value> {
        let described = &table.columns()[column];
        let counter = match described.default {
            DefaultValue::Sequence { sequence, .. } if !self.dialect.is_strictly_typed() => {
                Some(sequence)
            }
            _ => None,
        };
        if let Some(sequence) = counter.filter(|_| value.is_null()) {
            return self.next_number(sequence, table.id(), column, false);
        }
        let value = convert(self.dialect, &value, Type::Unknown, described.ty(), CastMode::Assign)?;
        match (counter, &value) {
            (Some(sequence), Value::Int(0)) => self.next_number(sequence, table.id(), column, true),
            (Some(sequence), Value::Int(number)) => {
                self.given_number(sequence, *number)?;
                Ok(value)
            }
            _ => Ok(value),
        }
    }

    /// NOT NULL and CHECK.
    pub(super) fn check_row(&mut self, table: &Table, row: &[Value]) -> Result<()> {
        self.check_domains(table, row)?;
        let belongs = self.belongs(table, row)?;
        let met = not_null(table, row).and_then(|()| self.checks(table, row, |_| true));
        match (belongs, met) {
            (true, met) => met,
            // The server looks for the partition first, unless the statement names one.
            (false, Err(ExecutionError::Server(error))) if self.choices.choose(2) == 1 => {
                Err(ExecutionError::Server(error))
            }
            (false, Err(error @ (ExecutionError::Unsupported(_) | ExecutionError::Blurred(_)))) => {
                Err(error)
            }
            (false, _) => fail(ErrorClass::Check, format!("{} has no place for it", table.name())),
        }
    }

    /// Whether a table has a partition for a row, if it is divided.
    fn belongs(&mut self, table: &Table, row: &[Value]) -> Result<bool> {
        let Some(partitions) = &table.nature.partitions else { return Ok(true) };
        if !partitions.is_known() {
            return unsupported("a table that is divided by hash and may have no place for a row");
        }
        match &partitions.belongs {
            Some(expr) => Ok(self.truth(expr, &Frame { row, outer: None })? == Some(true)),
            None => Ok(true),
        }
    }

    /// What the types of columns demand, which is checked before all else.
    pub(super) fn check_domains(&mut self, table: &Table, row: &[Value]) -> Result<()> {
        for (column, value) in table.columns().iter().zip(row) {
            let Some(domain) = &column.domain else { continue };
            for check in &domain.checks {
                let row = std::slice::from_ref(value);
                if self.truth(check, &Frame { row, outer: None })? == Some(false) {
                    return fail(ErrorClass::Check, format!("a check of {}", domain.name));
                }
            }
        }
        Ok(())
    }

    /// The same for a row that was there before some of this was demanded.
    pub(super) fn check_old_row(&mut self, table: &Table, row: &[Value]) -> Result<()> {
        self.check_domains(table, row)?;
        not_null(table, row)?;
        self.checks(table, row, |check| check.valid)
    }

    fn checks(
        &mut self,
        table: &Table,
        row: &[Value],
        wanted: impl Fn(&Check) -> bool,
    ) -> Result<()> {
        for check in table.checks.iter().filter(|check| wanted(check)) {
            if self.truth(&check.expr, &Frame { row, outer: None })? == Some(false) {
                return fail(ErrorClass::Check, format!("a check of {}", table.name()));
            }
        }
        Ok(())
    }

    /// What a statement demands of the rows that it writes.
    pub(super) fn check_written(&mut self, checks: &[WriteCheck], row: &[Value]) -> Result<()> {
        for check in checks {
            if self.truth(&check.expr, &Frame { row, outer: None })? != Some(true) {
                return fail(check.class.clone(), "a row that does not belong there");
            }
        }
        Ok(())
    }

    /// Columns that hold the time of the last change: they change with the others, unless they are assigned themselves.
    pub(super) fn renew(
        &mut self,
        table: &Table,
        assignments: &[Assignment],
        before: &[Value],
        new: &mut [Value],
    ) -> Result<()> {
        let changed = *before != *new;
        for (place, column) in table.columns().iter().enumerate() {
            if column.renewed && !assignments.iter().any(|one| one.column == place) {
                // The time is asked for in any case: the server may take a row with a NULL for changed that is not.
                let now = self.open(&Open::Now);
                if changed {
                    new[place] = convert(
                        self.dialect,
                        &now,
                        Type::TIMESTAMP,
                        column.ty(),
                        CastMode::Assign,
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Computes the columns that depend on others.
    pub(super) fn generate(&mut self, table: &Table, row: &mut [Value]) -> Result<()> {
        for (place, column) in table.columns().iter().enumerate() {
            row[place] = match &column.default {
                DefaultValue::Generated(expr) => self.eval(expr, &Frame { row, outer: None })?,
                DefaultValue::Virtual(expr) => match self.eval(expr, &Frame { row, outer: None }) {
                    Err(ExecutionError::Server(_)) => {
                        return unsupported("a value that does not fit a virtual column");
                    }
                    done => done?,
                },
                _ => continue,
            };
        }
        Ok(())
    }

    /// The values of a key in the form in which they are compared; `None` if one is NULL, or if the key is not
    /// about this row.
    pub(super) fn key_values(
        &mut self,
        table: &Table,
        key: &Key,
        row: &[Value],
    ) -> Result<Option<Vec<Value>>> {
        match self.is_about(key, row)? {
            true => self.compared(table, key, row),
            false => Ok(None),
        }
    }

    /// Whether a row is one of those that a key is about.
    fn is_about(&mut self, key: &Key, row: &[Value]) -> Result<bool> {
        match &key.filter {
            Some(filter) => Ok(self.truth(filter, &Frame { row, outer: None })? == Some(true)),
            None => Ok(true),
        }
    }

    /// The columns of a key, and behind them its expressions.
    fn compared(&mut self, table: &Table, key: &Key, row: &[Value]) -> Result<Option<Vec<Value>>> {
        let Some(mut values) = self.compared_columns(table, key, row) else { return Ok(None) };
        for expr in &key.exprs {
            let value = self.eval(expr, &Frame { row, outer: None })?;
            if value.is_null() && !key.nulls_equal {
                return Ok(None);
            }
            values.push(self.canonical(&value, self.catalog.collation()));
        }
        Ok(Some(values))
    }

    fn compared_columns(&self, table: &Table, key: &Key, row: &[Value]) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(key.columns().len() + key.exprs.len());
        for column in key.columns() {
            if row[*column].is_null() && !key.nulls_equal {
                return None;
            }
            let collation = self.catalog.collation_of(&table.columns()[*column]);
            values.push(row[*column].canonical(collation));
        }
        Some(values)
    }

    /// Says so if it is not certain which rows have the same key as this one.
    fn doubt_key(&mut self, table: &Table, key: &Key, row: &[Value]) {
        for column in key.columns() {
            let collation = self.catalog.collation_of(&table.columns()[*column]);
            self.doubt_text(&row[*column], collation);
        }
    }

    /// The rows that have the same key as a row now, with everything that the statement did so far.
    pub(super) fn conflicts(&mut self, table: &Table, key: &Key, row: &[Value]) -> Result<Found> {
        let Some(values) = self.key_values(table, key, row)? else { return Ok(Vec::new()) };
        self.doubt_key(table, key, row);
        let own = &values[..key.columns().len()];
        let mut rows = self.holders(table.id(), key.columns(), own);
        let same = |row: &Row| self.compared_columns(table, key, row).as_deref() == Some(own);
        self.now.show(table.id(), &mut rows, &same);
        rows.retain(|(_, row)| same(row));
        let mut found = Vec::with_capacity(rows.len());
        for (id, row) in rows {
            if self.is_about(key, &row)?
                && (key.exprs.is_empty()
                    || self.compared(table, key, &row)?.as_ref() == Some(&values))
            {
                found.push((id, row));
            }
        }
        Ok(found)
    }

    /// Fails if a row that is to be inserted has the key of another one.
    pub(super) fn check_keys(&mut self, table: &Table, row: &[Value]) -> Result<()> {
        for key in table.keys().iter().filter(|key| key.is_unique()) {
            if !self.conflicts(table, key, row)?.is_empty() {
                return Err(duplicate(key));
            }
        }
        Ok(())
    }

    /// Fails if a row that becomes another one has then the key of a third one.
    pub(super) fn check_changed_keys(
        &mut self,
        table: &Table,
        id: RowId,
        old: &[Value],
        new: &[Value],
    ) -> Result<()> {
        for key in table.keys().iter().filter(|key| key.is_unique()) {
            if self.key_values(table, key, old)? == self.key_values(table, key, new)? {
                continue;
            }
            if self.conflicts(table, key, new)?.iter().any(|(other, _)| *other != id) {
                return Err(duplicate(key));
            }
        }
        Ok(())
    }

    /// The error of changing these rows one after the other, those of the same rank in an order that the server
    /// chooses. A row can take the key of another one only after that one has moved away.
    pub(super) fn check_moves(
        &mut self,
        table: &Table,
        moves: &[(RowId, Row, Row)],
        ranks: &[usize],
    ) -> Result<Option<ServerError>> {
        let mut order_matters = None;
        for key in table.keys().iter().filter(|key| key.is_unique()) {
            let mut keys = Vec::with_capacity(moves.len());
            for (_, old, new) in moves {
                let old = self.key_values(table, key, old)?;
                keys.push((old, self.key_values(table, key, new)?));
            }
            if keys.iter().all(|(old, new)| old == new) {
                continue;
            }
            let ExecutionError::Server(error) = duplicate(key) else { continue };
            let owners: FxHashMap<&Vec<Value>, usize> = keys
                .iter()
                .enumerate()
                .filter_map(|(index, (old, _))| Some((old.as_ref()?, index)))
                .collect();
            let mut taken: FxHashMap<&Vec<Value>, usize> = FxHashMap::default();
            let mut waits: Vec<Option<usize>> = vec![None; keys.len()];
            for (index, (old, new)) in keys.iter().enumerate() {
                let Some(wanted) = new else { continue };
                let stays = old.as_ref() == Some(wanted);
                if !stays {
                    self.doubt_key(table, key, &moves[index].2);
                }
                if taken.insert(wanted, index).is_some() {
                    return Ok(Some(error));
                }
                if stays {
                    continue;
                }
                match owners.get(wanted) {
                    Some(owner) => match ranks[*owner].cmp(&ranks[index]) {
                        Ordering::Less => {}
                        Ordering::Equal => waits[index] = Some(*owner),
                        Ordering::Greater => return Ok(Some(error)),
                    },
                    None if !self.conflicts(table, key, &moves[index].2)?.is_empty() => {
                        return Ok(Some(error));
                    }
                    None => {}
                }
            }
            if has_circle(&waits) {
                return Ok(Some(error));
            }
            if waits.iter().any(Option::is_some) {
                order_matters = Some(error);
            }
        }
        match order_matters {
            Some(error) if self.choices.choose(2) == 1 => Ok(Some(error)),
            _ => Ok(None),
        }
    }
}

/// Whether a row waits for itself in the end.
fn has_circle(waits: &[Option<usize>]) -> bool {
    (0..waits.len()).any(|start| {
        let mut at = waits[start];
        for _ in 0..waits.len() {
            match at {
                Some(next) if next == start => return true,
                Some(next) => at = waits[next],
                None => return false,
            }
        }
        false
    })
}

fn not_null(table: &Table, row: &[Value]) -> Result<()> {
    for (column, value) in table.columns().iter().zip(row) {
        if column.is_not_null() && value.is_null() {
            return fail(ErrorClass::NotNull, format!("{} is NULL", column.name()));
        }
    }
    Ok(())
}

pub(super) fn duplicate(key: &Key) -> ExecutionError {
    server_error(
        ErrorClass::DuplicateKey,
        format!("a row with this key of {} already exists", key.name),
    )
}

//! INSERT and REPLACE.
//!
//! Layer `run`; knows the constraints of tables.

use std::sync::Arc;

use crate::catalog::{Column, DefaultValue, Event, Key, Table, Timing};
use crate::error::{
    ErrorClass, ExecutionError, Result, ServerError, fail, server_error, unsupported,
};
use crate::outcome::{Answer, Count, Effect, Rowset};
use crate::plan::{
    Assignment, CastMode, ConflictAction, Expr, Fill, Insert, InsertSource, OnConflict, Output,
    Query, WriteCheck,
};
use crate::rows::{Found, RowId};
use crate::special::Special;
use crate::types::Type;
use crate::value::{Row, Value};

use super::frame::Frame;
use super::overlay::Overlay;
use super::source::to_row;
use super::state::Run;

/// What became of one row.
enum Fate {
    Inserted(Row),
    /// Rows went away for it: some that count, and some that were the same and do not.
    Replaced {
        new: Row,
        gone: u64,
        same: u64,
    },
    Updated {
        new: Row,
        changed: bool,
    },
    Skipped,
}

impl Run<'_> {
    pub(super) fn insert(&mut self, insert: &Insert) -> Result<Answer> {
        if let Some((view, columns)) = &insert.instead {
            return self.insert_instead(insert, view, columns);
        }
        let Some(table) = self.catalog.by_id(insert.table).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedTable, "the table is gone");
        };
        if insert.conflict != OnConflict::Ignore {
            self.check_omitted(&table, &insert.fills)?;
        }
        let mut count = Count::default();
        let mut returned = Vec::new();
        match &insert.source {
            InsertSource::Query(query) => {
                returned = self.insert_found(insert, &table, query, &mut count)?;
            }
            // Each row is stored before the next one is looked at.
            InsertSource::Values(values) => {
                for row in values {
                    let given = self.proposal(insert, &table, row)?;
                    returned.extend(self.insert_given(insert, &table, given, &mut count)?);
                }
            }
        }
        let returned = returned.iter().map(|row| row.to_vec());
        let rows = self.returned(insert.returning.as_ref(), returned)?;
        Ok(Answer::of_count(count, rows))
    }

    /// Stores the rows of a query.
    fn insert_found(
        &mut self,
        insert: &Insert,
        table: &Table,
        query: &Query,
        count: &mut Count,
    ) -> Result<Vec<Row>> {
        let rows = match self.chosen_rows(query, None) {
            Err(ExecutionError::Server(error)) => {
                return Err(self.first_error(insert, table, query, error));
            }
            rows => rows?,
        };
        let in_order = !query.order.is_empty() || insert.conflict != OnConflict::Fail;
        let before = if in_order { Vec::new() } else { rows.clone() };
        let mut stored = Vec::new();
        for row in rows {
            let given = row.into_iter().map(Some).collect();
            match self.insert_given(insert, table, given, count) {
                Ok(row) => stored.extend(row),
                Err(ExecutionError::Server(error)) if before.len() > 1 => {
                    return Err(self.any_refusal(insert, table, before, error));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(stored)
    }

    /// A row that cannot be computed, and one that cannot be stored: the server meets either first.
    fn first_error(
        &mut self,
        insert: &Insert,
        table: &Table,
        query: &Query,
        error: ServerError,
    ) -> ExecutionError {
        self.forgiving = true;
        let rows = self.chosen_rows(query, None);
        self.forgiving = false;
        let mut count = Count::default();
        let mut rows = rows.unwrap_or_default().into_iter();
        let refused = rows.find_map(|row| {
            let given = row.into_iter().map(Some).collect();
            self.insert_given(insert, table, given, &mut count).err()
        });
        match refused {
            Some(error) if self.choices.choose(2) == 1 => error,
            _ => ExecutionError::Server(error),
        }
    }

    /// The error of rows that are stored in an order that the server chooses: any row can be the first,
    /// and of two with the same key one comes after the other.
    fn any_refusal(
        &mut self,
        insert: &Insert,
        table: &Table,
        rows: Vec<Vec<Value>>,
        error: ServerError,
    ) -> ExecutionError {
        let mut errors = vec![error];
        let mut alone = Vec::new();
        let mut count = Count::default();
        for row in rows {
            self.now = Overlay::default();
            let given: Vec<_> = row.into_iter().map(Some).collect();
            match self.insert_given(insert, table, given.clone(), &mut count) {
                Ok(_) => alone.push(given),
                Err(ExecutionError::Server(error)) => errors.push(error),
                Err(error) => return error,
            }
        }
        self.now = Overlay::default();
        for given in alone {
            match self.insert_given(insert, table, given, &mut count) {
                Ok(_) => {}
                Err(ExecutionError::Server(error)) => errors.push(error),
                Err(error) => return error,
            }
        }
        self.one_error(errors)
    }

    /// Stores what is given for one row; the row that RETURNING shows, if there is one.
    fn insert_given(
        &mut self,
        insert: &Insert,
        table: &Table,
        given: Vec<Option<Value>>,
        count: &mut Count,
    ) -> Result<Option<Row>> {
        let ignores = insert.conflict == OnConflict::Ignore;
        let row = match self.fill(table, &insert.fills, given.clone()) {
            Err(ExecutionError::Server(_)) if ignores && !self.dialect.is_strictly_typed() => {
                match self.has_before(table, Event::Insert) {
                    true => {
                        unsupported("INSERT IGNORE of a row that is not valid before a trigger")
                    }
                    false => self.forced(table, &insert.fills, &given).map(Some),
                }
            }
            row => row,
        };
        let fate = match row? {
            Some(row) => self.checked_insert(insert, table, row)?,
            None => Fate::Skipped,
        };
        let new = matches!(fate, Fate::Inserted(_));
        let assigned: Vec<usize> = insert.assignments().iter().map(|one| one.column).collect();
        let (row, found, changed) = match fate {
            Fate::Inserted(row) => (row, 1, 1),
            Fate::Replaced { new, gone, same } => {
                count.unsure += if table.is_blurred() { same } else { 0 };
                (new, 1 + gone, 1 + gone)
            }
            Fate::Updated { new, changed: false } if table.has_blurred(&assigned) => {
                count.unsure += 2;
                (new, 1, 0)
            }
            // MySQL compares bytes that a NULL leaves behind, and may take the row for another one.
            Fate::Updated { new, changed: false }
                if self.dialect.counts_changed_rows() && new.iter().any(Value::is_null) =>
            {
                (new, 1, self.choices.choose(2) as u64)
            }
            Fate::Updated { new, changed: false } => (new, 1, 0),
            // MySQL counts a row that was updated twice.
            Fate::Updated { new, .. } if self.dialect.counts_changed_rows() => (new, 2, 2),
            Fate::Updated { new, .. } => (new, 1, 1),
            Fate::Skipped => return Ok(None),
        };
        count.found += found;
        count.changed += changed;
        let tells = insert.returning.is_some() && self.dialect.is_strictly_typed();
        Ok(Some(if tells { telling(&row, new) } else { row }))
    }

    /// What is given for a row; `None` stands for DEFAULT.
    fn proposal(
        &mut self,
        insert: &Insert,
        table: &Table,
        row: &[Option<Expr>],
    ) -> Result<Vec<Option<Value>>> {
        let mut values = Vec::with_capacity(row.len());
        for (place, value) in row.iter().enumerate() {
            values.push(match value {
                // MySQL stores each value before it looks at the next one.
                Some(Expr::Cast { mode: CastMode::Assign, expr, to })
                    if !self.dialect.is_strictly_typed() =>
                {
                    let value = self.eval(expr, &Frame::EMPTY)?;
                    if insert.conflict != OnConflict::Ignore {
                        self.check_given(table, &insert.fills, place, &value, *to)?;
                    }
                    Some(value)
                }
                Some(value) => Some(self.eval(value, &Frame::EMPTY)?),
                None => {
                    let checked = match self.dialect.is_strictly_typed() {
                        true => Ok(()),
                        false => check_default(&insert.fills, place, table),
                    };
                    if checked.is_err() && insert.conflict == OnConflict::Ignore {
                        return unsupported("INSERT IGNORE of DEFAULT where there is none");
                    }
                    checked?;
                    None
                }
            });
        }
        Ok(values)
    }

    /// Whether a value can be stored in its column.
    fn check_given(
        &mut self,
        table: &Table,
        fills: &[Fill],
        place: usize,
        value: &Value,
        to: Type,
    ) -> Result<()> {
        let Some(column) = filled(fills, place, table) else { return Ok(()) };
        if matches!(column.default, DefaultValue::Sequence { .. }) {
            return Ok(());
        }
        if value.is_null() && column.is_not_null() {
            return fail(ErrorClass::NotNull, format!("{} is NULL", column.name()));
        }
        self.cast(value, to, CastMode::Assign).map(drop)
    }

    /// MySQL refuses columns without a value and without a default before it looks at any row.
    fn check_omitted(&mut self, table: &Table, fills: &[Fill]) -> Result<()> {
        if self.dialect.is_strictly_typed() {
            return Ok(());
        }
        for (column, fill) in table.columns().iter().zip(fills) {
            if *fill == Fill::Default
                && column.is_not_null()
                && column.default == DefaultValue::Nothing
            {
                return fail(ErrorClass::NoDefault, format!("{} has no default", column.name()));
            }
        }
        Ok(())
    }

    /// An ENUM without a default begins as its first label, unless a trigger may leave it out in MariaDB.
    fn refuse_first_label(&self, table: &Table, column: usize) -> Result<()> {
        let column = &table.columns()[column];
        let label = matches!(column.ty(), Type::Special(Special::One(..)));
        if label && column.is_not_null() && self.has_row_triggers(table, Timing::Before) {
            return unsupported("the default of an ENUM of a table with BEFORE triggers");
        }
        Ok(())
    }

    pub(super) fn fill(
        &mut self,
        table: &Table,
        fills: &[Fill],
        given: Vec<Option<Value>>,
    ) -> Result<Option<Vec<Value>>> {
        let mut row = Vec::with_capacity(fills.len());
        for (column, fill) in fills.iter().enumerate() {
            let value = match fill {
                Fill::Given(place) => given.get(*place).cloned().flatten(),
                Fill::Default => None,
            };
            let value = match value {
                Some(value) => self.given_value(table, column, value)?,
                None => {
                    self.refuse_first_label(table, column)?;
                    self.default_value(table, column)?
                }
            };
            // What is computed from the others comes last.
            row.push(match table.columns()[column].is_computed() {
                true => value,
                false => self.assigned_value(table, column, value)?,
            });
        }
        if self.has_before(table, Event::Insert) {
            self.check_domains(table, &row)?;
            match self.fire_before(table, Event::Insert, &[], None, Some(row))? {
                Some(left) => row = left,
                None => return Ok(None),
            }
        }
        self.check_domains(table, &row)?;
        self.generate(table, &mut row)?;
        self.check_row(table, &row)?;
        Ok(Some(row))
    }

    /// MySQL asks whether a row belongs to the view that it is written through before it stores the row, and
    /// PostgreSQL afterwards; if it is a partition, before.
    fn checked_insert(&mut self, insert: &Insert, table: &Table, row: Vec<Value>) -> Result<Fate> {
        let divides = |check: &WriteCheck| check.class == ErrorClass::Check;
        let early = !self.dialect.is_strictly_typed() || insert.checks.iter().all(divides);
        if early {
            self.check_written(&insert.checks, &row)?;
        }
        let fate = self.insert_row(insert, table, row)?;
        if let Fate::Inserted(row) = &fate
            && !early
        {
            self.check_written(&insert.checks, row)?;
        }
        Ok(fate)
    }

    fn insert_row(&mut self, insert: &Insert, table: &Table, row: Vec<Value>) -> Result<Fate> {
        match &insert.conflict {
            OnConflict::Fail => {}
            OnConflict::Ignore => {
                if self.any_conflict(table, 0..table.keys().len(), &row)?.is_some()
                    || !self.may_refer(table, &row)?
                {
                    return Ok(Fate::Skipped);
                }
            }
            OnConflict::Replace => {
                let (gone, same) = self.make_room(table, &row)?;
                let row = self.put(table, row);
                self.happened(table, Event::Insert, &[], None, Some(&row));
                return Ok(Fate::Replaced { new: row, gone, same });
            }
            OnConflict::On { keys, action } => {
                let met = match self.dialect.is_strictly_typed() {
                    true => self.any_conflict(table, keys.iter().copied(), &row)?,
                    false => self.one_conflict(table, keys, &row)?,
                };
                if let Some((id, old)) = met {
                    return self.meet(action, table, id, &old, &row);
                }
            }
        }
        self.check_keys(table, &row)?;
        let row = self.put(table, row);
        self.happened(table, Event::Insert, &[], None, Some(&row));
        Ok(Fate::Inserted(row))
    }

    /// The first row that has a key of this one.
    fn any_conflict(
        &mut self,
        table: &Table,
        keys: impl Iterator<Item = usize>,
        row: &[Value],
    ) -> Result<Option<(RowId, Row)>> {
        for index in keys {
            let key = &table.keys()[index];
            if key.is_unique()
                && let Some(found) = self.conflicts(table, key, row)?.into_iter().next()
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// One of the rows that have a key of this one. In which order MySQL looks at keys depends on how they were added.
    fn one_conflict(
        &mut self,
        table: &Table,
        keys: &[usize],
        row: &[Value],
    ) -> Result<Option<(RowId, Row)>> {
        let mut all: Found = Vec::new();
        for key in keys.iter().map(|index| &table.keys()[*index]).filter(|key| key.is_unique()) {
            for (id, old) in self.conflicts(table, key, row)? {
                if all.iter().all(|(known, _)| *known != id) {
                    all.push((id, old));
                }
            }
        }
        let chosen = if all.len() > 1 { self.choices.choose(all.len()) } else { 0 };
        Ok((chosen < all.len()).then(|| all.swap_remove(chosen)))
    }

    pub(super) fn put(&mut self, table: &Table, row: Vec<Value>) -> Row {
        let row = to_row(row);
        let id = RowId::new(self.inserted);
        self.inserted += 1;
        self.now.record(Effect::Insert { table: table.id(), id, row: row.clone() });
        row
    }

    /// Deletes all rows that have a key of this one. Returns how many count, and how many do not.
    fn make_room(&mut self, table: &Table, row: &[Value]) -> Result<(u64, u64)> {
        let (mut gone, mut kept) = (0, 0);
        let last = table.keys().iter().rposition(Key::is_unique);
        for (index, key) in table.keys().iter().enumerate().filter(|(_, key)| key.is_unique()) {
            let conflicts: Found = self.conflicts(table, key, row)?;
            for (id, old) in conflicts {
                // By the last key, MySQL updates the row instead; one that stays the same does not count.
                let same = Some(index) == last && *old == *row;
                if self.has_triggers(table) {
                    return unsupported("REPLACE of a row of a table with triggers");
                }
                if same && self.catalog.has_foreign_keys() {
                    return unsupported("REPLACE by the same row if there are foreign keys");
                }
                gone += u64::from(!same);
                kept += u64::from(same);
                self.now.record(Effect::Delete { table: table.id(), id, old });
            }
        }
        Ok((gone, kept))
    }

    /// ON CONFLICT and ON DUPLICATE KEY.
    fn meet(
        &mut self,
        action: &ConflictAction,
        table: &Table,
        id: RowId,
        old: &Row,
        row: &[Value],
    ) -> Result<Fate> {
        let ConflictAction::Update { assignments, filter, once } = action else {
            return Ok(Fate::Skipped);
        };
        if *once && self.now.changed(table.id(), id).is_some() {
            return fail(ErrorClass::ChangedTwice, "a row would be changed twice");
        }
        let mut wide = [&**old, row].concat();
        if let Some(filter) = filter
            && self.truth(filter, &Frame { row: &wide, outer: None })? != Some(true)
        {
            return Ok(Fate::Skipped);
        }
        let in_turn = self.dialect.assigns_left_to_right();
        let mut new = self.assigned(table, assignments, &mut wide, 0, in_turn)?;
        let columns: Vec<usize> = assignments.iter().map(|one| one.column).collect();
        if self.has_before(table, Event::Update) {
            self.check_domains(table, &new)?;
            match self.fire_before(table, Event::Update, &columns, Some(old), Some(new))? {
                Some(left) => new = left,
                None => return Ok(Fate::Skipped),
            }
        }
        self.check_row(table, &new)?;
        self.check_changed_keys(table, id, old, &new)?;
        let (new, changed) = (to_row(new), **old != *wide.get(..old.len()).unwrap_or_default());
        let fires = self.has_row_triggers(table, Timing::After);
        if !changed && fires && !self.dialect.is_strictly_typed() {
            return unsupported(
                "ON DUPLICATE KEY UPDATE of a row with triggers that stays the same",
            );
        }
        self.now.record(Effect::Update {
            table: table.id(),
            id,
            old: old.clone(),
            new: new.clone(),
        });
        self.happened(table, Event::Update, &columns, Some(old), Some(&new));
        Ok(Fate::Updated { changed: changed || new != *old, new })
    }

    /// A row after SET; its columns are in `wide`, from `at` on. Assignments that are made in turn see
    /// what those before them did.
    pub(super) fn assigned(
        &mut self,
        table: &Table,
        assignments: &[Assignment],
        wide: &mut [Value],
        at: usize,
        in_turn: bool,
    ) -> Result<Vec<Value>> {
        let width = table.columns().len();
        let mut new = wide[at..at + width].to_vec();
        let renews = table.renewed().next().is_some();
        let before = if renews { new.clone() } else { Vec::new() };
        for Assignment { column, value } in assignments {
            let value = match value {
                Some(value) => {
                    let value = self.eval(value, &Frame { row: wide, outer: None })?;
                    self.assigned_value(table, *column, value)?
                }
                None => self.default_value(table, *column)?,
            };
            if in_turn {
                wide[at + column] = value.clone();
            }
            new[*column] = value;
        }
        if renews {
            self.renew(table, assignments, &before, &mut new)?;
        }
        self.check_domains(table, &new)?;
        self.generate(table, &mut new)?;
        Ok(new)
    }

    fn assigned_value(&mut self, table: &Table, column: usize, value: Value) -> Result<Value> {
        let described = &table.columns()[column];
        if value.is_null() && described.is_not_null() && !self.dialect.is_strictly_typed() {
            return Err(server_error(ErrorClass::NotNull, format!("{} is NULL", described.name())));
        }
        Ok(value)
    }

    /// The rows of RETURNING.
    pub(super) fn returned(
        &mut self,
        returning: Option<&(Vec<Expr>, Vec<Output>)>,
        rows: impl Iterator<Item = Vec<Value>>,
    ) -> Result<Option<Rowset>> {
        let Some((exprs, output)) = returning else { return Ok(None) };
        let mut shown = Vec::new();
        for row in rows {
            let frame = Frame { row: &row, outer: None };
            shown.push(
                exprs.iter().map(|expr| self.eval(expr, &frame)).collect::<Result<Vec<_>>>()?,
            );
        }
        let columns = output.iter().map(|column| (column.name.clone(), column.ty)).collect();
        let ends = if shown.is_empty() { Vec::new() } else { vec![shown.len()] };
        Ok(Some(Rowset { columns, rows: shown, ends, offset: 0, limit: None }))
    }
}

/// A row, and behind its columns whether it was inserted, as `RETURNING` sees it.
fn telling(row: &Row, new: bool) -> Row {
    row.iter().cloned().chain([Value::Bool(new)]).collect()
}

/// The column that is filled with the value at a place.
fn filled<'a>(fills: &[Fill], place: usize, table: &'a Table) -> Option<&'a Column> {
    let column = fills.iter().position(|fill| *fill == Fill::Given(place))?;
    table.columns().get(column)
}

/// Whether a column has a default.
fn check_default(fills: &[Fill], place: usize, table: &Table) -> Result<()> {
    match filled(fills, place, table) {
        Some(column) if column.is_not_null() && column.default == DefaultValue::Nothing => {
            fail(ErrorClass::NoDefault, format!("{} has no default", column.name()))
        }
        _ => Ok(()),
    }
}

//! A database in memory, for one session at a time: rows, lookups, and effects applied at once.
//!
//! It has no transactions. A caller that wants to go back keeps a clone.
//!
//! On top of all layers: keeps rows, and gives statements to run on them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::catalog::Catalog;
use crate::choices::{Choices, FirstChoice};
use crate::dialect::Dialect;
use crate::error::{Error, ServerError};
use crate::outcome::{Answer, Effect, StatementOutcome};
use crate::rows::{RowId, Rows, TableId};
use crate::statement::{Context, Prepared, Session, Statement};
use crate::value::{Collation, Row, Value};

/// Tables and their rows.
#[derive(Debug, Clone)]
pub struct Memory {
    catalog: Catalog,
    store: Store,
    session: Session,
    choices: FirstChoice,
}

/// The rows of all tables.
#[derive(Debug, Clone, Default)]
struct Store {
    tables: FxHashMap<TableId, Stored>,
    next: u64,
}

/// The rows of a table, and where they are by the values of some columns.
#[derive(Debug, Clone, Default)]
struct Stored {
    collations: Vec<Collation>,
    rows: BTreeMap<RowId, Row>,
    indexes: Vec<Index>,
}

/// Which rows have which values in some columns.
#[derive(Debug, Clone)]
struct Index {
    columns: Vec<usize>,
    ids: FxHashMap<Vec<Value>, Vec<RowId>>,
}

impl Memory {
    /// No tables yet.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            catalog: Catalog::new(dialect),
            store: Store::default(),
            session: Session::default(),
            choices: FirstChoice::default(),
        }
    }

    /// The collation of the database is known.
    pub fn collate(&mut self, collation: Collation) {
        self.catalog.collate(collation);
    }

    /// The time zone of all sessions is UTC.
    pub fn set_utc(&mut self) {
        self.catalog.set_utc();
    }

    /// Whether rows come as they were stored, so that no trigger fires.
    pub fn set_silent(&mut self, silent: bool) {
        self.catalog.set_silent(silent);
    }

    /// All tables and routines that are defined.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The rows of a table, in the order in which they came.
    pub fn rows(&self, table: TableId) -> impl Iterator<Item = (RowId, &Row)> {
        let stored = self.store.tables.get(&table);
        stored.into_iter().flat_map(|stored| stored.rows.iter().map(|(id, row)| (*id, row)))
    }

    /// Reads a statement; one that differs from an earlier one in literals only is not parsed again.
    pub fn prepare(&mut self, text: &str) -> Result<Statement, Error> {
        Statement::prepare(text, self.catalog.dialect())
    }

    /// Carries out a statement with the first of all possibilities, and keeps what it does.
    pub fn run(&mut self, text: &str) -> Result<StatementOutcome, Error> {
        let statement = self.prepare(text)?;
        if statement.is_definition() {
            let answer = self.define(&statement)?;
            return Ok(StatementOutcome { answer, effects: Vec::new() });
        }
        let prepared = statement.plan(&self.catalog, &[])?;
        let outcome = {
            let mut choices = std::mem::take(&mut self.choices);
            let outcome = self.try_out(&prepared, &[], &mut choices);
            self.choices = choices;
            outcome?
        };
        self.keep(&outcome.effects);
        Ok(outcome)
    }

    /// Carries out a statement that changes tables.
    pub fn define(&mut self, statement: &Statement) -> Result<Result<Answer, ServerError>, Error> {
        let before = self.catalog.names();
        let done = statement.define(&mut self.catalog)?;
        for table in self.catalog.tables() {
            self.store.tables.entry(table.id()).or_insert_with(|| Stored {
                collations: table
                    .columns()
                    .iter()
                    .map(|column| self.catalog.collation_of(column))
                    .collect(),
                ..Stored::default()
            });
        }
        let work = match done {
            Ok(Some(work)) => work,
            Ok(None) => return Ok(Ok(Answer::done())),
            Err(failure) => return Ok(Err(failure)),
        };
        let outcome = self.try_out(&work, &[], &mut FirstChoice::default())?;
        match &outcome.answer {
            Ok(_) => self.keep(&outcome.effects),
            Err(_) => self.catalog.undo_to(&before),
        }
        Ok(outcome.answer)
    }

    /// Carries out a statement without keeping what it does.
    pub fn try_out(
        &mut self,
        prepared: &Prepared,
        params: &[Value],
        choices: &mut dyn Choices,
    ) -> Result<StatementOutcome, Error> {
        let Self { catalog, store, session, .. } = self;
        prepared.execute(Context { catalog, rows: store, choices, session, params })
    }

    /// Keeps what a statement did.
    pub fn keep(&mut self, effects: &[Effect]) {
        let first = self.store.next;
        for effect in effects {
            let stored = self.store.tables.entry(effect.table()).or_default();
            match effect {
                Effect::Insert { id, row, .. } => {
                    let id = real(*id, first);
                    self.store.next = self.store.next.max(id.0 + 1);
                    stored.add(id, row);
                }
                Effect::Update { id, new, .. } => {
                    stored.remove(real(*id, first));
                    stored.add(real(*id, first), new);
                }
                Effect::Delete { id, .. } => stored.remove(real(*id, first)),
                Effect::Truncate { .. } => {
                    stored.rows.clear();
                    stored.indexes.clear();
                }
            }
        }
    }
}

/// The number of a row, also of one that was inserted by the same run.
fn real(id: RowId, first: u64) -> RowId {
    id.as_new().map_or(id, |number| RowId(first + number))
}

impl Stored {
    fn add(&mut self, id: RowId, row: &Row) {
        for index in &mut self.indexes {
            index.ids.entry(key(&self.collations, &index.columns, row)).or_default().push(id);
        }
        self.rows.insert(id, row.clone());
    }

    fn remove(&mut self, id: RowId) {
        let Some(row) = self.rows.remove(&id) else { return };
        for index in &mut self.indexes {
            if let Some(ids) = index.ids.get_mut(&key(&self.collations, &index.columns, &row)) {
                ids.retain(|one| *one != id);
            }
        }
    }

    /// The index over these columns; it is made when it is first wanted.
    fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(place) = self.indexes.iter().position(|index| index.columns == columns) {
            return place;
        }
        let mut ids: FxHashMap<Vec<Value>, Vec<RowId>> = FxHashMap::default();
        for (id, row) in &self.rows {
            ids.entry(key(&self.collations, columns, row)).or_default().push(*id);
        }
        self.indexes.push(Index { columns: columns.to_vec(), ids });
        self.indexes.len() - 1
    }
}

/// The values of some columns, in the form in which they are looked up.
fn key(collations: &[Collation], columns: &[usize], row: &Row) -> Vec<Value> {
    let collation = |column: &usize| collations.get(*column).copied().unwrap_or(Collation::Bytes);
    columns.iter().map(|column| row[*column].canonical(collation(column))).collect()
}

impl Rows for Store {
    fn scan(&mut self, table: TableId, into: &mut Vec<(RowId, Row)>) {
        if let Some(stored) = self.tables.get(&table) {
            into.extend(stored.rows.iter().map(|(id, row)| (*id, row.clone())));
        }
    }

    fn lookup(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        let Some(stored) = self.tables.get_mut(&table) else { return };
        let place = stored.index(columns);
        let Some(ids) = stored.indexes[place].ids.get(values) else { return };
        into.extend(ids.iter().filter_map(|id| Some((*id, stored.rows.get(id)?.clone()))));
    }
}

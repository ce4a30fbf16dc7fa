//! Carrying out plans, over rows that somebody else keeps.
//!
//! A run reads through [`Rows`] and leaves to [`Choices`] whatever the server is free to decide. It
//! changes nothing: what a statement does comes out as a list of effects. Given the same answers of
//! both, a run always does the same.

mod aggregate;
mod arith;
mod choose;
mod constraints;
mod convert;
mod delete;
mod eval;
mod functions;
mod insert;
mod logic;
mod order;
mod overlay;
mod query;
mod reach;
mod source;
mod store;
mod subquery;
mod text_functions;
mod update;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::catalog::{Catalog, TableId};
use crate::dialect::Dialect;
use crate::error::{Failure, Result, Stop, unsupported};
use crate::outcome::{Answer, Effect};
use crate::plan::Plan;
use crate::value::{Row, Value};

pub(crate) use choose::may_fail;
pub(crate) use convert::{convert, to_text};
pub(crate) use logic::truth;
pub(crate) use overlay::Overlay;
pub(crate) use reach::Outline;
pub use reach::{Reach, Region};

/// The number of a row, given by whoever keeps the rows. It stays the same while the row is updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub u64);

impl RowId {
    const NEW: u64 = 1 << 63;

    /// A row that was inserted by the same run, the how-many-th.
    pub fn new(number: u64) -> Self {
        Self(number | Self::NEW)
    }

    /// Which insertion of the same run it was, if it was one.
    pub fn as_new(self) -> Option<u64> {
        (self.0 & Self::NEW != 0).then_some(self.0 & !Self::NEW)
    }
}

/// Rows of tables, as a statement may see them.
pub trait Rows {
    /// Adds all rows of a table to `into`.
    fn scan(&mut self, table: TableId, into: &mut Vec<(RowId, Row)>);

    /// Adds all rows of a table whose columns are equal to these values to `into`, as the canonical
    /// forms of both are ([`Value::canonical`] with the collation of the column); others may come, too.
    fn lookup(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    );

    /// The same for rows that a new one must not share a key with: a database looks for them among
    /// the newest rows, whatever the statement sees otherwise.
    fn holders(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        self.lookup(table, columns, values, into);
    }
}

/// Decides what the server is free to decide.
pub trait Choices {
    /// One of several possibilities, counted from zero. There are at least two.
    fn choose(&mut self, alternatives: usize) -> usize;

    /// A value of the server's own.
    fn open(&mut self, what: &Open) -> Value;
}

/// A value that only the server knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Open {
    /// The next number of a column's sequence.
    Sequence {
        /// The table.
        table: TableId,
        /// The column.
        column: usize,
    },
    /// The time of the statement or the transaction.
    Now,
    /// The day of the statement or the transaction.
    Today,
    /// A number between 0 and 1.
    Random,
    /// The last number of a sequence that this session was given.
    LastInsertId,
}

/// A row, and the rows of the queries around it.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) row: &'a [Value],
    pub(crate) outer: Option<&'a Frame<'a>>,
}

impl Frame<'_> {
    /// No row at all.
    pub(crate) const EMPTY: Frame<'static> = Frame { row: &[], outer: None };
}

/// Rows with their numbers.
pub(crate) type Found = Vec<(RowId, Row)>;

/// One statement that is being carried out, and the routines that it calls.
pub(crate) struct Run<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) dialect: Dialect,
    pub(crate) rows: &'a mut dyn Rows,
    pub(crate) choices: &'a mut dyn Choices,
    pub(crate) params: &'a [Value],
    pub(crate) locals: Vec<Value>,
    /// Variables of the session (`@x`).
    pub(crate) session: &'a mut BTreeMap<String, Value>,
    /// What earlier statements of the same routine did; statements see it.
    pub(crate) past: Overlay,
    /// What this statement does; only constraints see it.
    pub(crate) now: Overlay,
    /// Does the statement change rows?
    pub(crate) writes: bool,
    pub(crate) scans: Vec<(TableId, Arc<Found>)>,
    pub(crate) subqueries: FxHashMap<usize, Arc<Vec<Vec<Value>>>>,
    /// Whether an error in a condition is hidden by conditions that fail: where the conditions are, which
    /// one has the error, which ones fail.
    pub(crate) hidden: FxHashMap<(usize, usize, Vec<usize>), bool>,
    /// Does this statement fail where MySQL may fail or only warn?
    pub(crate) fails_on_warnings: Option<bool>,
    /// An error in a condition on one table of a join, which shows only if the server looks there first.
    pub(crate) early_error: Option<Failure>,
    /// Are rows that end in an error passed over?
    pub(crate) forgiving: bool,
    pub(crate) inserted: u64,
    /// How deep routines call each other.
    pub(crate) depth: usize,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        catalog: &'a Catalog,
        rows: &'a mut dyn Rows,
        choices: &'a mut dyn Choices,
        params: &'a [Value],
        session: &'a mut BTreeMap<String, Value>,
    ) -> Self {
        Self {
            catalog,
            dialect: catalog.dialect(),
            rows,
            choices,
            params,
            locals: Vec::new(),
            session,
            past: Overlay::default(),
            now: Overlay::default(),
            writes: false,
            scans: Vec::new(),
            subqueries: FxHashMap::default(),
            hidden: FxHashMap::default(),
            fails_on_warnings: None,
            early_error: None,
            forgiving: false,
            inserted: 0,
            depth: 0,
        }
    }

    /// Carries out a statement. If it fails, it has done nothing.
    pub(crate) fn statement(&mut self, plan: &Plan) -> Result<Answer> {
        if let Plan::Doubtful(failure, plan) = plan {
            return match self.choices.choose(2) {
                0 => Err(Stop::Failure(failure.clone())),
                _ => self.statement(plan),
            };
        }
        self.scans.clear();
        self.subqueries.clear();
        self.hidden.clear();
        self.fails_on_warnings = None;
        self.writes = matches!(plan, Plan::Insert(_) | Plan::Update(_) | Plan::Delete(_));
        let answer = match plan {
            Plan::Query(query) => self.answer(query),
            Plan::Insert(insert) => self.insert(insert),
            Plan::Update(update) => self.update(update),
            Plan::Delete(delete) => self.delete(delete),
            Plan::Truncate(tables) => self.truncate(tables),
            Plan::Call { name, args, targets } => return self.call_procedure(name, args, targets),
            Plan::Doubtful(..) => return unsupported("a doubt inside a doubt"),
        };
        self.writes = false;
        let now = std::mem::take(&mut self.now);
        if answer.is_ok() {
            self.past.absorb(now);
        }
        answer
    }

    fn truncate(&mut self, tables: &[TableId]) -> Result<Answer> {
        for table in tables {
            self.now.record(Effect::Truncate { table: *table });
        }
        Ok(Answer::done())
    }

    /// All rows of a table, as the statement sees them.
    pub(crate) fn scan(&mut self, table: TableId) -> Arc<Found> {
        if let Some((_, rows)) = self.scans.iter().find(|(scanned, _)| *scanned == table) {
            return Arc::clone(rows);
        }
        let mut rows = Vec::new();
        self.rows.scan(table, &mut rows);
        self.past.show(table, &mut rows, &|_| true);
        let rows = Arc::new(rows);
        self.scans.push((table, Arc::clone(&rows)));
        rows
    }

    /// The rows of a table that may have these values in these columns.
    pub(crate) fn lookup(&mut self, table: TableId, columns: &[usize], values: &[Value]) -> Found {
        let mut rows = Vec::new();
        self.rows.lookup(table, columns, values, &mut rows);
        if !self.past.is_empty() {
            // What the earlier statements left may match or not; the conditions are checked again.
            self.past.show(table, &mut rows, &|_| true);
        }
        rows
    }

    /// The rows of a table that may hold a key, whatever the statement sees otherwise.
    pub(crate) fn holders(&mut self, table: TableId, columns: &[usize], values: &[Value]) -> Found {
        let mut rows = Vec::new();
        self.rows.holders(table, columns, values, &mut rows);
        if !self.past.is_empty() {
            self.past.show(table, &mut rows, &|_| true);
        }
        rows
    }

    /// A value of the server's own.
    pub(crate) fn open(&mut self, what: &Open) -> Value {
        self.choices.open(what)
    }

    /// Whether something of which MySQL warns in a query is an error here. Where rows are changed, it
    /// depends on the server's plan.
    pub(crate) fn warning_fails(&mut self) -> bool {
        if !self.writes {
            return false;
        }
        match self.fails_on_warnings {
            Some(fails) => fails,
            None => {
                let fails = self.choices.choose(2) == 0;
                self.fails_on_warnings = Some(fails);
                fails
            }
        }
    }

    /// What the statements of this run did.
    pub(crate) fn into_effects(self) -> Vec<Effect> {
        self.past.into_effects()
    }

    /// Stops if routines call each other without end.
    pub(crate) fn enter(&mut self) -> Result<()> {
        if self.depth >= 60 {
            return unsupported("routines that call each other this deeply");
        }
        self.depth += 1;
        Ok(())
    }
}

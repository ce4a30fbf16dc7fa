//! What a run holds while it carries out a statement, and how it sees rows.
//!
//! Layer `run`; knows the catalog, plans, and the ground. The rest of the layer adds to [`Run`], one
//! file for each kind of node.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::catalog::{Catalog, Routine};
use crate::choices::{Choices, Open};
use crate::dialect::Dialect;
use crate::error::{Result, ServerError, unsupported};
use crate::outcome::{Effect, Rowset};
use crate::plan::NodeId;
use crate::rows::{Found, RowId, Rows, TableId};
use crate::value::Value;

use super::firing::{Firing, Triggered};
use super::overlay::Overlay;

/// Carries out the bodies of routines that statements call. How that is done is known one layer further
/// up.
pub(crate) trait Routines {
    /// Carries out the body of a routine, with its parameters and variables as the locals of the run.
    fn call(&self, run: &mut Run<'_>, routine: &Routine, args: Vec<Value>) -> Result<Called>;

    /// Carries out the body of a trigger. Returns the row as it leaves it, or `None` if the row is left out.
    fn fire(&self, run: &mut Run<'_>, firing: &Firing<'_>) -> Result<Option<Vec<Value>>>;
}

/// What a routine leaves behind.
pub(crate) struct Called {
    /// What RETURN says, if the routine came to one; it need not say a value.
    pub(crate) returned: Option<Option<Value>>,
    /// The parameters as they are in the end.
    pub(crate) params: Vec<Value>,
    /// The results for the client.
    pub(crate) results: Vec<Rowset>,
    /// The rows of a function that returns several.
    pub(crate) rows: Vec<Vec<Value>>,
}

/// No routine can be called.
pub(crate) struct NoRoutines;

impl Routines for NoRoutines {
    fn call(&self, _: &mut Run<'_>, routine: &Routine, _: Vec<Value>) -> Result<Called> {
        unsupported(format!("a call of {} here", routine.name))
    }

    fn fire(&self, _: &mut Run<'_>, firing: &Firing<'_>) -> Result<Option<Vec<Value>>> {
        unsupported(format!("the trigger {} here", firing.trigger.name))
    }
}

/// Something that the server decides once for all rows of a statement, by the plan that it makes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Decision {
    /// Is the error of one condition hidden, because others that fail come first?
    HidesError {
        /// The node that the conditions belong to.
        node: NodeId,
        /// Which of them has the error.
        error: usize,
        /// Which of them fail.
        failing: Vec<usize>,
    },
    /// Does the server meet an error in this query inside a condition, or beside it?
    MeetsError(NodeId),
    /// Does this COUNT compute nothing, because what it counts cannot be NULL?
    CountsOnly(NodeId),
}

/// One statement that is being carried out, and the routines that it calls.
pub(crate) struct Run<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) dialect: Dialect,
    pub(crate) rows: &'a mut dyn Rows,
    pub(crate) choices: &'a mut dyn Choices,
    pub(crate) routines: &'a dyn Routines,
    pub(crate) params: &'a [Value],
    pub(crate) locals: Vec<Value>,
    /// Variables of the session (`@x`).
    pub(crate) session: &'a mut BTreeMap<String, Value>,
    /// What earlier statements of the same routine did; statements see it.
    pub(crate) past: Overlay,
    /// What this statement does; only constraints see it.
    pub(crate) now: Overlay,
    /// What the statements around did so far, of whose triggers this is one; it is seen, too.
    pub(crate) below: Vec<Overlay>,
    /// What this statement did that triggers wait for.
    pub(crate) triggered: Triggered,
    /// Does the statement change rows?
    pub(crate) writes: bool,
    pub(crate) memo: Memo,
    /// Does this statement fail where MySQL may fail or only warn?
    pub(crate) fails_on_warnings: Option<bool>,
    /// Errors in conditions on some tables of a join, one of each class. They show only if the server looks there first.
    pub(crate) early_errors: Vec<ServerError>,
    /// What conditions that end in an error are taken for, while it is tried whether they matter.
    pub(crate) assumed: Option<bool>,
    /// Are rows that end in an error passed over?
    pub(crate) forgiving: bool,
    /// The rows that came last in the recursive queries around.
    pub(crate) working: Vec<(usize, Arc<Vec<Vec<Value>>>)>,
    pub(crate) inserted: u64,
    /// How deep routines call each other.
    pub(crate) depth: usize,
}

/// What a run remembers within one statement.
#[derive(Default)]
pub(crate) struct Memo {
    /// The rows of tables that were read.
    pub(crate) scans: Vec<(TableId, Arc<Found>)>,
    /// The rows of queries that give the same wherever they stand.
    pub(crate) subqueries: FxHashMap<NodeId, Arc<Vec<Vec<Value>>>>,
    pub(crate) decisions: FxHashMap<Decision, bool>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        catalog: &'a Catalog,
        rows: &'a mut dyn Rows,
        choices: &'a mut dyn Choices,
        routines: &'a dyn Routines,
        params: &'a [Value],
        session: &'a mut BTreeMap<String, Value>,
    ) -> Self {
        Self {
            catalog,
            dialect: catalog.dialect(),
            rows,
            choices,
            routines,
            params,
            locals: Vec::new(),
            session,
            past: Overlay::default(),
            now: Overlay::default(),
            below: Vec::new(),
            triggered: Triggered::default(),
            writes: false,
            memo: Memo::default(),
            fails_on_warnings: None,
            early_errors: Vec::new(),
            assumed: None,
            forgiving: false,
            working: Vec::new(),
            inserted: 0,
            depth: 0,
        }
    }

    /// All rows of a table, as the statement sees them.
    pub(crate) fn scan(&mut self, table: TableId) -> Arc<Found> {
        if let Some((_, rows)) = self.memo.scans.iter().find(|(scanned, _)| *scanned == table) {
            return Arc::clone(rows);
        }
        let mut rows = Vec::new();
        self.rows.scan(table, &mut rows);
        self.show_done(table, &mut rows);
        let rows = Arc::new(rows);
        self.memo.scans.push((table, Arc::clone(&rows)));
        rows
    }

    /// Changes rows to what earlier statements of the run made of them.
    fn show_done(&self, table: TableId, rows: &mut Found) {
        for done in std::iter::once(&self.past).chain(&self.below) {
            done.show(table, rows, &|_| true);
        }
    }

    /// Whether an earlier statement of the run has changed something.
    pub(super) fn has_done_something(&self) -> bool {
        !self.past.is_empty() || self.below.iter().any(|done| !done.is_empty())
    }

    /// Whether an earlier statement of the run has changed a row.
    pub(super) fn has_changed(&self, table: TableId, id: RowId) -> bool {
        std::iter::once(&self.past).chain(&self.below).any(|done| done.has(table, id))
    }

    /// What was done so far by statements that are over, to come back to it.
    pub(crate) fn mark(&self) -> (Overlay, u64) {
        (self.below.last().unwrap_or(&self.past).clone(), self.inserted)
    }

    /// Takes back what was done since a mark.
    pub(crate) fn go_back(&mut self, (mark, inserted): (Overlay, u64)) {
        self.inserted = inserted;
        *self.below.last_mut().unwrap_or(&mut self.past) = mark;
        (self.now, self.memo) = (Overlay::default(), Memo::default());
    }

    /// A statement is over: what it did is seen by the next one.
    pub(super) fn absorb(&mut self, now: Overlay) {
        self.below.last_mut().unwrap_or(&mut self.past).absorb(now);
    }

    /// The rows of a table that may have these values in these columns.
    pub(crate) fn lookup(&mut self, table: TableId, columns: &[usize], values: &[Value]) -> Found {
        let mut rows = Vec::new();
        self.rows.lookup(table, columns, values, &mut rows);
        // What the earlier statements left may match or not; the conditions are checked again.
        self.show_done(table, &mut rows);
        rows
    }

    /// The rows of a table that may hold a key, whatever the statement sees otherwise.
    pub(crate) fn holders(&mut self, table: TableId, columns: &[usize], values: &[Value]) -> Found {
        let mut rows = Vec::new();
        self.rows.holders(table, columns, values, &mut rows);
        self.show_done(table, &mut rows);
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

    /// What the server decided, or decides now.
    pub(crate) fn decide(&mut self, decision: Decision) -> bool {
        if let Some(known) = self.memo.decisions.get(&decision) {
            return *known;
        }
        let decided = self.choices.choose(2) == 0;
        self.memo.decisions.insert(decision, decided);
        decided
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

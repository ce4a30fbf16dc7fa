//! What is known while a statement is bound.
//!
//! Layer `bind`; knows scopes and the catalog. The rest of the layer adds to [`Binder`], one file for
//! each part of the grammar.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::{Catalog, Table, View, is_of_the_system, table_name};
use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, ServerError, fail, server_error, unsupported};
use crate::parse::Overriding;
use crate::plan::{Aggregate, Expr, NodeIds, Output, Plan, Query};
use crate::types::Type;
use crate::value::Value;

use super::scope::{Recursive, Scope, WindowCalls};

/// An expression and its type.
pub(crate) type Typed = (Expr, Type);

/// Binds one statement.
pub(crate) struct Binder<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) dialect: Dialect,
    /// Types of parameters as far as they are known.
    pub(super) params: &'a [Type],
    /// Variables of the routine around the statement.
    pub(super) locals: &'a [(String, Type)],
    /// Values of these variables, as far as they are known.
    pub(super) values: &'a [Value],
    /// Queries around the expression, the innermost last.
    pub(super) scopes: Vec<Scope>,
    /// Aggregates of the query that is being bound; `None` where there may be none.
    pub(super) aggregates: Option<Vec<Aggregate>>,
    /// Window functions of the query that is being bound; `None` where there may be none.
    pub(super) windows: Option<WindowCalls>,
    /// Queries with names (`WITH`).
    pub(super) named: Vec<(String, Query)>,
    /// Recursive queries that were met, and the one whose step is being bound.
    pub(super) recursions: Vec<Recursive>,
    pub(super) recursing: Option<usize>,
    /// Whether the WITH that comes next may change rows, and the changes that were met.
    pub(super) allows_changes: bool,
    pub(super) changes: Vec<(usize, Plan)>,
    /// Transition tables of the trigger around the statement.
    pub(super) transitions: Vec<Recursive>,
    /// Queries of WITH that were used and have a LIMIT.
    pub(super) spent: Vec<usize>,
    /// Tables that the query locks, by the names they have there; `None` if it locks none, empty if all.
    pub(super) locks: Option<Vec<String>>,
    /// How deep expressions and queries are nested.
    pub(super) depth: usize,
    /// Do columns of a query stay without a type, because a table will give it to them?
    pub(super) leaves_types_open: bool,
    /// What the INSERT that is bound says about the values of identity columns.
    pub(super) overriding: Option<Overriding>,
    /// An error in an expression that was computed early, and whether the server must find it, too.
    pub(super) deferred: Option<(ServerError, bool)>,
    /// How many queries are around the one that is being bound.
    pub(super) inner: usize,
    /// The tables and views that are named in FROM.
    pub(super) used: Vec<Arc<Table>>,
    pub(super) used_views: Vec<Arc<View>>,
    /// The blurred columns that the statement returns: their places in the answer and their names; `None` if it may
    /// return none.
    pub(crate) masks: Option<Vec<(usize, String)>>,
    /// Whether the SELECT that is bound next shows its rows to the client, one by one.
    pub(super) outermost: bool,
    /// Whether the items that are bound next may be such columns.
    pub(super) masking: bool,
    /// Numbers the nodes of what is bound.
    pub(super) ids: NodeIds,
}

/// No sane statement is nested deeper; we stop before our stack does.
const MAX_DEPTH: usize = 120;

impl<'a> Binder<'a> {
    pub(crate) fn new(
        catalog: &'a Catalog,
        params: &'a [Type],
        locals: &'a [(String, Type)],
    ) -> Self {
        Self {
            catalog,
            dialect: catalog.dialect(),
            params,
            locals,
            values: &[],
            scopes: Vec::new(),
            aggregates: None,
            windows: None,
            named: Vec::new(),
            recursions: Vec::new(),
            recursing: None,
            allows_changes: false,
            changes: Vec::new(),
            transitions: Vec::new(),
            spent: Vec::new(),
            locks: None,
            depth: 0,
            leaves_types_open: false,
            overriding: None,
            deferred: None,
            inner: 0,
            used: Vec::new(),
            used_views: Vec::new(),
            masks: None,
            outermost: false,
            masking: false,
            ids: NodeIds::default(),
        }
    }

    /// With the values that variables have now, which a planner may look at.
    pub(crate) fn knowing(self, values: &'a [Value]) -> Self {
        Self { values, ..self }
    }

    /// With tables that a trigger has: their names, numbers and columns.
    pub(crate) fn with_transitions(self, all: &[(String, usize, Vec<Output>)]) -> Self {
        let transitions = all.iter().map(|(name, number, output)| Recursive {
            name: name.clone(),
            number: *number,
            output: output.clone(),
        });
        Self { transitions: transitions.collect(), ..self }
    }

    pub(super) fn table(&self, name: &ast::ObjectName) -> Result<&'a Arc<Table>> {
        let name = table_name(name)?;
        match self.catalog.named(&name)? {
            Some(table) => Ok(table),
            None if self.catalog.view(&name).is_some() => {
                unsupported(format!("this use of the view {name}"))
            }
            None if is_of_the_system(self.dialect, &name) => {
                unsupported(format!("a query on the system catalog {name}"))
            }
            None => fail(ErrorClass::UndefinedTable, format!("table {name} does not exist")),
        }
    }

    /// Runs `bind` one level deeper.
    pub(super) fn deeper<T>(&mut self, bind: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return unsupported("a statement that is nested this deeply");
        }
        self.depth += 1;
        let bound = bind(self);
        self.depth -= 1;
        bound
    }

    /// The innermost query.
    pub(super) fn scope(&mut self) -> Result<&mut Scope> {
        self.scopes.last_mut().ok_or_else(|| server_error(ErrorClass::UndefinedColumn, "no table"))
    }
}

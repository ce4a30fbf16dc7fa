//! Which names an expression can use.
//!
//! Layer `bind`; knows tables and types.

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ErrorClass, ExecutionError, Result, fail};
use crate::plan::{Output, Window};
use crate::types::Type;

/// The tables of one query, side by side.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    pub(super) relations: Vec<Relation>,
    /// Names of the query's own columns, where they may be used (`HAVING` and `ORDER BY` of MySQL).
    pub(super) aliases: Vec<(String, ast::Expr)>,
}

/// A table with the name it has in a query.
#[derive(Debug, Clone)]
pub(crate) struct Relation {
    pub(super) name: String,
    pub(super) columns: Vec<ScopeColumn>,
    /// The number of its first column in the rows of the query.
    pub(super) at: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct ScopeColumn {
    pub(super) name: String,
    pub(super) ty: Type,
    /// Is it left out of `*` and of lookups without the table's name (the second column of `USING`)?
    pub(super) merged: bool,
    /// The first column of `USING` comes first in `*`: before the columns of which relation, for which
    /// join, and as the how-many-th of it.
    pub(super) leads: Option<(usize, usize, usize)>,
    /// Is it a number that may have more digits than are shown, a quotient of another query?
    pub(super) unsure: bool,
    /// The column with its table if it is blurred, so that it may not be used.
    pub(super) blurred: Option<String>,
}

impl ScopeColumn {
    /// A column that only has a name and a type.
    pub(crate) fn new(name: &str, ty: Type) -> Self {
        Self { name: name.to_owned(), ty, merged: false, leads: None, unsure: false, blurred: None }
    }

    /// The number of the row, which no name stands for.
    pub(crate) fn row_number() -> Self {
        Self { merged: true, ..Self::new("", Type::INT8) }
    }

    /// Refuses to use a blurred column.
    pub(super) fn refuse_blurred(&self) -> Result<()> {
        match &self.blurred {
            Some(column) => Err(ExecutionError::Blurred(column.clone())),
            None => Ok(()),
        }
    }
}

/// Rows with a name that another part of the statement gives: a recursive query whose step is being bound, or
/// a change in WITH.
#[derive(Debug, Clone)]
pub(crate) struct Recursive {
    pub(super) name: String,
    pub(super) number: usize,
    pub(super) output: Vec<Output>,
}

/// The window functions that a query calls, and the windows that it names.
#[derive(Debug, Default)]
pub(crate) struct WindowCalls {
    pub(super) named: Vec<ast::NamedWindowDefinition>,
    pub(super) calls: Vec<Window>,
}

impl WindowCalls {
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

impl Relation {
    pub(super) fn of_table(table: &Table, name: &str, at: usize) -> Self {
        let columns = table.columns().iter();
        let columns = columns
            .map(|column| ScopeColumn {
                // A column that a view hides has no name.
                merged: column.name().is_empty(),
                blurred: table.blurred_name(column),
                ..ScopeColumn::new(column.name(), column.ty())
            })
            .collect();
        Self { name: name.to_owned(), columns, at }
    }

    fn find(&self, name: &str) -> Option<(usize, &ScopeColumn)> {
        let mut columns = self.columns.iter().enumerate();
        let (index, column) = columns.find(|(_, one)| one.name.eq_ignore_ascii_case(name))?;
        Some((self.at + index, column))
    }
}

impl Scope {
    pub(super) fn of_table(table: &Table, name: &str) -> Self {
        Self { relations: vec![Relation::of_table(table, name, 0)], aliases: Vec::new() }
    }

    pub(super) fn width(&self) -> usize {
        self.relations.last().map_or(0, |last| last.at + last.columns.len())
    }

    /// The column with a number in the rows of the query.
    pub(super) fn column_mut(&mut self, number: usize) -> Option<&mut ScopeColumn> {
        let relation = self.relations.iter_mut().rfind(|relation| relation.at <= number)?;
        relation.columns.get_mut(number - relation.at)
    }

    /// Says whether it was there; an error if it could be several.
    pub(super) fn find(&self, relation: Option<&str>, name: &str) -> Result<Option<(usize, Type)>> {
        let mut found = None;
        for candidate in &self.relations {
            if relation.is_some_and(|wanted| !candidate.name.eq_ignore_ascii_case(wanted)) {
                continue;
            }
            let Some((index, column)) = candidate.find(name) else { continue };
            if column.merged && relation.is_none() {
                continue;
            }
            column.refuse_blurred()?;
            if found.replace((index, column.ty)).is_some() {
                return fail(
                    ErrorClass::AmbiguousColumn,
                    format!("column reference {name} is ambiguous"),
                );
            }
        }
        Ok(found)
    }
}

/// Refuses to use a blurred column.
pub(super) fn refuse_blurred(table: &Table, column: usize) -> Result<()> {
    match table.blurred_name(&table.columns()[column]) {
        Some(name) => Err(ExecutionError::Blurred(name)),
        None => Ok(()),
    }
}

//! Tables: columns, keys, conditions, and references to other tables.
//!
//! Layer `catalog`; knows plans, because a table keeps its CHECKs and DEFAULTs bound.

use std::sync::Arc;

use crate::plan::{Expr, NodeIds, Output, number_expr, rewrite, walk_columns};
use crate::rows::TableId;
use crate::types::Type;
use crate::value::Collation;

use super::default::{DefaultValue, Domain};
use super::foreign::ForeignKey;
use super::nature::Nature;
use super::trigger::Trigger;

/// A table as a `CREATE TABLE` statement defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub(crate) id: TableId,
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) keys: Vec<Key>,
    pub(crate) checks: Vec<Check>,
    pub(crate) foreign: Vec<ForeignKey>,
    /// In the order in which they fire.
    pub(crate) triggers: Vec<Trigger>,
    /// How the texts of new columns compare, if the table says so.
    pub(crate) collation: Option<Collation>,
    pub(crate) nature: Nature,
}

impl Table {
    /// A table without columns.
    pub(crate) fn empty(id: TableId, name: String) -> Self {
        Self {
            id,
            name,
            columns: Vec::new(),
            keys: Vec::new(),
            checks: Vec::new(),
            foreign: Vec::new(),
            triggers: Vec::new(),
            collation: None,
            nature: Nature::default(),
        }
    }

    /// The number of the table in its catalog.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// The name without quotes, with its schema if the definition names one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name that columns have in front of them.
    pub fn short_name(&self) -> &str {
        short_name(&self.name)
    }

    /// Its columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Its keys, the primary one first.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Whether a change of its rows may call routines: a default, a check or a trigger does.
    pub fn calls_routines(&self) -> bool {
        if self.triggers.iter().any(|trigger| trigger.enabled) {
            return true;
        }
        let defaults = self.columns.iter().filter_map(|column| match &column.default {
            DefaultValue::Expr(expr)
            | DefaultValue::Generated(expr)
            | DefaultValue::Virtual(expr) => Some(expr),
            _ => None,
        });
        let mut found = false;
        for expr in defaults.chain(self.checks.iter().map(|check| &check.expr)) {
            rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, _: usize| {
                found |= matches!(part, Expr::Routine { .. });
                true
            });
        }
        found
    }

    /// Whether no statement can tell the two tables apart: indexes may differ that do nothing, and references unless
    /// statements look at all of them.
    pub(super) fn behaves_like(&self, other: &Self, all_references: bool) -> bool {
        let unique = |table: &Self| -> Vec<Key> {
            table.keys.iter().filter(|key| key.is_exclusive()).cloned().collect()
        };
        let acting = |table: &Self| -> Vec<ForeignKey> {
            table.foreign.iter().filter(|key| all_references || key.acts()).cloned().collect()
        };
        self.id == other.id
            && self.name == other.name
            && self.columns == other.columns
            && self.collation == other.collation
            && self.checks == other.checks
            && self.nature == other.nature
            && unique(self) == unique(other)
            && acting(self) == acting(other)
            && self.triggers == other.triggers
    }

    /// Gives every expression of the table ids of its own.
    pub(crate) fn number(&mut self) {
        let mut ids = NodeIds::of_table(self.id);
        for column in &mut self.columns {
            if let DefaultValue::Expr(expr)
            | DefaultValue::Generated(expr)
            | DefaultValue::Virtual(expr) = &mut column.default
            {
                number_expr(&mut ids, expr);
            }
        }
        let filters = self.keys.iter_mut().flat_map(Key::bound_mut);
        let checks = self.checks.iter_mut().map(|check| &mut check.expr);
        checks.chain(filters).for_each(|expr| number_expr(&mut ids, expr));
    }

    /// The columns that change with others: their values are computed.
    pub(crate) fn generated(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        let generated = |column: &Column| {
            matches!(column.default, DefaultValue::Generated(_) | DefaultValue::Virtual(_))
        };
        columns.filter(move |(_, column)| generated(column)).map(|(place, _)| place)
    }

    /// The columns that hold the time at which their row was changed last.
    pub(crate) fn renewed(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, column)| column.renewed).map(|(place, _)| place)
    }

    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }
}

/// A condition that rows have to meet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Check {
    pub(crate) name: String,
    pub(crate) expr: Expr,
    /// Whether the rows that are there meet it; those that come later do in any case.
    pub(crate) valid: bool,
}

/// A column of a table: its name, type and default value.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) not_null: bool,
    pub(crate) default: DefaultValue,
    /// Whether it holds the time at which its row was changed last (`ON UPDATE CURRENT_TIMESTAMP`).
    pub(crate) renewed: bool,
    /// What its values have to meet because of their type.
    pub(crate) domain: Option<Arc<Domain>>,
    /// Whether nothing is known of its values, so that no statement may use them ([`crate::Catalog::blurred`]).
    pub(crate) blurred: bool,
}

impl Column {
    /// A column that is computed by a query.
    pub(crate) fn of_output(output: &Output) -> Self {
        Self {
            name: output.name.clone(),
            ty: output.ty,
            not_null: false,
            default: DefaultValue::Nothing,
            renewed: false,
            domain: None,
            blurred: false,
        }
    }

    /// Whether the server computes it from other columns.
    pub(crate) fn is_computed(&self) -> bool {
        matches!(self.default, DefaultValue::Generated(_) | DefaultValue::Virtual(_))
    }

    /// The name without quotes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its type.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// Whether NULL is refused.
    pub fn is_not_null(&self) -> bool {
        self.not_null
    }
}

/// Columns by which rows are found.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub(crate) name: String,
    pub(crate) columns: Vec<usize>,
    pub(crate) unique: bool,
    pub(crate) primary: bool,
    /// Whether it would be the primary key if none of its columns were blurred.
    pub(crate) blurred_primary: bool,
    /// The rows that it is about, if not all of them.
    pub(crate) filter: Option<Expr>,
    /// Whether NULL equals NULL in it.
    pub(crate) nulls_equal: bool,
    /// Expressions over the row that are part of it, behind its columns.
    pub(crate) exprs: Vec<Expr>,
    /// Whether it may be violated for a while: at the end of a statement, or even of a transaction, no two rows
    /// share it. Such a key is not `unique`.
    pub(crate) deferrable: bool,
}

impl Key {
    /// The numbers of its columns.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Whether no two rows have the same values in it.
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// A key over columns that says nothing else.
    pub(crate) fn over(name: String, columns: Vec<usize>, unique: bool) -> Self {
        Self {
            name,
            columns,
            unique,
            primary: false,
            blurred_primary: false,
            filter: None,
            nulls_equal: false,
            exprs: Vec::new(),
            deferrable: false,
        }
    }

    /// The expressions that say which rows share it.
    pub(crate) fn bound(&self) -> impl Iterator<Item = &Expr> {
        self.exprs.iter().chain(&self.filter)
    }

    pub(crate) fn bound_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.exprs.iter_mut().chain(&mut self.filter)
    }

    /// Whether no two rows may share it in the end.
    pub(crate) fn is_exclusive(&self) -> bool {
        self.unique || self.deferrable
    }

    /// Whether a row may have another place in it after a change of these columns.
    pub(crate) fn depends_on(&self, columns: &[usize]) -> bool {
        let mut found = self.columns.iter().any(|column| columns.contains(column));
        for expr in self.bound() {
            walk_columns(&mut expr.clone(), &mut |_, column| found |= columns.contains(&column));
        }
        found
    }

    /// Whether it is the primary one.
    pub fn is_primary(&self) -> bool {
        self.primary
    }

    /// Whether MySQL and MariaDB store rows in its order: it is the primary key, whether a column of it is blurred or
    /// not.
    pub fn orders_rows(&self) -> bool {
        self.primary || self.blurred_primary
    }
}

/// A name without its schema.
pub(crate) fn short_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

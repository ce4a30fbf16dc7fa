//! Queries.

use crate::catalog::{Table, TableId};
use crate::types::Type;
use crate::value::Collation;

use super::expr::Expr;

/// A query with its order and its window.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Query {
    pub(crate) body: Body,
    /// What the rows look like; the body may have more columns behind them, for the order.
    pub(crate) output: Vec<Output>,
    pub(crate) order: Vec<SortKey>,
    pub(crate) limit: Option<Expr>,
    pub(crate) offset: Option<Expr>,
}

/// A column of a result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Output {
    pub(crate) name: String,
    pub(crate) ty: Type,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    Select(Box<Select>),
    Set {
        kind: SetKind,
        all: bool,
        left: Box<Query>,
        right: Box<Query>,
        collations: Vec<Collation>,
    },
    Values(Vec<Vec<Expr>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetKind {
    Union,
    Except,
    Intersect,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SortKey {
    /// The column of the body.
    pub(crate) index: usize,
    pub(crate) descending: bool,
    pub(crate) nulls_first: bool,
    pub(crate) collation: Collation,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Select {
    pub(crate) source: Source,
    /// What every row must fulfil, the parts of one AND.
    pub(crate) filter: Vec<Expr>,
    pub(crate) grouping: Option<Grouping>,
    pub(crate) having: Option<Expr>,
    /// The columns of the result, and those that only the order needs.
    pub(crate) items: Vec<Expr>,
    /// How equal rows are told, if only one of them is wanted.
    pub(crate) distinct: Option<Vec<Collation>>,
}

/// What a query with groups computes: a row of keys, aggregates, and then one row of the group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grouping {
    pub(crate) keys: Vec<(Expr, Collation)>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// The columns of the source that are shown though they are not grouped.
    pub(crate) shown: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Aggregate {
    pub(crate) function: AggregateFunction,
    /// Nothing for `COUNT(*)`; several for `COUNT(DISTINCT a, b)`.
    pub(crate) args: Vec<Expr>,
    pub(crate) distinct: bool,
    pub(crate) filter: Option<Expr>,
    /// The type of the argument.
    pub(crate) of: Type,
    pub(crate) result: Type,
    pub(crate) collation: Collation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AggregateFunction {
    Count,
    Sum,
    Avg,
    Min,
    Max,
    BoolAnd,
    BoolOr,
}

/// Where rows come from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// One row without columns.
    Nothing,
    Table {
        table: TableId,
        width: usize,
        access: Option<Access>,
        /// Is the number of the row in a column behind the others?
        numbered: bool,
        /// What rows of this table must fulfil, whatever they are joined with.
        filter: Vec<Expr>,
        /// Conditions that are decided later but can fail here already.
        early: Vec<Expr>,
        /// Expressions that may be computed for all rows of this table, whatever they are joined with.
        alone: Vec<Expr>,
    },
    Derived {
        query: Box<Query>,
        width: usize,
        lateral: bool,
    },
    Join(Box<Join>),
}

/// Rows of two sources side by side.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Join {
    pub(crate) kind: JoinKind,
    pub(crate) left: Source,
    pub(crate) right: Source,
    pub(crate) on: Vec<Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
}

/// Finding rows by values of their columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Access {
    pub(crate) columns: Vec<usize>,
    /// Over the rows to the left, or further out.
    pub(crate) values: Vec<Expr>,
    /// What else is known of the next column.
    pub(crate) between: Option<Box<Between>>,
}

/// A column of whole numbers, and the least and the largest that it may be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Between {
    pub(crate) column: usize,
    pub(crate) low: Expr,
    pub(crate) high: Expr,
}

impl Source {
    /// All rows of a table.
    pub(crate) fn table(table: &Table, numbered: bool) -> Self {
        let (table, width) = (table.id(), table.columns().len());
        Self::Table {
            table,
            width,
            access: None,
            numbered,
            filter: Vec::new(),
            early: Vec::new(),
            alone: Vec::new(),
        }
    }

    /// How many columns its rows have.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Table { width, numbered, .. } => width + usize::from(*numbered),
            Self::Derived { width, .. } => *width,
            Self::Join(join) => join.left.width() + join.right.width(),
        }
    }
}

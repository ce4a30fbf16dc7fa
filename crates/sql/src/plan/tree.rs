//! Expressions and queries.
//!
//! Layer `plan`; knows [`super::operator`] and the ground. An expression may hold a query, and a query
//! is made of expressions: the two are one definition, and stand in one file.

use std::ops::Range;

use crate::choices::Open;
use crate::rows::TableId;
use crate::sequence::SequenceId;
use crate::types::Type;
use crate::value::{Collation, Value};

use super::id::NodeId;
use super::operator::{
    AggregateFunction, Arith, CastMode, CompareOp, FrameExclusion, FrameUnit, Function, JoinKind,
    Quantifier, SetKind,
};

/// An expression over the columns of a row, and of the rows of the queries around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Const(Value),
    /// A column of the query `depth` levels further out.
    Column {
        depth: usize,
        index: usize,
    },
    /// A parameter, converted to a type.
    Param {
        index: usize,
        to: Type,
    },
    /// A variable of a routine.
    Local(usize),
    /// A variable of the session (`@x`).
    Session(String),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Xor(Box<Expr>, Box<Expr>),
    Neg(Type, Box<Expr>),
    Arith {
        op: Arith,
        result: Type,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Compare {
        op: CompareOp,
        collation: Collation,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `IS [NOT] DISTINCT FROM`, `<=>`.
    Distinct {
        negated: bool,
        collation: Collation,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    IsNull {
        negated: bool,
        expr: Box<Expr>,
    },
    /// `IS TRUE`, `IS NOT FALSE`, `IS UNKNOWN`, …
    IsTruth {
        truth: Option<bool>,
        negated: bool,
        expr: Box<Expr>,
    },
    /// Pairs to be compared: what is looked for, and a member.
    In {
        negated: bool,
        list: Vec<(Expr, Expr, Collation)>,
    },
    Like {
        negated: bool,
        collation: Collation,
        expr: Box<Expr>,
        pattern: Box<Expr>,
        escape: Option<char>,
    },
    Case {
        branches: Vec<(Expr, Expr)>,
        otherwise: Box<Expr>,
    },
    Coalesce(Vec<Expr>),
    Cast {
        to: Type,
        mode: CastMode,
        expr: Box<Expr>,
    },
    Call {
        function: Function,
        result: Type,
        args: Vec<Expr>,
    },
    /// A function of the user.
    Routine {
        name: String,
        args: Vec<Expr>,
    },
    /// A value of the server's own: the current time, a random number.
    Open {
        what: Open,
    },
    /// `nextval`, `currval`, `setval` and the like.
    Number {
        call: NumberCall,
        args: Vec<Expr>,
    },
    /// A closed query gives the same rows wherever it stands, so it is evaluated once.
    Exists {
        closed: bool,
        query: Box<Query>,
    },
    Scalar {
        closed: bool,
        query: Box<Query>,
    },
    /// `(a, b) = ANY (SELECT …)`, `NOT IN`, …
    Quantified {
        closed: bool,
        quantifier: Quantifier,
        op: CompareOp,
        left: Vec<Expr>,
        casts: Vec<(Type, Option<Type>)>,
        collations: Vec<Collation>,
        query: Box<Query>,
    },
    /// The aggregate with this number; gone after binding.
    Aggregate(usize),
    /// `GROUPING(…)`; gone after binding.
    Grouping(Vec<Expr>),
    /// The window function with this number; gone after binding.
    Window(usize),
}

/// What an expression asks of a sequence, or tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberCall {
    Next(SequenceId),
    Current(SequenceId),
    /// The last number of any sequence.
    Last,
    /// The operands are a number and whether it is used up; what is NULL is not set.
    Set(SequenceId),
    /// `LAST_INSERT_ID(n)`.
    Remember,
}

/// A query with its order and its window.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Query {
    pub(crate) id: NodeId,
    pub(crate) body: Body,
    /// What the rows look like; the body may have more columns behind them, for the order.
    pub(crate) output: Vec<Output>,
    pub(crate) order: Vec<SortKey>,
    pub(crate) limit: Option<Expr>,
    pub(crate) offset: Option<Expr>,
    /// Of rows that agree on these columns, only the first is shown (`DISTINCT ON`).
    pub(crate) first_of: Option<Vec<SortKey>>,
    /// Does the limit let in all ties of its last row (`WITH TIES`)?
    pub(crate) with_ties: bool,
}

impl Query {
    /// Whether it shows rows of one table, each for itself and in no order.
    pub(crate) fn is_plain_scan(&self) -> bool {
        self.order.is_empty() && self.shows_rows_alone()
    }

    /// Whether it shows rows of one table, and what it shows of a row depends on no other row of its source.
    pub(crate) fn shows_rows_alone(&self) -> bool {
        let Body::Select(select) = &self.body else { return false };
        let all = self.limit.is_none() && self.offset.is_none() && self.first_of.is_none();
        all && matches!(select.source, Source::Table { .. })
            && select.grouping.is_none()
            && select.having.is_none()
            && select.windows.is_none()
            && select.distinct.is_none()
    }
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
    /// `WITH RECURSIVE`: `step` is run on the rows that came last, until there are no new ones.
    Recursive {
        number: usize,
        all: bool,
        base: Box<Query>,
        step: Box<Query>,
        collations: Vec<Collation>,
    },
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
    pub(crate) id: NodeId,
    pub(crate) source: Source,
    /// What every row must fulfil, the parts of one AND.
    pub(crate) filter: Vec<Expr>,
    pub(crate) grouping: Option<Grouping>,
    pub(crate) having: Option<Expr>,
    pub(crate) windows: Option<Box<Windowing>>,
    /// The columns of the result, and those that only the order needs.
    pub(crate) items: Vec<Expr>,
    /// How equal rows are told, if only one of them is wanted.
    pub(crate) distinct: Option<Vec<Collation>>,
}

/// What a query with groups computes: a row of keys, aggregates, and then one row of the group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grouping {
    pub(crate) keys: Vec<(Expr, Collation)>,
    /// `GROUPING SETS`: which keys make groups, one time after the other. Then the last key is no
    /// expression, but says which of the others are left out.
    pub(crate) sets: Option<Vec<Vec<usize>>>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// The columns of the source that are shown though they are not grouped.
    pub(crate) shown: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Aggregate {
    pub(crate) id: NodeId,
    pub(crate) function: AggregateFunction,
    /// Empty for `COUNT(*)`; several for `COUNT(DISTINCT a, b)`.
    pub(crate) args: Vec<Expr>,
    pub(crate) distinct: bool,
    pub(crate) filter: Option<Expr>,
    /// The type of the argument.
    pub(crate) of: Type,
    pub(crate) result: Type,
    pub(crate) collation: Collation,
    /// The order in which texts are put together, and how its values are sorted.
    pub(crate) order: Vec<Expr>,
    pub(crate) keys: Vec<SortKey>,
}

/// The window functions of a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Windowing {
    pub(crate) windows: Vec<Window>,
    /// The columns that the query uses behind its conditions: rows that agree on them are alike.
    pub(crate) used: Vec<usize>,
}

/// A call of a window function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Window {
    pub(crate) function: WindowFunction,
    pub(crate) args: Vec<Expr>,
    pub(crate) partition: Vec<(Expr, Collation)>,
    pub(crate) order: Vec<Expr>,
    /// How the values of `order` are sorted, one key for each.
    pub(crate) keys: Vec<SortKey>,
    pub(crate) frame: WindowFrame,
    pub(crate) result: Type,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum WindowFunction {
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    CumeDist,
    Ntile,
    Lag,
    Lead,
    FirstValue,
    LastValue,
    NthValue,
    /// It has arguments of its own.
    Aggregate(Box<Aggregate>),
}

/// The rows of a partition that a function looks at, seen from the current one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WindowFrame {
    pub(crate) unit: FrameUnit,
    pub(crate) start: FrameBound,
    pub(crate) end: FrameBound,
    pub(crate) exclusion: FrameExclusion,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FrameBound {
    /// The first row of the partition, or the last one.
    Unbounded,
    Current,
    Preceding(Expr),
    Following(Expr),
}

/// Where rows come from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// One row without columns.
    Nothing,
    Table {
        id: NodeId,
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
    /// `unnest(…)`: the elements of arrays, side by side, and their places behind them.
    Unnest {
        arrays: Vec<Expr>,
        places: bool,
    },
    /// `generate_series(…)`: one column of whole numbers.
    Series {
        args: Vec<Expr>,
        ty: Type,
    },
    /// The rows of a function of the user.
    Called {
        name: String,
        args: Vec<Expr>,
        types: Vec<Type>,
    },
    /// The rows that came last in the recursive query with this number.
    Working {
        number: usize,
        width: usize,
    },
    Join(Box<Join>),
}

/// Rows of two sources side by side.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Join {
    pub(crate) id: NodeId,
    pub(crate) kind: JoinKind,
    pub(crate) left: Source,
    pub(crate) right: Source,
    pub(crate) on: Vec<Expr>,
    /// Expressions over some of the tables inside that may be computed before the others are looked at.
    pub(crate) together: Vec<Expr>,
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

impl Expr {
    pub(crate) fn null() -> Self {
        Self::Const(Value::Null)
    }

    pub(crate) fn column(index: usize) -> Self {
        Self::Column { depth: 0, index }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    pub(crate) fn not(self) -> Self {
        Self::Not(Box::new(self))
    }

    pub(crate) fn cast(self, to: Type, mode: CastMode) -> Self {
        Self::Cast { to, mode, expr: Box::new(self) }
    }

    /// The parts of a chain of ANDs, from left to right.
    pub(crate) fn conjuncts(self) -> Vec<Self> {
        match self {
            Self::And(left, right) => {
                let mut parts = left.conjuncts();
                parts.extend(right.conjuncts());
                parts
            }
            other => vec![other],
        }
    }
}

impl Query {
    /// A query that shows all that its body gives.
    pub(crate) fn plain(body: Body, output: Vec<Output>) -> Self {
        Self {
            id: NodeId::default(),
            body,
            output,
            order: Vec::new(),
            limit: None,
            offset: None,
            first_of: None,
            with_ties: false,
        }
    }

    /// Whether it is its body, in any order.
    pub(crate) fn is_plain(&self) -> bool {
        self.order.is_empty()
            && self.limit.is_none()
            && self.offset.is_none()
            && self.first_of.is_none()
    }
}

impl Source {
    /// The tables inside, and which columns are theirs if the first one of this source has the number `at`.
    pub(crate) fn tables(&self, at: usize) -> Vec<(TableId, Range<usize>)> {
        match self {
            Self::Table { table, .. } => vec![(*table, at..at + self.width())],
            Self::Join(join) => {
                let mut tables = join.left.tables(at);
                tables.extend(join.right.tables(at + join.left.width()));
                tables
            }
            _ => Vec::new(),
        }
    }

    /// How many columns its rows have.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Table { width, numbered, .. } => width + usize::from(*numbered),
            Self::Derived { width, .. } | Self::Working { width, .. } => *width,
            Self::Called { types, .. } => types.len(),
            Self::Series { .. } => 1,
            Self::Unnest { arrays, places } => arrays.len() + usize::from(*places),
            Self::Join(join) => join.left.width() + join.right.width(),
        }
    }
}

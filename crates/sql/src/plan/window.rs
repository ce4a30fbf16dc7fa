//! Window functions: what is computed for a row from the rows around it.
//!
//! ```text
//!   SELECT n, sum(n) OVER (PARTITION BY kind ORDER BY id)      ──►   [ … | sum ]   items: #1, #k
//! ```
//!
//! The rows are those that grouping and HAVING leave. The result of each window function is one more
//! column behind them, over which the items of the query are computed.
//!
//! Layer `plan`; part of the tree.

use crate::types::Type;
use crate::value::Collation;

use super::tree::{Aggregate, Expr, SortKey};

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
    /// Does it count rows? Otherwise, rows that are tied with the current one belong to it.
    pub(crate) rows: bool,
    pub(crate) start: FrameBound,
    pub(crate) end: FrameBound,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FrameBound {
    /// The first row of the partition, or the last one.
    Unbounded,
    Current,
    Preceding(Expr),
    Following(Expr),
}

impl WindowFrame {
    /// Whether it is the whole partition for every row.
    pub(crate) fn is_whole(&self) -> bool {
        self.start == FrameBound::Unbounded && self.end == FrameBound::Unbounded
    }
}

impl Window {
    /// Whether both have the same PARTITION BY and ORDER BY.
    pub(crate) fn sorts_like(&self, other: &Self) -> bool {
        self.partition == other.partition && self.order == other.order && self.keys == other.keys
    }

    /// All expressions of the call.
    pub(crate) fn exprs(&mut self) -> Vec<&mut Expr> {
        let mut exprs: Vec<&mut Expr> = self.args.iter_mut().collect();
        if let WindowFunction::Aggregate(aggregate) = &mut self.function {
            exprs.extend(aggregate.args.iter_mut().chain(&mut aggregate.filter));
        }
        exprs.extend(self.partition.iter_mut().map(|(key, _)| key));
        exprs.extend(&mut self.order);
        for bound in [&mut self.frame.start, &mut self.frame.end] {
            if let FrameBound::Preceding(rows) | FrameBound::Following(rows) = bound {
                exprs.push(rows);
            }
        }
        exprs
    }
}

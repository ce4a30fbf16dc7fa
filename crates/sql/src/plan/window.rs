//! Window functions: what is computed for a row from the rows around it.
//!
//! ```text
//!   SELECT n, sum(n) OVER (PARTITION BY kind ORDER BY id)      ──►   [ … | sum ]   items: #1, #k
//! ```
//!
//! The rows are those that grouping and HAVING leave. The result of each window function is one more
//! column behind them, over which the items of the query are computed.
//!
//! Layer `plan`; knows the tree, of which window functions are a part.

use crate::types::Type;

use super::operator::{FrameExclusion, FrameUnit};
use super::tree::{Expr, FrameBound, Window, WindowFrame, WindowFunction};

impl WindowFrame {
    /// Whether it is the whole partition for every row.
    pub(crate) fn is_whole(&self) -> bool {
        self.start == FrameBound::Unbounded
            && self.end == FrameBound::Unbounded
            && self.exclusion == FrameExclusion::None
    }
}

impl Window {
    /// Whether both have the same PARTITION BY and ORDER BY.
    pub(crate) fn sorts_like(&self, other: &Self) -> bool {
        self.partition == other.partition && self.order == other.order && self.keys == other.keys
    }

    /// Whether rows that are sorted for the other window are sorted for this one, too.
    pub(crate) fn sorts_within(&self, other: &Self) -> bool {
        self.partition == other.partition
            && other.order.starts_with(&self.order)
            && other.keys.starts_with(&self.keys)
    }

    /// Whether the result can depend on the order of rows that ORDER BY does not tell apart.
    pub(crate) fn depends_on_ties(&self) -> bool {
        use WindowFunction as F;
        match &self.function {
            F::Rank | F::DenseRank | F::PercentRank | F::CumeDist => false,
            F::Aggregate(aggregate) => {
                let inexact = matches!(aggregate.of, Type::Real | Type::Double);
                inexact || self.frame.unit == FrameUnit::Rows && !self.frame.is_whole()
            }
            _ => true,
        }
    }

    /// All expressions of the call.
    pub(crate) fn exprs(&mut self) -> Vec<&mut Expr> {
        let mut exprs: Vec<&mut Expr> = self.args.iter_mut().collect();
        if let WindowFunction::Aggregate(aggregate) = &mut self.function {
            let own = aggregate.args.iter_mut().chain(&mut aggregate.filter);
            exprs.extend(own.chain(&mut aggregate.order));
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

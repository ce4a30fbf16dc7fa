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

use super::operator::FrameExclusion;
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

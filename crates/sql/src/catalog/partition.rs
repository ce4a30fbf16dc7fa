//! Tables with partitions.
//!
//! Layer `catalog`; knows the syntax tree and bound expressions. All rows are kept in the table itself. A partition is
//! a view of it with a condition, through which statements can write, and a row that meets the condition of no
//! partition is refused. Which partition a row belongs to by its hash is known to the server alone, so partitions
//! by hash are not read or written themselves.

use sqlparser::ast;

use crate::plan::Expr;

/// How a table is divided.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Partitions {
    pub(crate) strategy: Strategy,
    /// The column that decides.
    pub(crate) column: usize,
    pub(crate) parts: Vec<Partition>,
    /// What rows have to meet; `None` if there is a place for every row, or it is not known.
    pub(crate) belongs: Option<Expr>,
}

/// What decides where a row belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    Range,
    List,
    Hash,
}

/// A part of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Partition {
    /// The name that it is kept under.
    pub(crate) name: String,
    pub(crate) bound: ast::ForValues,
}

impl Partitions {
    /// Whether it is known which rows have a place.
    pub(crate) fn is_known(&self) -> bool {
        self.strategy != Strategy::Hash || self.is_complete()
    }

    /// Whether there is a partition for every hash. Partitions do not overlap, so it is enough to add them up.
    fn is_complete(&self) -> bool {
        let (mut above, mut below) = (0_u128, 1_u128);
        for part in &self.parts {
            let ast::ForValues::With { modulus, .. } = &part.bound else { return false };
            let modulus = u128::from(*modulus);
            let Some(product) = below.checked_mul(modulus).filter(|_| modulus > 0) else {
                return false;
            };
            let Some(sum) = above.checked_mul(modulus).and_then(|sum| sum.checked_add(below))
            else {
                return false;
            };
            let common = common_divisor(sum, product);
            (above, below) = (sum / common, product / common);
        }
        above == below
    }
}

fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

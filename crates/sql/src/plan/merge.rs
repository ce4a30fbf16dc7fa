//! MERGE.
//!
//! Layer `plan`; knows the tree of expressions and queries.

use crate::rows::TableId;

use super::statement::{Assignment, Fill};
use super::tree::{Expr, Source};

/// A table that takes in the rows of another one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Merge {
    pub(crate) table: TableId,
    /// The other rows, each with the rows of the table that match it, or with NULLs if there is none.
    pub(crate) source: Source,
    /// Where the columns of the table begin in the rows of the source.
    pub(crate) at: usize,
    /// The first one that fits a row is carried out.
    pub(crate) clauses: Vec<MergeClause>,
}

/// `WHEN … THEN …`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MergeClause {
    pub(crate) matched: bool,
    pub(crate) condition: Option<Expr>,
    pub(crate) action: MergeAction,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MergeAction {
    Nothing,
    Delete,
    Update(Vec<Assignment>),
    Insert {
        fills: Vec<Fill>,
        /// `None` stands for DEFAULT.
        values: Vec<Option<Expr>>,
    },
}

impl Merge {
    /// All expressions of the clauses.
    pub(crate) fn exprs(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.clauses.iter_mut().flat_map(|clause| {
            let values: Vec<&mut Expr> = match &mut clause.action {
                MergeAction::Nothing | MergeAction::Delete => Vec::new(),
                MergeAction::Update(all) => {
                    all.iter_mut().filter_map(|one| one.value.as_mut()).collect()
                }
                MergeAction::Insert { values, .. } => values.iter_mut().flatten().collect(),
            };
            clause.condition.iter_mut().chain(values)
        })
    }
}

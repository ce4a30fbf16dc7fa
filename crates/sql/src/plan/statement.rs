//! Statements.
//!
//! Layer `plan`; knows the tree of expressions and queries.

use crate::error::{ErrorClass, ServerError};
use crate::rows::TableId;
use crate::value::Collation;

use super::id::NodeId;
use super::tree::{Expr, Output, Query, Source};

/// A statement that is ready to run.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one per statement")]
pub(crate) enum Plan {
    Query(Query),
    Insert(Box<Insert>),
    Update(Box<Update>),
    Delete(Box<Delete>),
    /// The tables, and whether their sequences begin again.
    Truncate(Vec<TableId>, bool),
    Merge(Box<Merge>),
    Rebuild(Box<Rebuild>),
    /// Changes in a WITH, and the statement behind them, which may use the rows that they return.
    With {
        changes: Vec<(usize, Plan)>,
        last: Box<Plan>,
    },
    Call {
        name: String,
        args: Vec<Expr>,
        targets: Vec<Option<String>>,
    },
    /// A statement with an error in an inner query that the server may find before it runs, or not.
    Doubtful(ServerError, Box<Plan>),
}

impl Plan {
    /// Where an INSERT shows a column of its own rows.
    pub(crate) fn shows(&self, table: TableId, column: usize) -> Option<usize> {
        match self {
            Self::Insert(insert) if insert.table == table => {
                let (shown, _) = insert.returning.as_ref()?;
                shown.iter().position(|one| *one == Expr::column(column))
            }
            Self::Doubtful(_, plan) => plan.shows(table, column),
            _ => None,
        }
    }

    /// The columns that it shows, if it shows rows of its own.
    pub(crate) fn output(&self) -> Option<&[Output]> {
        match self {
            Self::Query(query) => Some(&query.output),
            Self::Doubtful(_, plan) => plan.output(),
            Self::With { last, .. } => last.output(),
            other => other.change().and_then(|(_, output)| output),
        }
    }

    /// Whether it may remove rows.
    pub(crate) fn may_delete(&self) -> bool {
        match self {
            Self::Delete(_)
            | Self::Merge(_)
            | Self::Truncate(..)
            | Self::Rebuild(_)
            | Self::Call { .. } => true,
            Self::Doubtful(_, plan) => plan.may_delete(),
            Self::With { changes, last } => {
                last.may_delete() || changes.iter().any(|(_, plan)| plan.may_delete())
            }
            Self::Query(_) | Self::Insert(_) | Self::Update(_) => false,
        }
    }

    /// Whether it is an INSERT that leaves out rows whose keys are taken.
    pub(crate) fn may_skip(&self) -> bool {
        match self {
            Self::Insert(insert) => insert.conflict.skips(),
            Self::Doubtful(_, plan) => plan.may_skip(),
            _ => false,
        }
    }

    /// Whether it may leave out rows whose keys are taken and do something else besides.
    pub(crate) fn may_skip_some(&self) -> bool {
        match self {
            Self::Insert(insert) => insert.conflict.skips() && !insert.source.is_one_row(),
            Self::Doubtful(_, plan) => plan.may_skip_some(),
            Self::With { changes, last } => {
                last.may_skip() || changes.iter().any(|(_, plan)| plan.may_skip())
            }
            _ => false,
        }
    }
}

impl Plan {
    /// The table that it changes, and the rows that it returns; `None` if it is another kind of plan.
    pub(crate) fn change(&self) -> Option<(TableId, Option<&[Output]>)> {
        let (table, returning) = match self {
            Self::Insert(insert) => (insert.table, &insert.returning),
            Self::Update(update) => (update.locate.table, &update.returning),
            Self::Delete(delete) => (delete.locate.table, &delete.returning),
            _ => return None,
        };
        Some((table, returning.as_ref().map(|(_, output)| output.as_slice())))
    }
}

/// What an altered table does with its rows: they move to the table as it is now, or are only checked if it is
/// the same one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rebuild {
    pub(crate) from: TableId,
    pub(crate) to: TableId,
    /// The columns of a new row, over the old one; `None` for the default of a column.
    pub(crate) values: Vec<Option<Expr>>,
}

impl Rebuild {
    /// All rows stay where they are.
    pub(crate) fn check(table: TableId) -> Self {
        Self { from: table, to: table, values: Vec::new() }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Insert {
    pub(crate) table: TableId,
    /// How each column of the table is filled.
    pub(crate) fills: Vec<Fill>,
    pub(crate) source: InsertSource,
    pub(crate) conflict: OnConflict,
    /// The name of a view whose triggers take the rows, and its columns.
    pub(crate) instead: Option<(String, Vec<Output>)>,
    /// What new rows have to meet besides the constraints of the table.
    pub(crate) checks: Vec<WriteCheck>,
    pub(crate) returning: Option<(Vec<Expr>, Vec<Output>)>,
}

/// What goes into a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fill {
    /// A column of the source, already converted by it or to be converted now.
    Given(usize),
    /// What the table says.
    Default,
}

#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one per statement")]
pub(crate) enum InsertSource {
    /// Rows of expressions; `None` stands for DEFAULT.
    Values(Vec<Vec<Option<Expr>>>),
    Query(Query),
}

impl InsertSource {
    fn is_one_row(&self) -> bool {
        matches!(self, Self::Values(rows) if rows.len() == 1)
    }
}

/// What happens if a key is there already.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum OnConflict {
    Fail,
    /// `INSERT IGNORE`.
    Ignore,
    /// `REPLACE`.
    Replace,
    /// `ON CONFLICT`, for the keys with these numbers.
    On {
        keys: Vec<usize>,
        action: ConflictAction,
    },
}

impl OnConflict {
    /// Whether a row whose key is taken is left out, and the row that has the key is left alone.
    fn skips(&self) -> bool {
        matches!(self, Self::Ignore | Self::On { action: ConflictAction::Nothing, .. })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ConflictAction {
    Nothing,
    /// Over the row that is there, followed by the row that was to be inserted.
    Update {
        assignments: Vec<Assignment>,
        filter: Option<Expr>,
        once: bool,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Assignment {
    pub(crate) column: usize,
    /// `None` stands for DEFAULT.
    pub(crate) value: Option<Expr>,
}

/// A condition on the rows that are written, over the row alone, and the error if it does not hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WriteCheck {
    pub(crate) expr: Expr,
    pub(crate) class: ErrorClass,
}

/// Which rows of a table a statement changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Locate {
    pub(crate) id: NodeId,
    pub(crate) table: TableId,
    pub(crate) source: Source,
    pub(crate) filter: Vec<Expr>,
    /// Where the columns of the table begin in the rows of the source.
    pub(crate) at: usize,
    /// `ORDER BY` (an expression, descending?, its collation), and `LIMIT`.
    pub(crate) order: Vec<(Expr, bool, Collation)>,
    pub(crate) limit: Option<Expr>,
}

impl Insert {
    /// What it assigns to rows whose keys are taken.
    pub(crate) fn assignments(&self) -> &[Assignment] {
        match &self.conflict {
            OnConflict::On { action: ConflictAction::Update { assignments, .. }, .. } => {
                assignments
            }
            _ => &[],
        }
    }

    /// Whether its rows are those of a query, and it changes no others.
    pub(crate) fn copies(&self) -> bool {
        let changes =
            matches!(self.conflict, OnConflict::On { action: ConflictAction::Update { .. }, .. });
        matches!(self.source, InsertSource::Query(_)) && !changes
    }
}

impl Locate {
    /// The table, if rows are not found by joining it with others.
    pub(crate) fn single_table(&self) -> Option<TableId> {
        matches!(self.source, Source::Table { .. }).then_some(self.table)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Update {
    pub(crate) locate: Locate,
    pub(crate) assignments: Vec<Assignment>,
    /// What new rows have to meet besides the constraints of the table.
    pub(crate) checks: Vec<WriteCheck>,
    pub(crate) returning: Option<(Vec<Expr>, Vec<Output>)>,
}

impl Update {
    /// The columns that are assigned.
    pub(crate) fn columns(&self) -> Vec<usize> {
        self.assignments.iter().map(|one| one.column).collect()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Delete {
    pub(crate) locate: Locate,
    pub(crate) returning: Option<(Vec<Expr>, Vec<Output>)>,
}

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

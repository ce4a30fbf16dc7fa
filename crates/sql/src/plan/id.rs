//! The names of plan nodes.
//!
//! Layer `plan`; knows the numbers of tables only.
//!
//! A run remembers things about nodes: the rows of a subquery that need not be evaluated again, and
//! what the server decided about the order of conditions. It remembers them by [`NodeId`], which stays
//! the same when a plan is cloned or moved, and which is never given to two nodes that one statement
//! can meet.

use crate::rows::TableId;

/// The number of a node, within the statement or within the table that it belongs to.
///
/// A statement also evaluates expressions that the catalog keeps, the CHECKs and DEFAULTs of tables. Their
/// nodes are numbered with their table, so they never meet those of the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct NodeId {
    owner: Option<TableId>,
    number: u32,
}

/// Hands out ids. Until it does, all nodes have the same one, so that equal expressions are equal.
#[derive(Debug, Default)]
pub(crate) struct NodeIds {
    owner: Option<TableId>,
    next: u32,
}

impl NodeIds {
    /// Ids for the expressions of a table.
    pub(crate) fn of_table(table: TableId) -> Self {
        Self { owner: Some(table), next: 0 }
    }

    pub(crate) fn next(&mut self) -> NodeId {
        let id = NodeId { owner: self.owner, number: self.next };
        self.next += 1;
        id
    }
}

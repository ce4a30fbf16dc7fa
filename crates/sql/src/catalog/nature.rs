//! What a table is besides its columns and keys.
//!
//! Layer `catalog`; knows partitions only.

use std::sync::Arc;

use super::partition::Partitions;

/// What a table is besides its columns and keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Nature {
    /// Whether it belongs to one session.
    pub(crate) temporary: bool,
    /// Whether it goes away when the transaction that made it commits.
    pub(crate) drops_at_commit: bool,
    /// Whether it is a materialized view.
    pub(crate) materialized: bool,
    /// Whether it is a materialized view that has not been filled, so that it cannot be read.
    pub(crate) unfilled: bool,
    /// Whether it has a foreign key to a table that is not known.
    pub(crate) refers_elsewhere: bool,
    /// How its rows are divided, if they are.
    pub(crate) partitions: Option<Arc<Partitions>>,
}

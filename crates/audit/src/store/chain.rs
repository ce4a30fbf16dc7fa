//! The versions of one row.

use smallvec::SmallVec;

use crate::world::{Position, Row};

/// A version: from which state on, what, and by whom.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub(crate) since: Position,
    pub(crate) row: Option<Row>,
    pub(crate) writer: u32,
}

/// The versions of one row, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    versions: SmallVec<[Version; 2]>,
}

impl Chain {
    /// The row in a state. Returns `None` if the row does not exist in it.
    pub(crate) fn at(&self, position: Position) -> Option<&Row> {
        self.version(position)?.row.as_ref()
    }

    /// The transaction that wrote the version in a state.
    pub(crate) fn writer(&self, position: Position) -> Option<u32> {
        self.version(position).map(|version| version.writer)
    }

    /// All versions that are kept.
    pub(crate) fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// Adds a version, and gives those back that no state from the horizon on has.
    pub(crate) fn put(&mut self, version: Version, horizon: Position) -> SmallVec<[Version; 2]> {
        self.versions.push(version);
        self.forget(horizon)
    }

    fn forget(&mut self, horizon: Position) -> SmallVec<[Version; 2]> {
        let needed = self.versions.iter().rposition(|version| version.since <= horizon);
        self.versions.drain(..needed.unwrap_or(0)).collect()
    }

    /// Whether the row is gone in the horizon and in all states after it.
    pub(crate) fn is_gone(&self, horizon: Position) -> bool {
        let last = self.versions.last();
        last.is_none_or(|version| version.row.is_none() && version.since <= horizon)
    }

    fn version(&self, position: Position) -> Option<&Version> {
        self.versions.iter().rev().find(|version| version.since <= position)
    }
}

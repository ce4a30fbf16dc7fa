//! The readers of each version.

use rustc_hash::FxHashMap;

use super::flat_lists::FlatLists;
use super::versions::{VersionId, Versions};
use crate::ir::ReadId;

/// The readers of each version.
#[derive(Clone, Debug, Default)]
pub(crate) struct Readers {
    early: Vec<(VersionId, ReadId)>,
    settled: FlatLists<VersionId, ReadId>,
    late: FxHashMap<VersionId, Vec<ReadId>>,
    is_settled: bool,
}

impl Readers {
    /// A read comes from a version.
    pub(crate) fn add(&mut self, version: VersionId, read: ReadId) {
        match self.is_settled {
            false => self.early.push((version, read)),
            true => self.late.entry(version).or_default().push(read),
        }
    }

    /// What was added so far is laid out flat; additions from now on are few.
    pub(crate) fn settle(&mut self, versions: &Versions) {
        let early = std::mem::take(&mut self.early);
        self.settled = FlatLists::group(versions.count(), early.iter().copied());
        self.is_settled = true;
    }

    /// How many reads come from a version.
    pub(crate) fn count(&self, version: VersionId) -> usize {
        let late = if self.late.is_empty() { None } else { self.late.get(&version) };
        self.settled.of(version).len() + late.map_or(0, Vec::len)
    }

    /// One of the reads that come from a version.
    pub(crate) fn of(&self, version: VersionId, at: usize) -> ReadId {
        let settled = self.settled.of(version);
        settled.get(at).copied().unwrap_or_else(|| self.late[&version][at - settled.len()])
    }
}

//! Whether a transaction may leave behind what it wrote.

use super::attempt::Attempt;
use crate::level::AuditLevel;
use crate::options::{CommitOrder, ConflictRule};
use crate::world::{Commit, Write};

/// Whether two transactions leave the same behind.
pub(super) fn same(one: &[Write], other: &[Write]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.key == b.key && a.row == b.row)
}

impl Attempt<'_, '_> {
    /// Whether these writes may take effect in the newest state.
    pub(super) fn may_write(&self, writes: &[Write]) -> bool {
        let snapshot =
            matches!(self.context.options.level, AuditLevel::Snapshot | AuditLevel::StrongSnapshot);
        (!snapshot || !self.has_conflict(writes)) && self.versions_in_order(writes)
    }

    /// Whether somebody else wrote one of the rows after the snapshot was taken.
    fn has_conflict(&self, writes: &[Write]) -> bool {
        match self.context.options.conflict {
            ConflictRule::Write => {
                writes.iter().any(|write| self.written_since(write, self.snapshot))
            }
            ConflictRule::Value => writes.iter().any(|write| self.value_conflict(write)),
        }
    }

    /// Whether somebody wrote the row after a state.
    fn written_since(&self, write: &Write, state: u64) -> bool {
        (state..self.now).any(|state| {
            let commit = self.context.store.commit_of(self.world, state);
            commit.is_some_and(|commit| commit.writes.iter().any(|other| other.key == write.key))
        })
    }

    /// A row that is changed, and is not what it was in the snapshot any more.
    fn value_conflict(&self, write: &Write) -> bool {
        write.row != write.before
            && self.context.store.row_of(self.world, write.key, self.now) != write.before.as_ref()
    }

    /// Whether the version of each row that is replaced can come before this one: by the stamps of
    /// the database, and, if rows are locked until the end, by the calls of commits.
    fn versions_in_order(&self, writes: &[Write]) -> bool {
        let locks = self.context.effort.locks;
        let stamp = self.task.txn.stamp;
        if !locks && stamp.is_none() {
            return true;
        }
        writes.iter().all(|write| match self.last_writer(write) {
            None => true,
            Some(last) => {
                let unlocked = !locks || last.asked <= write.known;
                let stamped = match (last.stamp, stamp) {
                    (Some(before), Some(own)) => before <= own,
                    _ => true,
                };
                unlocked && stamped
            }
        })
    }

    /// Who wrote the row last, as far as that can matter.
    fn last_writer(&self, write: &Write) -> Option<&Commit> {
        let store = self.context.store;
        let exact = self.context.options.order == CommitOrder::Exact;
        for state in (store.horizon()..self.now).rev() {
            let commit = store.commit_of(self.world, state)?;
            if commit.writes.iter().any(|other| other.key == write.key) {
                return Some(commit);
            }
            if !exact && commit.hi < self.task.begin {
                return None;
            }
        }
        None
    }
}

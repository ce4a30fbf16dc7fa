//! What is left of a transaction that rolled back to savepoints, for forms that know none.
//!
//! ```text
//!   write x 1 · savepoint · read x 1 · write x 2 · read x 2 · read y 5 · rollback
//!   ─── what is left ───►  write x 1 · read x 1 · read y 5
//! ```
//!
//! Writes since the savepoint are undone. Reads that saw them are left out too: they would seem
//! to have read values that no transaction wrote.

use rustc_hash::FxHashSet;

use tristan_history::{Datum, KeyId, Op, OpKind, OpStatus};

/// What a form makes of an operation: a read or a write of one key.
pub(crate) trait Access {
    /// The key that the access touches.
    fn key(&self) -> KeyId;
    /// Whether it changes what the key holds.
    fn is_write(&self) -> bool;
}

/// The accesses of a transaction, as far as it has been followed.
pub(crate) struct Accesses<'a, A> {
    /// Those that count.
    pub(crate) left: Vec<A>,
    /// How many were undone.
    pub(crate) undone: usize,
    /// Savepoints, with the number of accesses before each.
    marks: Vec<(&'a Datum, usize)>,
}

impl<A> Default for Accesses<'_, A> {
    fn default() -> Self {
        Self { left: Vec::new(), undone: 0, marks: Vec::new() }
    }
}

impl<'a, A: Access> Accesses<'a, A> {
    /// Sets a savepoint or rolls back to one, if that is what an operation did.
    pub(crate) fn follow(&mut self, op: &'a Op) {
        match (&op.kind, op.status) {
            (OpKind::Savepoint { name }, OpStatus::Done) => {
                self.marks.push((name, self.left.len()));
            }
            (OpKind::RollbackTo { name }, OpStatus::Done) => self.roll_back(name),
            _ => {}
        }
    }

    fn roll_back(&mut self, name: &Datum) {
        let Some(mark) = self.marks.iter().rposition(|(known, _)| *known == name) else { return };
        self.marks.truncate(mark + 1);
        let since = self.left.split_off(self.marks[mark].1);
        let all = self.left.len() + since.len();
        let mut written = FxHashSet::default();
        self.left.extend(since.into_iter().filter(|access| {
            if access.is_write() {
                written.insert(access.key());
            }
            !written.contains(&access.key())
        }));
        self.undone += all - self.left.len();
    }
}

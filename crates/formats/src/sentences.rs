//! What a form cannot say about a history, one sentence each.

use tristan_history::{History, Op, OpKind, OpStatus, Txn};

/// Sentences about one history.
pub(crate) struct Sentences<'a> {
    history: &'a History,
    said: Vec<String>,
}

impl<'a> Sentences<'a> {
    pub(crate) fn about(history: &'a History) -> Self {
        Self { history, said: Vec::new() }
    }

    /// Says that something is lost, if it is.
    pub(crate) fn say(&mut self, lost: bool, what: &str) {
        if lost {
            self.said.push(what.to_owned());
        }
    }

    /// Says how many of something are lost, unless there are none.
    pub(crate) fn count(&mut self, number: usize, what: &str) {
        if number > 0 {
            self.said.push(format!("{what}: {number}"));
        }
    }

    /// Says how many transactions lose something.
    pub(crate) fn txns(&mut self, what: &str, lossy: impl Fn(&Txn) -> bool) {
        self.count(self.history.txns.iter().filter(|txn| lossy(txn)).count(), what);
    }

    /// Says how many operations lose something.
    pub(crate) fn ops(&mut self, what: &str, lossy: impl Fn(&Op) -> bool) {
        self.count(self.history.ops.iter().filter(|op| lossy(op)).count(), what);
    }

    /// Says how many operations that returned lose something.
    pub(crate) fn done(&mut self, what: &str, lossy: impl Fn(&OpKind) -> bool) {
        self.ops(what, |op| op.status == OpStatus::Done && lossy(&op.kind));
    }

    /// What a trace says to people only, apart from the name of the database.
    pub(crate) fn remarks(&mut self) {
        let History { header, notes, .. } = self.history;
        self.say(header.level.is_some(), "the claimed level");
        self.say(!header.assumptions.is_empty(), "the assumptions");
        self.say(!notes.is_empty(), "the notes");
    }

    /// All sentences that were added.
    pub(crate) fn finish(self) -> Vec<String> {
        self.said
    }
}

/// Whether a read took a lock.
pub(crate) fn is_locking(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Get { locking: true, .. } | OpKind::Scan { locking: true, .. })
}

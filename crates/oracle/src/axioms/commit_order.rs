//! Biswas-Enea and Cerone levels: the witness is a total commit order.
//!
//! Every level names the least visibility relation its axioms allow for a given commit order;
//! larger ones only make reads harder to explain. The level holds if some commit order contains
//! the base order and every read returns the latest visible version of its key:
//!
//! ```text
//!   t1 ──wr(x)──► t3,  t2 writes x,  t2 visible to t3   ⇒   t2 commits before t1
//! ```
//!
//! The initial state commits first and is visible to all.

use tristan_spec::Strength;

use crate::{
    axioms::{Demand, Question, orders},
    orders::{Flow, total_orders},
    reading::{Explained, Scene},
    relations::{MAX_TXNS, Rel, Set, first, members},
};

/// Which transactions a transaction sees at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// Read atomic: the base order.
    Direct,
    /// Update atomic: also earlier writers of a common key.
    DirectNoConflict,
    /// Causal: what visible transactions see, too.
    Transitive,
    /// Parallel SI: both of these.
    TransitiveNoConflict,
    /// Prefix: everything that commits before a visible transaction.
    Prefix,
    /// Snapshot isolation: a prefix with all earlier writers of a common key.
    PrefixNoConflict,
    /// Serializable: everything that commits earlier.
    Total,
    /// Earlier writers of the session.
    ReadYourWrites,
    /// What earlier readers of the session saw.
    MonotonicReads,
    /// Earlier writers of the session of a visible transaction.
    MonotonicWrites,
    /// What earlier readers of the session of a visible transaction saw.
    WritesFollowReads,
}

/// Removes the questions that some commit order settles.
pub(crate) fn settle(explained: &Explained<'_>, open: &mut Vec<Question>) {
    let scene = explained.scene;
    if !open.iter().any(|question| matches!(question.demand, Demand::CommitOrder(_))) {
        return;
    }
    let fixed = Fixed::of(explained);
    let required = explained.wr.or(scene.shown);
    // The visitor stops early once nothing is open.
    let _ = total_orders(first(scene.count), &required, &mut |order| {
        let commits = Commits::of(order, scene.count);
        let mut waiting = false;
        open.retain(|question| {
            let Demand::CommitOrder(visibility) = question.demand else { return true };
            let settled = holds(explained, &fixed, &commits, visibility, question.strength);
            waiting |= !settled;
            !settled
        });
        if waiting { Flow::Continue(()) } else { Flow::Break(()) }
    });
}

/// Relations that do not depend on the commit order, as sets of predecessors.
struct Fixed {
    /// The base order at each strength.
    base: [Rel; 3],
    /// Its transitive closure.
    causal: [Rel; 3],
    /// Pairs of transactions that write a common key.
    conflict: Rel,
}

impl Fixed {
    fn of(explained: &Explained<'_>) -> Self {
        let base = Strength::ALL
            .map(|strength| explained.wr.or(orders(explained.scene, strength)).turned());
        Self { base, causal: base.map(Rel::closure), conflict: conflicts(explained.scene) }
    }
}

fn conflicts(scene: &Scene) -> Rel {
    let mut conflict = Rel::default();
    for &writers in &scene.writers {
        for writer in members(writers) {
            conflict.add_all(writer, writers & !(1 << writer));
        }
    }
    conflict
}

/// A commit order: which transaction commits before which.
struct Commits {
    before: [Set; MAX_TXNS],
    count: usize,
}

impl Commits {
    fn of(order: &[usize], count: usize) -> Self {
        let mut before = [0; MAX_TXNS];
        let mut earlier = 0;
        for &txn in order {
            before[txn] = earlier;
            earlier |= 1 << txn;
        }
        Self { before, count }
    }

    /// Whether every predecessor commits earlier.
    fn contain(&self, predecessors: &Rel) -> bool {
        (0..self.count).all(|txn| predecessors.row(txn) & !self.before[txn] == 0)
    }

    /// The predecessors and whatever commits before them.
    fn prefix(&self, predecessors: &Rel) -> Rel {
        let mut out = *predecessors;
        for txn in 0..self.count {
            for seen in members(predecessors.row(txn)) {
                out.add_all(txn, self.before[seen]);
            }
        }
        out
    }

    /// The conflicting pairs, in commit order.
    fn ordered(&self, conflict: &Rel) -> Rel {
        let mut out = Rel::default();
        for txn in 0..self.count {
            out.add_all(txn, conflict.row(txn) & self.before[txn]);
        }
        out
    }

    fn all(&self) -> Rel {
        let mut out = Rel::default();
        for txn in 0..self.count {
            out.add_all(txn, self.before[txn]);
        }
        out
    }
}

/// Whether the level accepts this commit order.
fn holds(
    explained: &Explained<'_>,
    fixed: &Fixed,
    commits: &Commits,
    visibility: Visibility,
    strength: Strength,
) -> bool {
    let base = &fixed.base[strength as usize];
    if !commits.contain(base) {
        return false;
    }
    let with_conflicts = || base.or(commits.ordered(&fixed.conflict));
    let seen = match visibility {
        Visibility::Direct => *base,
        Visibility::DirectNoConflict => with_conflicts(),
        Visibility::Transitive => fixed.causal[strength as usize],
        Visibility::TransitiveNoConflict => with_conflicts().closure(),
        Visibility::Prefix => commits.prefix(base),
        Visibility::PrefixNoConflict => commits.prefix(&with_conflicts()),
        Visibility::Total => commits.all(),
        Visibility::ReadYourWrites
        | Visibility::MonotonicReads
        | Visibility::MonotonicWrites
        | Visibility::WritesFollowReads => {
            let session = session_guarantee(explained, visibility);
            if !commits.contain(&session.committed_earlier) {
                return false;
            }
            session.visible
        }
    };
    commits.contain(&seen) && reads_return_the_latest(explained, commits, &seen)
}

/// Every read returns the version of the last visible writer of its key.
fn reads_return_the_latest(explained: &Explained<'_>, commits: &Commits, seen: &Rel) -> bool {
    explained.reads.iter().all(|read| {
        let rivals = seen.row(read.txn) & explained.scene.writers[read.key] & !(1 << read.txn);
        match read.source {
            None => rivals == 0,
            Some(writer) => rivals & !(1 << writer) & !commits.before[writer] == 0,
        }
    })
}

/// What a session guarantee asks for, as sets of predecessors.
struct SessionGuarantee {
    visible: Rel,
    committed_earlier: Rel,
}

fn session_guarantee(explained: &Explained<'_>, visibility: Visibility) -> SessionGuarantee {
    let scene = explained.scene;
    let (readers, updaters) = (scene.readers, scene.updaters);
    let mut visible = explained.wr;
    let mut committed_earlier = Rel::default();
    loop {
        let more = match visibility {
            Visibility::ReadYourWrites => scene.so.between(updaters, readers),
            Visibility::MonotonicReads => visible.then(&scene.so.between(readers, readers)),
            Visibility::MonotonicWrites => {
                committed_earlier = scene.so.between(updaters, updaters);
                committed_earlier.then(&visible)
            }
            _ => {
                committed_earlier = visible.then(&scene.so.between(readers, updaters));
                committed_earlier.then(&visible)
            }
        };
        if more.within(&visible) {
            let committed_earlier = committed_earlier.turned();
            return SessionGuarantee { visible: visible.turned(), committed_earlier };
        }
        visible = visible.or(more);
    }
}

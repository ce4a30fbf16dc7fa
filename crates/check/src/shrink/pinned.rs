//! Whether an excerpt says nothing that the whole trace does not say.
//!
//! Every read of the excerpt must be a read of the whole, must have seen the same, and must have the
//! same possible sources. Then a refutation of the excerpt is one of the whole, word for word: its
//! choices are all the choices there are, and its edges are edges of the whole. In particular each
//! writer that it names is the only candidate of the whole trace, or told as one of all of them.

use tristan_ground::Threads;
use tristan_history::excerpt::{Excerpt, Place};
use tristan_history::{History, KeyId, TxnId};

use crate::asg::{Asg, BadRead, ExternalRead, ReadKind, Seen};
use crate::resolution::{is_indeterminate, settle};

/// Whether every read of the excerpt has the sources that it has in the whole trace, if operations that
/// may have taken effect did (`taken`, where there are any) and if they did not.
pub(super) fn is_pinned(whole: &Asg<'_>, taken: Option<&Asg<'_>>, excerpt: &Excerpt) -> bool {
    let Excerpt { history, places } = excerpt;
    is_pinned_in(whole, history, places)
        && taken.is_none_or(|whole| match taken_effect(history) {
            Some(history) => is_pinned_in(whole, &history, places),
            None => is_pinned_in(whole, history, places),
        })
}

/// The history in which every operation took effect that may have; `None` if there is no such
/// operation.
pub(super) fn taken_effect(history: &History) -> Option<History> {
    let open = history.ops.iter().any(is_indeterminate);
    open.then(|| {
        let mut history = history.clone();
        let open = history.ops.iter_mut().filter(|op| is_indeterminate(op));
        open.for_each(|op| settle(op, true));
        history
    })
}

fn is_pinned_in(whole: &Asg<'_>, part: &History, places: &[Place]) -> bool {
    let part = Asg::build(part, Threads::new(1));
    let pin = Pin { whole, part: &part, places };
    part.reads.iter().all(|read| pin.agrees(&read)) && part.bad.iter().all(|bad| pin.is_as_bad(bad))
}

struct Pin<'a> {
    whole: &'a Asg<'a>,
    part: &'a Asg<'a>,
    places: &'a [Place],
}

impl Pin<'_> {
    fn key(&self, key: KeyId) -> Option<KeyId> {
        self.whole.history.keys.find(self.part.history.key(key)).map(KeyId)
    }

    fn txn(&self, txn: TxnId) -> TxnId {
        self.places[txn.index()].txn
    }

    fn agrees(&self, read: &ExternalRead) -> bool {
        let place = &self.places[read.txn.index()];
        let (op, key) = (place.ops[read.op as usize], self.key(read.key));
        let reads = self.whole.reads.of(place.txn).map(|(_, read)| read);
        let mut same = reads.filter(|other| other.op == op && Some(other.key) == key);
        // Of the keys of a range that were never there, one read stands for all.
        let never = key.is_some_and(|key| self.whole.is_never_there(key));
        if never && read.kind == ReadKind::Predicate {
            return self.sources(read) == [None];
        }
        same.next().is_some_and(|other| {
            other.kind == read.kind
                && self.saw_the_same(read, &other)
                && self.sources(read) == sources(self.whole, &other)
        })
    }

    fn saw_the_same(&self, read: &ExternalRead, other: &ExternalRead) -> bool {
        match (read.seen, other.seen) {
            (Seen::Value(own), Seen::Value(theirs)) => {
                self.part.history.value(own) == self.whole.history.value(theirs)
            }
            (Seen::List(own), Seen::List(theirs)) => {
                let of = |asg: &Asg<'_>, read: &ExternalRead| {
                    asg.lists.writers_in(read.txn, read.op).map(<[TxnId]>::to_vec)
                };
                let shown = of(self.part, read);
                let shown = shown.map(|txns| txns.into_iter().map(|txn| self.txn(txn)).collect());
                own.map(|txn| self.txn(txn)) == theirs && shown == of(self.whole, other)
            }
            (own, theirs) => own == theirs,
        }
    }

    fn sources(&self, read: &ExternalRead) -> Vec<Option<TxnId>> {
        let own = sources(self.part, read).into_iter();
        own.map(|source| source.map(|txn| self.txn(txn))).collect()
    }

    /// Whether a read that is wrong by itself is wrong in the whole, for the same reason.
    fn is_as_bad(&self, bad: &BadRead) -> bool {
        let place = &self.places[bad.txn.index()];
        let (op, key) = (place.ops[bad.op as usize], self.key(bad.key));
        self.whole.bad.iter().any(|other| {
            (other.txn, other.op, Some(other.key)) == (place.txn, op, key)
                && other.kind == bad.kind
                && other.writer == bad.writer.map(|txn| self.txn(txn))
        })
    }
}

/// The possible sources of a read; `None` stands for the initial state.
fn sources(asg: &Asg<'_>, read: &ExternalRead) -> Vec<Option<TxnId>> {
    let mut sources = Vec::new();
    asg.for_each_source(read, |source| sources.push(source));
    sources.sort_unstable();
    sources
}

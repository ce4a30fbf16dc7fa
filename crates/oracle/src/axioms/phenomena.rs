//! Adya's levels: the witness is a version order, the test is a list of proscribed phenomena.
//!
//! Write dependencies are drawn between *neighbouring* versions, as the thesis does. An
//! anti-dependency leads from a reader to the writer of *every* later version: the thesis takes
//! only the next one, which leaves no edge at all when the reader itself wrote that version. The
//! two differ only where start edges count (forward consistent view).
//! Session and real-time order are further edges of the graph.
//!
//! A read of a key that a range read did not return is a read through a predicate. It has edges
//! like any other, but G2-item and G-cursor speak of items only and leave its anti-dependencies
//! out: that is how they let phantoms pass.

use tristan_spec::Strength;

use crate::{
    axioms::{Demand, Question, begin_commit, orders},
    orders::{Chain, Flow, version_orders},
    reading::{Explained, SourcedRead},
    relations::Rel,
};

/// What a level proscribes besides aborted and intermediate reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proscribed {
    /// G1c.
    Circularity,
    /// G1c and G-cursor.
    Cursor,
    /// G1c and OTV.
    Vanishing,
    /// G1c and G-single.
    Single,
    /// G1c and G-SIb, where start edges are the recorded real-time order.
    SingleWithStart,
    /// G1c and G-update.
    Update,
    /// G1c and G2-item.
    Item,
    /// A cycle of begin and commit events.
    ClockSnapshot,
}

/// Removes the questions that some version order settles.
pub(crate) fn settle(explained: &Explained<'_>, open: &mut Vec<Question>) {
    if !open.iter().any(|question| matches!(question.demand, Demand::Phenomena(_))) {
        return;
    }
    let scene = explained.scene;
    let required = explained.wr.or(scene.shown);
    // The visitor stops early once nothing is open.
    let _ = version_orders(&scene.writers, &required, &mut |chains| {
        let graph = Graph::of(explained, chains);
        let mut waiting = false;
        open.retain(|question| {
            let Demand::Phenomena(proscribed) = question.demand else { return true };
            let settled = !graph.shows(proscribed, question.strength);
            waiting |= !settled;
            !settled
        });
        if waiting { Flow::Continue(()) } else { Flow::Break(()) }
    });
}

/// The serialization graph of one version order.
struct Graph<'a> {
    explained: &'a Explained<'a>,
    chains: &'a [Chain],
    ww: Rel,
    rw: Rel,
    /// Anti-dependencies of reads that are not predicate reads.
    item_rw: Rel,
}

impl<'a> Graph<'a> {
    fn of(explained: &'a Explained<'a>, chains: &'a [Chain]) -> Self {
        let mut ww = Rel::default();
        for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
            ww.add(pair[0], pair[1]);
        }
        let (mut rw, mut item_rw) = (Rel::default(), Rel::default());
        for read in &explained.reads {
            let chain = &chains[read.key];
            for &writer in chain[place(chain, read.source)..].iter().filter(|&&w| w != read.txn) {
                rw.add(read.txn, writer);
                if !read.predicate {
                    item_rw.add(read.txn, writer);
                }
            }
        }
        Self { explained, chains, ww, rw, item_rw }
    }

    fn shows(&self, proscribed: Proscribed, strength: Strength) -> bool {
        let base = self.explained.wr.or(orders(self.explained.scene, strength));
        if proscribed == Proscribed::ClockSnapshot {
            return begin_commit::cyclic(self.explained.scene, base.or(self.ww), self.rw);
        }
        let forward = base.or(self.ww);
        !forward.acyclic()
            || match proscribed {
                Proscribed::Circularity | Proscribed::ClockSnapshot => false,
                Proscribed::Cursor => self.explained.reads.iter().any(|read| self.cursor(read)),
                Proscribed::Vanishing => self.vanishing(),
                Proscribed::Single => cycle_with_one(&self.rw, &forward),
                Proscribed::SingleWithStart => {
                    cycle_with_one(&self.rw, &forward.or(self.explained.scene.rt))
                }
                Proscribed::Update => self.update(&forward),
                Proscribed::Item => !forward.or(self.item_rw).acyclic(),
            }
    }

    /// G-cursor: the reader also writes the key, but not the version after the one it read.
    fn cursor(&self, read: &SourcedRead) -> bool {
        let chain = &self.chains[read.key];
        let after = place(chain, read.source);
        !read.predicate && chain.iter().skip(after + 1).any(|&writer| writer == read.txn)
    }

    /// OTV: a transaction reads x from T and by a later operation y, another key, from before
    /// T's version of it.
    fn vanishing(&self) -> bool {
        let reads = &self.explained.reads;
        reads.iter().any(|x| {
            let Some(observed) = x.source else { return false };
            reads.iter().any(|y| {
                let later = y.txn == x.txn && y.op > x.op && y.key != x.key;
                let overwritten = &self.chains[y.key][place(&self.chains[y.key], y.source)..];
                later && overwritten.contains(&observed)
            })
        })
    }

    /// G-update: the updating transactions and one other do not fit on one line.
    fn update(&self, forward: &Rel) -> bool {
        let updaters = self.explained.scene.updaters;
        (0..self.explained.scene.count).any(|txn| {
            let together = updaters | 1 << txn;
            !forward.or(self.rw).between(together, together).acyclic()
        })
    }
}

/// How many versions of the chain are not newer than the source.
pub(crate) fn place(chain: &Chain, source: Option<usize>) -> usize {
    source
        .map_or(0, |writer| chain.iter().position(|&other| other == writer).map_or(0, |at| at + 1))
}

/// A cycle with exactly one edge of `single` and any number of edges of `others`.
fn cycle_with_one(single: &Rel, others: &Rel) -> bool {
    !single.then(&others.closure()).irreflexive()
}

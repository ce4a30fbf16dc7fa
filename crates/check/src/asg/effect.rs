//! Did a transaction of unknown outcome take effect?
//!
//! Leaving out a transaction that no other reads from never makes a level harder to meet, so
//! without loss of generality a transaction of unknown outcome took effect exactly if a
//! transaction that took effect (and whose reads are not dirty) read from it. That leaves three
//! cases, found by one walk over the sources.

use tristan_history::{Outcome, TxnId};

use super::{Asg, ExternalRead};

/// Whether a transaction took effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It committed, or a read that has no other source shows it.
    Sure,
    /// It did if one of the reads that may come from it does.
    Maybe,
    /// It did not, or no read can tell the difference.
    None,
}

/// Fills [`Asg::effect`] and drops the reads of transactions without effect.
pub(crate) fn decide(asg: &mut Asg<'_>) {
    let outcome = |txn: TxnId| asg.history.txn(txn).outcome;
    let committed = |txn: TxnId| outcome(txn) == Outcome::Committed;
    let initial = |txn| if committed(txn) { Effect::Sure } else { Effect::None };
    asg.effect = asg.history.txn_ids().map(initial).collect();
    if asg.history.txn_ids().any(|txn| outcome(txn) == Outcome::Unknown) {
        spread(asg, Effect::Sure);
        spread(asg, Effect::Maybe);
        let effect = &asg.effect;
        asg.reads.retain(|txn| effect[txn.index()] != Effect::None);
        asg.lists.retain_readers(|txn| effect[txn.index()] != Effect::None);
    }
}

/// Marks what is shown by reads with one source (for `Sure`) or any source (for `Maybe`).
fn spread(asg: &mut Asg<'_>, mark: Effect) {
    let reads = std::mem::take(&mut asg.reads);
    let started = |txn: &TxnId| asg.effect[txn.index()] != Effect::None;
    let mut queue: Vec<TxnId> = asg.history.txn_ids().filter(started).collect();
    while let Some(reader) = queue.pop() {
        let unsure = mark == Effect::Sure && asg.effect[reader.index()] != Effect::Sure;
        if unsure || asg.reads_dirty(reader) {
            continue;
        }
        for (_, read) in reads.of(reader) {
            for txn in shown_by(asg, &read, mark) {
                if asg.effect[txn.index()] == Effect::None {
                    asg.effect[txn.index()] = mark;
                    queue.push(txn);
                }
            }
        }
    }
    asg.reads = reads;
}

fn shown_by(asg: &Asg<'_>, read: &ExternalRead, mark: Effect) -> Vec<TxnId> {
    if let Some(listed) = asg.lists.writers_in(read.txn, read.op) {
        return listed.to_vec();
    }
    let mut sources = Vec::new();
    asg.for_each_source(read, |source| sources.push(source));
    match (mark, sources.as_slice()) {
        (Effect::Sure, [Some(only)]) => vec![*only],
        (Effect::Sure, _) => Vec::new(),
        _ => sources.into_iter().flatten().collect(),
    }
}

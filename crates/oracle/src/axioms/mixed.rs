//! Mixed levels: some version order and sources for which the mixed serialization graph is
//! acyclic.
//!
//! ```text
//!   ww                      between any two
//!   wr    into PL-2 and above
//!   rw    out of PL-2.99 and above, if it is no predicate read
//!   rw    out of PL-3
//! ```
//!
//! Transactions at PL-1 read like at read uncommitted: another transaction wrote what they saw, whatever
//! became of it. Their lists show the order of those that are known to have committed, if they
//! are known to have committed themselves.

use tristan_history::{History, Outcome, TxnId};
use tristan_spec::Promise;

use crate::{
    axioms::{Demand, Question, dirty, orders, phenomena::place},
    orders::{Chain, Flow, version_orders},
    reading::{Explained, Scene},
    register::Seen,
    relations::Rel,
    script::Script,
};

/// What every transaction was promised; `None` if the history does not say.
pub(crate) fn promises(history: &History) -> Option<Vec<Promise>> {
    let general = history.header.level.as_deref();
    let of = |level: Option<&str>| Promise::named(level.or(general)?);
    history.txns.iter().map(|txn| of(txn.level.as_deref())).collect()
}

/// Removes the questions that some explanation and version order settle.
pub(crate) fn settle(
    history: &History,
    scripts: &[Script],
    effective: &[TxnId],
    drift: i64,
    open: &mut Vec<Question>,
) {
    if !open.iter().any(|question| question.demand == Demand::Mixed) {
        return;
    }
    let Some(promises) = promises(history) else { return };
    let is_low = |txn: TxnId| promises[txn.index()] == Promise::ReadUncommitted;
    let low: Vec<TxnId> = effective.iter().copied().filter(|&txn| is_low(txn)).collect();
    let Some(start) = dirty::seen_at_start(history, scripts, &low) else { return };
    if !dirty::lists_were_written(scripts, &low) {
        return;
    }
    let committed = |txn: &TxnId| history.txn(*txn).outcome == Outcome::Committed;
    let readers: Vec<TxnId> = low.iter().copied().filter(committed).collect();
    let shown = dirty::list_order(scripts, &readers, effective, committed);
    let heard = without_reads_of(scripts, is_low);
    let Some(scene) = Scene::read(history, &heard, effective, drift) else { return };
    let promised: Vec<Promise> = effective.iter().map(|txn| promises[txn.index()]).collect();
    // The visitor stops early once nothing is open.
    let _ = scene.explanations(&mut |explained| {
        let agrees = |key: usize, seen: Seen| {
            start
                .iter()
                .all(|(other, all)| other.index() != key || all.iter().all(|one| one.agrees(seen)))
        };
        let picked = scene.reads.iter().zip(&explained.reads);
        let mut from_start = picked.filter(|(_, sourced)| sourced.source.is_none());
        match from_start.all(|(read, _)| read.seen.is_none_or(|seen| agrees(read.key, seen))) {
            true => try_orders(explained, &promised, &shown, open),
            false => Flow::Continue(()),
        }
    });
}

/// The scripts, but some transactions have read nothing.
fn without_reads_of(scripts: &[Script], deaf: impl Fn(TxnId) -> bool) -> Vec<Script> {
    let heard = |(at, script): (usize, &Script)| match deaf(TxnId::new(at)) {
        true => Script { reads: Vec::new(), lists: Vec::new(), ..script.clone() },
        false => script.clone(),
    };
    scripts.iter().enumerate().map(heard).collect()
}

fn try_orders(
    explained: &Explained<'_>,
    promised: &[Promise],
    shown: &Rel,
    open: &mut Vec<Question>,
) -> Flow {
    let scene = explained.scene;
    let required = explained.wr.or(scene.shown).or(*shown);
    version_orders(&scene.writers, &required, &mut |chains| {
        let graph = graph(explained, promised, chains);
        open.retain(|question| {
            let settled = question.demand == Demand::Mixed
                && graph.or(orders(scene, question.strength)).acyclic();
            !settled
        });
        let waiting = open.iter().any(|question| question.demand == Demand::Mixed);
        if waiting { Flow::Continue(()) } else { Flow::Break(()) }
    })
}

/// The mixed serialization graph of one version order.
fn graph(explained: &Explained<'_>, promised: &[Promise], chains: &[Chain]) -> Rel {
    // Only the reads of transactions at PL-2 and above have sources.
    let mut graph = explained.wr;
    for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
        graph.add(pair[0], pair[1]);
    }
    for read in &explained.reads {
        let counts = match promised[read.txn] {
            Promise::ReadUncommitted | Promise::ReadCommitted => false,
            Promise::RepeatableRead => !read.predicate,
            Promise::Serializable => true,
        };
        let newer = &chains[read.key][place(&chains[read.key], read.source)..];
        for &writer in newer.iter().filter(|&&writer| counts && writer != read.txn) {
            graph.add(read.txn, writer);
        }
    }
    graph
}

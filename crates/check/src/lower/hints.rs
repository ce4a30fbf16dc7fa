//! Hints as assumptions: sources that were named, orders that were given, times that decide both.

use tristan_history::TxnId;
use tristan_spec::Rel;

use super::Numbering;
use crate::asg::Asg;
use crate::ir::{Edge, Ir, ReadId, Reason, Source, Sources, Unit};

/// A read that a hint decides, and the sources it has without the hint.
#[derive(Debug)]
pub(crate) struct Narrowed {
    pub(crate) read: ReadId,
    pub(crate) sources: Sources,
}

/// What hints have changed in a problem.
#[derive(Debug)]
pub(crate) struct Assumed {
    pub(crate) narrowed: Vec<Narrowed>,
    /// How many edges there are without the hints; theirs come last.
    pub(crate) edges: usize,
}

/// Assumes in a problem what the hints of its trace say.
pub(crate) fn assume(asg: &Asg<'_>, ir: &mut Ir) -> Assumed {
    let numbering = Numbering::of(asg, ir);
    let edges = ir.edges.len();
    if ir.uses(Rel::Ww) {
        add_orders(asg, &numbering, ir);
        add_commit_order(asg, ir);
    }
    Assumed { narrowed: narrow(asg, &numbering, ir), edges }
}

/// The problem as it was.
pub(crate) fn restore(assumed: Assumed, ir: &mut Ir) {
    ir.edges.truncate(assumed.edges);
    for Narrowed { read, sources } in assumed.narrowed {
        ir.reads[read.index()].sources = sources;
    }
}

fn add_orders(asg: &Asg<'_>, numbering: &Numbering, ir: &mut Ir) {
    for hint in &asg.hints.orders {
        let units = numbering.unit(hint.first).zip(numbering.unit(hint.second));
        let Some(order) = numbering.order(hint.key) else { continue };
        let writers = &ir.orders[order.index()].writers;
        let writes = |unit: Unit| writers.binary_search(&unit).is_ok();
        if let Some((from, to)) = units.filter(|&(from, to)| writes(from) && writes(to)) {
            ir.edges.push(Edge { from, to, rel: Rel::Ww, reason: Reason::Assumed });
        }
    }
}

/// Versions in the order of their writers' commit times.
fn add_commit_order(asg: &Asg<'_>, ir: &mut Ir) {
    if asg.hints.stamps.is_empty() {
        return;
    }
    let mut edges = Vec::new();
    for order in &ir.orders {
        let stamped = order.writers.iter().filter_map(|&unit| {
            let commit = commit_of(asg, ir.units[unit.index()].txn)?;
            Some((commit, unit))
        });
        let mut stamped: Vec<(i64, Unit)> = stamped.collect();
        stamped.sort_unstable();
        for pair in stamped.windows(2).filter(|pair| pair[0].0 < pair[1].0) {
            let (from, to) = (pair[0].1, pair[1].1);
            edges.push(Edge { from, to, rel: Rel::Ww, reason: Reason::Assumed });
        }
    }
    ir.edges.append(&mut edges);
}

fn commit_of(asg: &Asg<'_>, txn: TxnId) -> Option<i64> {
    asg.hints.stamps.get(&txn).and_then(|stamp| stamp.commit)
}

fn narrow(asg: &Asg<'_>, numbering: &Numbering, ir: &mut Ir) -> Vec<Narrowed> {
    let mut narrowed = Vec::new();
    for read in ReadId::all(ir.reads.len()) {
        let ambiguous = ir.reads[read.index()].sources.len() > 1;
        if ambiguous && let Some(source) = hinted_source(asg, numbering, ir, read) {
            let sources = std::mem::replace(&mut ir.reads[read.index()].sources, source.into());
            narrowed.push(Narrowed { read, sources });
        }
    }
    narrowed
}

/// The source that hints name for a read, if it is a possible one.
fn hinted_source(asg: &Asg<'_>, numbering: &Numbering, ir: &Ir, read: ReadId) -> Option<Source> {
    let read = &ir.reads[read.index()];
    let txn = ir.units[read.unit.index()].txn;
    let key = numbering.key(read.order);
    let named = asg.hints.sources.get(&(txn, read.op, key));
    let named = named.and_then(|&(from, _)| match from {
        None => Some(Source::Initial),
        Some(txn) => numbering.unit(txn).map(Source::Unit),
    });
    let possible = |source: &Source| read.sources.contains(source);
    named.filter(possible).or_else(|| stamped_source(asg, ir, &read.sources, txn))
}

/// The latest source that had committed when the reader took its snapshot; none if the times of
/// some are missing.
fn stamped_source(asg: &Asg<'_>, ir: &Ir, sources: &Sources, reader: TxnId) -> Option<Source> {
    let start = asg.hints.stamps.get(&reader)?.start?;
    let commit = |source: &Source| match source {
        Source::Initial => Some(i64::MIN),
        Source::Unit(unit) => commit_of(asg, ir.units[unit.index()].txn),
    };
    let commits: Option<Vec<(i64, Source)>> =
        sources.iter().map(|source| Some((commit(source)?, *source))).collect();
    commits?.into_iter().filter(|&(commit, _)| commit <= start).max().map(|(_, source)| source)
}

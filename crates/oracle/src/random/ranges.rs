//! Range reads: which range is asked for, and what comes back.

use tristan_generate::Rng;
use tristan_history::{HistoryBuilder, Items, OpKind, Range, ValueId};

use crate::{
    key_order,
    random::{draw::pick, mix::Mix},
};

/// A range read still without a result; `None` if its range would contain a list.
pub(crate) fn blank(rng: &mut Rng, mix: &Mix) -> Option<OpKind> {
    let mut bound = |percent| rng.percent(percent).then(|| mix.names.bound(rng, mix.keys));
    let (mut lo, mut hi) = (bound(30), bound(30));
    let inverted = matches!((&lo, &hi), (Some(lo), Some(hi)) if mix.names.compare(lo, hi).is_gt());
    if inverted && rng.percent(90) {
        std::mem::swap(&mut lo, &mut hi);
    }
    let range = Box::new(Range { lo, hi, reverse: rng.percent(35) });
    let list = (0..mix.keys).any(|key| mix.lists[key] && contains(mix, &range, key));
    if list {
        return None;
    }
    Some(if rng.percent(50) {
        OpKind::Scan { range, items: None, locking: rng.percent(10) }
    } else {
        OpKind::Iterate { range, items: None, reached_end: true }
    })
}

/// The range a step reads.
pub(crate) fn range_of(kind: &OpKind) -> Option<&Range> {
    match kind {
        OpKind::Scan { range, .. } | OpKind::Iterate { range, .. } => Some(range),
        _ => None,
    }
}

fn contains(mix: &Mix, range: &Range, key: usize) -> bool {
    key_order::within(mix.names.order, range, &mix.names.name(key))
}

/// The keys of the range, in the order in which they are walked.
pub(crate) fn walk(rng: &mut Rng, mix: &Mix, range: &Range) -> Vec<usize> {
    let mut keys = mix.names.sorted(rng, mix.keys);
    keys.retain(|&key| contains(mix, range, key));
    if range.reverse {
        keys.reverse();
    }
    keys
}

/// Writes the items found into the step, as the client would see them.
pub(crate) fn fill(
    rng: &mut Rng,
    mix: &Mix,
    builder: &mut HistoryBuilder,
    kind: &mut OpKind,
    mut found: Vec<(usize, ValueId)>,
) {
    if let OpKind::Iterate { reached_end, .. } = kind
        && rng.percent(45)
    {
        *reached_end = false;
        found.truncate(pick(rng, found.len() + 1).max(pick(rng, found.len() + 1)));
    }
    if mix.broken && rng.percent(20) {
        disturb(rng, mix, range_of(kind), &mut found);
    }
    let unrecorded = mix.untidy && rng.percent(10);
    let named = found.into_iter().map(|(key, value)| (builder.key(mix.names.name(key)), value));
    let result: Items = named.collect();
    if let OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } = kind {
        *items = Some(result).filter(|_| !unrecorded);
    }
}

/// Spoils a result: a key is skipped, returned twice, misplaced, or not of this range at all.
fn disturb(rng: &mut Rng, mix: &Mix, range: Option<&Range>, found: &mut Vec<(usize, ValueId)>) {
    if found.is_empty() {
        return;
    }
    let at = pick(rng, found.len());
    match rng.below(8) {
        0..4 => {
            found.remove(at);
        }
        4 => found.push(found[at]),
        5 => {
            let outside = (0..mix.keys).filter(|&key| {
                !mix.lists[key] && range.is_some_and(|range| !contains(mix, range, key))
            });
            found.extend(outside.map(|key| (key, found[at].1)).next());
        }
        6 => found.reverse(),
        _ => found[at].1 = found[pick(rng, found.len())].1,
    }
}

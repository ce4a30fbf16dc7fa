//! The universe: every key the trace mentions, in key order, for range reads.

use tristan_history::{History, Initial, KeyId, KeyOrder, OpKind, Range};

/// All keys in their order.
#[derive(Debug, Default)]
pub(crate) struct Universe {
    sorted: Vec<KeyId>,
    /// Per key, where it stands.
    position: Vec<u32>,
    /// Per place, where the keys begin that are alike in the order; empty if no two are.
    alike_from: Vec<u32>,
}

impl Universe {
    /// Sorts the keys of a history.
    pub(crate) fn of(history: &History) -> Self {
        let order = history.header.key_order;
        let mentioned = mentioned(history);
        let mut sorted: Vec<KeyId> = (0..history.keys.len()).map(KeyId::new).collect();
        sorted.retain(|key| mentioned[key.index()]);
        sorted.sort_by(|&a, &b| order.compare(history.key(a), history.key(b)));
        let mut position = vec![u32::MAX; mentioned.len()];
        for (at, key) in sorted.iter().enumerate() {
            position[key.index()] = at as u32;
        }
        let alike_from = alike_from(history, &sorted);
        Self { sorted, position, alike_from }
    }

    /// The places of the keys that have no order among themselves, around a place.
    pub(crate) fn alike(&self, position: u32) -> std::ops::Range<u32> {
        let from = |position: u32| self.alike_from.get(position as usize).copied();
        let Some(start) = from(position) else { return position..position + 1 };
        let mut end = position + 1;
        while from(end) == Some(start) {
            end += 1;
        }
        start..end
    }

    /// Where a key that the trace mentions stands.
    pub(crate) fn position(&self, key: KeyId) -> u32 {
        self.position[key.index()]
    }

    /// Where the keys of a range stand.
    pub(crate) fn positions(&self, history: &History, range: &Range) -> std::ops::Range<u32> {
        let order = history.header.key_order;
        let before = |bound: &tristan_history::Datum| {
            self.sorted.partition_point(|&key| order.compare(history.key(key), bound).is_lt())
        };
        let from = range.lo.as_ref().map_or(0, before);
        let to = range.hi.as_ref().map_or(self.sorted.len(), before);
        from as u32..to.max(from) as u32
    }

    /// The key at a place; `None` behind the last one.
    pub(crate) fn at(&self, position: u32) -> Option<KeyId> {
        self.sorted.get(position as usize).copied()
    }

    /// The keys that stand there.
    pub(crate) fn keys(&self, positions: std::ops::Range<u32>) -> &[KeyId] {
        &self.sorted[positions.start as usize..positions.end as usize]
    }
}

/// Per place, where the keys begin that are alike; empty if no two are.
fn alike_from(history: &History, sorted: &[KeyId]) -> Vec<u32> {
    let order = history.header.key_order;
    let alike = |a: KeyId, b: KeyId| order.compare(history.key(a), history.key(b)).is_eq();
    if order == KeyOrder::Bytes || !sorted.windows(2).any(|pair| alike(pair[0], pair[1])) {
        return Vec::new();
    }
    let mut starts: Vec<u32> = (0..sorted.len() as u32).collect();
    for at in 1..sorted.len() {
        if alike(sorted[at - 1], sorted[at]) {
            starts[at] = starts[at - 1];
        }
    }
    starts
}

/// Per key, whether an operation, a result or the initial state mentions it; a hint does not count.
fn mentioned(history: &History) -> Vec<bool> {
    let mut mentioned = vec![false; history.keys.len()];
    for op in &history.ops {
        if let Some(key) = op.kind.key() {
            mentioned[key.index()] = true;
        }
        if let OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } = &op.kind {
            for (key, _) in items.iter().flatten() {
                mentioned[key.index()] = true;
            }
        }
    }
    if let Initial::Given(keys) = &history.header.initial {
        for key in keys.keys() {
            mentioned[key.index()] = true;
        }
    }
    mentioned
}

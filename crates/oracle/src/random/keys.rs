//! What keys are called, and how their names are ordered.

use tristan_history::{Datum, KeyOrder, generate::Rng};

use crate::random::mix::pick;

/// The names of a history's keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    kind: Kind,
    /// How they are ordered.
    pub order: KeyOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Letters,
    Numbers,
    Cases,
    Mixed,
}

const KINDS: [Kind; 6] =
    [Kind::Letters, Kind::Letters, Kind::Letters, Kind::Numbers, Kind::Cases, Kind::Mixed];

impl Names {
    /// Draws a kind of names and an order for them.
    pub(crate) fn any(rng: &mut Rng) -> Self {
        let kind = KINDS[pick(rng, KINDS.len())];
        let folded = rng.percent(if kind == Kind::Cases { 50 } else { 10 });
        Self { kind, order: if folded { KeyOrder::IgnoreCase } else { KeyOrder::Bytes } }
    }

    /// The name of a key in the trace.
    pub(crate) fn name(self, key: usize) -> Datum {
        let key = key % 6;
        match self.kind {
            Kind::Letters => ["x", "y", "z", "u", "v", "w"][key].into(),
            Kind::Numbers => [10, -3, 9, 0, 100, 7][key].into(),
            Kind::Cases => ["b", "A", "B", "a", "C", "c"][key].into(),
            Kind::Mixed if key.is_multiple_of(2) => [10, -3, 9, 0, 100, 7][key].into(),
            Kind::Mixed if key == 3 => Datum::Bytes(b"a\xff"[..].into()),
            Kind::Mixed => ["b", "9", "B", "", "", "c"][key].into(),
        }
    }

    /// A bound for a range over so many keys: the name of one, or a place next to it.
    pub(crate) fn bound(self, rng: &mut Rng, keys: usize) -> Datum {
        match self.name(pick(rng, keys)) {
            name if rng.percent(80) => name,
            Datum::Int(number) => Datum::Int(number + 1),
            Datum::Text(text) | Datum::Json(text) => Datum::Text(format!("{text}0").into()),
            Datum::Bytes(bytes) => Datum::Bytes([&bytes[..], b"0"].concat().into()),
        }
    }

    /// The numbers of the first keys, ordered by their names.
    pub(crate) fn sorted(self, keys: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..keys).collect();
        numbers.sort_by(|&a, &b| self.order.compare(&self.name(a), &self.name(b)));
        numbers
    }
}

//! What keys are called, and how their names are ordered.

use std::cmp::Ordering;

use tristan_generate::Rng;
use tristan_history::{Datum, KeyOrder};

use crate::{key_order, random::draw::pick};

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
    /// Names that are level when case is ignored, or would be if bytes were texts.
    Level,
    Mixed,
}

const KINDS: [Kind; 8] = [
    Kind::Letters,
    Kind::Letters,
    Kind::Letters,
    Kind::Numbers,
    Kind::Cases,
    Kind::Cases,
    Kind::Mixed,
    Kind::Level,
];

impl Names {
    /// Draws a kind of names and an order for them; bytes are among them only if asked for.
    pub(crate) fn any(rng: &mut Rng, bytes: bool) -> Self {
        let kind = KINDS[pick(rng, if bytes { KINDS.len() } else { KINDS.len() - 1 })];
        let folded = rng.percent(match kind {
            Kind::Cases | Kind::Level => 70,
            Kind::Letters => 20,
            Kind::Numbers | Kind::Mixed => 5,
        });
        Self { kind, order: if folded { KeyOrder::IgnoreCase } else { KeyOrder::Bytes } }
    }

    /// The name of a key in the trace.
    pub(crate) fn name(self, key: usize) -> Datum {
        let key = key % 6;
        match self.kind {
            Kind::Letters => ["x", "y", "z", "u", "v", "w"][key].into(),
            Kind::Numbers => [10, -3, 9, 0, 100, 7][key].into(),
            Kind::Cases => ["b", "A", "B", "a", "C", "c"][key].into(),
            Kind::Level if key == 2 => Datum::Bytes(b"b"[..].into()),
            Kind::Level => ["b", "B", "", "a", "c", "A"][key].into(),
            Kind::Mixed if key.is_multiple_of(2) => [10, -3, 9, 0, 100, 7][key].into(),
            Kind::Mixed if key == 3 => Datum::Bytes(b"a\xff"[..].into()),
            Kind::Mixed => ["b", "9", "B", "", "", "c"][key].into(),
        }
    }

    /// A bound for a range over so many keys: the name of one, perhaps in another case, or a place
    /// next to it.
    pub(crate) fn bound(self, rng: &mut Rng, keys: usize) -> Datum {
        let folded = self.order == KeyOrder::IgnoreCase;
        match self.name(pick(rng, keys)) {
            Datum::Text(text) if folded && rng.percent(50) => Datum::Text(other_case(&text)),
            name if rng.percent(80) => name,
            Datum::Int(number) => Datum::Int(number + 1),
            Datum::Text(text) | Datum::Json(text) => Datum::Text(format!("{text}0").into()),
            Datum::Bytes(bytes) => Datum::Bytes([&bytes[..], b"0"].concat().into()),
        }
    }

    /// The numbers of the first keys, ordered by their names.
    pub(crate) fn sorted(self, rng: &mut Rng, keys: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..keys).collect();
        if rng.percent(50) {
            // Names that are level stay as they are.
            numbers.reverse();
        }
        numbers.sort_by(|&a, &b| self.compare(&self.name(a), &self.name(b)));
        numbers
    }

    /// Compares two keys, or bounds.
    pub(crate) fn compare(self, one: &Datum, two: &Datum) -> Ordering {
        key_order::compare(self.order, one, two)
    }
}

fn other_case(text: &str) -> Box<str> {
    let turned = |letter: char| match letter.is_ascii_lowercase() {
        true => letter.to_ascii_uppercase(),
        false => letter.to_ascii_lowercase(),
    };
    text.chars().map(turned).collect::<String>().into()
}

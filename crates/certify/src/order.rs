//! How keys are ordered, for range reads: the section on range reads of docs/semantics.md.
//!
//! ```text
//!   integers by value   <   texts and bytes by their bytes   <   other JSON, as it is written
//!   ignore-case             ASCII letters of texts count as lower case; texts that are then
//!                           alike have no order among each other
//! ```
//!
//! The type of the order comes from the trace; comparing is done here, so that a mistake in the
//! comparison that the search uses does not also hide here.

use std::cmp::Ordering;

use tristan_history::{Datum, KeyOrder, Range};

/// How one key compares to another. Under [`KeyOrder::IgnoreCase`] texts that differ only in the
/// case of letters are equal.
pub(crate) fn compare(order: KeyOrder, one: &Datum, other: &Datum) -> Ordering {
    match (one, other) {
        (Datum::Int(one), Datum::Int(other)) => one.cmp(other),
        (Datum::Int(_), _) => Ordering::Less,
        (_, Datum::Int(_)) => Ordering::Greater,
        (Datum::Json(one), Datum::Json(other)) => one.cmp(other),
        (Datum::Json(_), _) => Ordering::Greater,
        (_, Datum::Json(_)) => Ordering::Less,
        _ => {
            let spelling = match order {
                KeyOrder::Bytes => spelled(one).cmp(spelled(other)),
                KeyOrder::IgnoreCase => folded(one).cmp(&folded(other)),
            };
            spelling.then(kind(one).cmp(&kind(other)))
        }
    }
}

/// Whether a key lies in [lo, hi).
pub(crate) fn contains(order: KeyOrder, range: &Range, key: &Datum) -> bool {
    let below = |bound: &Datum| compare(order, key, bound) == Ordering::Less;
    !range.lo.as_ref().is_some_and(below) && range.hi.as_ref().is_none_or(below)
}

fn spelled(key: &Datum) -> &[u8] {
    key.bytes().unwrap_or_default()
}

/// Of a text and bytes with the same spelling the text comes first.
fn kind(key: &Datum) -> u8 {
    u8::from(matches!(key, Datum::Bytes(_)))
}

fn folded(key: &Datum) -> Vec<u8> {
    let mut bytes = spelled(key).to_vec();
    if matches!(key, Datum::Text(_)) {
        bytes.make_ascii_lowercase();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_first_then_texts_and_bytes_by_their_bytes() {
        let bytes = |bytes: &[u8]| Datum::from(bytes);
        let keys = [
            Datum::Int(-1),
            Datum::Int(10),
            bytes(b""),
            "B".into(),
            "a".into(),
            bytes(b"a"),
            "ab".into(),
            "b".into(),
            bytes(b"\xff"),
        ];
        for (place, one) in keys.iter().enumerate() {
            for (other_place, other) in keys.iter().enumerate() {
                assert_eq!(compare(KeyOrder::Bytes, one, other), place.cmp(&other_place));
            }
        }
    }

    #[test]
    fn a_bound_of_another_case_is_the_same_bound() {
        let order = KeyOrder::IgnoreCase;
        let range = Range::between("b", "D");
        for (key, inside) in
            [("a", false), ("A", false), ("B", true), ("b", true), ("c", true), ("d", false)]
        {
            assert_eq!(contains(order, &range, &key.into()), inside, "{key}");
        }
        assert_eq!(compare(order, &"Key".into(), &"kEY".into()), Ordering::Equal);
        assert_eq!(compare(order, &Datum::from(&b"K"[..]), &"k".into()), Ordering::Less);
        for text in ["k", "K"] {
            assert_eq!(compare(order, &Datum::from(&b"k"[..]), &text.into()), Ordering::Greater);
        }
        assert_eq!(compare(order, &Datum::Int(9), &"".into()), Ordering::Less);
    }
}

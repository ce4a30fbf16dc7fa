//! How keys are ordered, for range reads: integers by value, then texts and bytes by their bytes.
//!
//! ```text
//!   order "bytes"         B  a  a₀  b        a text comes before the same bytes
//!   order "ignore-case"   a  {B, b}  b₀ c    letters of texts as lower case; B and b are level
//! ```
//!
//! Keys that are level lie on the same side of every bound, and an iterator may return them in
//! either order.

use std::cmp::Ordering;

use tristan_history::{Datum, KeyOrder, Range};

/// The place of a key in the order. Keys that are level have equal places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(i128),
    /// The bytes, and whether they are bytes rather than a text.
    Name(Vec<u8>, bool),
}

fn place(order: KeyOrder, key: &Datum) -> Place {
    match (key, order) {
        (Datum::Int(number), _) => Place::Number(*number),
        (Datum::Text(text), KeyOrder::Bytes) => Place::Name(text.as_bytes().to_vec(), false),
        (Datum::Text(text), KeyOrder::IgnoreCase) => {
            Place::Name(text.to_ascii_lowercase().into_bytes(), false)
        }
        (Datum::Bytes(bytes), _) => Place::Name(bytes.to_vec(), true),
        // Other JSON is no key; as a bound it would count as its text.
        (Datum::Json(text), _) => Place::Name(text.as_bytes().to_vec(), true),
    }
}

/// Compares two keys; `Equal` if they are level.
pub(crate) fn compare(order: KeyOrder, one: &Datum, two: &Datum) -> Ordering {
    place(order, one).cmp(&place(order, two))
}

/// Whether the key lies between the bounds: not before the lower one, and before the upper one.
pub(crate) fn within(order: KeyOrder, range: &Range, key: &Datum) -> bool {
    let too_low = range.lo.as_ref().is_some_and(|lo| compare(order, key, lo) == Ordering::Less);
    let too_high = range.hi.as_ref().is_some_and(|hi| compare(order, key, hi) != Ordering::Less);
    !too_low && !too_high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_in_another_case_is_the_same_bound() {
        let range = Range::between("c", "D");
        let inside =
            |order| ["B", "C", "c", "cc", "D", "d"].map(|key| within(order, &range, &key.into()));
        assert_eq!(inside(KeyOrder::IgnoreCase), [false, true, true, true, false, false]);
        assert_eq!(inside(KeyOrder::Bytes), [false; 6]);
    }

    #[test]
    fn numbers_come_before_names_and_letters_of_bytes_keep_their_case() {
        let bytes = |bytes: &[u8]| Datum::from(bytes);
        let folded = KeyOrder::IgnoreCase;
        assert_eq!(compare(folded, &Datum::Int(9), &bytes(b"A")), Ordering::Less);
        assert_eq!(compare(folded, &bytes(b"A"), &"A".into()), Ordering::Less);
        assert_eq!(compare(folded, &bytes(b"a"), &"A".into()), Ordering::Greater);
        assert_eq!(compare(folded, &"a".into(), &"A".into()), Ordering::Equal);
        assert_eq!(compare(KeyOrder::Bytes, &"a".into(), &bytes(b"a")), Ordering::Less);
    }
}

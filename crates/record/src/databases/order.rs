//! Numbers as bytes, for stores that know nothing else.
//!
//! Keys become eight bytes that are ordered as the numbers are: the sign is flipped, so that
//! negative numbers come first.
//!
//! ```text
//!   -1   7f ff ff ff ff ff ff ff
//!    0   80 00 00 00 00 00 00 00
//!    1   80 00 00 00 00 00 00 01
//! ```

use crate::DatabaseError;
use crate::connection::Range;

const SIGN: u64 = 1 << 63;
/// Bytes of a number.
pub(super) const WIDTH: usize = 8;

/// A number as bytes that are ordered as numbers are.
pub(super) fn to_bytes(number: i64) -> [u8; WIDTH] {
    (number as u64 ^ SIGN).to_be_bytes()
}

/// The number that [`to_bytes`] made these of.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<i64, DatabaseError> {
    let bytes = bytes.try_into().map_err(|_| {
        DatabaseError::Failed(format!(
            "found {} bytes, expected a number of {WIDTH} bytes",
            bytes.len()
        ))
    })?;
    Ok((u64::from_be_bytes(bytes) ^ SIGN) as i64)
}

/// Several numbers that [`to_bytes`] made these of.
pub(super) fn list_from_bytes(bytes: &[u8]) -> Result<Vec<i64>, DatabaseError> {
    bytes.chunks(WIDTH).map(from_bytes).collect()
}

/// The first and the last key of a range; `None` if there is no key in it.
pub(super) fn ends(range: Range) -> Option<(i64, i64)> {
    let first = range.lo.unwrap_or(i64::MIN);
    let last = range.hi.map_or(Some(i64::MAX), |hi| hi.checked_sub(1))?;
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_ordered_as_numbers_are() {
        let numbers = [i64::MIN, -256, -1, 0, 1, 255, 256, i64::MAX];
        assert!(numbers.map(to_bytes).is_sorted());
        for number in numbers {
            assert_eq!(from_bytes(&to_bytes(number)), Ok(number));
        }
        assert!(from_bytes(&[1, 2]).is_err() && list_from_bytes(&[0; 12]).is_err());
    }

    #[test]
    fn ranges_have_ends_or_are_empty() {
        let range = |lo, hi| Range { lo, hi };
        assert_eq!(ends(range(None, None)), Some((i64::MIN, i64::MAX)));
        assert_eq!(ends(range(Some(3), Some(5))), Some((3, 4)));
        assert_eq!(ends(range(Some(5), Some(5))), None);
        assert_eq!(ends(range(None, Some(i64::MIN))), None);
    }
}

//! Ranges of keys.

use std::ops::Bound;

/// The keys from `lo` up to but not including `hi`; `None` is unbounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// The smallest key of the interval; `None` if it has no lower bound.
    pub lo: Option<i64>,
    /// The key after the last one.
    pub hi: Option<i64>,
}

impl Interval {
    /// The keys from `lo` up to but not including `hi`.
    pub fn between(lo: i64, hi: i64) -> Self {
        Self { lo: Some(lo), hi: Some(hi) }
    }

    /// Whether there is no key in it.
    pub fn is_empty(self) -> bool {
        self.hi.is_some_and(|hi| hi <= self.lo.unwrap_or(i64::MIN))
    }

    /// The same interval, but with nothing after `last`.
    pub(crate) fn up_to(self, last: i64) -> Self {
        // No key comes after the largest one, so no bound is needed there.
        Self { hi: last.checked_add(1), ..self }
    }

    /// The bounds, for an interval that is not empty.
    pub(crate) fn bounds(self) -> (Bound<i64>, Bound<i64>) {
        (
            self.lo.map_or(Bound::Unbounded, Bound::Included),
            self.hi.map_or(Bound::Unbounded, Bound::Excluded),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_without_a_key_are_empty() {
        assert!(Interval::between(5, 5).is_empty() && Interval::between(5, 3).is_empty());
        assert!(Interval { lo: None, hi: Some(i64::MIN) }.is_empty());
        assert!(!Interval::default().is_empty() && !Interval::between(5, 6).is_empty());
    }

    #[test]
    fn an_interval_can_end_at_the_largest_key() {
        assert_eq!(Interval::default().up_to(4), Interval { lo: None, hi: Some(5) });
        assert_eq!(Interval::between(1, 5).up_to(i64::MAX), Interval { lo: Some(1), hi: None });
    }
}

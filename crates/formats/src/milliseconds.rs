//! Times in whole milliseconds, told in nanoseconds.
//!
//! A clock that shows milliseconds has swallowed the rest. So a time taken before something is
//! the first nanosecond of its millisecond, and one taken after it is the last.

/// The last millisecond that can be told in nanoseconds.
pub(crate) const LATEST: i64 = i64::MAX / 1_000_000 - 1;

/// The first nanosecond of a millisecond that is not after [`LATEST`].
pub(crate) fn earliest(time: i64) -> i64 {
    time.saturating_mul(1_000_000)
}

/// The last nanosecond of a millisecond that is not after [`LATEST`].
pub(crate) fn latest(time: i64) -> i64 {
    earliest(time).saturating_add(999_999)
}

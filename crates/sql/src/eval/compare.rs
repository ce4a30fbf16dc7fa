//! Which of two values comes first.
//!
//! Layer `eval`; knows values.

use std::cmp::Ordering;

use crate::error::{Result, unsupported};
use crate::value::{Collation, Value};

/// Which value comes first; `None` if one is NULL.
pub(crate) fn compare(
    left: &Value,
    right: &Value,
    collation: Collation,
) -> Result<Option<Ordering>> {
    if left.is_null() || right.is_null() {
        return Ok(None);
    }
    match left.compare(right, collation) {
        Some(order) => Ok(Some(order)),
        None => unsupported("a comparison of these values"),
    }
}

//! Functions and operators of PostgreSQL's ranges.
//!
//! Layer `plan`; names of functions only.

use crate::value::RangeOf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeFunction {
    /// `int4range(lower, upper [, bounds])`.
    Make(RangeOf),
    Lower,
    Upper,
    IsEmpty,
    LowerIncluded,
    UpperIncluded,
    LowerInfinite,
    UpperInfinite,
    /// `range_merge(range, range)`.
    Merge,
    /// `range @> element`.
    Has,
    /// `range @> range`.
    Contains,
    /// `&&`.
    Overlaps,
    /// `<<`.
    Precedes,
    /// `&<`.
    EndsWithin,
    /// `&>`.
    BeginsWithin,
    /// `-|-`.
    Adjacent,
    /// `*`.
    Intersection,
    /// `+`.
    Union,
    /// `-`.
    Without(RangeOf),
}

impl RangeFunction {
    /// Whether the function has a result if an argument is NULL.
    pub(crate) fn takes_nulls(self) -> bool {
        matches!(self, Self::Make(_))
    }
}

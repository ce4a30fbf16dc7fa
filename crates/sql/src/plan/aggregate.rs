//! Aggregates that only PostgreSQL has, in families.
//!
//! Layer `plan`; names only.

/// Aggregates that put values together, in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collect {
    /// `array_agg(x)`.
    Array,
    /// `json_agg(x)`, of texts that are JSON.
    JsonText,
    /// `jsonb_agg(x)`, of JSON.
    Json,
    /// `json_object_agg(name, x)`.
    JsonTextObject,
    /// `jsonb_object_agg(name, x)`.
    JsonObject,
}

/// Aggregates of numbers for which the order of rows does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statistic {
    /// The variance, or the standard deviation, which is its root; of a sample, or of all there is.
    Spread {
        root: bool,
        sample: bool,
    },
    BitAnd,
    BitOr,
    BitXor,
}

/// Aggregates over values that are sorted first: `… WITHIN GROUP (ORDER BY x)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderedSet {
    /// The value that is there most often.
    Mode,
    /// The first value at or behind a fraction of the rows.
    Discrete,
    /// The number at a fraction of the way from the first to the last.
    Continuous,
}

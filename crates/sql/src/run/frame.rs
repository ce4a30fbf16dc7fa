//! The rows that an expression can see.
//!
//! Layer `run`; knows values.

use crate::value::Value;

/// A row, and the rows of the queries around it.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) row: &'a [Value],
    pub(crate) outer: Option<&'a Frame<'a>>,
}

impl Frame<'_> {
    /// No row at all.
    pub(crate) const EMPTY: Frame<'static> = Frame { row: &[], outer: None };
}

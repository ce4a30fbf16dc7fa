//! What columns hold that a statement does not fill, and what their types demand.
//!
//! Layer `catalog`; knows plans, because defaults and conditions are kept bound.

use crate::plan::Expr;
use crate::sequence::SequenceId;
use crate::types::Type;

/// What a column holds if the statement gives no value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DefaultValue {
    /// NULL, or an error if it may not be NULL.
    Nothing,
    Expr(Expr),
    /// Always computed from the other columns of the row.
    Generated(Expr),
    /// The same, but only when the row is read: a value that does not fit is no error when the row is written.
    Virtual(Expr),
    /// The next number of the server; `always` if a statement may not give one.
    Sequence {
        always: bool,
        sequence: SequenceId,
    },
}

/// Another type with conditions: a column of this type has values of the other one, which meet them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Domain {
    pub(crate) name: String,
    pub(crate) base: Type,
    pub(crate) default: DefaultValue,
    /// Over a row whose only column is the value.
    pub(crate) checks: Vec<Expr>,
}

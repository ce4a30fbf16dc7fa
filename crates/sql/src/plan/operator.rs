//! The words of expressions and queries that hold no parts: operators, functions, kinds of joins.
//!
//! Layer `plan`; knows nothing of the tree that they stand in, so that [`crate::eval`] can say what
//! they do to values.

use crate::value::{Asked, Collation};

use super::aggregate::{Collect, OrderedSet, Statistic};
use super::array::ArrayFunction;
use super::bytes::BytesFunction;
use super::interval::IntervalFunction;
use super::json::JsonFunction;
use super::loose::LooseFunction;
use super::network::NetworkFunction;
use super::range::RangeFunction;
use super::scalar::{DateFunction, NumberFunction, PatternFunction, StringFunction};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantifier {
    Any,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompareOp {
    Eq,
    NotEq,
    Less,
    LessEq,
    Greater,
    GreaterEq,
}

impl CompareOp {
    /// The same with the sides changed.
    /// What has to be known about two values.
    pub(crate) fn asks(self) -> Asked {
        match self {
            Self::Eq | Self::NotEq => Asked::Equality,
            _ => Asked::Order,
        }
    }

    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEq => Self::GreaterEq,
            Self::Greater => Self::Less,
            Self::GreaterEq => Self::LessEq,
            same => same,
        }
    }

    /// Whether this order is what the operator asks for.
    pub(crate) fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Eq => order.is_eq(),
            Self::NotEq => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessEq => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEq => order.is_ge(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    /// MySQL's `DIV`.
    IntDiv,
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

/// How strict a conversion is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CastMode {
    /// The statement says `CAST`.
    Explicit,
    /// The server does it to compare or compute.
    Implicit,
    /// A value is put into a column.
    Assign,
}

/// Functions of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Abs,
    Round,
    Truncate,
    Floor,
    Ceil,
    Sign,
    Greatest,
    Least,
    Length,
    OctetLength,
    Lower,
    Upper,
    Concat,
    ConcatWs,
    /// `||` of PostgreSQL.
    Append,
    Substring,
    Left,
    Right,
    TrimBoth,
    TrimLeft,
    TrimRight,
    Replace,
    CharLength,
    Repeat,
    Reverse,
    LeftPad,
    RightPad,
    DateDiff,
    Ascii,
    BitNot,
    /// `ARRAY[…]`.
    MakeArray,
    /// `ROW(…)`.
    MakeRecord,
    /// `x = ANY (array)`, or `ALL`.
    Elements {
        op: CompareOp,
        quantifier: Quantifier,
        collation: Collation,
    },
    /// `array[1]`.
    Subscript,
    ArrayLength,
    /// `array @> array`.
    ArrayContains,
    /// `array && array`.
    ArrayOverlaps,
    /// `->`, or `->>` for the text.
    JsonMember {
        text: bool,
    },
    /// `#>`, or `#>>` for the text.
    JsonPath {
        text: bool,
    },
    /// `@>`.
    JsonContains,
    /// `?`.
    JsonHas,
    /// `||`.
    JsonAppend,
    /// `-`.
    JsonRemove,
    JsonTypeOf,
    JsonArrayLength,
    /// `JSON_VALID`: whether a text is JSON.
    JsonValid,
    Date(DateFunction),
    Number(NumberFunction),
    Pattern(PatternFunction),
    String(StringFunction),
    Interval(IntervalFunction),
    Json(JsonFunction),
    Array(ArrayFunction),
    Bytes(BytesFunction),
    Range(RangeFunction),
    Network(NetworkFunction),
    /// A function that only MySQL and MariaDB have.
    Loose(LooseFunction),
}

impl Function {
    /// Whether the function can have a result if an argument is NULL.
    pub(crate) fn takes_nulls(self) -> bool {
        match self {
            Self::Greatest
            | Self::Least
            | Self::Concat
            | Self::ConcatWs
            | Self::MakeArray
            | Self::Elements { .. } => true,
            Self::String(function) => function.takes_nulls(),
            Self::Json(function) => function.takes_nulls(),
            Self::Array(function) => function.takes_nulls(),
            Self::Interval(function) => function == IntervalFunction::Overlaps,
            Self::Range(function) => function.takes_nulls(),
            Self::Loose(function) => function.takes_nulls(),
            _ => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetKind {
    Union,
    Except,
    Intersect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AggregateFunction {
    Count,
    Sum,
    Avg,
    Min,
    Max,
    BoolAnd,
    BoolOr,
    StringAgg,
    Collect(Collect),
    Statistic(Statistic),
    OrderedSet(OrderedSet),
}

impl AggregateFunction {
    /// Whether the order of the rows may show in the result.
    pub(crate) fn puts_together(self) -> bool {
        matches!(self, Self::StringAgg | Self::Collect(_))
    }
}

/// What the bounds of a frame count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameUnit {
    Rows,
    /// How far keys are apart. Rows that are tied with the current one belong to it.
    Range,
    /// Groups of rows that are tied.
    Groups,
}

/// Which rows of a frame are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameExclusion {
    None,
    /// The current row.
    Current,
    /// The current row and those that are tied with it.
    Group,
    /// Those that are tied with the current row.
    Ties,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
}

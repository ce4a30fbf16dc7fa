//! Expressions.

use crate::types::Type;
use crate::value::{Collation, Value};

use super::query::Query;

/// An expression over the columns of a row, and of the rows of the queries around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Const(Value),
    /// A column of the query `depth` levels further out.
    Column {
        depth: usize,
        index: usize,
    },
    /// A parameter, converted to a type.
    Param {
        index: usize,
        to: Type,
    },
    /// A variable of a routine.
    Local(usize),
    /// A variable of the session (`@x`).
    Session(String),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Xor(Box<Expr>, Box<Expr>),
    Neg(Type, Box<Expr>),
    Arith {
        op: Arith,
        result: Type,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Compare {
        op: CompareOp,
        collation: Collation,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `IS [NOT] DISTINCT FROM`, `<=>`.
    Distinct {
        negated: bool,
        collation: Collation,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    IsNull {
        negated: bool,
        expr: Box<Expr>,
    },
    /// `IS TRUE`, `IS NOT FALSE`, `IS UNKNOWN`, …
    IsTruth {
        truth: Option<bool>,
        negated: bool,
        expr: Box<Expr>,
    },
    /// Pairs to be compared: what is looked for, and a member.
    In {
        negated: bool,
        list: Vec<(Expr, Expr, Collation)>,
    },
    Like {
        negated: bool,
        collation: Collation,
        expr: Box<Expr>,
        pattern: Box<Expr>,
        escape: Option<char>,
    },
    Case {
        branches: Vec<(Expr, Expr)>,
        otherwise: Box<Expr>,
    },
    Coalesce(Vec<Expr>),
    Cast {
        to: Type,
        mode: CastMode,
        expr: Box<Expr>,
    },
    Call {
        function: Function,
        result: Type,
        args: Vec<Expr>,
    },
    /// A function that somebody wrote.
    Routine {
        name: String,
        args: Vec<Expr>,
    },
    /// A moment moved by months, days and microseconds.
    Move {
        months: i64,
        days: i64,
        micros: i64,
        expr: Box<Expr>,
    },
    /// A value of the server's own: the current time, the next number of a sequence.
    Open {
        what: crate::run::Open,
    },
    /// A closed query gives the same rows wherever it stands, so it is evaluated once.
    Exists {
        closed: bool,
        query: Box<Query>,
    },
    Scalar {
        closed: bool,
        query: Box<Query>,
    },
    /// `(a, b) = ANY (SELECT …)`, `NOT IN`, …
    Quantified {
        closed: bool,
        quantifier: Quantifier,
        op: CompareOp,
        left: Vec<Expr>,
        casts: Vec<(Type, Option<Type>)>,
        collations: Vec<Collation>,
        query: Box<Query>,
    },
    /// The aggregate with this number; gone after binding.
    Aggregate(usize),
}

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
    /// Somebody wrote `CAST`.
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
    Extract(Field),
    DateDiff,
    Ascii,
    BitNot,
}

/// A part of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

impl Expr {
    pub(crate) fn null() -> Self {
        Self::Const(Value::Null)
    }

    pub(crate) fn column(index: usize) -> Self {
        Self::Column { depth: 0, index }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    pub(crate) fn not(self) -> Self {
        Self::Not(Box::new(self))
    }

    pub(crate) fn cast(self, to: Type, mode: CastMode) -> Self {
        Self::Cast { to, mode, expr: Box::new(self) }
    }

    /// The parts of a chain of ANDs, from left to right.
    pub(crate) fn conjuncts(self) -> Vec<Self> {
        match self {
            Self::And(left, right) => {
                let mut parts = left.conjuncts();
                parts.extend(right.conjuncts());
                parts
            }
            other => vec![other],
        }
    }
}

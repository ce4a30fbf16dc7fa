//! Functions of PostgreSQL over dates, texts, patterns and numbers.
//!
//! Layer `plan`; names of functions only.

use crate::value::Zone;

/// Functions of dates and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateFunction {
    /// `date_trunc(unit, moment [, zone])`.
    Truncate,
    /// `EXTRACT(field FROM moment)`: exact numbers.
    Extract,
    /// `date_part(field, moment)`: floating point numbers.
    Part,
    /// `moment AT TIME ZONE zone`.
    AtZone,
    /// A moment on the clocks of the session, or the other way round.
    InZone(Zone),
    /// `date_trunc(unit, moment)` of a moment, on the clocks of the session.
    TruncateIn(Zone),
    MakeDate,
    MakeTimestamp,
    /// `to_timestamp(seconds)`.
    FromEpoch,
    /// `to_date(text, format)`.
    ReadDate,
    /// `to_timestamp(text, format)`.
    ReadInstant,
    /// `to_char(moment, format)`.
    Format,
    IsFinite,
}

/// Functions of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StringFunction {
    SplitPart,
    /// `strpos(text, part)`.
    Position,
    Initcap,
    Translate,
    Overlay,
    Chr,
    /// Of a number with four bytes.
    Hex4,
    /// Of a number with eight bytes.
    Hex8,
    StartsWith,
    TrimBoth,
    TrimLeft,
    TrimRight,
    BitLength,
    QuoteLiteral,
    QuoteNullable,
    QuoteIdent,
    Format,
    Md5,
    /// Of the extension of this name.
    Unaccent,
    /// Of the extension `pg_trgm`.
    Similarity,
}

/// Functions of regular expressions. The text and the pattern are the first two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternFunction {
    /// `~`, `~*`, `!~`, `!~*`.
    Matches { negated: bool, folds: bool },
    /// `SIMILAR TO`.
    Similar { negated: bool },
    /// `regexp_like(text, pattern [, flags])`.
    Like,
    /// `regexp_replace(text, pattern, replacement [, flags])`.
    Replace,
    /// `substring(text FROM pattern)`: the first group, or all that matches.
    Substring,
    /// `regexp_substr(text, pattern [, start [, number]])`: all that matches.
    Match,
    /// `regexp_count(text, pattern [, start])`.
    Count,
    /// `regexp_match(text, pattern [, flags])`: the groups of the first match, or all that matches.
    Groups,
    /// `regexp_matches(text, pattern [, flags])`: the groups of each match, as an array of arrays.
    AllGroups,
    /// `regexp_split_to_array(text, pattern [, flags])`.
    Split,
}

/// Functions of floating point numbers whose last digit depends on the C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inexact {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Cbrt,
    Exp,
    Ln,
    Log10,
}

/// Functions of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberFunction {
    Power,
    Sqrt,
    Pi,
    Degrees,
    Radians,
    /// `div(a, b)`.
    Quotient,
    Gcd,
    Lcm,
    Factorial,
    WidthBucket,
    /// `to_char(number, format)`.
    Format,
    /// `to_number(text, format)`.
    Read,
    /// `round(f(x))` or `round(f(x)::numeric, digits)` of a function that C libraries compute differently, as far
    /// as the digits are the same.
    Rounded {
        of: Inexact,
        exact: bool,
    },
    /// The text of a number of single precision, which a conversion would take for one of double precision.
    RealText,
}

impl DateFunction {
    /// Whether the result depends on settings of the session, whatever the arguments are.
    pub(crate) fn depends_on_session(self) -> bool {
        matches!(
            self,
            Self::Format
                | Self::ReadDate
                | Self::ReadInstant
                | Self::InZone(_)
                | Self::TruncateIn(_)
        )
    }
}

impl StringFunction {
    /// Whether the function has a result if an argument is NULL.
    pub(crate) fn takes_nulls(self) -> bool {
        matches!(self, Self::Format | Self::QuoteNullable)
    }
}

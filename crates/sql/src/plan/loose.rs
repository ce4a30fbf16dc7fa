//! Functions that only MySQL and MariaDB have.
//!
//! Layer `plan`; names of functions only. What they do is in `eval::loose`, one file per family.

use crate::value::Collation;

/// A function of MySQL or MariaDB, by its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooseFunction {
    Text(LooseText),
    Number(LooseNumber),
    Moment(LooseMoment),
    Json(LooseJson),
    /// A value that is refused unless it fits the type of the result.
    Fitting,
}

/// Functions of texts. Those that compare texts say how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooseText {
    /// `SUBSTRING_INDEX(text, delimiter, count)`.
    SubstringIndex,
    /// `INSERT(text, position, length, part)`.
    Insert,
    Space,
    /// `LOCATE(part, text [, position])`.
    Locate(Collation),
    /// `FIELD(value, candidate, …)`.
    Field(Collation),
    /// `FIND_IN_SET(text, list)`.
    FindInSet(Collation),
    /// `ELT(number, text, …)`.
    Elt,
    StrCmp(Collation),
    /// `TRIM(BOTH part FROM text)`: the text first.
    TrimBoth,
    TrimLeading,
    TrimTrailing,
    Hex,
    Md5,
    Sha1,
    Sha2,
    Crc32,
    ToBase64,
    Quote,
    BitLength,
    /// `CHAR(code, … USING charset)` without the charset.
    Char,
    InetAton,
    /// `REGEXP`.
    Matches {
        negated: bool,
        folds: bool,
    },
    /// `REGEXP_SUBSTR`.
    MatchedPart {
        folds: bool,
    },
    /// `REGEXP_INSTR`.
    MatchedPlace {
        folds: bool,
    },
    /// `REGEXP_REPLACE`.
    ReplaceMatches {
        folds: bool,
    },
}

/// Functions of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooseNumber {
    Power,
    Sqrt,
    Pi,
    /// `FORMAT(number, digits)`.
    Format,
    /// `CONV(digits, from, to)`.
    Conv,
    /// `HEX`, `BIN` and `OCT` of a number: its bits in this base.
    InBase(u32),
    BitCount,
    InetNtoa,
    Logarithm(Logarithm),
    /// The same, rounded to the digits of the last argument.
    RoundedLogarithm(Logarithm),
}

/// Functions whose last digit depends on the C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Logarithm {
    Exp,
    Natural,
    /// `LOG(base, number)`.
    OfBase,
    Binary,
    Decimal,
    /// `PI()`, only to be rounded.
    Pi,
}

/// Functions of days, moments and times of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooseMoment {
    /// `DATE_ADD(moment, INTERVAL number unit)`.
    Add(Unit),
    /// `DATE_SUB`.
    Subtract(Unit),
    /// `TIMESTAMPDIFF(unit, from, to)`.
    Difference(Unit),
    /// `EXTRACT(unit FROM moment)`.
    Extract(Unit),
    Quarter,
    /// Sunday is 1.
    DayOfWeek,
    /// Monday is 0.
    WeekDay,
    DayOfYear,
    /// `WEEK(moment, mode)`.
    Week,
    /// `YEARWEEK(moment, mode)`.
    YearWeek,
    DayName,
    MonthName,
    /// `DATE_FORMAT(moment, format)`.
    Format,
    /// `STR_TO_DATE(text, format)`.
    Read,
    /// `DATE(moment)`.
    Day,
    /// `TIME(moment)`.
    TimeOfDay,
    /// `TIMESTAMP(moment [, time])`.
    Moment,
    LastDay,
    MakeDate,
    ToDays,
    FromDays,
    /// `TIMEDIFF(a, b)`.
    TimeDiff,
    SecToTime,
    TimeToSec,
    AddTime,
    SubTime,
    /// `UNIX_TIMESTAMP(moment)` in UTC.
    ToEpoch,
    /// `FROM_UNIXTIME(seconds)` in UTC.
    FromEpoch,
    /// `CONVERT_TZ(moment, offset, offset)`.
    ChangeOffset,
}

/// A unit of an interval, or two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Microsecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    SecondMicrosecond,
    MinuteMicrosecond,
    MinuteSecond,
    HourMicrosecond,
    HourSecond,
    HourMinute,
    DayMicrosecond,
    DaySecond,
    DayMinute,
    DayHour,
    YearMonth,
}

/// Functions of JSON, which is a text in MariaDB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooseJson {
    Valid,
    Extract,
    /// What `JSON_EXTRACT` is compared as: a string without its quotes.
    Comparable,
    /// `JSON_EXTRACT` as a number, if it is one.
    Number,
    Unquote,
    /// `JSON_VALUE`: the text of a scalar.
    Scalar,
    /// `JSON_QUERY`: an object or an array.
    Query,
    /// A value of SQL as JSON, which may be true or false.
    Value {
        boolean: bool,
    },
    /// `JSON_OBJECT(name, json, …)`.
    Object,
    Array,
    /// `JSON_SET(json, path, json, …)`.
    Set,
    Insert,
    Replace,
    Remove,
    ArrayAppend,
    Contains,
    /// `JSON_CONTAINS_PATH(json, 'one', path, …)`.
    ContainsPath,
    Exists,
    Length,
    Keys,
    Type,
    Depth,
    MergePatch,
    Quote,
    /// `JSON_SEARCH(json, 'one', text)`.
    Search,
}

impl LooseFunction {
    /// Whether the function can have a result if an argument is NULL.
    pub(crate) fn takes_nulls(self) -> bool {
        match self {
            Self::Text(function) => matches!(
                function,
                LooseText::Field(_) | LooseText::Elt | LooseText::Char | LooseText::Quote
            ),
            Self::Json(function) => {
                use LooseJson as J;
                matches!(
                    function,
                    J::Object
                        | J::Array
                        | J::Set
                        | J::Insert
                        | J::Replace
                        | J::ArrayAppend
                        | J::MergePatch
                )
            }
            Self::Number(_) | Self::Moment(_) | Self::Fitting => false,
        }
    }
}

impl Unit {
    /// The unit of a name as it is written.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let upper = name.to_ascii_uppercase();
        Some(match upper.strip_prefix("SQL_TSI_").unwrap_or(&upper) {
            "MICROSECOND" => Self::Microsecond,
            "SECOND" => Self::Second,
            "MINUTE" => Self::Minute,
            "HOUR" => Self::Hour,
            "DAY" => Self::Day,
            "WEEK" => Self::Week,
            "MONTH" => Self::Month,
            "QUARTER" => Self::Quarter,
            "YEAR" => Self::Year,
            "SECOND_MICROSECOND" => Self::SecondMicrosecond,
            "MINUTE_MICROSECOND" => Self::MinuteMicrosecond,
            "MINUTE_SECOND" => Self::MinuteSecond,
            "HOUR_MICROSECOND" => Self::HourMicrosecond,
            "HOUR_SECOND" => Self::HourSecond,
            "HOUR_MINUTE" => Self::HourMinute,
            "DAY_MICROSECOND" => Self::DayMicrosecond,
            "DAY_SECOND" => Self::DaySecond,
            "DAY_MINUTE" => Self::DayMinute,
            "DAY_HOUR" => Self::DayHour,
            "YEAR_MONTH" => Self::YearMonth,
            _ => return None,
        })
    }

    /// Whether it moves whole days, so that a day remains a day.
    pub(crate) fn is_of_days(self) -> bool {
        matches!(
            self,
            Self::Day | Self::Week | Self::Month | Self::Quarter | Self::Year | Self::YearMonth
        )
    }

    /// Whether it has fractions of a second.
    pub(crate) fn has_microseconds(self) -> bool {
        matches!(
            self,
            Self::Microsecond
                | Self::SecondMicrosecond
                | Self::MinuteMicrosecond
                | Self::HourMicrosecond
                | Self::DayMicrosecond
        )
    }
}

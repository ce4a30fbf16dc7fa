//! Types of columns and expressions.
//!
//! Ground: knows collations.

use crate::special::Special;
use crate::value::{Collation, Enumeration, RangeOf};

/// The type of a value or an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// Nothing is known: NULL, a literal in quotes, a parameter.
    Unknown,
    /// True or false.
    Bool,
    /// A whole number.
    Int(IntType),
    /// An exact number; its digits if they are limited.
    Decimal(Option<Digits>),
    /// A floating point number of single precision.
    Real,
    /// A floating point number of double precision.
    Double,
    /// A text, with the most characters that it can have.
    Text {
        /// The most characters, if there is a limit.
        limit: Option<u32>,
        /// How it is compared, if its column says so.
        collation: Option<Collation>,
        /// Whether the spaces at its end are cut off when it is stored, as MySQL does in CHAR.
        trims: bool,
    },
    /// A text that is filled up with spaces to a length, but kept without them. Where several lengths
    /// meet, there is none, and the text is kept with its spaces.
    Char(Option<u32>),
    /// A day.
    Date,
    /// A day and a time without a time zone, with this many digits of a second.
    Timestamp(u8),
    /// A moment, the same in all time zones, with this many digits of a second.
    Instant(u8),
    /// A time of day of MySQL, with this many digits of a second.
    Time(u8),
    /// A universally unique identifier.
    Uuid,
    /// A time of day without a time zone, with this many digits of a second.
    TimeOfDay(u8),
    /// A span of time.
    Interval,
    /// Bytes, PostgreSQL's `bytea`.
    Bytea,
    /// JSON in the form of PostgreSQL's `jsonb`.
    Json,
    /// PostgreSQL's `json`: a text that is JSON, kept as it was written.
    JsonText,
    /// A list of values of one type.
    Array(Element),
    /// An enumeration, PostgreSQL's `CREATE TYPE … AS ENUM`.
    Enum(Enumeration),
    /// A range of values.
    Range(RangeOf),
    /// A column of MySQL that is one thing in a text and another in a number.
    Special(Special),
    /// A row as a value.
    Record,
    /// PostgreSQL's `inet` or `cidr`.
    Network {
        /// Whether it is a network and not an address in one.
        is_cidr: bool,
    },
}

/// What an array holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// True or false.
    Bool,
    /// Whole numbers.
    Int(IntType),
    /// Exact numbers.
    Decimal,
    /// Floating point numbers of double precision.
    Double,
    /// Texts, of the type TEXT.
    Text,
    /// Texts, of the type VARCHAR without a limit.
    Varchar,
    /// Days.
    Date,
    /// Times without a time zone.
    Timestamp,
    /// Moments.
    Instant,
    /// Universally unique identifiers.
    Uuid,
    /// Spans of time.
    Interval,
    /// JSON in the form of `jsonb`.
    Json,
    /// Values of an enumeration.
    Enum(Enumeration),
}

impl Element {
    /// What an array of values of a type holds; `None` if there is no such array here.
    pub(crate) fn of(ty: Type) -> Option<Self> {
        Some(match ty {
            Type::Bool => Self::Bool,
            Type::Int(int) if !int.unsigned => Self::Int(int),
            Type::Decimal(None) => Self::Decimal,
            Type::Double => Self::Double,
            Type::VARCHAR => Self::Varchar,
            Type::TEXT => Self::Text,
            Type::Date => Self::Date,
            Type::TIMESTAMP => Self::Timestamp,
            Type::INSTANT => Self::Instant,
            Type::Uuid => Self::Uuid,
            Type::Interval => Self::Interval,
            Type::Json => Self::Json,
            Type::Enum(of) => Self::Enum(of),
            _ => return None,
        })
    }

    /// The type of the values.
    pub(crate) fn ty(self) -> Type {
        match self {
            Self::Bool => Type::Bool,
            Self::Int(int) => Type::Int(int),
            Self::Decimal => Type::NUMERIC,
            Self::Double => Type::Double,
            Self::Text => Type::TEXT,
            Self::Varchar => Type::VARCHAR,
            Self::Date => Type::Date,
            Self::Timestamp => Type::TIMESTAMP,
            Self::Instant => Type::INSTANT,
            Self::Uuid => Type::Uuid,
            Self::Interval => Type::Interval,
            Self::Json => Type::Json,
            Self::Enum(of) => Type::Enum(of),
        }
    }
}

/// A type of whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntType {
    /// How many bytes it has.
    pub bytes: u8,
    /// Has it no negative numbers?
    pub unsigned: bool,
}

/// The digits of an exact number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digits {
    /// How many there are.
    pub precision: u32,
    /// How many of them are behind the point.
    pub scale: u32,
}

impl Type {
    pub(crate) const TEXT: Self = Self::Text { limit: None, collation: None, trims: false };
    /// VARCHAR without a length, which PostgreSQL tells from TEXT.
    pub(crate) const VARCHAR: Self =
        Self::Text { limit: Some(u32::MAX), collation: None, trims: false };
    pub(crate) const INT2: Self = Self::Int(IntType { bytes: 2, unsigned: false });
    pub(crate) const INT4: Self = Self::Int(IntType { bytes: 4, unsigned: false });
    pub(crate) const INT8: Self = Self::Int(IntType { bytes: 8, unsigned: false });
    pub(crate) const NUMERIC: Self = Self::Decimal(None);
    /// TIMESTAMP with all the digits that there are.
    pub(crate) const TIMESTAMP: Self = Self::Timestamp(6);
    /// TIMESTAMP WITH TIME ZONE with all the digits that there are.
    pub(crate) const INSTANT: Self = Self::Instant(6);

    /// TIME with all the digits that there are.
    pub(crate) const TIME_OF_DAY: Self = Self::TimeOfDay(6);

    /// The type that PostgreSQL calls by this name inside; `None` if it is not known here.
    pub fn named(name: &str) -> Option<Self> {
        if let Some(element) = name.strip_prefix('_') {
            return Self::named(element).and_then(Element::of).map(Self::Array);
        }
        Some(match name {
            "unknown" => Self::Unknown,
            "bool" => Self::Bool,
            "int2" => Self::INT2,
            "int4" => Self::INT4,
            "int8" => Self::INT8,
            "numeric" => Self::NUMERIC,
            "float4" => Self::Real,
            "float8" => Self::Double,
            "text" => Self::TEXT,
            "varchar" => Self::VARCHAR,
            "date" => Self::Date,
            "timestamp" => Self::TIMESTAMP,
            "timestamptz" => Self::INSTANT,
            "uuid" => Self::Uuid,
            "jsonb" => Self::Json,
            "json" => Self::JsonText,
            "time" => Self::TIME_OF_DAY,
            "interval" => Self::Interval,
            "bytea" => Self::Bytea,
            _ => return RangeOf::named(name).map(Self::Range),
        })
    }

    /// The type of the values in a range.
    pub(crate) fn within(of: RangeOf) -> Self {
        match of {
            RangeOf::Int4 => Self::INT4,
            RangeOf::Int8 => Self::INT8,
            RangeOf::Numeric => Self::NUMERIC,
            RangeOf::Date => Self::Date,
            RangeOf::Timestamp => Self::TIMESTAMP,
            RangeOf::Instant => Self::INSTANT,
        }
    }

    /// An exact number of this many digits, within what servers allow.
    pub(crate) fn decimal(precision: u32, scale: u32) -> Self {
        let scale = scale.min(38);
        Self::Decimal(Some(Digits { precision: precision.clamp(scale.max(1), 65), scale }))
    }

    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Text { .. } | Self::Char(_))
    }

    /// What a column of this type says about how it compares, to be said later.
    pub(crate) fn own_collation(&mut self) -> Option<&mut Option<Collation>> {
        match self {
            Self::Text { collation, .. }
            | Self::Special(Special::One(_, collation) | Special::Many(_, collation)) => {
                Some(collation)
            }
            _ => None,
        }
    }

    /// The first label of an ENUM.
    pub(crate) fn first_label(self) -> Option<&'static str> {
        match self {
            Self::Special(Special::One(labels, _)) => labels.iter().next(),
            _ => None,
        }
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::Int(_) | Self::Decimal(_) | Self::Real | Self::Double)
    }

    /// Whether it is a day or a time that means different moments in different time zones.
    pub(crate) fn is_time(self) -> bool {
        matches!(self, Self::Date | Self::Timestamp(_))
    }

    /// Whether only PostgreSQL has it, with operators and conversions of which not all are known here: what is not
    /// known is refused, and is no error.
    pub(crate) fn is_partly_known(self) -> bool {
        matches!(
            self,
            Self::TimeOfDay(_)
                | Self::Interval
                | Self::Bytea
                | Self::JsonText
                | Self::Enum(_)
                | Self::Range(_)
                | Self::Record
                | Self::Network { .. }
                | Self::Array(Element::Interval | Element::Json | Element::Enum(_))
        )
    }

    pub(crate) fn is_instant(self) -> bool {
        matches!(self, Self::Instant(_))
    }

    pub(crate) fn is_unsigned(self) -> bool {
        matches!(self, Self::Int(IntType { unsigned: true, .. }))
    }

    /// How texts of this type compare, where others compare in the usual way.
    pub(crate) fn collation(self, usual: Collation) -> Collation {
        match self {
            Self::Text { collation: Some(own), .. }
            | Self::Special(Special::One(_, Some(own)) | Special::Many(_, Some(own))) => own,
            _ => usual,
        }
    }

    /// The digits that an exact number of this type can have, as MySQL counts.
    pub(crate) fn digits(self) -> Digits {
        match self {
            Self::Decimal(Some(digits)) => digits,
            Self::Int(int) => Digits { precision: int.digits(), scale: 0 },
            Self::Bool => Digits { precision: 1, scale: 0 },
            _ => Digits { precision: 65, scale: 0 },
        }
    }
}

impl IntType {
    /// The numbers that fit.
    pub(crate) fn range(self) -> (i128, i128) {
        let bits = u32::from(self.bytes) * 8;
        if self.unsigned {
            (0, (1i128 << bits) - 1)
        } else {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        }
    }

    fn digits(self) -> u32 {
        match (self.bytes, self.unsigned) {
            (1, _) => 3,
            (2, _) => 5,
            (3, false) => 7,
            (3, true) => 8,
            (4, _) => 10,
            (_, false) => 19,
            (_, true) => 20,
        }
    }
}

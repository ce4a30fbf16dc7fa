//! Types as they are written.
//!
//! Layer `catalog`; knows types and the syntax tree of SQL.

use sqlparser::ast::{
    ArrayElemTypeDef, BinaryLength, CharacterLength, DataType, EnumMember, ExactNumberInfo,
    TimezoneInfo,
};

use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::special::{Labels, Special};
use crate::types::{Digits, Element, IntType, Type};
use crate::value::{Collation, RangeOf};

/// The type that is meant.
pub(crate) fn read_type(dialect: Dialect, written: &DataType) -> Result<Type> {
    let int = |bytes, unsigned| Ok(Type::Int(IntType { bytes, unsigned }));
    match written {
        DataType::TinyInt(_) if !dialect.is_strictly_typed() => int(1, false),
        DataType::TinyIntUnsigned(_) => int(1, true),
        DataType::SmallInt(_) | DataType::Int2(_) => int(2, false),
        DataType::SmallIntUnsigned(_) | DataType::Int2Unsigned(_) => int(2, true),
        DataType::MediumInt(_) if !dialect.is_strictly_typed() => int(3, false),
        DataType::MediumIntUnsigned(_) => int(3, true),
        DataType::Int(_) | DataType::Integer(_) | DataType::Int4(_) => {
            // CAST(… AS INT) in MariaDB means all 64 bits; a column INT is read elsewhere the same way.
            int(4, false)
        }
        DataType::IntUnsigned(_) | DataType::IntegerUnsigned(_) | DataType::Int4Unsigned(_) => {
            int(4, true)
        }
        DataType::BigInt(_) | DataType::Int8(_) | DataType::Signed | DataType::SignedInteger => {
            int(8, false)
        }
        DataType::BigIntUnsigned(_)
        | DataType::Int8Unsigned(_)
        | DataType::Unsigned
        | DataType::UnsignedInteger => int(8, true),
        DataType::Bool | DataType::Boolean if dialect.is_strictly_typed() => Ok(Type::Bool),
        DataType::Bool | DataType::Boolean => int(1, false),
        DataType::Numeric(info) | DataType::Decimal(info) | DataType::Dec(info) => {
            decimal(dialect, info)
        }
        DataType::Float(info) => float(dialect, info),
        DataType::Real if !dialect.is_strictly_typed() => Ok(Type::Double),
        DataType::Real | DataType::Float4 => Ok(Type::Real),
        DataType::Double(ExactNumberInfo::None) | DataType::DoublePrecision | DataType::Float8 => {
            Ok(Type::Double)
        }
        DataType::Varchar(length)
        | DataType::CharVarying(length)
        | DataType::CharacterVarying(length) => match characters(*length) {
            None if dialect.is_strictly_typed() => Ok(Type::VARCHAR),
            limit => Ok(Type::Text { limit, collation: None, trims: false }),
        },
        DataType::Char(length) | DataType::Character(length) => {
            let length = characters(*length).unwrap_or(1);
            // MySQL shows none of the spaces that fill it up, nor those that were put into it.
            if dialect.is_strictly_typed() {
                Ok(Type::Char(Some(length)))
            } else {
                Ok(Type::Text { limit: Some(length), collation: None, trims: true })
            }
        }
        DataType::Text
        | DataType::TinyText
        | DataType::MediumText
        | DataType::LongText
        | DataType::String(None) => Ok(Type::TEXT),
        DataType::Date => Ok(Type::Date),
        DataType::Time(precision, TimezoneInfo::None) if !dialect.is_strictly_typed() => {
            match precision.unwrap_or(0) {
                digits @ 0..=6 => Ok(Type::Time(u8::try_from(digits).unwrap_or(6))),
                digits => unsupported(format!("TIME({digits})")),
            }
        }
        DataType::Uuid if matches!(dialect, Dialect::PostgreSql | Dialect::MariaDb) => {
            Ok(Type::Uuid)
        }
        DataType::JSON if dialect == Dialect::MariaDb => {
            // A text that is compared byte by byte, and whose column has a CHECK of its own.
            let collation = Some(Collation::PaddedBytes);
            Ok(Type::Text { limit: None, collation, trims: false })
        }
        DataType::JSONB => Ok(Type::Json),
        DataType::JSON if dialect.is_strictly_typed() => Ok(Type::JsonText),
        DataType::Bytea => Ok(Type::Bytea),
        DataType::Interval { fields: None, precision: None } => Ok(Type::Interval),
        DataType::Time(precision, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone)
            if dialect.is_strictly_typed() =>
        {
            match u8::try_from(precision.unwrap_or(6)) {
                Ok(digits @ 0..=6) => Ok(Type::TimeOfDay(digits)),
                _ => unsupported(format!("the type {written}")),
            }
        }
        DataType::Array(ArrayElemTypeDef::SquareBracket(element, _)) => {
            match Element::of(read_type(dialect, element)?) {
                Some(element) => Ok(Type::Array(element)),
                None => unsupported(format!("the type {written}")),
            }
        }
        DataType::Timestamp(precision, zone) => timestamp(dialect, *precision, zone),
        DataType::Datetime(precision) => timestamp(dialect, *precision, &TimezoneInfo::None),
        DataType::Custom(name, modifiers)
            if dialect.is_strictly_typed() && modifiers.is_empty() =>
        {
            match name.to_string().to_lowercase().as_str() {
                "inet" => return Ok(Type::Network { is_cidr: false }),
                "cidr" => return Ok(Type::Network { is_cidr: true }),
                _ => {}
            }
            match RangeOf::named(&name.to_string().to_lowercase()) {
                Some(of) => Ok(Type::Range(of)),
                None => unsupported(format!("the type {written}")),
            }
        }
        other => match (!dialect.is_strictly_typed()).then(|| special(other)).flatten() {
            Some(special) => Ok(Type::Special(special)),
            None => unsupported(format!("the type {other}")),
        },
    }
}

/// The types of MySQL that are one thing in a text and another in a number.
fn special(written: &DataType) -> Option<Special> {
    let most = |length: u64| u32::try_from(length).ok();
    let bytes = |limit: u32, padded| Some(Special::Bytes { limit: Some(limit), padded });
    match written {
        DataType::Enum(members, None) => {
            let labels: Option<Vec<&str>> = members
                .iter()
                .map(|member| match member {
                    EnumMember::Name(name) => Some(name.as_str()),
                    EnumMember::NamedValue(..) => None,
                })
                .collect();
            Some(Special::One(Labels::of(labels?.into_iter()), None))
        }
        DataType::Set(labels) => {
            Some(Special::Many(Labels::of(labels.iter().map(String::as_str)), None))
        }
        DataType::Bit(length) => match length.unwrap_or(1) {
            bits @ 1..=63 => Some(Special::Bits(u8::try_from(bits).unwrap_or(63))),
            _ => None,
        },
        DataType::TinyBlob => bytes(255, false),
        DataType::Blob(None) => bytes(65_535, false),
        DataType::MediumBlob => bytes(16_777_215, false),
        DataType::LongBlob => bytes(u32::MAX, false),
        DataType::Binary(length) => bytes(most(length.unwrap_or(1))?, true),
        DataType::Varbinary(Some(BinaryLength::IntegerLength { length })) => {
            bytes(most(*length)?, false)
        }
        DataType::Custom(name, arguments) => match name.to_string().to_lowercase().as_str() {
            "inet6" if arguments.is_empty() => Some(Special::Inet6),
            "year" if matches!(arguments.as_slice(), [] | [_]) => Some(Special::Year),
            _ => None,
        },
        _ => None,
    }
}

fn characters(length: Option<CharacterLength>) -> Option<u32> {
    match length {
        Some(CharacterLength::IntegerLength { length, .. }) => u32::try_from(length).ok(),
        _ => None,
    }
}

fn decimal(dialect: Dialect, info: &ExactNumberInfo) -> Result<Type> {
    let (precision, scale) = match info {
        ExactNumberInfo::None if dialect.is_strictly_typed() => return Ok(Type::NUMERIC),
        ExactNumberInfo::None => (10, 0),
        ExactNumberInfo::Precision(precision) => (*precision, 0),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => (*precision, *scale),
    };
    match (u32::try_from(precision), u32::try_from(scale)) {
        (Ok(precision @ 1..=65), Ok(scale)) if scale <= precision && scale <= 38 => {
            Ok(Type::Decimal(Some(Digits { precision, scale })))
        }
        _ => unsupported(format!("DECIMAL({precision},{scale})")),
    }
}

fn float(dialect: Dialect, info: &ExactNumberInfo) -> Result<Type> {
    match info {
        ExactNumberInfo::None if dialect.is_strictly_typed() => Ok(Type::Double),
        ExactNumberInfo::None => Ok(Type::Real),
        ExactNumberInfo::Precision(1..=24) => Ok(Type::Real),
        ExactNumberInfo::Precision(25..=53) => Ok(Type::Double),
        ExactNumberInfo::Precision(_) => {
            fail(ErrorClass::InvalidArgument, "the precision of FLOAT")
        }
        ExactNumberInfo::PrecisionAndScale(..) => unsupported("FLOAT(precision, scale)"),
    }
}

fn timestamp(dialect: Dialect, precision: Option<u64>, zone: &TimezoneInfo) -> Result<Type> {
    let strict = dialect.is_strictly_typed();
    // MySQL keeps whole seconds unless told otherwise.
    let digits = match (precision, strict) {
        (None, true) => 6,
        (None, false) => 0,
        (Some(digits), _) => match u8::try_from(digits) {
            Ok(digits @ 0..=6) => digits,
            _ => return unsupported(format!("TIMESTAMP({digits})")),
        },
    };
    match zone {
        TimezoneInfo::WithTimeZone | TimezoneInfo::Tz if strict => Ok(Type::Instant(digits)),
        TimezoneInfo::WithTimeZone | TimezoneInfo::Tz => unsupported("TIMESTAMP WITH TIME ZONE"),
        _ => Ok(Type::Timestamp(digits)),
    }
}

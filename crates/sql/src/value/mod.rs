//! Values, and how they compare.
//!
//! Ground, the lowest part of it: knows nothing else of the crate.

mod array;
mod calendar;
mod collation;
mod decimal;
mod enumeration;
mod general_ci;
mod integer;
mod interval;
mod json;
mod like;
mod network;
mod numbers;
mod range;
mod record;
mod time_of_day;
mod uuid;
mod zone;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(crate) use array::{format_array, parse_array};
pub(crate) use calendar::{
    add_interval, civil, format_instant, is_finite, parse_date, parse_infinity, parse_instant,
    parse_time, parse_timestamp, rounded,
};
pub use calendar::{format_date, format_timestamp};
pub use collation::{Asked, Collation, Letters};
pub use decimal::Decimal;
pub use enumeration::{Enumeration, Label};
pub use interval::Interval;
pub(crate) use interval::clock;
pub use json::Json;
pub(crate) use json::{JsonError, quoted_json};
pub(crate) use like::Like;
pub use network::Network;
pub(crate) use numbers::{
    format_double, format_real, leading_number, leading_number_text, round_to_even,
};
pub(crate) use range::{End, NoRange, exact_end, format_range, parse_range};
pub use range::{Range, RangeOf};
pub(crate) use record::format_record;
pub(crate) use time_of_day::{format_signed_time, parse_signed_time};
pub(crate) use uuid::{format_uuid, parse_uuid};
pub use zone::Zone;

/// A value of a column or an expression.
#[derive(Debug, Clone)]
pub enum Value {
    /// No value.
    Null,
    /// True or false, in PostgreSQL.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number that is larger than every `Int`.
    Large(u64),
    /// An exact number with digits behind the point.
    Decimal(Decimal),
    /// A floating point number.
    Double(f64),
    /// A string of characters.
    Text(Arc<str>),
    /// A day, counted from 1970-01-01.
    Date(i32),
    /// Microseconds since 1970-01-01, in whatever time zone is meant.
    Timestamp(i64),
    /// Microseconds since 1970-01-01 in UTC.
    Instant(i64),
    /// A time of day, in microseconds.
    TimeOfDay(i64),
    /// A span of time.
    Interval(Interval),
    /// Bytes.
    Bytea(Arc<[u8]>),
    /// A time of day of MySQL, in microseconds: it has a sign, and can be longer than a day.
    Time(i64),
    /// A universally unique identifier.
    Uuid(u128),
    /// JSON.
    Json(Arc<Json>),
    /// A list of values of one type, or NULL.
    Array(Arc<[Value]>),
    /// A value of an enumeration.
    Label(Label),
    /// A range of values.
    Range(Arc<Range>),
    /// A row as a value.
    Record(Arc<[Value]>),
    /// An address or a network.
    Network(Network),
}

/// The values of one row.
pub type Row = Arc<[Value]>;

impl Value {
    /// Makes a [`Value::Text`].
    pub fn text(text: &str) -> Self {
        Self::Text(Arc::from(text))
    }

    /// A whole number that may be larger than 64 bits with a sign; `None` if it does not fit at all.
    pub fn from_integer(value: i128) -> Option<Self> {
        match i64::try_from(value) {
            Ok(small) => Some(Self::Int(small)),
            Err(_) => u64::try_from(value).ok().map(Self::Large),
        }
    }

    /// Whether there is no value.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The whole number it is.
    pub fn as_integer(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(i128::from(*value)),
            Self::Large(value) => Some(i128::from(*value)),
            Self::Bool(value) => Some(i128::from(*value)),
            _ => None,
        }
    }

    /// The number it is, exactly; `None` for what is not an exact number.
    pub fn as_decimal(&self) -> Option<Decimal> {
        match self {
            Self::Decimal(value) => Some(value.clone()),
            other => other.as_integer().map(Decimal::from_integer),
        }
    }

    /// Which one comes first; `None` if one of them is NULL or they cannot be compared.
    pub fn compare(&self, other: &Self, collation: Collation) -> Option<Ordering> {
        Some(match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => collation.compare(a, b),
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Date(a), Self::Date(b)) => a.cmp(b),
            (Self::Timestamp(a), Self::Timestamp(b)) => a.cmp(b),
            (Self::Instant(a), Self::Instant(b)) => a.cmp(b),
            (Self::Time(a), Self::Time(b)) => a.cmp(b),
            (Self::Uuid(a), Self::Uuid(b)) => a.cmp(b),
            (Self::TimeOfDay(a), Self::TimeOfDay(b)) => a.cmp(b),
            (Self::Interval(a), Self::Interval(b)) => a.compare(b),
            (Self::Bytea(a), Self::Bytea(b)) => a.cmp(b),
            (Self::Array(a), Self::Array(b)) => compare_arrays(a, b, collation),
            (Self::Label(a), Self::Label(b)) => return a.compare(*b),
            (Self::Range(a), Self::Range(b)) => a.compare(b),
            (Self::Network(a), Self::Network(b)) => a.compare(*b),
            // Only whether they are equal is asked of these.
            (Self::Json(a), Self::Json(b)) => {
                a.canonical().to_string().cmp(&b.canonical().to_string())
            }
            (Self::Date(a), Self::Timestamp(b)) => calendar::midnight(*a).cmp(b),
            (Self::Timestamp(a), Self::Date(b)) => a.cmp(&calendar::midnight(*b)),
            (Self::Double(a), Self::Double(b)) => compare_doubles(*a, *b),
            (Self::Double(a), b) => compare_doubles(*a, b.to_f64()?),
            (a, Self::Double(b)) => compare_doubles(a.to_f64()?, *b),
            (Self::Decimal(a), Self::Decimal(b)) => a.compare(b),
            (a, b) => match (a.as_integer(), b.as_integer()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => a.as_decimal()?.compare(&b.as_decimal()?),
            },
        })
    }

    /// The nearest floating point number of a number.
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Self::Double(value) => Some(*value),
            Self::Decimal(value) => Some(value.to_f64()),
            #[allow(clippy::cast_precision_loss, reason = "this is what servers do")]
            other => other.as_integer().map(|value| value as f64),
        }
    }

    /// One value for all that are equal under a collation, so that equal ones hash the same.
    pub fn canonical(&self, collation: Collation) -> Self {
        match self {
            Self::Decimal(value) => {
                let shortest = value.canonical();
                match shortest.to_integer().and_then(Self::from_integer) {
                    Some(whole) if shortest.scale() == 0 => whole,
                    _ => Self::Decimal(shortest),
                }
            }
            // Minus zero is zero.
            Self::Double(value) => Self::Double(value + 0.0),
            Self::Text(text) => Self::Text(collation.canonical(text)),
            Self::Json(json) => Self::Json(Arc::new(json.canonical())),
            Self::Interval(interval) => Self::Decimal(Decimal::from_integer(interval.length())),
            Self::Array(values) => {
                Self::Array(values.iter().map(|value| value.canonical(collation)).collect())
            }
            Self::Range(range) => Self::Range(Arc::new(range.canonical())),
            Self::Network(network) => Self::Network(network.as_cidr(false)),
            Self::Record(values) => {
                Self::Record(values.iter().map(|value| value.canonical(collation)).collect())
            }
            other => other.clone(),
        }
    }
}

/// Element by element; a NULL equals a NULL, and is larger than all else.
fn compare_arrays(a: &[Value], b: &[Value], collation: Collation) -> Ordering {
    let element = |(a, b): (&Value, &Value)| match (a.is_null(), b.is_null()) {
        (false, false) => a.compare(b, collation).unwrap_or(Ordering::Equal),
        (a, b) => a.cmp(&b),
    };
    let first = a.iter().zip(b).map(element).find(|order| order.is_ne());
    first.unwrap_or_else(|| a.len().cmp(&b.len()))
}

/// As PostgreSQL sorts: not-a-number is equal to itself and larger than all numbers.
fn compare_doubles(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// Equal here means: looks the same. `1.0` and `1.00` are not equal, [`Value::compare`] says they are.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Large(a), Self::Large(b)) => a == b,
            (Self::Decimal(a), Self::Decimal(b)) => a == b,
            (Self::Double(a), Self::Double(b)) => a.to_bits() == b.to_bits(),
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Date(a), Self::Date(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b))
            | (Self::Instant(a), Self::Instant(b))
            | (Self::Time(a), Self::Time(b))
            | (Self::TimeOfDay(a), Self::TimeOfDay(b)) => a == b,
            (Self::Interval(a), Self::Interval(b)) => a == b,
            (Self::Bytea(a), Self::Bytea(b)) => a == b,
            (Self::Uuid(a), Self::Uuid(b)) => a == b,
            (Self::Json(a), Self::Json(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Label(a), Self::Label(b)) => a == b,
            (Self::Range(a), Self::Range(b)) => a == b,
            (Self::Record(a), Self::Record(b)) => a == b,
            (Self::Network(a), Self::Network(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Null => state.write_u8(0),
            Self::Bool(value) => value.hash(state),
            Self::Int(value) => value.hash(state),
            Self::Large(value) => value.hash(state),
            Self::Decimal(value) => value.hash(state),
            Self::Double(value) => value.to_bits().hash(state),
            Self::Text(value) => value.hash(state),
            Self::Date(value) => value.hash(state),
            Self::Timestamp(value)
            | Self::Instant(value)
            | Self::Time(value)
            | Self::TimeOfDay(value) => value.hash(state),
            Self::Interval(value) => value.hash(state),
            Self::Bytea(value) => value.hash(state),
            Self::Uuid(value) => value.hash(state),
            Self::Json(value) => value.hash(state),
            Self::Array(values) => values.hash(state),
            Self::Label(value) => value.hash(state),
            Self::Range(value) => value.hash(state),
            Self::Record(values) => values.hash(state),
            Self::Network(value) => value.hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_numbers_of_all_kinds() {
        let decimal = |text: &str| Value::Decimal(Decimal::parse(text).expect("a number"));
        for (a, b, order) in [
            (Value::Int(1), decimal("1.00"), Some(Ordering::Equal)),
            (Value::Int(2), Value::Double(1.5), Some(Ordering::Greater)),
            (Value::Int(-1), Value::Large(u64::MAX), Some(Ordering::Less)),
            (Value::Null, Value::Int(1), None),
            (Value::Date(1), Value::Timestamp(86_400_000_000), Some(Ordering::Equal)),
        ] {
            assert_eq!(a.compare(&b, Collation::Bytes), order, "{a:?} {b:?}");
        }
    }

    #[test]
    fn equal_numbers_have_one_canonical_form() {
        let one = Value::Decimal(Decimal::parse("1.00").expect("a number"));
        assert_eq!(one.canonical(Collation::Bytes), Value::Int(1));
        assert_eq!(Value::Double(-0.0).canonical(Collation::Bytes), Value::Double(0.0));
    }
}

//! Values as a log has them: numbers, or texts as the server writes them.
//!
//! Ground: knows values and types.

use std::borrow::Cow;

use crate::special::Special;
use crate::text::to_text;
use crate::types::{Element, Type};
use crate::value::{
    Decimal, Interval, Json, RangeOf, Value, format_array, format_instant, format_range,
    format_signed_time, format_timestamp, format_uuid, parse_array, parse_instant, parse_range,
    parse_signed_time, parse_timestamp, parse_uuid,
};

/// A value that a client saw.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ObservedValue {
    /// NULL.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// Anything else, as a text.
    Text(String),
    /// A floating point number, by its bits.
    Double(u64),
}

impl ObservedValue {
    /// Whether the client saw this value.
    pub fn is(&self, value: &Value, ty: Type) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => true,
            (Self::Int(seen), Value::Int(value)) => *seen == i128::from(*value),
            (Self::Text(seen), Value::Text(value)) => *seen == *shown(value, ty),
            (_, Value::Double(double)) if ty == Type::Real && self.is_short(*double) => true,
            _ => self.normal(ty) == Self::of(value, ty),
        }
    }

    /// Whether the client saw the first six digits of a number, which is all that MySQL writes of single precision.
    fn is_short(&self, double: f64) -> bool {
        let Self::Text(text) = self else { return false };
        text.parse::<f64>().ok() == format!("{double:.5e}").parse().ok()
    }

    /// A value as a client sees it.
    pub fn of(value: &Value, ty: Type) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Double(double) => Self::double(*double, ty),
            Value::Text(text) => Self::Text(shown(text, ty).into_owned()),
            other => match other.as_integer() {
                Some(whole) => Self::Int(whole),
                None => Self::Text(to_text(other, ty, true)),
            },
        }
    }

    fn double(double: f64, ty: Type) -> Self {
        if ty == Type::Real {
            #[allow(clippy::cast_possible_truncation, reason = "it is single precision")]
            let single = double as f32;
            return Self::Double(f64::from(single + 0.0).to_bits());
        }
        Self::Double((double + 0.0).to_bits())
    }

    /// The same value in the form that [`ObservedValue::of`] gives for a type: two values of one type are equal if these
    /// forms are.
    pub fn normal(&self, ty: Type) -> Self {
        match (self, ty) {
            (Self::Text(text), Type::Int(_)) => {
                text.parse().map_or_else(|_| self.clone(), Self::Int)
            }
            (Self::Text(text), Type::Real | Type::Double) => {
                text.parse::<f64>().map_or_else(|_| self.clone(), |double| Self::double(double, ty))
            }
            (Self::Double(bits), Type::Real | Type::Double) => {
                Self::double(f64::from_bits(*bits), ty)
            }
            (Self::Int(whole), Type::Decimal(_)) => {
                Self::Text(Decimal::from_integer(*whole).to_string())
            }
            #[allow(clippy::cast_precision_loss, reason = "the server rounds, too")]
            (Self::Int(whole), Type::Real | Type::Double) => Self::double(*whole as f64, ty),
            (Self::Text(text), Type::Bool) => match text.as_str() {
                "t" | "true" => Self::Bool(true),
                "f" | "false" => Self::Bool(false),
                _ => self.clone(),
            },
            (Self::Text(text), Type::Timestamp(_)) => {
                text_of(text, parse_timestamp(text).map(format_timestamp))
            }
            (Self::Text(text), Type::Instant(_)) => {
                text_of(text, parse_instant(text).map(format_instant))
            }
            (Self::Text(text), Type::Interval) => {
                let read = Interval::parse(text, None).or_else(|| Interval::parse_iso(text));
                text_of(text, read.map(|interval| interval.to_string()))
            }
            (Self::Text(text), Type::Time(_)) => {
                text_of(text, parse_signed_time(text).map(format_signed_time))
            }
            (Self::Text(text), Type::Special(special)) => special_seen(text, special),
            (Self::Text(text), Type::Uuid) => text_of(text, parse_uuid(text).map(format_uuid)),
            (Self::Text(text), Type::Range(of)) => text_of(text, usual_range(text, of)),
            (Self::Text(text), Type::Array(element)) => text_of(text, usual_array(text, element)),
            (Self::Text(text), Type::Json) => {
                text_of(text, Json::parse(text).ok().map(|json| json.to_string()))
            }
            _ => self.clone(),
        }
    }

    pub(crate) fn row(row: &[Value], types: impl Iterator<Item = Type>) -> Vec<Self> {
        row.iter().zip(types).map(|(value, ty)| Self::of(value, ty)).collect()
    }

    pub(crate) fn normal_row(row: &[Self], types: impl Iterator<Item = Type>) -> Vec<Self> {
        row.iter().zip(types).map(|(value, ty)| value.normal(ty)).collect()
    }
}

/// What a client saw of a special column: bytes are digits behind `\\x`, or a text.
fn special_seen(text: &str, special: Special) -> ObservedValue {
    let digits = text.strip_prefix("\\x");
    match (special, digits) {
        (Special::Bytes { .. }, None) => {
            let digits = text.bytes().map(|byte| format!("{byte:02x}"));
            ObservedValue::Text(format!("\\x{}", digits.collect::<String>()))
        }
        (Special::Bits(_), Some(digits)) => match i128::from_str_radix(digits, 16) {
            Ok(number) => ObservedValue::Int(number),
            Err(_) => ObservedValue::Text(text.to_owned()),
        },
        (Special::Year, _) => match text.parse() {
            Ok(year) => ObservedValue::Int(year),
            Err(_) => ObservedValue::Text(text.to_owned()),
        },
        _ => ObservedValue::Text(text.to_owned()),
    }
}

/// An array whose elements are in their usual form.
fn usual_array(text: &str, element: Element) -> Option<String> {
    let usual = |text: String| match ObservedValue::Text(text.clone()).normal(element.ty()) {
        ObservedValue::Text(usual) => usual,
        _ => text,
    };
    Some(format_array(parse_array(text)?.into_iter().map(|element| element.map(usual))))
}

/// A range whose ends are in their usual form: a moment is shown in the time zone of the session.
fn usual_range(text: &str, of: RangeOf) -> Option<String> {
    let range = parse_range(text).ok()??;
    let usual = |end: Option<String>| match (end, of) {
        (Some(text), RangeOf::Instant) => {
            Some(parse_instant(&text).map(format_instant).unwrap_or(text))
        }
        (end, _) => end,
    };
    let (lower, upper) = (usual(range.lower), usual(range.upper));
    Some(format_range(lower.as_deref(), upper.as_deref(), range.includes))
}

/// A text in its usual form, if it has one.
fn text_of(text: &str, usual: Option<String>) -> ObservedValue {
    ObservedValue::Text(usual.unwrap_or_else(|| text.to_owned()))
}

/// A text with the spaces that fill a CHAR up.
fn shown(text: &str, ty: Type) -> Cow<'_, str> {
    match ty {
        Type::Char(Some(length)) => Cow::Owned(format!("{text:<0$}", length as usize)),
        _ => Cow::Borrowed(text),
    }
}

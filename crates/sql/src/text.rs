//! Values as servers write them.
//!
//! Ground: knows values and types only.

use crate::types::Type;
use crate::value::{
    Range, Value, clock, format_array, format_date, format_double, format_instant, format_range,
    format_real, format_record, format_signed_time, format_timestamp, format_uuid,
};

/// A value as the server writes it.
pub(crate) fn to_text(value: &Value, ty: Type, pads_exponent: bool) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Large(number) => number.to_string(),
        Value::Decimal(decimal) => decimal.to_string(),
        Value::Double(double) if ty == Type::Real => format_real(*double, pads_exponent),
        Value::Double(double) => format_double(*double, pads_exponent),
        Value::Text(text) => text.to_string(),
        Value::Date(days) => format_date(*days),
        Value::Timestamp(micros) => format_timestamp(*micros),
        Value::Instant(micros) => format_instant(*micros),
        Value::TimeOfDay(micros) => clock(micros.unsigned_abs()),
        Value::Interval(interval) => interval.to_string(),
        Value::Bytea(bytes) => format_bytes(bytes),
        Value::Time(micros) => format_signed_time(*micros),
        Value::Uuid(number) => format_uuid(*number),
        Value::Json(json) => json.to_string(),
        Value::Array(values) => format_array(values.iter().map(|value| match value {
            Value::Null => None,
            Value::Bool(truth) => Some(if *truth { "t" } else { "f" }.to_owned()),
            other => Some(to_text(other, Type::Unknown, pads_exponent)),
        })),
        Value::Label(label) => label.text().to_owned(),
        Value::Range(range) => range_text(range, pads_exponent),
        Value::Network(network) => network.to_string(),
        Value::Record(values) => format_record(values.iter().map(|value| match value {
            Value::Null => None,
            Value::Bool(truth) => Some(if *truth { "t" } else { "f" }.to_owned()),
            other => Some(to_text(other, Type::Unknown, pads_exponent)),
        })),
    }
}

fn range_text(range: &Range, pads_exponent: bool) -> String {
    let Some((lower, upper)) = range.ends() else { return "empty".to_owned() };
    let text = |value: &Value| to_text(value, Type::Unknown, pads_exponent);
    let ends = [lower, upper].map(|end| end.value.as_ref().map(text));
    format_range(ends[0].as_deref(), ends[1].as_deref(), (lower.included, upper.included))
}

/// `\xdeadbeef`.
fn format_bytes(bytes: &[u8]) -> String {
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    format!("\\x{}", digits.collect::<String>())
}

//! Conversions between types.
//!
//! Layer `eval`; knows values, types and dialects.

use std::sync::Arc;

use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::CastMode;
use crate::text::to_text;
use crate::types::{Digits, Element, IntType, Type};
use crate::value::{
    Decimal, Json, JsonError, Value, civil, is_finite, leading_number, leading_number_text,
    parse_array, parse_date, parse_infinity, parse_instant, parse_signed_time, parse_timestamp,
    parse_uuid, round_to_even, rounded,
};

use super::assign::assign;
use super::convert_newer::to_newer;
use super::convert_special::{to_label, to_network, to_range};

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Makes a value one of another type, as the server does.
pub(crate) fn convert(
    dialect: Dialect,
    value: &Value,
    from: Type,
    to: Type,
    mode: CastMode,
) -> Result<Value> {
    if value.is_null() {
        return Ok(Value::Null);
    }
    if dialect.is_strictly_typed() {
        strict(value, from, to, mode)
    } else {
        loose(dialect, value, from, to, mode)
    }
}

fn strict(value: &Value, from: Type, to: Type, mode: CastMode) -> Result<Value> {
    if let Value::Json(json) = value
        && (to.is_number() || to == Type::Bool)
    {
        return match &**json {
            Json::Number(number) if to.is_number() => {
                strict(&Value::Decimal(number.clone()), Type::NUMERIC, to, mode)
            }
            Json::Bool(truth) if to == Type::Bool => Ok(Value::Bool(*truth)),
            _ => unsupported("this JSON as a number or a boolean"),
        };
    }
    match to {
        Type::Unknown => Ok(value.clone()),
        Type::Bool => strict_bool(value),
        Type::Int(int) => strict_int(value, int),
        Type::Decimal(digits) => {
            let decimal = strict_decimal(value)?;
            fit_decimal(decimal, digits, ErrorClass::FieldOutOfRange).map(Value::Decimal)
        }
        Type::Real => match strict_double(value)? {
            #[allow(clippy::cast_possible_truncation, reason = "single precision is asked for")]
            double if (double as f32).is_infinite() && double.is_finite() => {
                fail(ErrorClass::OutOfRange, "too large for REAL")
            }
            #[allow(clippy::cast_possible_truncation, reason = "single precision is asked for")]
            double => Ok(Value::Double(f64::from(double as f32))),
        },
        Type::Double => strict_double(value).map(Value::Double),
        Type::Text { limit: None, .. } if matches!(value, Value::Network(_)) => match (value, mode)
        {
            // The text that is asked for has the length of the prefix in any case; the one that is shown has not.
            (Value::Network(network), CastMode::Explicit) => Ok(Value::text(&network.full())),
            _ => unsupported("an address as a text"),
        },
        Type::Text { .. } | Type::Char(_) if matches!(value, Value::Network(_)) => {
            unsupported("an address as a text with a length")
        }
        Type::Text { .. } | Type::Char(_) if has_interval(value) => {
            unsupported("the text of an interval, which depends on IntervalStyle")
        }
        Type::Text { .. } | Type::Char(_) if has_instant(value) => {
            unsupported("the text of a time with a time zone")
        }
        Type::Text { limit, .. } => {
            fit_text(&to_text(value, from, true), limit, mode).map(Value::text)
        }
        Type::Char(None) => Ok(Value::text(&to_text(value, from, true))),
        Type::Char(limit) => {
            let text = to_text(value, from, true);
            let cut = fit_text(&text, limit, mode)?;
            Ok(Value::text(cut.trim_end_matches(' ')))
        }
        Type::Date => to_date(value),
        Type::Timestamp(digits) => to_timestamp(value, digits),
        Type::Instant(digits) => to_instant(value, digits),
        Type::Time(_) => unsupported("a time of day"),
        Type::Uuid => to_uuid(value),
        Type::Json => to_json(value),
        Type::TimeOfDay(_) | Type::Interval | Type::Bytea | Type::JsonText => to_newer(value, to),
        Type::Enum(of) => to_label(value, of),
        Type::Range(of) => to_range(value, of, &|text| {
            convert(Dialect::PostgreSql, text, Type::Unknown, Type::within(of), CastMode::Implicit)
        }),
        Type::Network { is_cidr } => to_network(value, is_cidr),
        Type::Record => unsupported("a conversion to a row"),
        Type::Array(element) => to_array(value, element),
        Type::Special(_) => unsupported("a type of MySQL"),
    }
}

fn strict_bool(value: &Value) -> Result<Value> {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        Value::Int(number) => Ok(Value::Bool(*number != 0)),
        Value::Text(text) => {
            let word = text.trim().to_lowercase();
            let begins = |whole: &str| !word.is_empty() && whole.starts_with(&word);
            if begins("true") || begins("yes") || word == "on" || word == "1" {
                Ok(Value::Bool(true))
            } else if begins("false")
                || begins("no")
                || word == "off"
                || word == "of"
                || word == "0"
            {
                Ok(Value::Bool(false))
            } else {
                fail(ErrorClass::InvalidText, format!("{text} is neither true nor false"))
            }
        }
        _ => fail(ErrorClass::CannotCast, "no boolean"),
    }
}

fn strict_int(value: &Value, int: IntType) -> Result<Value> {
    let whole = match value {
        Value::Text(text) => match text.trim().parse::<i128>() {
            Ok(whole) => Some(whole),
            Err(_) if is_whole_number(text.trim()) => None,
            Err(_) => {
                return fail(ErrorClass::InvalidText, format!("{text} is not a whole number"));
            }
        },
        Value::Decimal(decimal) => decimal.to_integer(),
        Value::Double(double) => double_to_integer(*double),
        other => other.as_integer(),
    };
    let (low, high) = int.range();
    match whole.filter(|whole| (low..=high).contains(whole)).and_then(Value::from_integer) {
        Some(value) => Ok(value),
        None => fail(ErrorClass::OutOfRange, "a whole number that is too large"),
    }
}

fn is_whole_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
fn double_to_integer(double: f64) -> Option<i128> {
    let rounded = round_to_even(double);
    (rounded.abs() < 1e30).then_some(rounded as i128)
}

fn strict_decimal(value: &Value) -> Result<Decimal> {
    match value {
        Value::Text(text) => match Decimal::parse(text.trim()) {
            Some(decimal) => Ok(decimal),
            None if ["nan", "inf", "-inf"]
                .iter()
                .any(|word| text.trim().to_lowercase().starts_with(word)) =>
            {
                unsupported("NUMERIC that is not a number")
            }
            None => fail(ErrorClass::InvalidText, format!("{text} is not a number")),
        },
        Value::Double(double) => double_to_decimal(*double),
        other => match other.as_decimal() {
            Some(decimal) => Ok(decimal),
            None => fail(ErrorClass::CannotCast, "no number"),
        },
    }
}

/// PostgreSQL keeps fifteen digits.
pub(super) fn double_to_decimal(double: f64) -> Result<Decimal> {
    match Decimal::parse(&format!("{double:.14e}")) {
        Some(decimal) => Ok(decimal.canonical()),
        None => unsupported("NUMERIC that is not a number"),
    }
}

fn strict_double(value: &Value) -> Result<f64> {
    match value {
        Value::Text(text) => match text.trim().parse::<f64>() {
            Ok(double) if double.is_infinite() && !text.to_lowercase().contains("inf") => {
                fail(ErrorClass::OutOfRange, "too large for DOUBLE PRECISION")
            }
            Ok(double) => Ok(double),
            Err(_) => fail(ErrorClass::InvalidText, format!("{text} is not a number")),
        },
        other => match other.to_f64() {
            Some(double) => Ok(double),
            None => fail(ErrorClass::CannotCast, "no number"),
        },
    }
}

/// Rounds to the digits of a column.
fn fit_decimal(decimal: Decimal, digits: Option<Digits>, class: ErrorClass) -> Result<Decimal> {
    let Some(Digits { precision, scale }) = digits else { return Ok(decimal) };
    let rounded = decimal.round(scale);
    if rounded.whole_digits() > precision - scale {
        return fail(class, format!("{decimal} has too many digits"));
    }
    Ok(rounded)
}

/// A text within its limit. Only spaces may be cut off, unless the statement asks for it.
fn fit_text(text: &str, limit: Option<u32>, mode: CastMode) -> Result<&str> {
    let Some(limit) = limit.map(|limit| limit as usize) else { return Ok(text) };
    let Some((end, _)) = text.char_indices().nth(limit) else { return Ok(text) };
    let (cut, rest) = text.split_at(end);
    let only_spaces = rest.chars().all(|letter| letter == ' ');
    if mode == CastMode::Assign && !only_spaces {
        return fail(ErrorClass::TooLong, format!("more than {limit} characters"));
    }
    Ok(cut)
}

fn to_date(value: &Value) -> Result<Value> {
    match value {
        Value::Date(_) => Ok(value.clone()),
        Value::Timestamp(micros) | Value::Instant(micros) if !is_finite(*micros) => {
            unsupported("an infinite date")
        }
        Value::Timestamp(micros) | Value::Instant(micros) => {
            Ok(Value::Date(i32::try_from(micros.div_euclid(MICROS_PER_DAY)).unwrap_or(i32::MAX)))
        }
        Value::Text(text) => match parse_timestamp(text) {
            Some(micros) => to_date(&Value::Timestamp(micros)),
            None => invalid_date(text),
        },
        _ => fail(ErrorClass::CannotCast, "no date"),
    }
}

fn to_timestamp(value: &Value, digits: u8) -> Result<Value> {
    let micros = match value {
        Value::Date(days) => i64::from(*days) * MICROS_PER_DAY,
        // In UTC: where the time zone matters, binding has made sure of it.
        Value::Timestamp(micros) | Value::Instant(micros) => *micros,
        Value::Text(text) => match parse_timestamp(text).or_else(|| parse_infinity(text)) {
            Some(micros) => micros,
            None => return invalid_date(text),
        },
        _ => return fail(ErrorClass::CannotCast, "no moment"),
    };
    Ok(Value::Timestamp(rounded(micros, digits)))
}

fn to_instant(value: &Value, digits: u8) -> Result<Value> {
    let micros = match value {
        Value::Text(text) => match parse_instant(text).or_else(|| parse_infinity(text)) {
            Some(micros) => micros,
            None if parse_timestamp(text).is_some() => {
                return unsupported(format!("the time {text} without its time zone"));
            }
            None => return invalid_date(text),
        },
        // In UTC, as above.
        Value::Timestamp(_) | Value::Instant(_) | Value::Date(_) => {
            match to_timestamp(value, digits)? {
                Value::Timestamp(micros) => micros,
                other => return Ok(other),
            }
        }
        _ => return fail(ErrorClass::CannotCast, "no moment"),
    };
    Ok(Value::Instant(rounded(micros, digits)))
}

fn to_uuid(value: &Value) -> Result<Value> {
    match value {
        Value::Uuid(_) => Ok(value.clone()),
        Value::Text(text) => match parse_uuid(text) {
            Some(number) => Ok(Value::Uuid(number)),
            None => fail(ErrorClass::InvalidText, format!("{text} is not a UUID")),
        },
        _ => fail(ErrorClass::CannotCast, "no UUID"),
    }
}

fn to_array(value: &Value, element: Element) -> Result<Value> {
    let convert = |value: &Value| match value {
        Value::Null => Ok(Value::Null),
        other => strict(other, Type::Unknown, element.ty(), CastMode::Explicit),
    };
    match value {
        Value::Array(values) => {
            Ok(Value::Array(values.iter().map(convert).collect::<Result<_>>()?))
        }
        Value::Text(text) => match parse_array(text) {
            Some(elements) => {
                let texts = elements.into_iter().map(|element| match element {
                    Some(text) => convert(&Value::text(&text)),
                    None => Ok(Value::Null),
                });
                Ok(Value::Array(texts.collect::<Result<_>>()?))
            }
            None => unsupported(format!("the array {text}")),
        },
        _ => fail(ErrorClass::CannotCast, "no array"),
    }
}

/// Whether its text depends on the time zone of the session.
fn has_instant(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(has_instant),
        Value::Range(range) => range.ends().is_some_and(|(low, high)| {
            [low, high].into_iter().flat_map(|end| &end.value).any(has_instant)
        }),
        other => matches!(other, Value::Instant(_)),
    }
}

/// Whether its text depends on a setting of the session.
fn has_interval(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(has_interval),
        other => matches!(other, Value::Interval(_)),
    }
}

fn to_json(value: &Value) -> Result<Value> {
    match value {
        Value::Json(_) => Ok(value.clone()),
        Value::Text(text) => match Json::parse(text) {
            Ok(json) => Ok(Value::Json(Arc::new(json))),
            Err(JsonError::Syntax) => fail(ErrorClass::InvalidText, format!("{text} is not JSON")),
            Err(JsonError::Unclear) => unsupported(format!("the JSON {text}")),
        },
        _ => fail(ErrorClass::CannotCast, "no JSON"),
    }
}

/// A text that looks like a date but is none; other forms of dates are not read here.
fn invalid_date(text: &str) -> Result<Value> {
    let day = text.trim().split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split('-').collect();
    let numbers = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.len() == 3
        && parts.iter().all(numbers)
        && parts[0].len() == 4
        && parse_date(day).is_none()
    {
        return fail(ErrorClass::DateOutOfRange, format!("{text} is not a date"));
    }
    const WORDS: [&str; 7] =
        ["infinity", "now", "today", "tomorrow", "yesterday", "epoch", "allballs"];
    let lower = text.to_lowercase();
    if text.chars().any(|letter| letter.is_ascii_digit())
        || WORDS.into_iter().any(|word| lower.contains(word))
    {
        return unsupported(format!("the date {text}"));
    }
    fail(ErrorClass::InvalidDate, format!("{text} is not a date"))
}

fn loose(dialect: Dialect, value: &Value, from: Type, to: Type, mode: CastMode) -> Result<Value> {
    let moment = matches!(to, Type::Unknown | Type::Date | Type::Timestamp(_) | Type::Time(_));
    if !moment && (has_fraction(value) || matches!(from, Type::Timestamp(1..))) {
        // How many digits of a second MySQL writes depends on the column that they come from.
        return unsupported("a text or a number made from a time with fractions of a second");
    }
    if to == Type::Uuid || matches!(value, Value::Uuid(_)) {
        return loose_uuid(value, to);
    }
    if matches!(to, Type::Time(_)) || matches!(value, Value::Time(_)) {
        return loose_time(value, to, mode);
    }
    if is_number(to) && may_be_json(value) {
        return unsupported("a number made from a text that may be JSON");
    }
    if mode == CastMode::Assign {
        return assign(dialect, value, from, to);
    }
    match to {
        Type::Unknown => Ok(value.clone()),
        Type::Bool | Type::Int(_) => loose_int(value, to.is_unsigned(), mode),
        Type::Decimal(digits) => {
            let decimal = loose_decimal(value)?;
            Ok(Value::Decimal(match (digits, mode) {
                (None, _) => decimal,
                (Some(digits), CastMode::Implicit) => decimal.round(digits.scale),
                (Some(digits), _) => clamp_decimal(decimal, digits),
            }))
        }
        Type::Real | Type::Double => Ok(Value::Double(loose_double(value))),
        Type::Text { limit, .. } => {
            fit_text(&to_text(value, from, false), limit, mode).map(Value::text)
        }
        Type::Char(_) => Ok(Value::text(&to_text(value, from, false))),
        Type::Date if has_fraction(value) && dialect != Dialect::MariaDb => {
            unsupported("a day made from a time with fractions of a second")
        }
        Type::Date => loose_moment(dialect, value, true, mode),
        Type::Timestamp(digits)
            if mode == CastMode::Explicit && digits < 6 && has_fraction(value) =>
        {
            unsupported("a time without its fraction of a second")
        }
        Type::Timestamp(_) => loose_moment(dialect, value, false, mode),
        _ => unsupported(format!("the type {to:?}")),
    }
}

/// UUIDs of MariaDB, which become texts and come from texts.
fn loose_uuid(value: &Value, to: Type) -> Result<Value> {
    match (value, to) {
        (Value::Uuid(_), Type::Uuid | Type::Unknown) => Ok(value.clone()),
        (Value::Text(text), Type::Uuid) => match parse_uuid(text) {
            Some(number) if !text.starts_with('{') => Ok(Value::Uuid(number)),
            _ => unsupported(format!("the UUID {text}")),
        },
        _ => unsupported("a UUID as something else"),
    }
}

fn is_number(ty: Type) -> bool {
    ty.is_number() || ty == Type::Bool
}

/// Whether a text is what `JSON_EXTRACT` makes of a string or of true and false, which are other numbers then.
fn may_be_json(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.starts_with('"') || matches!(&**text, "true" | "false"))
}

/// Times of day, which become texts and come from texts of the usual form.
fn loose_time(value: &Value, to: Type, mode: CastMode) -> Result<Value> {
    let micros = match (value, to) {
        (Value::Time(_), Type::Unknown) => return Ok(value.clone()),
        (Value::Time(_), Type::Text { limit, .. }) if !has_fraction(value) => {
            return fit_text(&to_text(value, Type::Unknown, false), limit, mode).map(Value::text);
        }
        (Value::Time(micros), Type::Time(_)) => *micros,
        (Value::Text(text), Type::Time(_)) => match parse_signed_time(text) {
            Some(micros) => micros,
            None => return unsupported(format!("the time {text}")),
        },
        _ => return unsupported("a time of day as something else"),
    };
    let Type::Time(digits) = to else { return unsupported("a time of day as something else") };
    let unit = 10_i64.pow(6 - u32::from(digits.min(6)));
    match micros % unit {
        0 => Ok(Value::Time(micros)),
        _ => unsupported("more digits of a second than a time has"),
    }
}

/// Whether a time is not a whole second.
fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Timestamp(micros) | Value::Time(micros) => {
            micros % 1_000_000 != 0 && *micros != i64::MIN
        }
        _ => false,
    }
}

/// Too large a number becomes the largest one.
fn clamp_decimal(decimal: Decimal, digits: Digits) -> Decimal {
    let rounded = decimal.round(digits.scale);
    if rounded.whole_digits() <= digits.precision - digits.scale {
        return rounded;
    }
    let nines = "9".repeat(digits.precision as usize);
    let largest = Decimal::parse(&format!("{nines}e-{}", digits.scale)).unwrap_or(rounded);
    if decimal.sign() < 0 { largest.neg() } else { largest }
}

/// Numbers as MySQL makes them from anything.
fn loose_double(value: &Value) -> f64 {
    match value {
        Value::Text(text) => leading_number(text),
        #[allow(clippy::cast_precision_loss, reason = "dates are small numbers")]
        Value::Date(_) | Value::Timestamp(_) => date_number(value) as f64,
        other => other.to_f64().unwrap_or(0.0),
    }
}

fn loose_decimal(value: &Value) -> Result<Decimal> {
    match value {
        Value::Text(text) => {
            Ok(Decimal::parse(leading_number_text(text)).unwrap_or(Decimal::from_integer(0)))
        }
        Value::Double(double) => match Decimal::parse(&format!("{double:e}")) {
            Some(decimal) => Ok(decimal),
            None => unsupported("DECIMAL that is not a number"),
        },
        Value::Date(_) | Value::Timestamp(_) => {
            Ok(Decimal::from_integer(i128::from(date_number(value))))
        }
        other => Ok(other.as_decimal().unwrap_or(Decimal::from_integer(0))),
    }
}

/// `20240131` or `20240131123000`.
fn date_number(value: &Value) -> i64 {
    match value {
        Value::Date(days) => {
            let day = civil(*days);
            day.year * 10_000 + i64::from(day.month) * 100 + i64::from(day.day)
        }
        Value::Timestamp(micros) => {
            let days = i32::try_from(micros.div_euclid(MICROS_PER_DAY)).unwrap_or(0);
            let seconds = micros.rem_euclid(MICROS_PER_DAY) / 1_000_000;
            let time = seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60;
            date_number(&Value::Date(days)) * 1_000_000 + time
        }
        _ => 0,
    }
}

fn loose_int(value: &Value, unsigned: bool, mode: CastMode) -> Result<Value> {
    let whole: i128 = match value {
        Value::Text(text) => {
            let number = leading_number_text(text);
            let digits = number.find(['.', 'e', 'E']).map_or(number, |end| &number[..end]);
            digits.parse().unwrap_or(0)
        }
        Value::Decimal(decimal) => decimal.to_integer().unwrap_or(i128::from(i64::MAX)),
        Value::Double(double) => double_to_integer(*double).unwrap_or(i128::from(i64::MAX)),
        Value::Date(_) | Value::Timestamp(_) => i128::from(date_number(value)),
        other => other.as_integer().unwrap_or(0),
    };
    // A DECIMAL without a fraction comes from whole numbers with and without a sign.
    let wraps = match value {
        Value::Decimal(decimal) => decimal.scale() == 0,
        other => matches!(other, Value::Int(_) | Value::Large(_) | Value::Text(_)),
    };
    let whole = match (unsigned, wraps || mode == CastMode::Implicit) {
        // The same bits, read with or without a sign.
        (true, true) if whole < 0 && whole >= i128::from(i64::MIN) => whole + (1 << 64),
        (false, true)
            if whole > i128::from(i64::MAX)
                && whole <= i128::from(u64::MAX)
                && mode == CastMode::Explicit =>
        {
            whole - (1 << 64)
        }
        (true, _) => whole.clamp(0, i128::from(u64::MAX)),
        (false, _) if mode == CastMode::Explicit => {
            whole.clamp(i128::from(i64::MIN), i128::from(i64::MAX))
        }
        (false, _) => whole.clamp(i128::from(i64::MIN), i128::from(u64::MAX)),
    };
    Ok(Value::from_integer(whole).unwrap_or(Value::Null))
}

/// What MariaDB compares with instead of a text that is no date: `0000-00-00`, before all dates.
const ZERO_DATE: Value = Value::Timestamp(i64::MIN);

/// A text that is no date is NULL, with a warning.
fn loose_moment(dialect: Dialect, value: &Value, day: bool, mode: CastMode) -> Result<Value> {
    let moment = match value {
        Value::Date(_) | Value::Timestamp(_) => value.clone(),
        Value::Text(text) => match parse_timestamp(text) {
            Some(micros) => Value::Timestamp(micros),
            None if text.chars().any(|letter| letter.is_ascii_digit()) => {
                return unsupported(format!("the date {text}"));
            }
            None if mode == CastMode::Explicit => return Ok(Value::Null),
            None if dialect == Dialect::MariaDb => return Ok(ZERO_DATE),
            None => return unsupported(format!("the date {text}")),
        },
        _ => return unsupported("a date made from a number"),
    };
    if day { to_date(&moment) } else { to_timestamp(&moment, 6) }
}

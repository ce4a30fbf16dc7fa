//! Functions of dates and times in PostgreSQL. No argument is NULL.
//!
//! Moments with a time zone are taken in UTC: binding has made sure that the session is in UTC wherever that
//! matters. Only the years 1 to 9999 are known.
//!
//! Layer `eval`; knows values and the names of functions.

use tristan_ground::Civil;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::DateFunction;
use crate::types::Type;
use crate::value::{Decimal, Value, Zone, is_finite};

use super::date_format;
use super::intervals::{extract_span, part_of_span};
use super::moment::{DAY, Moment, first_of, known, made_time};

const SECOND: i64 = 1_000_000;
/// Seconds from 1970 to 2000, where PostgreSQL begins to count.
const YEAR_2000: i64 = 946_684_800;

pub(super) fn date_call(function: DateFunction, result: Type, args: &[Value]) -> Result<Value> {
    use DateFunction as D;
    match (function, args) {
        (D::Truncate, [Value::Text(unit), moment, zone @ ..]) => {
            match (zone.first().map(zone_of).transpose()?, moment) {
                (Some(zone), Value::Instant(micros)) => truncate_in(unit, *micros, zone),
                _ => truncate(unit, moment),
            }
        }
        (D::TruncateIn(zone), [Value::Text(unit), Value::Instant(micros)]) => {
            truncate_in(unit, *micros, zone)
        }
        (D::Extract, [Value::Text(field), span @ (Value::Interval(_) | Value::TimeOfDay(_))]) => {
            extract_span(unit_named(field)?, span)
        }
        (D::Part, [Value::Text(field), span @ (Value::Interval(_) | Value::TimeOfDay(_))]) => {
            part_of_span(unit_named(field)?, span)
        }
        (D::Extract, [Value::Text(field), moment]) => extract(field, moment),
        (D::Part, [Value::Text(field), moment]) => part(field, moment),
        (D::AtZone, [moment, zone]) => in_zone(moment, zone_of(zone)?),
        (D::InZone(zone), [moment]) => in_zone(moment, zone),
        (D::MakeDate, [year, month, day]) => {
            Ok(Value::Date(i32::try_from(made_day(year, month, day)?).unwrap_or(i32::MAX)))
        }
        (D::MakeTimestamp, [year, month, day, hour, minute, Value::Double(second)]) => {
            let time = made_time(hour, minute, *second)?;
            known(made_day(year, month, day)? * DAY + time).map(Value::Timestamp)
        }
        (D::FromEpoch, [Value::Double(seconds)]) => from_epoch(*seconds),
        (D::ReadDate | D::ReadInstant, [Value::Text(text), Value::Text(format)]) => {
            let micros = date_format::read(text, format)?;
            Ok(match result {
                Type::Date => {
                    Value::Date(i32::try_from(micros.div_euclid(DAY)).unwrap_or(i32::MAX))
                }
                _ => Value::Instant(micros),
            })
        }
        (D::Format, [moment, Value::Text(format)]) => {
            let has_time = !matches!(moment, Value::Date(_));
            date_format::write(&Moment::of(micros_of(moment)?)?, has_time, format)
        }
        (D::IsFinite, [moment]) => micros_of(moment).map(|one| Value::Bool(is_finite(one))),
        _ => unsupported("this function of dates"),
    }
}

fn micros_of(value: &Value) -> Result<i64> {
    match value {
        Value::Date(days) => Ok(i64::from(*days) * DAY),
        Value::Timestamp(micros) | Value::Instant(micros) => Ok(*micros),
        _ => unsupported("a function of something that is not a date"),
    }
}

/// A time zone, by its name or by how far it is ahead of UTC.
fn zone_of(zone: &Value) -> Result<Zone> {
    match zone {
        Value::Text(name) => match Zone::named(name) {
            Some(zone) => Ok(zone),
            None => unsupported(format!("the time zone {name}")),
        },
        Value::Interval(ahead) => match ahead.as_offset() {
            Some(seconds) => Ok(Zone::ahead(seconds)),
            None => unsupported("a time zone that is not a number of seconds"),
        },
        _ => unsupported("a time zone that is not a name"),
    }
}

fn in_zone(moment: &Value, zone: Zone) -> Result<Value> {
    let certain = |micros: Option<i64>| match micros {
        Some(micros) => known(micros),
        None => unsupported("a time at which the rules of a time zone are not certain"),
    };
    match moment {
        Value::Instant(micros) | Value::Timestamp(micros) if !is_finite(*micros) => {
            unsupported("an infinite time in a time zone")
        }
        Value::Instant(micros) => certain(zone.local(*micros)).map(Value::Timestamp),
        Value::Timestamp(micros) => certain(zone.moment(*micros)).map(Value::Instant),
        _ => unsupported("AT TIME ZONE of something that is not a time"),
    }
}

/// Cuts off what clocks in a zone show. The distance to UTC stays the same within a day.
fn truncate_in(unit: &str, micros: i64, zone: Zone) -> Result<Value> {
    let local = in_zone(&Value::Instant(micros), zone)?;
    let cut = truncate(unit, &local)?;
    let within_a_day =
        matches!(unit_named(unit)?, "microsecond" | "millisecond" | "second" | "minute" | "hour");
    match (&local, &cut) {
        (Value::Timestamp(local), Value::Timestamp(cut)) if within_a_day => {
            Ok(Value::Instant(micros - (local - cut)))
        }
        _ => in_zone(&cut, zone),
    }
}

fn truncate(unit: &str, value: &Value) -> Result<Value> {
    let micros = micros_of(value)?;
    let moment = Moment::of(micros)?;
    let Civil { year, month, .. } = moment.date;
    let down_to = |step: i64| micros - moment.time.rem_euclid(step);
    let cut = match unit_named(unit)? {
        "microsecond" => micros,
        "millisecond" => down_to(1_000),
        "second" => down_to(SECOND),
        "minute" => down_to(60 * SECOND),
        "hour" => down_to(3_600 * SECOND),
        "day" => down_to(DAY),
        "week" => (moment.days + 1 - moment.iso_weekday()) * DAY,
        "month" => first_of(year, month) * DAY,
        "quarter" => first_of(year, (month - 1) / 3 * 3 + 1) * DAY,
        "year" => first_of(year, 1) * DAY,
        "decade" => first_of(year / 10 * 10, 1) * DAY,
        "century" => first_of((year + 99) / 100 * 100 - 99, 1) * DAY,
        "millennium" => first_of((year + 999) / 1000 * 1000 - 999, 1) * DAY,
        _ => return unsupported(format!("the unit {unit}")),
    };
    let cut = known(cut)?;
    Ok(match value {
        Value::Instant(_) => Value::Instant(cut),
        _ => Value::Timestamp(cut),
    })
}

/// The usual name of a unit or field.
fn unit_named(name: &str) -> Result<&'static str> {
    Ok(match name.to_ascii_lowercase().as_str() {
        "microsecond" | "microseconds" | "us" | "usec" | "usecs" => "microsecond",
        "millisecond" | "milliseconds" | "ms" | "msec" | "msecs" => "millisecond",
        "second" | "seconds" | "s" | "sec" | "secs" => "second",
        "minute" | "minutes" | "m" | "min" | "mins" => "minute",
        "hour" | "hours" | "h" | "hr" | "hrs" => "hour",
        "day" | "days" | "d" => "day",
        "week" | "weeks" | "w" => "week",
        "month" | "months" | "mon" | "mons" => "month",
        "quarter" | "qtr" => "quarter",
        "year" | "years" | "y" | "yr" | "yrs" => "year",
        "decade" | "decades" | "dec" | "decs" => "decade",
        "century" | "centuries" | "c" | "cent" => "century",
        "millennium" | "millennia" | "mil" | "mils" => "millennium",
        "dow" => "dow",
        "doy" => "doy",
        "isodow" => "isodow",
        "isoyear" => "isoyear",
        "epoch" => "epoch",
        _ => return unsupported(format!("the unit {name}")),
    })
}

/// A field that is a whole number.
fn whole_field(field: &str, moment: &Moment) -> Option<i64> {
    let Civil { year, month, day } = moment.date;
    Some(match field {
        "minute" => moment.time / (60 * SECOND) % 60,
        "hour" => moment.time / (3_600 * SECOND),
        "day" => i64::from(day),
        "week" => moment.iso_week().1,
        "month" => i64::from(month),
        "quarter" => moment.quarter(),
        "year" => year,
        "decade" => year / 10,
        "century" => (year + 99) / 100,
        "millennium" => (year + 999) / 1000,
        "dow" => moment.iso_weekday() % 7,
        "isodow" => moment.iso_weekday(),
        "doy" => moment.day_of_year(),
        "isoyear" => moment.iso_week().0,
        _ => return None,
    })
}

/// A field as an exact number.
fn extract(field: &str, value: &Value) -> Result<Value> {
    let (name, micros) = (unit_named(field)?, micros_of(value)?);
    let is_date = matches!(value, Value::Date(_));
    let of_time = matches!(name, "hour" | "minute" | "second" | "millisecond" | "microsecond");
    if is_date && of_time {
        return fail(ErrorClass::NotImplemented, format!("{name} of a date"));
    }
    let moment = Moment::of(micros)?;
    let in_minute = moment.time % (60 * SECOND);
    let (number, scale) = match name {
        "epoch" if is_date => (micros / SECOND, 0),
        "epoch" => (micros, 6),
        "second" => (in_minute, 6),
        "millisecond" => (in_minute, 3),
        "microsecond" => (in_minute, 0),
        _ => match whole_field(name, &moment) {
            Some(number) => (number, 0),
            None => return unsupported(format!("the field {field}")),
        },
    };
    match Decimal::parse(&format!("{number}e-{scale}")) {
        Some(decimal) => Ok(Value::Decimal(decimal)),
        None => unsupported(format!("the field {field}")),
    }
}

/// A field as a floating point number, computed as the server does.
#[allow(clippy::cast_precision_loss, reason = "this is what the server does")]
fn part(field: &str, value: &Value) -> Result<Value> {
    let (name, micros) = (unit_named(field)?, micros_of(value)?);
    let moment = Moment::of(micros)?;
    let in_minute = moment.time % (60 * SECOND);
    let (seconds, fraction) = ((in_minute / SECOND) as f64, (in_minute % SECOND) as f64);
    let number = match name {
        "epoch" => micros as f64 / 1e6,
        "second" => seconds + fraction / 1e6,
        "millisecond" => seconds * 1e3 + fraction / 1e3,
        "microsecond" => seconds * 1e6 + fraction,
        _ => match whole_field(name, &moment) {
            Some(number) => number as f64,
            None => return unsupported(format!("the field {field}")),
        },
    };
    Ok(Value::Double(number))
}

/// The number of a day that is given by year, month and day.
fn made_day(year: &Value, month: &Value, day: &Value) -> Result<i64> {
    let number = |value: &Value| value.as_integer().and_then(|value| i64::try_from(value).ok());
    let (Some(year), Some(month), Some(day)) = (number(year), number(month), number(day)) else {
        return unsupported("a date of something that is not a number");
    };
    if !(0..=9999).contains(&year) {
        return unsupported("a date outside the years 1 to 9999");
    }
    let part = |number: i64| u32::try_from(number).ok();
    let days = match (part(month), part(day)) {
        (Some(month), Some(day)) if year > 0 => Civil { year, month, day }.days(),
        _ => None,
    };
    match days {
        Some(days) => Ok(days),
        None => fail(ErrorClass::DateOutOfRange, format!("{year}-{month}-{day} is not a date")),
    }
}

/// PostgreSQL rounds what it counts from the year 2000.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "range checked")]
fn from_epoch(seconds: f64) -> Result<Value> {
    if seconds.is_nan() || seconds.abs() > 1e12 {
        return unsupported("a date outside the years 1 to 9999");
    }
    let micros = ((seconds - YEAR_2000 as f64) * 1e6).round_ties_even() as i64;
    known(micros + YEAR_2000 * SECOND).map(Value::Instant)
}

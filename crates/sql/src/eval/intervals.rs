//! Functions of intervals, and of moments with intervals, as PostgreSQL computes them. No argument is NULL, except
//! those of OVERLAPS.
//!
//! Moments with a time zone are taken in UTC: binding has made sure that the session is in UTC wherever that
//! matters. Where the server reports an overflow, the function is refused.
//!
//! Layer `eval`; knows values and the names of functions.

use std::sync::Arc;

use tristan_ground::days_in_month;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::IntervalFunction;
use crate::value::{Decimal, Interval, Value, add_interval, is_finite};

use super::interval_scale::{over, times};
use super::moment::{DAY, Moment, known, made_time};

const SECOND: i64 = 1_000_000;
/// Longer series are refused.
const MOST_ROWS: usize = 100_000;

pub(super) fn interval_call(function: IntervalFunction, args: &[Value]) -> Result<Value> {
    use IntervalFunction as I;
    match (function, args) {
        (I::Add, [start, Value::Interval(span)]) => moved(start, span),
        (I::Subtract, [start, Value::Interval(span)]) => match span.negative() {
            Some(span) => moved(start, &span),
            None => too_large(),
        },
        (I::Between, [end, start]) => between(end, start),
        (I::At, [Value::Date(day), Value::TimeOfDay(time)]) => {
            known(i64::from(*day) * DAY + time).map(Value::Timestamp)
        }
        (I::Negative, [Value::Interval(span)]) => shown(span.negative()),
        (I::Times, [Value::Interval(span), Value::Double(factor)]) => shown(times(span, *factor)?),
        (I::Over, [Value::Interval(span), Value::Double(factor)]) => shown(over(span, *factor)?),
        (I::Age, [end, start]) => age(micros_of(end)?, micros_of(start)?),
        (I::Bin, [Value::Interval(width), moment, origin]) => bin(width, moment, origin),
        (I::Make, [parts @ .., Value::Double(seconds)]) => make(parts, *seconds),
        (I::MakeTime, [hour, minute, Value::Double(second)]) => {
            made_time(hour, minute, *second).map(Value::TimeOfDay)
        }
        (I::JustifyDays, [Value::Interval(span)]) => shown(justify_days(span)),
        (I::JustifyHours, [Value::Interval(span)]) => shown(justify_hours(span)),
        (I::Justify, [Value::Interval(span)]) => shown(justify(span)),
        (I::Series, [first, last, Value::Interval(step)]) => series(first, last, step),
        (I::Overlaps, [a, b, c, d]) => Ok(overlaps([a, b], [c, d])),
        _ => unsupported("this function of intervals"),
    }
}

fn too_large<T>() -> Result<T> {
    unsupported("an interval or a moment that is too large")
}

fn shown(interval: Option<Interval>) -> Result<Value> {
    interval.map_or_else(too_large, |interval| Ok(Value::Interval(interval)))
}

fn micros_of(value: &Value) -> Result<i64> {
    match value {
        Value::Date(days) => Ok(i64::from(*days) * DAY),
        Value::Timestamp(micros) | Value::Instant(micros) if is_finite(*micros) => Ok(*micros),
        _ => unsupported("an interval with this value"),
    }
}

fn moved(start: &Value, span: &Interval) -> Result<Value> {
    match start {
        Value::Interval(other) => shown(other.plus(span)),
        Value::TimeOfDay(time) => {
            let moved = time + span.micros % DAY;
            Ok(Value::TimeOfDay(moved.rem_euclid(DAY)))
        }
        _ => {
            let micros = micros_of(start)?;
            let end = add_interval(micros, span.months.into(), span.days.into(), span.micros);
            match (end, start) {
                (Some(end), Value::Instant(_)) => Ok(Value::Instant(end)),
                (Some(end), _) => Ok(Value::Timestamp(end)),
                (None, _) => unsupported("a date outside the years 1 to 9999"),
            }
        }
    }
}

/// Of two moments, whole days of 24 hours are counted as days; of two times of day there are none.
fn between(end: &Value, start: &Value) -> Result<Value> {
    if let (Value::TimeOfDay(end), Value::TimeOfDay(start)) = (end, start) {
        return Ok(Value::Interval(Interval { months: 0, days: 0, micros: end - start }));
    }
    let Some(micros) = micros_of(end)?.checked_sub(micros_of(start)?) else { return too_large() };
    shown(justify_hours(&Interval { months: 0, days: 0, micros }))
}

fn justify_hours(span: &Interval) -> Option<Interval> {
    let days = span.days.checked_add(i32::try_from(span.micros / DAY).ok()?)?;
    let one = Interval { days, micros: span.micros % DAY, ..*span };
    Some(agree_days(one))
}

/// Gives days and microseconds the same sign.
fn agree_days(span: Interval) -> Interval {
    match (span.days.signum(), span.micros.signum()) {
        (1, -1) => Interval { days: span.days - 1, micros: span.micros + DAY, ..span },
        (-1, 1) => Interval { days: span.days + 1, micros: span.micros - DAY, ..span },
        _ => span,
    }
}

fn whole_months(span: &Interval) -> Option<Interval> {
    let months = span.months.checked_add(span.days / 30)?;
    Some(Interval { months, days: span.days % 30, ..*span })
}

fn justify_days(span: &Interval) -> Option<Interval> {
    let span = whole_months(span)?;
    Some(match (span.months.signum(), span.days.signum()) {
        (1, -1) => Interval { months: span.months - 1, days: span.days + 30, ..span },
        (-1, 1) => Interval { months: span.months + 1, days: span.days - 30, ..span },
        _ => span,
    })
}

fn justify(span: &Interval) -> Option<Interval> {
    let days = span.days.checked_add(i32::try_from(span.micros / DAY).ok()?)?;
    let mut span = whole_months(&Interval { days, micros: span.micros % DAY, ..*span })?;
    let rest = (span.days, span.micros);
    if span.months > 0 && (rest.0 < 0 || (rest.0 == 0 && rest.1 < 0)) {
        span = Interval { months: span.months - 1, days: span.days + 30, ..span };
    } else if span.months < 0 && (rest.0 > 0 || (rest.0 == 0 && rest.1 > 0)) {
        span = Interval { months: span.months + 1, days: span.days - 30, ..span };
    }
    Some(agree_days(span))
}

/// Field by field, from the smallest to the largest, as one subtracts by hand. A day is borrowed from the month of
/// the earlier moment.
fn age(end: i64, start: i64) -> Result<Value> {
    let (later, earlier) = (Moment::of(end.max(start))?, Moment::of(end.min(start))?);
    let month_of = |moment: &Moment| moment.date.year * 12 + i64::from(moment.date.month) - 1;
    let mut micros = later.time - earlier.time;
    let mut days = i64::from(later.date.day) - i64::from(earlier.date.day);
    let mut months = month_of(&later) - month_of(&earlier);
    if micros < 0 {
        micros += DAY;
        days -= 1;
    }
    while days < 0 {
        days += i64::from(days_in_month(earlier.date.year, earlier.date.month));
        months -= 1;
    }
    let (Ok(months), Ok(days)) = (i32::try_from(months), i32::try_from(days)) else {
        return too_large();
    };
    let span = Interval { months, days, micros };
    shown(if end < start { span.negative() } else { Some(span) })
}

fn bin(width: &Interval, moment: &Value, origin: &Value) -> Result<Value> {
    if width.months != 0 {
        return fail(ErrorClass::NotImplemented, "bins of months");
    }
    let step =
        i64::from(width.days).checked_mul(DAY).and_then(|days| days.checked_add(width.micros));
    let step = match step {
        Some(step @ 1..) => step,
        Some(_) => return fail(ErrorClass::DateOutOfRange, "bins without a width"),
        None => return too_large(),
    };
    let (at, from) = (micros_of(moment)?, micros_of(origin)?);
    let distance = at - from;
    if distance < 0 && distance % step == 0 {
        // Versions disagree on the bin of a moment at its edge before the origin.
        return unsupported("date_bin() before its origin");
    }
    let start = known(from + distance.div_euclid(step) * step)?;
    Ok(match moment {
        Value::Instant(_) => Value::Instant(start),
        _ => Value::Timestamp(start),
    })
}

#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
fn make(parts: &[Value], seconds: f64) -> Result<Value> {
    let numbers =
        parts.iter().map(|part| part.as_integer().and_then(|one| i64::try_from(one).ok()));
    let numbers = numbers.collect::<Option<Vec<_>>>();
    let Some([years, months, weeks, days, hours, minutes]) = numbers.as_deref() else {
        return unsupported("make_interval() of these values");
    };
    let micros = (seconds * 1e6).round_ties_even();
    if micros.is_nan() || micros.abs() >= 1e15 {
        return too_large();
    }
    let small = |number: i64| i32::try_from(number).ok();
    let time = hours.checked_mul(3600 * SECOND).and_then(|hours| {
        let minutes = minutes.checked_mul(60 * SECOND)?;
        hours.checked_add(minutes)?.checked_add(micros as i64)
    });
    match (small(years * 12 + months), small(weeks * 7 + days), time) {
        (Some(months), Some(days), Some(micros)) => {
            Ok(Value::Interval(Interval { months, days, micros }))
        }
        _ => too_large(),
    }
}

fn series(first: &Value, last: &Value, step: &Interval) -> Result<Value> {
    let end = micros_of(last)?;
    let forward = match step.length().signum() {
        0 => return fail(ErrorClass::InvalidArgument, "a step of zero"),
        sign => sign > 0,
    };
    let (mut moments, mut next) = (Vec::new(), first.clone());
    loop {
        let at = micros_of(&next)?;
        if if forward { at > end } else { at < end } {
            return Ok(Value::Array(Arc::from(moments)));
        }
        if moments.len() >= MOST_ROWS {
            return unsupported("generate_series() with this many rows");
        }
        moments.push(next.clone());
        next = moved(&next, step)?;
    }
}

/// Each pair begins with its earlier moment; a NULL stands for an end that is not known.
fn overlaps([a, b]: [&Value; 2], [c, d]: [&Value; 2]) -> Value {
    let (Some((a, b)), Some((c, d))) = (ordered(a, b), ordered(c, d)) else { return Value::Null };
    let (early, late) = match a.cmp(&c) {
        std::cmp::Ordering::Equal => {
            return if b.is_some() && d.is_some() { Value::Bool(true) } else { Value::Null };
        }
        std::cmp::Ordering::Less => ((a, b), (c, d)),
        std::cmp::Ordering::Greater => ((c, d), (a, b)),
    };
    match (early.1, late.1) {
        (None, _) => Value::Null,
        (Some(end), _) if late.0 < end => Value::Bool(true),
        (Some(_), None) => Value::Null,
        _ => Value::Bool(false),
    }
}

fn ordered(a: &Value, b: &Value) -> Option<(i64, Option<i64>)> {
    let at = |value: &Value| match value {
        Value::Timestamp(micros) | Value::Instant(micros) | Value::TimeOfDay(micros) => {
            Some(*micros)
        }
        _ => None,
    };
    match (at(a), at(b)) {
        (Some(a), Some(b)) => Some((a.min(b), Some(a.max(b)))),
        (Some(one), None) | (None, Some(one)) => Some((one, None)),
        (None, None) => None,
    }
}

/// A field of an interval or a time of day as an exact number.
pub(super) fn extract_span(field: &str, value: &Value) -> Result<Value> {
    let span = span_of(value)?;
    let (of_time, in_minute) = (matches!(value, Value::TimeOfDay(_)), span.micros % (60 * SECOND));
    let (number, scale) = match field {
        "epoch" => match epoch_seconds(&span)
            .checked_mul(SECOND)
            .and_then(|one| one.checked_add(span.micros))
        {
            Some(micros) => (micros, 6),
            None => return too_large(),
        },
        "second" => (in_minute, 6),
        "millisecond" => (in_minute, 3),
        "microsecond" => (in_minute, 0),
        "minute" => (span.micros / (60 * SECOND) % 60, 0),
        "hour" => (span.micros / (3600 * SECOND), 0),
        _ if of_time => return unsupported(format!("the field {field} of a time")),
        "day" => (span.days.into(), 0),
        "month" => ((span.months % 12).into(), 0),
        "year" => ((span.months / 12).into(), 0),
        _ => return unsupported(format!("the field {field} of an interval")),
    };
    match Decimal::parse(&format!("{number}e-{scale}")) {
        Some(decimal) => Ok(Value::Decimal(decimal)),
        None => unsupported(format!("the field {field}")),
    }
}

/// A field as a floating point number, if it is a whole one; how others are rounded differs between versions.
pub(super) fn part_of_span(field: &str, value: &Value) -> Result<Value> {
    match extract_span(field, value)? {
        Value::Decimal(decimal) if decimal.canonical().scale() == 0 => {
            Ok(Value::Double(decimal.to_f64()))
        }
        _ => unsupported("date_part() of a fraction of a second"),
    }
}

/// The seconds of months and days: a year has 365.25 days here, and a month 30.
fn epoch_seconds(span: &Interval) -> i64 {
    let (years, months) = (i64::from(span.months / 12), i64::from(span.months % 12));
    (years * 1461 + months * 120 + i64::from(span.days) * 4) * (86_400 / 4)
}

fn span_of(value: &Value) -> Result<Interval> {
    match value {
        Value::Interval(span) => Ok(*span),
        Value::TimeOfDay(micros) => Ok(Interval { micros: *micros, ..Interval::default() }),
        _ => unsupported("a part of this value"),
    }
}

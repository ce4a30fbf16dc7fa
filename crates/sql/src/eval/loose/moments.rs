//! Functions of days, moments and times of day.
//!
//! A text where a moment is wanted is read as one if it has the usual form, and refused otherwise: what servers
//! make of other texts depends on warnings that are errors in a statement that changes rows.
//!
//! Layer `eval`; knows the calendar.

use tristan_ground::{Civil, days_in_month};

use crate::error::{Result, unsupported};
use crate::plan::{LooseMoment, Unit};
use crate::types::Type;
use crate::value::{Value, format_date, format_timestamp, parse_signed_time, parse_timestamp};

use super::super::moment::{DAY, Moment, first_of, known};
use super::format::{day_name, format_moment, month_name};
use super::interval::Interval;
use super::read::read_moment;
use super::week::week;

/// The number that `TO_DAYS` gives to 1970-01-01.
const TO_DAYS_1970: i64 = 719_528;
/// Times of day are not longer than `838:59:59`.
const LONGEST: i64 = 3_020_399_000_000;
const SECOND: i64 = 1_000_000;

pub(super) fn moment_call(function: LooseMoment, result: Type, args: &[Value]) -> Result<Value> {
    use LooseMoment as M;
    let moment = |index: usize| args.get(index).map_or(Ok(0), micros_of);
    let parts = |index: usize| moment(index).and_then(Moment::of);
    let number = |index: usize| match args.get(index).and_then(Value::as_integer) {
        Some(number) => Ok(i64::try_from(number).unwrap_or(i64::MAX)),
        None => unsupported("a number that is not an integer"),
    };
    Ok(match function {
        M::Add(unit) | M::Subtract(unit) => {
            let interval = Interval::read(unit, &args[1])?;
            let interval =
                if matches!(function, M::Subtract(_)) { interval.reversed() } else { interval };
            moved(&args[0], unit, interval, result)?
        }
        M::Difference(unit) => Value::Int(difference(unit, moment(0)?, moment(1)?)?),
        M::Extract(unit) => match &args[0] {
            Value::Time(micros) => Value::Int(part_of_time(unit, *micros)?),
            _ => Value::Int(extract(unit, &parts(0)?)),
        },
        M::Quarter => Value::Int(parts(0)?.quarter()),
        M::DayOfWeek => Value::Int(parts(0)?.iso_weekday() % 7 + 1),
        M::WeekDay => Value::Int(parts(0)?.iso_weekday() - 1),
        M::DayOfYear => Value::Int(parts(0)?.day_of_year()),
        M::Week => Value::Int(week(&parts(0)?, number(1)? & 7).1),
        M::YearWeek => {
            let (year, week) = week(&parts(0)?, (number(1)? & 7) | 2);
            Value::Int(year * 100 + week)
        }
        M::DayName => Value::text(day_name(&parts(0)?)),
        M::MonthName => Value::text(month_name(&parts(0)?)),
        M::Format => match &args[1] {
            Value::Text(pattern) => Value::text(&format_moment(&parts(0)?, pattern)?),
            _ => return unsupported("a format that is not a text"),
        },
        M::Read => match (&args[0], &args[1]) {
            (Value::Text(text), Value::Text(pattern)) => {
                shaped(read_moment(text, pattern)?, result)
            }
            _ => return unsupported("STR_TO_DATE of something that is not a text"),
        },
        M::Day => shaped(moment(0)?, Type::Date),
        M::TimeOfDay => match &args[0] {
            time @ Value::Time(_) => time.clone(),
            _ => Value::Time(moment(0)?.rem_euclid(DAY)),
        },
        M::Moment => {
            let time = args.get(1).map_or(Ok(0), time_of)?;
            Value::Timestamp(known(moment(0)?.saturating_add(time))?)
        }
        M::LastDay => {
            let date = parts(0)?.date;
            let last = Civil { day: days_in_month(date.year, date.month), ..date };
            shaped(last.days().unwrap_or(0) * DAY, Type::Date)
        }
        M::MakeDate => make_date(number(0)?, number(1)?)?,
        M::ToDays => Value::Int(parts(0)?.days + TO_DAYS_1970),
        M::FromDays => match number(0)? {
            days @ 366..=3_652_424 => shaped((days - TO_DAYS_1970) * DAY, Type::Date),
            _ => return unsupported("FROM_DAYS of a number this small or large"),
        },
        M::TimeDiff => time_diff(&args[0], &args[1])?,
        M::SecToTime => match number(0)?.checked_mul(SECOND) {
            Some(micros) => short(micros)?,
            None => return unsupported("a time longer than 838 hours"),
        },
        M::TimeToSec => Value::Int(time_of(&args[0])? / SECOND),
        M::AddTime => with_time(&args[0], time_of(&args[1])?)?,
        M::SubTime => with_time(&args[0], -time_of(&args[1])?)?,
        M::ToEpoch => match moment(0)? {
            micros @ 0..=2_147_483_647_000_000 => Value::Int(micros / SECOND),
            _ => return unsupported("UNIX_TIMESTAMP of a time before 1970 or after 2037"),
        },
        M::FromEpoch => match number(0)? {
            seconds @ 0..=2_147_483_647 => Value::Timestamp(seconds * SECOND),
            _ => return unsupported("FROM_UNIXTIME of a time before 1970 or after 2037"),
        },
        M::ChangeOffset => change_offset(moment(0)?, &args[1], &args[2])?,
    })
}

/// A value as a moment.
fn micros_of(value: &Value) -> Result<i64> {
    match value {
        Value::Date(days) => known(i64::from(*days) * DAY),
        Value::Timestamp(micros) => known(*micros),
        Value::Text(text) => match parse_timestamp(text) {
            Some(micros) => known(micros),
            None => unsupported(format!("the date {text}")),
        },
        _ => unsupported("a date made from something else"),
    }
}

/// A value as a time of day, which can be longer than a day.
fn time_of(value: &Value) -> Result<i64> {
    match value {
        Value::Time(micros) => Ok(*micros),
        Value::Timestamp(micros) => Ok(known(*micros)?.rem_euclid(DAY)),
        Value::Text(text) => match parse_signed_time(text) {
            Some(micros) => Ok(micros),
            None => unsupported(format!("the time {text}")),
        },
        _ => unsupported("a time made from something else"),
    }
}

/// A time of day within its limits.
fn short(micros: i64) -> Result<Value> {
    match micros.abs() <= LONGEST {
        true => Ok(Value::Time(micros)),
        false => unsupported("a time longer than 838 hours"),
    }
}

/// A moment in the form of a type.
fn shaped(micros: i64, ty: Type) -> Value {
    match ty {
        Type::Date => Value::Date(i32::try_from(micros.div_euclid(DAY)).unwrap_or(0)),
        _ => Value::Timestamp(micros),
    }
}

/// A moment that is moved. A text remains a text, of a day if it was one.
fn moved(value: &Value, unit: Unit, interval: Interval, result: Type) -> Result<Value> {
    let Value::Text(text) = value else {
        let moved = interval.after(micros_of(value)?)?;
        return Ok(shaped(moved, result));
    };
    let start = micros_of(value)?;
    let moved = interval.after(start)?;
    if start % SECOND != 0 || moved % SECOND != 0 {
        return unsupported("a text with fractions of a second");
    }
    let is_day = !text.trim().contains([' ', 'T']) && unit.is_of_days();
    Ok(Value::text(&if is_day {
        format_date(i32::try_from(moved.div_euclid(DAY)).unwrap_or(0))
    } else {
        format_timestamp(moved)
    }))
}

/// How many whole units lie between two moments.
fn difference(unit: Unit, from: i64, to: i64) -> Result<i64> {
    let micros = to - from;
    Ok(match unit {
        Unit::Microsecond => micros,
        Unit::Second => micros / SECOND,
        Unit::Minute => micros / (60 * SECOND),
        Unit::Hour => micros / (3600 * SECOND),
        Unit::Day => micros / DAY,
        Unit::Week => micros / (7 * DAY),
        Unit::Month => months_between(from, to)?,
        Unit::Quarter => months_between(from, to)? / 3,
        Unit::Year => months_between(from, to)? / 12,
        _ => return unsupported("TIMESTAMPDIFF in two units"),
    })
}

fn months_between(from: i64, to: i64) -> Result<i64> {
    if to < from {
        return Ok(-months_between(to, from)?);
    }
    let (from, to) = (Moment::of(from)?, Moment::of(to)?);
    let months = (to.date.year - from.date.year) * 12 + i64::from(to.date.month)
        - i64::from(from.date.month);
    let early = (to.date.day, to.time) < (from.date.day, from.time);
    Ok(months - i64::from(early))
}

/// One part of a time, without its sign.
fn part_of_time(unit: Unit, micros: i64) -> Result<i64> {
    let seconds = micros.abs() / SECOND;
    Ok(match unit {
        Unit::Hour => seconds / 3600,
        Unit::Minute => seconds / 60 % 60,
        Unit::Second => seconds % 60,
        Unit::Microsecond => micros.abs() % SECOND,
        _ => return unsupported("this part of a time of day"),
    })
}

/// One part of a moment, or several of them with two digits each.
fn extract(unit: Unit, moment: &Moment) -> i64 {
    let date = moment.date;
    let seconds = moment.time / SECOND;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let micros = moment.time % SECOND;
    let (month, day) = (i64::from(date.month), i64::from(date.day));
    match unit {
        Unit::Year => date.year,
        Unit::Quarter => moment.quarter(),
        Unit::Month => month,
        Unit::Week => week(moment, 0).1,
        Unit::Day => day,
        Unit::Hour => hour,
        Unit::Minute => minute,
        Unit::Second => second,
        Unit::Microsecond => micros,
        Unit::YearMonth => date.year * 100 + month,
        Unit::DayHour => day * 100 + hour,
        Unit::DayMinute => (day * 100 + hour) * 100 + minute,
        Unit::DaySecond => ((day * 100 + hour) * 100 + minute) * 100 + second,
        Unit::DayMicrosecond => {
            (((day * 100 + hour) * 100 + minute) * 100 + second) * SECOND + micros
        }
        Unit::HourMinute => hour * 100 + minute,
        Unit::HourSecond => (hour * 100 + minute) * 100 + second,
        Unit::HourMicrosecond => ((hour * 100 + minute) * 100 + second) * SECOND + micros,
        Unit::MinuteSecond => minute * 100 + second,
        Unit::MinuteMicrosecond => (minute * 100 + second) * SECOND + micros,
        Unit::SecondMicrosecond => second * SECOND + micros,
    }
}

fn make_date(year: i64, day: i64) -> Result<Value> {
    if day <= 0 {
        return Ok(Value::Null);
    }
    match (year, day) {
        (100..=9999, 1..=4_000_000) => {
            let micros = known((first_of(year, 1) + day - 1) * DAY)?;
            Ok(shaped(micros, Type::Date))
        }
        _ => unsupported("MAKEDATE with this year or day"),
    }
}

/// The time between two moments, or between two times.
fn time_diff(left: &Value, right: &Value) -> Result<Value> {
    let is_time = |value: &Value| matches!(value, Value::Time(_));
    let is_moment = |value: &Value| matches!(value, Value::Timestamp(_));
    if is_time(left) && is_time(right) {
        return short(time_of(left)? - time_of(right)?);
    }
    if is_moment(left) && is_moment(right) {
        return short(micros_of(left)? - micros_of(right)?);
    }
    unsupported("TIMEDIFF of a day, a text, or two different things")
}

fn with_time(value: &Value, time: i64) -> Result<Value> {
    match value {
        Value::Timestamp(micros) => Ok(Value::Timestamp(known(micros.saturating_add(time))?)),
        Value::Time(micros) => short(micros.saturating_add(time)),
        _ => unsupported("ADDTIME of a day or a text"),
    }
}

/// `+05:30` in microseconds.
fn offset(value: &Value) -> Result<i64> {
    let read = |text: &str| {
        let (sign, rest) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+')?),
        };
        let (hours, minutes) = rest.split_once(':')?;
        let number = |part: &str, limit: i64| match part.len() {
            2 if part.bytes().all(|byte| byte.is_ascii_digit()) => {
                part.parse::<i64>().ok().filter(|number| *number < limit)
            }
            _ => None,
        };
        Some(sign * (number(hours, 13)? * 3600 + number(minutes, 60)? * 60) * SECOND)
    };
    match value {
        Value::Text(text) => match read(text) {
            Some(offset) => Ok(offset),
            None => unsupported(format!("the time zone {text}")),
        },
        _ => unsupported("a time zone that is not a text"),
    }
}

/// Times that a TIMESTAMP cannot hold are not converted, so those are refused.
fn change_offset(moment: i64, from: &Value, to: &Value) -> Result<Value> {
    let utc = moment - offset(from)?;
    if !(DAY..2_147_400_000 * SECOND).contains(&utc) {
        return unsupported("CONVERT_TZ of a time before 1970 or after 2037");
    }
    Ok(Value::Timestamp(utc + offset(to)?))
}

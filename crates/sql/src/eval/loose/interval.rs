//! Intervals: reading them, and moving moments by them.
//!
//! Layer `eval`; knows the calendar.

use crate::error::{Result, unsupported};
use crate::plan::Unit;
use crate::value::{Value, add_interval};

/// Months, days and microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) months: i64,
    pub(super) days: i64,
    pub(super) micros: i64,
}

/// Larger numbers are not what anyone means.
const LIMIT: i128 = 1_000_000_000_000;

impl Interval {
    /// Reads the number of units, or a text of several numbers for a unit that is made of two.
    pub(super) fn read(unit: Unit, value: &Value) -> Result<Self> {
        let number = match value {
            Value::Text(text) => return Self::parse(unit, text),
            other => other.as_integer().filter(|number| number.abs() <= LIMIT),
        };
        match number.and_then(|number| i64::try_from(number).ok()) {
            Some(number) => Self::of(unit, number),
            None => unsupported("an interval of this length"),
        }
    }

    /// A number of single units.
    fn of(unit: Unit, number: i64) -> Result<Self> {
        let (mut months, mut days, mut micros) = (0, 0, 0);
        match unit {
            Unit::Year => months = number * 12,
            Unit::Quarter => months = number * 3,
            Unit::Month => months = number,
            Unit::Week => days = number * 7,
            Unit::Day => days = number,
            Unit::Microsecond => micros = number,
            _ => match micros_per(unit).and_then(|each| number.checked_mul(each)) {
                Some(all) => micros = all,
                None => return unsupported("an interval in two units that is not a text"),
            },
        }
        Ok(Self { months, days, micros })
    }

    /// `'1:30'`, or a plain number. Whatever is between numbers separates them; only the usual signs are read.
    fn parse(unit: Unit, text: &str) -> Result<Self> {
        let trimmed = text.trim();
        let (sign, digits) = match trimmed.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, trimmed),
        };
        let number = |part: &str| match part.len() {
            1..=9 if part.bytes().all(|byte| byte.is_ascii_digit()) => part.parse::<i64>().ok(),
            _ => None,
        };
        let parts: Option<Vec<i64>> = digits.split([':', ' ', '-', '.']).map(number).collect();
        let Some(parts) = parts else { return unsupported(format!("the interval {text}")) };
        let units = parts_of(unit);
        if parts.len() != units.len() {
            return unsupported(format!("the interval {text}"));
        }
        let mut sum = Self { months: 0, days: 0, micros: 0 };
        for (unit, number) in units.iter().zip(parts) {
            let one = Self::of(*unit, sign * number)?;
            sum.months += one.months;
            sum.days += one.days;
            sum.micros += one.micros;
        }
        if unit.has_microseconds() && unit != Unit::Microsecond {
            return unsupported("an interval with a fraction of a second");
        }
        Ok(sum)
    }

    pub(super) fn reversed(self) -> Self {
        Self { months: -self.months, days: -self.days, micros: -self.micros }
    }

    /// A moment that is moved.
    pub(super) fn after(self, moment: i64) -> Result<i64> {
        match add_interval(moment, self.months, self.days, self.micros) {
            Some(moved) => Ok(moved),
            None => unsupported("a date outside the years 1 to 9999"),
        }
    }
}

fn micros_per(unit: Unit) -> Option<i64> {
    Some(match unit {
        Unit::Second => 1_000_000,
        Unit::Minute => 60_000_000,
        Unit::Hour => 3_600_000_000,
        _ => return None,
    })
}

/// The single units that a unit is made of.
fn parts_of(unit: Unit) -> &'static [Unit] {
    use Unit as U;
    match unit {
        U::Microsecond => &[U::Microsecond],
        U::Second => &[U::Second],
        U::Minute => &[U::Minute],
        U::Hour => &[U::Hour],
        U::Day => &[U::Day],
        U::Week => &[U::Week],
        U::Month => &[U::Month],
        U::Quarter => &[U::Quarter],
        U::Year => &[U::Year],
        U::SecondMicrosecond => &[U::Second, U::Microsecond],
        U::MinuteMicrosecond => &[U::Minute, U::Second, U::Microsecond],
        U::MinuteSecond => &[U::Minute, U::Second],
        U::HourMicrosecond => &[U::Hour, U::Minute, U::Second, U::Microsecond],
        U::HourSecond => &[U::Hour, U::Minute, U::Second],
        U::HourMinute => &[U::Hour, U::Minute],
        U::DayMicrosecond => &[U::Day, U::Hour, U::Minute, U::Second, U::Microsecond],
        U::DaySecond => &[U::Day, U::Hour, U::Minute, U::Second],
        U::DayMinute => &[U::Day, U::Hour, U::Minute],
        U::DayHour => &[U::Day, U::Hour],
        U::YearMonth => &[U::Year, U::Month],
    }
}

//! A moment in the calendar, with the weeks of ISO 8601.
//!
//! Layer `eval`; knows only values and errors.

use tristan_ground::Civil;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::value::Value;

/// Microseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000;

/// The days of the week, beginning with the first one of ISO 8601.
pub(super) const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A moment, taken apart.
pub(super) struct Moment {
    pub(super) date: Civil,
    /// Days since 1970-01-01.
    pub(super) days: i64,
    /// Microseconds since midnight.
    pub(super) time: i64,
}

impl Moment {
    pub(super) fn of(micros: i64) -> Result<Self> {
        let days = known(micros)?.div_euclid(DAY);
        Ok(Self { date: Civil::from_days(days), days, time: micros.rem_euclid(DAY) })
    }

    /// Monday is 1 and Sunday is 7.
    pub(super) fn iso_weekday(&self) -> i64 {
        (self.days + 3).rem_euclid(7) + 1
    }

    pub(super) fn day_of_year(&self) -> i64 {
        self.days - first_of(self.date.year, 1) + 1
    }

    /// The year that the week belongs to, and the number of the week in it.
    pub(super) fn iso_week(&self) -> (i64, i64) {
        // A week belongs to the year of its Thursday.
        let thursday = self.days + 4 - self.iso_weekday();
        let year = Civil::from_days(thursday).year;
        (year, (thursday - first_of(year, 1)) / 7 + 1)
    }

    pub(super) fn quarter(&self) -> i64 {
        i64::from((self.date.month - 1) / 3 + 1)
    }
}

/// The first day of a month.
pub(super) fn first_of(year: i64, month: u32) -> i64 {
    Civil { year, month, day: 1 }.days().unwrap_or(0)
}

/// A moment of the years 1 to 9999.
pub(super) fn known(micros: i64) -> Result<i64> {
    let (first, last) = (first_of(1, 1) * DAY, first_of(10_000, 1) * DAY);
    match (first..last).contains(&micros) {
        true => Ok(micros),
        false => unsupported("a date outside the years 1 to 9999"),
    }
}

/// A time of day that is given by hour, minute and second.
#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
pub(super) fn made_time(hour: &Value, minute: &Value, second: f64) -> Result<i64> {
    let (Some(hour), Some(minute)) = (hour.as_integer(), minute.as_integer()) else {
        return unsupported("a time of something that is not a number");
    };
    let micros = (second * 1e6).round_ties_even();
    let inside = (0..=24).contains(&hour)
        && (0..60).contains(&minute)
        && (0.0..=60.0 * 1e6).contains(&micros);
    let seconds = if inside { (hour * 60 + minute) as i64 * 60 } else { 0 };
    match seconds * 1_000_000 + micros as i64 {
        time if inside && time <= DAY => Ok(time),
        _ => fail(ErrorClass::DateOutOfRange, "a time that does not exist"),
    }
}

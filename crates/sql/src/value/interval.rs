//! Intervals of PostgreSQL: months, days and microseconds, kept apart.
//!
//! A month is not a fixed number of days, nor a day a fixed number of hours, so `1 day` and `24 hours` are equal but
//! not the same: they look different, and they move a moment differently. For comparisons, a month has 30 days and a
//! day 24 hours.
//!
//! Only the forms of input that mean the same in all settings are read: numbers with units, and a time at the end.

use std::cmp::Ordering;
use std::fmt;

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Interval {
    /// Months, of which twelve make a year.
    pub months: i32,
    /// Days.
    pub days: i32,
    /// Microseconds.
    pub micros: i64,
}

impl Interval {
    /// How many seconds a time zone with this distance is ahead of UTC; `None` if it is no number of seconds.
    pub(crate) fn as_offset(&self) -> Option<i64> {
        let whole = self.months == 0 && self.days == 0 && self.micros % 1_000_000 == 0;
        whole.then_some(self.micros / 1_000_000)
    }

    /// Reads `1 year 2 mons -3 days 04:05:06.7`, or a number of `unit`s. `None` if it has another form, which the
    /// server may read or not.
    pub(crate) fn parse(text: &str, unit: Option<&str>) -> Option<Self> {
        let mut read = Reading::default();
        let mut rest = text.trim();
        if rest.is_empty() {
            return None;
        }
        while !rest.is_empty() {
            rest = read.field(rest, unit)?.trim_start();
        }
        Some(Self {
            months: i32::try_from(read.months).ok()?,
            days: i32::try_from(read.days).ok()?,
            micros: read.micros,
        })
    }

    /// Reads `P1Y2M-3DT4H5M6.7S`, as some sessions are shown it.
    pub(crate) fn parse_iso(text: &str) -> Option<Self> {
        let text = text.strip_prefix('P')?;
        let (date, time) = text.split_once('T').unwrap_or((text, ""));
        let mut plain = String::new();
        let units = [(date, [('Y', "years"), ('M', "mons"), ('D', "days")])]
            .into_iter()
            .chain([(time, [('H', "hours"), ('M', "mins"), ('S', "secs")])]);
        for (mut part, units) in units {
            while let Some(end) = part.find(|letter: char| letter.is_ascii_uppercase()) {
                let (number, rest) = part.split_at(end);
                let (_, unit) = units.iter().find(|(letter, _)| rest.starts_with(*letter))?;
                plain.push_str(&format!("{number} {unit} "));
                part = &rest[1..];
            }
        }
        Self::parse(&plain, None)
    }

    /// All of it in microseconds, as it is compared.
    pub(crate) fn length(&self) -> i128 {
        let days = i128::from(self.months) * 30 + i128::from(self.days);
        days * i128::from(DAY) + i128::from(self.micros)
    }

    /// Both together, part by part; `None` if that is too large.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        Some(Self {
            months: self.months.checked_add(other.months)?,
            days: self.days.checked_add(other.days)?,
            micros: self.micros.checked_add(other.micros)?,
        })
    }

    /// The same the other way; `None` if that is too large.
    pub(crate) fn negative(&self) -> Option<Self> {
        Some(Self {
            months: self.months.checked_neg()?,
            days: self.days.checked_neg()?,
            micros: self.micros.checked_neg()?,
        })
    }

    /// Which one is longer.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        self.length().cmp(&other.length())
    }
}

/// What was read of an interval so far.
#[derive(Default)]
struct Reading {
    months: i64,
    days: i64,
    micros: i64,
    seen: Vec<&'static str>,
}

impl Reading {
    /// Reads a number with its unit, or a time, and returns what follows.
    fn field<'t>(&mut self, text: &'t str, unit: Option<&str>) -> Option<&'t str> {
        let signed = text.strip_prefix(['-', '+']);
        let negative = text.starts_with('-');
        let text = signed.unwrap_or(text);
        let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let (number, rest) = text.split_at(end.unwrap_or(text.len()));
        if rest.starts_with(':') {
            return self.time(text, negative);
        }
        let rest = rest.trim_start();
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic());
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let word = match (word, unit) {
            ("", Some(unit)) => unit,
            ("", None) | (_, Some(_)) => return None,
            (word, None) => word,
        };
        self.add(number, negative, unit_named(word)?)?;
        Some(behind)
    }

    /// `04:05`, `04:05:06.7`, at the end.
    fn time<'t>(&mut self, text: &'t str, negative: bool) -> Option<&'t str> {
        let end = text.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(text.len());
        let (time, behind) = text.split_at(end);
        let parts: Vec<&str> = time.split(':').collect();
        let (hours, minutes, seconds) = match parts.as_slice() {
            [hours, minutes] => (*hours, *minutes, "0"),
            [hours, minutes, seconds] => (*hours, *minutes, *seconds),
            _ => return None,
        };
        let below_sixty = |part: &str| {
            let whole = part.split('.').next().unwrap_or(part);
            whole.len() <= 2 && whole.parse::<u32>().is_ok_and(|number| number < 60)
        };
        if !below_sixty(minutes) || !below_sixty(seconds) || minutes.contains('.') {
            return None;
        }
        self.add(hours, negative, "hour")?;
        self.add(minutes, negative, "minute")?;
        self.add(seconds, negative, "second")?;
        Some(behind)
    }

    fn add(&mut self, number: &str, negative: bool, unit: &'static str) -> Option<()> {
        if self.seen.contains(&unit) {
            return None;
        }
        self.seen.push(unit);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 6 {
            return None;
        }
        let sign = if negative { -1 } else { 1 };
        let whole = sign * whole.parse::<i32>().map(i64::from).ok()?;
        let millionths = sign * format!("{fraction:0<6}").parse::<i64>().ok()?;
        let (months, days, micros) = match unit {
            "year" => (12, 0, 0),
            "month" => (1, 0, 0),
            "week" => (0, 7, 0),
            "day" => (0, 1, 0),
            "hour" => (0, 0, HOUR),
            "minute" => (0, 0, MINUTE),
            "second" => (0, 0, SECOND),
            "millisecond" => (0, 0, 1_000),
            _ => (0, 0, 1),
        };
        // Parts of a month or a week become days, in ways that differ between versions.
        if millionths != 0 && micros == 0 && unit != "day" {
            return None;
        }
        let fraction = millionths.checked_mul(if unit == "day" { DAY } else { micros })?;
        if fraction % 1_000_000 != 0 {
            return None;
        }
        self.months = self.months.checked_add(whole.checked_mul(months)?)?;
        self.days = self.days.checked_add(whole.checked_mul(days)?)?;
        let micros = whole.checked_mul(micros)?.checked_add(fraction / 1_000_000)?;
        self.micros = self.micros.checked_add(micros)?;
        Some(())
    }
}

/// The usual name of a unit.
fn unit_named(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "y" | "yr" | "yrs" | "year" | "years" => "year",
        "mon" | "mons" | "month" | "months" => "month",
        "w" | "week" | "weeks" => "week",
        "d" | "day" | "days" => "day",
        "h" | "hr" | "hrs" | "hour" | "hours" => "hour",
        "m" | "min" | "mins" | "minute" | "minutes" => "minute",
        "s" | "sec" | "secs" | "second" | "seconds" => "second",
        "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" => "millisecond",
        "us" | "usec" | "usecs" | "microsecond" | "microseconds" => "microsecond",
        _ => return None,
    })
}

/// As PostgreSQL writes it: `1 year 2 mons -3 days +04:05:06.7`. Behind something negative, what is positive has a
/// sign.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut first, mut after_negative) = (true, false);
        let parts = [(self.months / 12, "year"), (self.months % 12, "mon"), (self.days, "day")];
        for (number, unit) in parts.into_iter().filter(|(number, _)| *number != 0) {
            let space = if first { "" } else { " " };
            let sign = if after_negative && number > 0 { "+" } else { "" };
            let many = if number == 1 { "" } else { "s" };
            write!(f, "{space}{sign}{number} {unit}{many}")?;
            (first, after_negative) = (false, number < 0);
        }
        if !first && self.micros == 0 {
            return Ok(());
        }
        let space = if first { "" } else { " " };
        let sign = match self.micros {
            ..0 => "-",
            _ if after_negative => "+",
            _ => "",
        };
        write!(f, "{space}{sign}{}", clock(self.micros.unsigned_abs()))
    }
}

/// `04:05:06.7`: hours, minutes, and seconds with their fraction if there is one.
pub(crate) fn clock(micros: u64) -> String {
    let (seconds, fraction) = (micros / 1_000_000, micros % 1_000_000);
    let time = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match fraction {
        0 => time,
        _ => format!("{time}.{}", format!("{fraction:06}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(text: &str) -> String {
        Interval::parse(text, None).map_or("-".to_owned(), |interval| interval.to_string())
    }

    #[test]
    fn is_written_as_postgresql_writes_it() {
        for (text, written) in [
            ("1 day", "1 day"),
            ("2 hours 30 minutes", "02:30:00"),
            ("1 year 14 months -3 days 04:05:06.7", "2 years 2 mons -3 days +04:05:06.7"),
            ("-1 day 2h", "-1 days +02:00:00"),
            ("1.5 hours", "01:30:00"),
            ("1.5 days", "1 day 12:00:00"),
            ("0 days", "00:00:00"),
            ("-00:00:01.000001", "-00:00:01.000001"),
            ("100 hours", "100:00:00"),
            ("1 week", "7 days"),
            ("1 fortnight", "-"),
            ("1 day 2 days", "-"),
            ("1.5 months", "-"),
            ("99999999999 days", "-"),
            ("1 day ago", "-"),
            ("", "-"),
        ] {
            assert_eq!(again(text), written, "{text}");
        }
        assert_eq!(
            Interval::parse("90", Some("second")).map(|one| one.to_string()),
            Some("00:01:30".into())
        );
    }

    #[test]
    fn a_month_has_thirty_days_when_it_is_compared() {
        let read = |text| Interval::parse(text, None).expect("an interval");
        assert_eq!(read("1 month").compare(&read("30 days")), Ordering::Equal);
        assert_eq!(read("25 hours").compare(&read("1 day")), Ordering::Greater);
    }
}

//! Dates as texts in a format: `to_char`, `to_date` and `to_timestamp` of PostgreSQL.
//!
//! A format is written in the patterns below; a format with any other letter outside double quotes is not
//! supported. Reading takes only texts that have exactly the digits and separators of the format.
//!
//! Layer `eval`; knows values.

use tristan_ground::Civil;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::value::Value;

use super::moment::{DAYS, MONTHS, Moment};

/// Patterns, longer ones before those that they begin with. Those that are not supported are here, too: they must
/// not be taken for shorter ones.
const PATTERNS: [&str; 55] = [
    "A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "CC", "DAY", "DDD", "DD", "DY", "Day", "Dy", "D",
    "FF", "FX", "HH24", "HH12", "HH", "IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I", "J", "MI",
    "MM", "MONTH", "MON", "MS", "Month", "Mon", "OF", "P.M.", "PM", "Q", "RM", "SSSSS", "SSSS",
    "SS", "TZH", "TZM", "TZ", "US", "WW", "W", "Y,YYY", "YYYY", "YYY", "YY", "Y", "TM", "FM",
];

/// A part of a format.
enum Part<'a> {
    /// The pattern, whether it is written without padding, and whether in small letters.
    Field(&'static str, bool, bool),
    Literal(&'a str),
}

/// `to_char(moment, format)`. Without a time, patterns of hours and less are refused.
pub(super) fn write(moment: &Moment, has_time: bool, format: &str) -> Result<Value> {
    if format.is_empty() {
        return Ok(Value::Null);
    }
    let mut text = String::new();
    for part in parts(format)? {
        match part {
            Part::Literal(literal) => text.push_str(literal),
            Part::Field(pattern, trims, lower) => match field(pattern, trims, moment, has_time) {
                Some(field) if lower => text.push_str(&field.to_ascii_lowercase()),
                Some(field) => text.push_str(&field),
                None => return unsupported(format!("the pattern {pattern} in to_char()")),
            },
        }
    }
    Ok(Value::text(&text))
}

fn parts(format: &str) -> Result<Vec<Part<'_>>> {
    let refused = || unsupported(format!("the format {format}"));
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some(letter) = rest.chars().next() {
        if letter == '"' {
            let Some((quoted, after)) = rest[1..].split_once('"') else { return refused() };
            parts.push(Part::Literal(quoted));
            rest = after;
        } else if letter.is_ascii_alphanumeric() {
            let trims = rest.starts_with("FM") || rest.starts_with("fm");
            rest = if trims { &rest[2..] } else { rest };
            let Some((pattern, lower)) = pattern_of(rest) else { return refused() };
            rest = &rest[pattern.len()..];
            // Suffixes: `DDTH` is not a day and a letter.
            if ["TH", "th", "SP"].into_iter().any(|suffix| rest.starts_with(suffix)) {
                return refused();
            }
            parts.push(Part::Field(pattern, trims, lower));
        } else {
            parts.push(Part::Literal(&rest[..letter.len_utf8()]));
            rest = &rest[letter.len_utf8()..];
        }
    }
    match format.contains('\\') {
        true => refused(),
        false => Ok(parts),
    }
}

/// The pattern that a format begins with, and whether it is in small letters.
fn pattern_of(format: &str) -> Option<(&'static str, bool)> {
    PATTERNS.into_iter().find_map(|pattern| {
        let is_lower = || format.starts_with(&pattern.to_ascii_lowercase());
        match format.starts_with(pattern) {
            true => Some((pattern, false)),
            false => is_lower().then_some((pattern, true)),
        }
    })
}

fn field(pattern: &str, trims: bool, moment: &Moment, has_time: bool) -> Option<String> {
    time_field(pattern, trims, moment)
        .filter(|_| has_time)
        .or_else(|| date_field(pattern, trims, moment))
}

/// A number, filled up with zeros.
fn digits(number: i64, width: usize, trims: bool) -> String {
    match trims {
        true => number.to_string(),
        false => format!("{number:0width$}"),
    }
}

/// A word, filled up with spaces to the longest one.
fn word(name: &str, trims: bool) -> String {
    match trims {
        true => name.to_owned(),
        false => format!("{name:<9}"),
    }
}

fn time_field(pattern: &str, trims: bool, moment: &Moment) -> Option<String> {
    let (seconds, micros) = (moment.time / 1_000_000, moment.time % 1_000_000);
    let hour = seconds / 3600;
    let half = if hour < 12 { "AM" } else { "PM" };
    Some(match pattern {
        "HH24" => digits(hour, 2, trims),
        "HH12" | "HH" => digits((hour + 11) % 12 + 1, 2, trims),
        "MI" => digits(seconds / 60 % 60, 2, trims),
        "SS" => digits(seconds % 60, 2, trims),
        "MS" => format!("{:03}", micros / 1000),
        "US" => format!("{micros:06}"),
        "AM" | "PM" => half.to_owned(),
        _ => return None,
    })
}

fn date_field(pattern: &str, trims: bool, moment: &Moment) -> Option<String> {
    let Civil { year, month, day } = moment.date;
    let (month_name, day_name) = (
        *MONTHS.get(month as usize - 1)?,
        *DAYS.get(usize::try_from(moment.iso_weekday() - 1).ok()?)?,
    );
    let (iso_year, iso_week) = moment.iso_week();
    Some(match pattern {
        "YYYY" => digits(year, 4, trims),
        "YYY" => digits(year % 1000, 3, trims),
        "YY" => digits(year % 100, 2, trims),
        "Y" => (year % 10).to_string(),
        "MM" => digits(month.into(), 2, trims),
        "DD" => digits(day.into(), 2, trims),
        "DDD" => digits(moment.day_of_year(), 3, trims),
        "D" => (moment.iso_weekday() % 7 + 1).to_string(),
        "ID" => moment.iso_weekday().to_string(),
        "Q" => moment.quarter().to_string(),
        "IYYY" => digits(iso_year, 4, trims),
        "IW" => digits(iso_week, 2, trims),
        "WW" => digits((moment.day_of_year() - 1) / 7 + 1, 2, trims),
        "W" => ((day - 1) / 7 + 1).to_string(),
        "MONTH" => word(&month_name.to_uppercase(), trims),
        "Month" => word(month_name, trims),
        "MON" => month_name[..3].to_uppercase(),
        "Mon" => month_name[..3].to_owned(),
        "DAY" => word(&day_name.to_uppercase(), trims),
        "Day" => word(day_name, trims),
        "DY" => day_name[..3].to_uppercase(),
        "Dy" => day_name[..3].to_owned(),
        _ => return None,
    })
}

/// `to_date(text, format)` and `to_timestamp(text, format)`: microseconds since 1970-01-01.
pub(super) fn read(text: &str, format: &str) -> Result<i64> {
    let refused = || unsupported(format!("the text {text} in the format {format}"));
    let mut fields: [Option<i64>; 6] = [None; 6];
    let mut rest = text;
    for part in parts(format)? {
        let (pattern, width) = match part {
            Part::Field(pattern @ "YYYY", false, _) => (pattern, 4),
            Part::Field(pattern @ ("MM" | "DD" | "HH24" | "MI" | "SS"), false, _) => (pattern, 2),
            Part::Field(..) => return refused(),
            Part::Literal(literal) => match rest.strip_prefix(literal) {
                Some(after) if ["-", "/", ".", ":", " "].contains(&literal) => {
                    rest = after;
                    continue;
                }
                _ => return refused(),
            },
        };
        let place = ["YYYY", "MM", "DD", "HH24", "MI", "SS"].iter().position(|one| *one == pattern);
        let number =
            rest.get(..width).filter(|digits| digits.bytes().all(|one| one.is_ascii_digit()));
        match (place.map(|place| &mut fields[place]), number.and_then(|digits| digits.parse().ok()))
        {
            (Some(field @ None), Some(number)) => *field = Some(number),
            _ => return refused(),
        }
        rest = &rest[width..];
    }
    let [Some(year @ 1..), month, day, hour, minute, second] = fields else { return refused() };
    let part = |field: Option<i64>| field.and_then(|number| u32::try_from(number).ok());
    let (month, day) = (part(month).unwrap_or(1), part(day).unwrap_or(1));
    let time = (hour.unwrap_or(0), minute.unwrap_or(0), second.unwrap_or(0));
    // A zero means the first month or day to some versions.
    if month == 0 || day == 0 {
        return refused();
    }
    if !rest.is_empty() || time.0 > 23 || time.1 > 59 || time.2 > 59 {
        return refused();
    }
    match (Civil { year, month, day }).days() {
        Some(days) => Ok((days * 86_400 + time.0 * 3600 + time.1 * 60 + time.2) * 1_000_000),
        None => fail(ErrorClass::DateOutOfRange, format!("{text} is not a date")),
    }
}

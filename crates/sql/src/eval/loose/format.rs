//! `DATE_FORMAT`: a moment written after a pattern.
//!
//! Layer `eval`; knows the calendar. Names are English, as they are unless `lc_time_names` says otherwise.

use crate::error::{Result, unsupported};

use super::super::moment::{DAYS, MONTHS, Moment};
use super::week::week;

/// The name of the day of the week.
pub(super) fn day_name(moment: &Moment) -> &'static str {
    let day = usize::try_from(moment.iso_weekday() - 1).unwrap_or(0);
    DAYS[day % 7]
}

/// The name of the month.
pub(super) fn month_name(moment: &Moment) -> &'static str {
    MONTHS[(moment.date.month as usize + 11) % 12]
}

/// A moment after a pattern.
pub(super) fn format_moment(moment: &Moment, pattern: &str) -> Result<String> {
    let mut text = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '%') {
            (_, false) => text.push(letter),
            _ => match letters.next() {
                Some(code) => text.push_str(&part(moment, code)?),
                None => return unsupported("a format that ends with %"),
            },
        }
    }
    Ok(text)
}

fn part(moment: &Moment, code: char) -> Result<String> {
    let date = moment.date;
    let seconds = moment.time / 1_000_000;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let twelve = (hour + 11) % 12 + 1;
    let half = if hour < 12 { "AM" } else { "PM" };
    let days = i64::from(date.day);
    Ok(match code {
        'Y' => format!("{:04}", date.year),
        'y' => format!("{:02}", date.year % 100),
        'm' => format!("{:02}", date.month),
        'c' => date.month.to_string(),
        'd' => format!("{days:02}"),
        'e' => days.to_string(),
        'D' => format!("{days}{}", ordinal(days)),
        'M' => month_name(moment).to_owned(),
        'b' => month_name(moment)[..3].to_owned(),
        'W' => day_name(moment).to_owned(),
        'a' => day_name(moment)[..3].to_owned(),
        'w' => (moment.iso_weekday() % 7).to_string(),
        'j' => format!("{:03}", moment.day_of_year()),
        'H' => format!("{hour:02}"),
        'k' => hour.to_string(),
        'h' | 'I' => format!("{twelve:02}"),
        'l' => twelve.to_string(),
        'i' => format!("{minute:02}"),
        's' | 'S' => format!("{second:02}"),
        'f' => format!("{:06}", moment.time % 1_000_000),
        'p' => half.to_owned(),
        'r' => format!("{twelve:02}:{minute:02}:{second:02} {half}"),
        'T' => format!("{hour:02}:{minute:02}:{second:02}"),
        'U' => format!("{:02}", week(moment, 0).1),
        'u' => format!("{:02}", week(moment, 1).1),
        'V' => format!("{:02}", week(moment, 2).1),
        'v' => format!("{:02}", week(moment, 3).1),
        'X' => format!("{:04}", week(moment, 2).0),
        'x' => format!("{:04}", week(moment, 3).0),
        '%' => "%".to_owned(),
        _ => return unsupported(format!("%{code} in a format")),
    })
}

fn ordinal(day: i64) -> &'static str {
    match day {
        11..=13 => "th",
        _ if day % 10 == 1 => "st",
        _ if day % 10 == 2 => "nd",
        _ if day % 10 == 3 => "rd",
        _ => "th",
    }
}

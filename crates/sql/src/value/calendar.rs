//! Days and moments: reading, writing, moving.

use tristan_ground::{Civil, days_in_month};

const DAY: i64 = 86_400_000_000;
const YEAR_2000: i64 = 10_957 * DAY;

/// The number of a day of the years 1 to 9999, counted from 1970-01-01; `None` if there is no such day.
fn number(date: Civil) -> Option<i32> {
    let known = (1..=9999).contains(&date.year);
    date.days().filter(|_| known).and_then(|days| i32::try_from(days).ok())
}

/// The date of a day.
pub(crate) fn civil(days: i32) -> Civil {
    Civil::from_days(days.into())
}

/// The first moment of a day.
pub(super) fn midnight(days: i32) -> i64 {
    i64::from(days) * DAY
}

/// Reads `2024-01-31`; `None` if it is not a day.
pub(crate) fn parse_date(text: &str) -> Option<i32> {
    let mut parts = text.trim().split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || year.len() != 4 || ![year, month, day].into_iter().all(plain) {
        return None;
    }
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    number(Civil { year, month, day })
}

/// Reads `2024-01-31 12:30:00.5` or a day alone; `None` if it is not a moment.
pub(crate) fn parse_timestamp(text: &str) -> Option<i64> {
    let text = text.trim();
    let Some((date, time)) = text.split_once([' ', 'T']) else {
        return parse_date(text).map(midnight);
    };
    Some(midnight(parse_date(date)?) + parse_time(time)?)
}

/// Reads `2024-01-31 12:30:00.5+01`, with `Z` or hours, minutes and seconds as the offset from UTC; `None`
/// if it is not a moment, or does not say in which time zone it is.
pub(crate) fn parse_instant(text: &str) -> Option<i64> {
    let text = text.trim();
    let time = text.find([' ', 'T'])?;
    if let Some(local) = text.strip_suffix(['Z', 'z']) {
        return parse_timestamp(local);
    }
    let sign = time + text[time..].rfind(['+', '-'])?;
    let (local, offset) = text.split_at(sign);
    let (sign, parts) = (if offset.starts_with('-') { -1 } else { 1 }, offset[1..].split(':'));
    let mut offset = 0;
    let mut unit = 3600;
    for part in parts {
        let plain = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        if !plain || unit == 0 {
            return None;
        }
        let limit = if unit == 3600 { 16 } else { 60 };
        offset += part.parse::<i64>().ok().filter(|number| *number < limit)? * unit;
        unit /= 60;
    }
    Some(parse_timestamp(local.trim_end())? - sign * offset * 1_000_000)
}

/// Reads `infinity` or `-infinity`, which are later and earlier than all other moments.
pub(crate) fn parse_infinity(text: &str) -> Option<i64> {
    match text.trim().to_ascii_lowercase().as_str() {
        "infinity" => Some(i64::MAX),
        "-infinity" => Some(i64::MIN),
        _ => None,
    }
}

/// Whether a moment is neither infinitely late nor infinitely early.
pub(crate) fn is_finite(micros: i64) -> bool {
    micros != i64::MAX && micros != i64::MIN
}

/// Reads `12:30` or `12:30:00.5`; `None` if it is not a time of day.
pub(crate) fn parse_time(text: &str) -> Option<i64> {
    let mut parts = text.trim().split(':');
    let (hour, minute) = (parts.next()?, parts.next()?);
    let second = parts.next().unwrap_or("0");
    if parts.next().is_some() {
        return None;
    }
    let (second, fraction) = second.split_once('.').unwrap_or((second, ""));
    let number =
        |part: &str, limit: i64| part.parse().ok().filter(|value| (0..limit).contains(value));
    if fraction.len() > 6 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let micros: i64 = format!("{fraction:0<6}").parse().ok()?;
    let seconds = number(hour, 24)? * 3600 + number(minute, 60)? * 60 + number(second, 60)?;
    Some(seconds * 1_000_000 + micros)
}

/// `2024-01-31`.
pub fn format_date(days: i32) -> String {
    let Civil { year, month, day } = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// `2024-01-31 12:30:00`, with the fraction if there is one.
pub fn format_timestamp(micros: i64) -> String {
    match micros {
        i64::MAX => return "infinity".to_owned(),
        i64::MIN => return "-infinity".to_owned(),
        _ => {}
    }
    let days = i32::try_from(micros.div_euclid(DAY)).unwrap_or(i32::MAX);
    let rest = micros.rem_euclid(DAY);
    let (seconds, fraction) = (rest / 1_000_000, rest % 1_000_000);
    let date = format_date(days);
    let time = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if fraction == 0 {
        return format!("{date} {time}");
    }
    let digits = format!("{fraction:06}");
    format!("{date} {time}.{}", digits.trim_end_matches('0'))
}

/// `2024-01-31 12:30:00+00`: the moment in UTC.
pub(crate) fn format_instant(micros: i64) -> String {
    match is_finite(micros) {
        true => format!("{}+00", format_timestamp(micros)),
        false => format_timestamp(micros),
    }
}

/// A moment with this many digits of a second, the rest rounded. PostgreSQL counts from the year 2000, and
/// halves go away from there.
pub(crate) fn rounded(micros: i64, digits: u8) -> i64 {
    if !is_finite(micros) {
        return micros;
    }
    let unit = 10i64.pow(6 - u32::from(digits.min(6)));
    let (whole, rest) = (micros.div_euclid(unit), micros.rem_euclid(unit));
    let up = rest * 2 > unit || (rest * 2 == unit && micros >= YEAR_2000);
    (whole + i64::from(up)) * unit
}

/// A moment moved by months, days and microseconds; `None` if it leaves the calendar. A day that the
/// month does not have becomes its last one.
pub(crate) fn add_interval(moment: i64, months: i64, days: i64, micros: i64) -> Option<i64> {
    let from = civil(i32::try_from(moment.div_euclid(DAY)).ok()?);
    let month = from.year * 12 + i64::from(from.month) - 1 + months;
    let year = month.div_euclid(12);
    let month = u32::try_from(month.rem_euclid(12) + 1).ok()?;
    let day = from.day.min(days_in_month(year, month));
    let start = i64::from(number(Civil { year, month, day })?) + days;
    let moved = start.checked_mul(DAY)?.checked_add(moment.rem_euclid(DAY))?.checked_add(micros)?;
    let last = i64::from(number(Civil { year: 9999, month: 12, day: 31 })?) * DAY + DAY;
    let first = i64::from(number(Civil { year: 1, month: 1, day: 1 })?) * DAY;
    (first..last).contains(&moved).then_some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_days() {
        for text in ["1970-01-01", "2024-02-29", "1999-12-31", "0001-01-01", "9999-12-31"] {
            assert_eq!(format_date(parse_date(text).expect(text)), text);
        }
        for text in ["2023-02-29", "2024-13-01", "2024-00-01", "24-1-1", "x", "2024-01-01-01"] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }

    #[test]
    fn moves_to_the_last_day_of_a_month() {
        let start = parse_timestamp("2024-01-31").expect("a moment");
        let moved = add_interval(start, 1, 0, 0).expect("a moment");
        assert_eq!(format_timestamp(moved), "2024-02-29 00:00:00");
        assert_eq!(
            format_timestamp(add_interval(start, 0, -31, 1_500_000).expect("a moment")),
            "2023-12-31 00:00:01.5"
        );
    }
}

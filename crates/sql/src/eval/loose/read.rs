//! `STR_TO_DATE`: a text read after a pattern.
//!
//! Only texts that follow the pattern to the last letter are read; what servers make of others is refused.
//!
//! Layer `eval`; knows the calendar.

use tristan_ground::Civil;

use crate::error::{Result, unsupported};

use super::super::moment::{DAY, known};

/// What a pattern asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) day: bool,
    pub(crate) time: bool,
    pub(crate) fraction: bool,
}

/// What a pattern of `STR_TO_DATE` asks for; `None` if it has a part that is not read here.
pub(crate) fn parts_in(pattern: &str) -> Option<Parts> {
    let mut parts = Parts { day: false, time: false, fraction: false };
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        match letters.next()? {
            'Y' | 'm' | 'c' | 'd' | 'e' => parts.day = true,
            'H' | 'k' | 'i' | 's' | 'S' => parts.time = true,
            'f' => (parts.time, parts.fraction) = (true, true),
            _ => return None,
        }
    }
    Some(parts)
}

/// Microseconds since 1970-01-01.
pub(super) fn read_moment(text: &str, pattern: &str) -> Result<i64> {
    match read(text, pattern) {
        Some(micros) => known(micros),
        None => unsupported(format!("the date {text} in the format {pattern}")),
    }
}

fn read(text: &str, pattern: &str) -> Option<i64> {
    let (mut year, mut month, mut day, mut time) = (None, None, None, 0);
    let mut rest = text;
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            // White space would be skipped on both sides, one more or less.
            rest = rest.strip_prefix(letter)?;
            continue;
        }
        let code = letters.next()?;
        let (number, digits);
        (number, digits, rest) = digits_of(rest, if code == 'Y' { 4 } else { 2 }, code)?;
        match code {
            'Y' if digits == 4 => year = Some(number),
            'm' | 'c' => month = u32::try_from(number).ok(),
            'd' | 'e' => day = u32::try_from(number).ok(),
            'H' | 'k' if number < 24 => time += number * 3_600_000_000,
            'i' if number < 60 => time += number * 60_000_000,
            's' | 'S' if number < 60 => time += number * 1_000_000,
            'f' => time += number * 10_i64.pow(6 - u32::try_from(digits).ok()?),
            _ => return None,
        }
    }
    if !rest.is_empty() {
        return None;
    }
    let date = Civil { year: year?, month: month?, day: day? };
    date.days()?.checked_mul(DAY)?.checked_add(time)
}

/// As many digits as there are, up to a limit.
fn digits_of(text: &str, limit: usize, code: char) -> Option<(i64, usize, &str)> {
    let limit = if code == 'f' { 6 } else { limit };
    let digits = text.bytes().take(limit).take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits)?.parse().ok()?;
    Some((number, digits, &text[digits..]))
}

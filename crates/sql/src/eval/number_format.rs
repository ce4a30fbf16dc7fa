//! `to_char` of numbers and `to_number`, for the patterns that applications use: `9`, `0`, `.`, `,`, and `FM`, `S` in
//! front, `MI` or `S` behind.
//!
//! ```text
//!   to_char(-1234.5, '9,990.00')    ──►   "-1,234.50"      a place for the sign, which stands before the digits
//!   to_char(12, '9990')             ──►   "    12"
//! ```
//!
//! The point and the comma are those of the locale `C` or English for `.` and `,`, which do not ask the locale.
//!
//! Layer `eval`; knows values only.

use crate::error::{Result, unsupported};
use crate::value::{Decimal, Value};

/// Longer patterns are refused.
const LONGEST: usize = 60;

struct Format {
    /// `9`, `0` and `,` before the point.
    whole: Vec<char>,
    /// `9` and `0` behind the point.
    fraction: Vec<char>,
    point: bool,
    /// No spaces, and no zeros at the end that `9` stands for.
    fills: bool,
    /// `S` in front of the digits.
    sign: bool,
}

impl Format {
    fn read(format: &str) -> Option<Self> {
        if format.len() > LONGEST {
            return None;
        }
        let (fills, rest) = match format.strip_prefix("FM") {
            Some(rest) => (true, rest),
            None => (false, format),
        };
        let (sign, rest) = match rest.strip_prefix('S') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
        let known = |part: &str, more: &[char]| {
            part.chars().all(|letter| matches!(letter, '9' | '0') || more.contains(&letter))
        };
        let plain = known(whole, &[',']) && known(fraction, &[]);
        let starts = whole.starts_with(['9', '0']) && !rest.ends_with('.');
        (plain && starts).then(|| Self {
            whole: whole.chars().collect(),
            fraction: fraction.chars().collect(),
            point: rest.contains('.'),
            fills,
            sign,
        })
    }
}

pub(super) fn write(number: &Value, format: &str) -> Result<Value> {
    let Some(read) = Format::read(format) else {
        return unsupported(format!("the format {format} of numbers"));
    };
    let Some(number) = number.as_decimal() else { return unsupported("this number as a text") };
    let Ok(scale) = u32::try_from(read.fraction.len()) else {
        return unsupported("this format of numbers");
    };
    let rounded = number.round(scale);
    let digits = rounded.abs().to_string();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let whole = if whole == "0" { "" } else { whole };
    // A number that is rounded to zero is written with or without its sign by versions that differ.
    if rounded.is_zero() && number.sign() < 0 {
        return unsupported("a negative number that is written as zero");
    }
    // Zero without a `0` for it is written in ways of its own.
    if whole.is_empty()
        && !read.whole.contains(&'0')
        && (read.fills || !read.point || rounded.is_zero())
    {
        return unsupported("zero in a format without a place for it");
    }
    let places = read.whole.iter().filter(|letter| **letter != ',').count();
    if whole.len() > places {
        return unsupported("a number with more digits than its format");
    }
    Ok(Value::text(&written(&read, whole, fraction, rounded.sign() < 0)))
}

/// The digits from right to left find their places; the sign stands before the first of them.
fn written(format: &Format, whole: &str, fraction: &str, negative: bool) -> String {
    let places = format.whole.iter().filter(|letter| **letter != ',').count();
    let first_zero = format.whole.iter().position(|letter| *letter == '0');
    let (mut text, mut place, mut begun) = (String::new(), 0, false);
    let sign = match (negative, format.sign) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) if format.fills => "",
        (false, false) => " ",
    };
    for (at, letter) in format.whole.iter().enumerate() {
        let in_zeros = first_zero.is_some_and(|zero| zero <= at);
        if *letter == ',' {
            match begun {
                true => text.push(','),
                false if format.fills => {}
                false => text.push(' '),
            }
            continue;
        }
        let behind = places - place;
        let digit = whole.len().checked_sub(behind).and_then(|at| whole.as_bytes().get(at));
        place += 1;
        match digit {
            None if !begun && !in_zeros => {
                if !format.fills {
                    text.push(' ');
                }
            }
            digit => {
                if !begun {
                    text.push_str(sign);
                }
                begun = true;
                text.push(digit.map_or('0', |digit| char::from(*digit)));
            }
        }
    }
    if !begun {
        text.push_str(sign);
    }
    if format.point {
        text.push('.');
        text.push_str(&shown_fraction(format, fraction));
    }
    text
}

/// With `FM`, zeros at the end are left out if `9` stands for them.
fn shown_fraction(format: &Format, fraction: &str) -> String {
    if !format.fills {
        return fraction.to_owned();
    }
    let last_zero = format.fraction.iter().rposition(|letter| *letter == '0');
    let needed = last_zero.map_or(0, |place| place + 1);
    let kept = fraction.trim_end_matches('0').len().max(needed);
    fraction.get(..kept).unwrap_or(fraction).to_owned()
}

/// The number in a text that is written in the way of its format.
pub(super) fn read(text: &str, format: &str) -> Result<Value> {
    let refused = || unsupported(format!("the text {text} as a number in the format {format}"));
    let Some(known) = Format::read(format).filter(|known| !known.fills && !known.sign) else {
        return refused();
    };
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // Each comma of the text must be one of the format, counted from the point.
    let commas = |part: &mut dyn Iterator<Item = char>| -> Vec<usize> {
        part.enumerate().filter(|(_, letter)| *letter == ',').map(|(place, _)| place).collect()
    };
    let ours = commas(&mut whole.chars().rev());
    let theirs = commas(&mut known.whole.iter().rev().copied());
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let fits = whole.len() == known.whole.len()
        && ours == theirs
        && !fraction.contains(',')
        && fraction.len() <= known.fraction.len()
        && digits.contains('.') == known.point
        && plain(whole)
        && plain(fraction);
    let sign = if negative { "-" } else { "" };
    match Decimal::parse(&format!("{sign}{}.{fraction}", whole.replace(',', ""))) {
        Some(number) if fits => Ok(Value::Decimal(number)),
        _ => refused(),
    }
}

//! Floating point numbers as texts, and numbers at the beginning of texts.

use super::decimal::Decimal;

/// As PostgreSQL and MySQL write a double: the shortest digits that read back the same.
pub(crate) fn format_double(value: f64, pads_exponent: bool) -> String {
    let reads_back = |text: &str| text.parse() == Ok(value);
    let beside = [value.next_down(), value.next_up()];
    let digits = shortest(format!("{value:e}"), value, beside, pads_exponent, reads_back);
    format_shortest(&digits, value, 15, pads_exponent)
}

/// As a number of single precision is written.
pub(crate) fn format_real(value: f64, pads_exponent: bool) -> String {
    #[allow(clippy::cast_possible_truncation, reason = "the value came from single precision")]
    let single = value as f32;
    let reads_back = |text: &str| text.parse() == Ok(single);
    let beside = [single.next_down().into(), single.next_up().into()];
    let digits = shortest(format!("{single:e}"), value, beside, pads_exponent, reads_back);
    format_shortest(&digits, value, 6, pads_exponent)
}

/// From Rust's shortest digits to those of servers. Of two equally close texts they take the one that ends with an
/// even digit; and PostgreSQL takes no text that lies halfway between two numbers, though it would read back
/// the same.
fn shortest(
    scientific: String,
    value: f64,
    beside: [f64; 2],
    no_halves: bool,
    reads_back: impl Fn(&str) -> bool,
) -> String {
    if !value.is_finite() || value == 0.0 {
        return scientific;
    }
    let mantissa = scientific.split('e').next().unwrap_or_default();
    let count = mantissa.bytes().filter(u8::is_ascii_digit).count();
    for more in count - 1..17 {
        let rounded = format!("{value:.more$e}");
        if reads_back(&rounded) && !(no_halves && is_halfway(&rounded, value, beside)) {
            return rounded;
        }
        if more + 1 == count && !is_halfway(&scientific, value, beside) {
            return scientific;
        }
    }
    scientific
}

/// Whether a text lies halfway between a number and one beside it. Only a whole number can be that short.
fn is_halfway(text: &str, value: f64, beside: [f64; 2]) -> bool {
    const FIRST: f64 = 16_777_216.0;
    let whole = |number: f64| Decimal::parse(&format!("{number:.0}"));
    let (Some(text), Some(number)) = (Decimal::parse(text), whole(value)) else { return false };
    value.abs() >= FIRST
        && beside.into_iter().filter(|one| one.is_finite()).any(|one| {
            whole(one).is_some_and(|one| number.add(&one).compare(&text.add(&text)).is_eq())
        })
}

/// From Rust's `1.5e3` to plain digits where the exponent is small, and to `1.5e+20` where it is not.
fn format_shortest(scientific: &str, value: f64, limit: i32, pads_exponent: bool) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if (-4..limit).contains(&exponent) {
        return format!("{sign}{}", place_point(&digits, exponent));
    }
    let mantissa = mantissa.trim_start_matches('-');
    if pads_exponent {
        let direction = if exponent < 0 { '-' } else { '+' };
        format!("{sign}{mantissa}e{direction}{:02}", exponent.abs())
    } else {
        format!("{sign}{mantissa}e{exponent}")
    }
}

/// Puts a point behind the digit number `exponent`.
fn place_point(digits: &str, exponent: i32) -> String {
    let Ok(whole) = usize::try_from(exponent + 1) else {
        let zeros = "0".repeat(usize::try_from(-exponent - 1).unwrap_or(0));
        return format!("0.{zeros}{digits}");
    };
    if whole == 0 {
        return format!("0.{digits}");
    }
    if digits.len() <= whole {
        return format!("{digits}{}", "0".repeat(whole - digits.len()));
    }
    format!("{}.{}", &digits[..whole], &digits[whole..])
}

/// The longest number that a text begins with, as MySQL reads it; 0 if there is none.
pub(crate) fn leading_number(text: &str) -> f64 {
    leading_number_text(text).parse().unwrap_or(0.0)
}

/// The part of a text that [`leading_number`] reads.
pub(crate) fn leading_number_text(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let start = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mut end = digits(start);
    let mut some = end > start;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if fraction > end + 1 || some {
            some |= fraction > end + 1;
            end = fraction;
        }
    }
    if !some {
        return "";
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    &text[..end]
}

/// The nearest whole number; of two, the even one.
pub(crate) fn round_to_even(value: f64) -> f64 {
    value.round_ties_even()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_doubles_as_postgresql_does() {
        for (value, text) in [
            (0.1, "0.1"),
            (1e14, "100000000000000"),
            (1e15, "1e+15"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-2.5, "-2.5"),
            (0.0, "0"),
            (100.0, "100"),
            (864_705_114_799_039.2, "864705114799039.2"),
            (5e22, "4.9999999999999996e+22"),
            (538_758_034_419_408_768.0, "5.3875803441940877e+17"),
            (2e22, "2e+22"),
            (9_007_199_254_740_992.0, "9.007199254740992e+15"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(format_double(value, true), text);
        }
        for (value, text) in [(1_048_576.25, "1.0485762e+06"), (1_048_576.75, "1.0485768e+06")] {
            assert_eq!(format_real(value, true), text);
        }
    }

    #[test]
    fn reads_the_number_at_the_beginning() {
        for (text, number) in [
            ("1abc", 1.0),
            ("abc", 0.0),
            (" -2.5x", -2.5),
            ("1e3", 1000.0),
            ("1e", 1.0),
            (".5", 0.5),
            ("\n1", 1.0),
        ] {
            assert!((leading_number(text) - number).abs() < 1e-9, "{text}");
        }
    }
}

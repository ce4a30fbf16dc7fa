//! PostgreSQL's binary form of values, as text: that of the server, except that floating-point numbers
//! are written without an exponent.

use tristan_ground::Civil;

/// Days from 1970 to 2000, when PostgreSQL's time starts.
const TO_2000: i64 = 10_957;
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// The text of a date, a timestamp, a number with decimals or a UUID, by the number of its type. Returns `None` if
/// the bytes do not fit the type, or if the type is none of these.
pub fn text(bytes: &[u8], code: u32) -> Option<String> {
    Some(match code {
        700 => float(f32::from_be_bytes(bytes.try_into().ok()?).to_string()),
        701 => float(f64::from_be_bytes(bytes.try_into().ok()?).to_string()),
        1082 => date(i32::from_be_bytes(bytes.try_into().ok()?)),
        1114 => timestamp(i64::from_be_bytes(bytes.try_into().ok()?), ""),
        1184 => timestamp(i64::from_be_bytes(bytes.try_into().ok()?), "+00"),
        1700 => numeric(bytes)?,
        2950 => uuid(bytes.try_into().ok()?),
        _ => return None,
    })
}

fn float(text: String) -> String {
    match text.as_str() {
        "inf" => "Infinity".into(),
        "-inf" => "-Infinity".into(),
        _ => text,
    }
}

fn date(days: i32) -> String {
    match days {
        i32::MAX => "infinity".into(),
        i32::MIN => "-infinity".into(),
        days => on(i64::from(days), ""),
    }
}

fn timestamp(micros: i64, zone: &str) -> String {
    match micros {
        i64::MAX => return "infinity".into(),
        i64::MIN => return "-infinity".into(),
        _ => {}
    }
    let (days, rest) = (micros.div_euclid(MICROS_PER_DAY), micros.rem_euclid(MICROS_PER_DAY));
    let (seconds, micros) = (rest / 1_000_000, rest % 1_000_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let fraction = match micros {
        0 => String::new(),
        micros => format!(".{micros:06}").trim_end_matches('0').to_owned(),
    };
    on(days, &format!(" {hour:02}:{minute:02}:{second:02}{fraction}{zone}"))
}

/// A day, counted from 2000, and what follows it. The year before 1 is 1 BC.
fn on(days: i64, time: &str) -> String {
    let Civil { year, month, day } = Civil::from_days(days + TO_2000);
    let (year, era) = if year > 0 { (year, "") } else { (1 - year, " BC") };
    format!("{year:04}-{month:02}-{day:02}{time}{era}")
}

/// Groups of four decimal digits, with a weight, a sign and a number of digits behind the point.
fn numeric(bytes: &[u8]) -> Option<String> {
    let (parts, []) = bytes.as_chunks() else { return None };
    let mut parts = parts.iter().copied().map(i16::from_be_bytes);
    let (count, weight) = (parts.next()?, i32::from(parts.next()?));
    let (sign, scale) = (parts.next()? as u16, usize::try_from(parts.next()?).ok()?);
    let groups: Vec<i16> = parts.collect();
    let fits = groups.iter().all(|group| (0..10_000).contains(group));
    if !fits || groups.len() != usize::try_from(count).ok()? {
        return None;
    }
    let sign = match sign {
        0xc000 => return Some("NaN".into()),
        0xd000 => return Some("Infinity".into()),
        0xf000 => return Some("-Infinity".into()),
        0x4000 => "-",
        _ => "",
    };
    let digits = |from: i32, to: i32| -> String {
        let group = |place: i32| usize::try_from(place).ok().and_then(|place| groups.get(place));
        (from..to).map(|place| format!("{:04}", group(place).copied().unwrap_or(0))).collect()
    };
    let whole = digits(0, weight + 1);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if scale == 0 {
        return Some(format!("{sign}{whole}"));
    }
    let fraction = digits(weight + 1, weight + 1 + scale.div_ceil(4) as i32);
    Some(format!("{sign}{whole}.{}", fraction.get(..scale)?))
}

fn uuid(bytes: [u8; 16]) -> String {
    let mut text = String::with_capacity(36);
    for (place, byte) in bytes.iter().enumerate() {
        if matches!(place, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let minus = [0, 3, 0, 1, 0x40, 0, 0, 2, 0, 1, 0x09, 0x29, 0x15, 0xe0];
        for (bytes, code, expected) in [
            (&[0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18][..], 701, "3.141592653589793"),
            (&[0xff, 0xf0, 0, 0, 0, 0, 0, 0], 701, "-Infinity"),
            (&[0, 0, 0, 0], 1082, "2000-01-01"),
            (&[0, 0, 0x22, 0x4d], 1082, "2024-01-16"),
            (&[0xff, 0xff, 0xff, 0xff], 1082, "1999-12-31"),
            (&[0xff, 0xf4, 0x9d, 0x7b], 1082, "0044-03-15 BC"),
            (&[0x7f, 0xff, 0xff, 0xff], 1082, "infinity"),
            (&[0, 0, 0, 0, 0, 0, 0, 1], 1114, "2000-01-01 00:00:00.000001"),
            (&[0, 0, 0, 0, 0, 0x4c, 0x4b, 0x40], 1184, "2000-01-01 00:00:05+00"),
            (&[0x80, 0, 0, 0, 0, 0, 0, 0], 1114, "-infinity"),
            (&minus, 1700, "-12345.56"),
            (&[0, 0, 0, 0, 0, 0, 0, 2], 1700, "0.00"),
            (&[0, 1, 0, 0, 0, 0, 0, 0, 0, 7], 1700, "7"),
            (&[0, 1, 0xff, 0xff, 0, 0, 0, 4, 0, 5], 1700, "0.0005"),
            (&[0, 0, 0, 0, 0xc0, 0, 0, 0], 1700, "NaN"),
            (&[0x11; 16], 2950, "11111111-1111-1111-1111-111111111111"),
        ] {
            assert_eq!(text(bytes, code).as_deref(), Some(expected), "{code}");
        }
    }

    #[test]
    fn bytes_that_do_not_fit_are_no_value() {
        for code in [23, 700, 701, 1082, 1114, 1184, 1700, 2950] {
            assert_eq!(text(&[], code), None, "{code}");
            assert_eq!(text(&[1; 3], code), None, "{code}");
        }
        assert_eq!(text(&[0, 1, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 1700), None);
        assert_eq!(text(&[0x7f, 0xff, 0x7f, 0xff, 0, 0, 0x7f, 0xff], 1700), None);
    }
}

//! Values that are sent as bytes instead of text.

use crate::bytes::Bytes;
use crate::calendar;
use crate::value::Value;

/// Days from 1970 to 2000, when PostgreSQL's time starts.
const TO_2000: i64 = 10_957;
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// A value; `None` if the bytes do not fit the type, or the type is not known here.
pub(super) fn value(bytes: &[u8], code: u32) -> Option<Value> {
    let mut rest = Bytes(bytes);
    let value = match code {
        16 => Value::Bool(rest.u8()? != 0),
        20 => Value::Int(rest.i64_be()?.into()),
        21 => Value::Int(rest.i16_be()?.into()),
        23 => Value::Int(rest.i32_be()?.into()),
        26 => Value::Int(rest.u32_be()?.into()),
        700 => Value::Text(f32::from_bits(rest.u32_be()?).to_string()),
        701 => Value::Text(f64::from_bits(rest.i64_be()? as u64).to_string()),
        1082 => Value::Text(date(i64::from(rest.i32_be()?))),
        1114 => Value::Text(timestamp(rest.i64_be()?)),
        1184 => Value::Text(format!("{}+00", timestamp(rest.i64_be()?))),
        1700 => Value::Text(numeric(&mut rest)?),
        2950 => Value::Text(uuid(rest.take(16)?)),
        3802 => return (rest.u8()? == 1).then(|| Value::text(rest.0)),
        18 | 19 | 25 | 114 | 142 | 705 | 1042 | 1043 => return Some(Value::text(bytes)),
        _ => return None,
    };
    rest.is_empty().then_some(value)
}

fn date(days: i64) -> String {
    match days {
        // The two ends of time.
        days if days == i64::from(i32::MAX) => "infinity".into(),
        days if days == i64::from(i32::MIN) => "-infinity".into(),
        days => {
            let (year, month, day) = calendar::from_days(days + TO_2000);
            format!("{year:04}-{month:02}-{day:02}")
        }
    }
}

fn timestamp(micros: i64) -> String {
    if micros == i64::MAX || micros == i64::MIN {
        return if micros > 0 { "infinity".into() } else { "-infinity".into() };
    }
    let (days, rest) = (micros.div_euclid(MICROS_PER_DAY), micros.rem_euclid(MICROS_PER_DAY));
    let (seconds, micros) = (rest / 1_000_000, rest % 1_000_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let fraction = match micros {
        0 => String::new(),
        micros => format!(".{micros:06}").trim_end_matches('0').to_owned(),
    };
    format!("{} {hour:02}:{minute:02}:{second:02}{fraction}", date(days))
}

/// Groups of four decimal digits, with a weight, a sign and a number of digits to show.
fn numeric(rest: &mut Bytes<'_>) -> Option<String> {
    let (count, weight, sign, scale) =
        (rest.i16_be()?, i32::from(rest.i16_be()?), rest.i16_be()? as u16, rest.i16_be()?);
    match sign {
        0xc000 => return Some("NaN".into()),
        0xd000 => return Some("Infinity".into()),
        0xf000 => return Some("-Infinity".into()),
        _ => {}
    }
    let groups: Vec<i16> = (0..count).map(|_| rest.i16_be()).collect::<Option<_>>()?;
    let group = |place: i32| {
        usize::try_from(place).ok().and_then(|place| groups.get(place)).copied().unwrap_or(0)
    };
    let mut text = String::from(if sign == 0x4000 { "-" } else { "" });
    let whole: String = (0..=weight).map(|place| format!("{:04}", group(place))).collect();
    let whole = whole.trim_start_matches('0');
    text.push_str(if whole.is_empty() { "0" } else { whole });
    let scale = usize::try_from(scale).ok()?;
    if scale > 0 {
        let wanted = scale.div_ceil(4) as i32;
        let fraction: String =
            (weight + 1..=weight + wanted).map(|place| format!("{:04}", group(place))).collect();
        text.push('.');
        text.push_str(fraction.get(..scale)?);
    }
    Some(text)
}

fn uuid(bytes: &[u8]) -> String {
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

    fn text(bytes: &[u8], code: u32) -> Option<String> {
        match value(bytes, code)? {
            Value::Text(text) => Some(text),
            other => Some(format!("{other:?}")),
        }
    }

    #[test]
    fn known_values() {
        let numeric = [0, 3, 0, 1, 0x40, 0, 0, 2, 0, 1, 0x09, 0x29, 0x15, 0xe0];
        for (bytes, code, expected) in [
            (&[0, 0, 0, 7][..], 23, "Int(7)"),
            (&[0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18], 701, "3.141592653589793"),
            (&[0, 0, 0x22, 0x4d], 1082, "2024-01-16"),
            (&[0, 0, 0, 0, 0, 0, 0, 1], 1114, "2000-01-01 00:00:00.000001"),
            (&numeric, 1700, "-12345.56"),
            (&[0, 0, 0, 0, 0, 0, 0, 2], 1700, "0.00"),
            (b"\x01{}", 3802, "{}"),
        ] {
            assert_eq!(text(bytes, code).as_deref(), Some(expected), "{code}");
        }
    }

    #[test]
    fn bytes_that_do_not_fit_are_no_value() {
        for code in [16, 20, 21, 23, 26, 700, 701, 1082, 1114, 1184, 1700, 2950, 3802] {
            assert_eq!(value(&[], code), None, "{code}");
            assert_eq!(value(&[1; 3], code).is_none(), code != 3802, "{code}");
        }
        assert_eq!(value(&[0x7f, 0xff, 0x7f, 0xff, 0, 0, 0x7f, 0xff], 1700), None);
    }
}

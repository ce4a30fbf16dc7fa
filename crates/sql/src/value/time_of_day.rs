//! MySQL's times of day, which are durations: they have a sign, and can be longer than a day.

const SECOND: i64 = 1_000_000;

/// Reads `-25:00:01.5` or `09:30`; `None` if it has another form.
pub(crate) fn parse_signed_time(text: &str) -> Option<i64> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let mut parts = rest.split(':');
    let (hour, minute) = (parts.next()?, parts.next()?);
    let second = parts.next().unwrap_or("0");
    if parts.next().is_some() {
        return None;
    }
    let (second, fraction) = second.split_once('.').unwrap_or((second, ""));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |part: &str, limit: i64| {
        let known = (1..=3).contains(&part.len()) && plain(part);
        part.parse::<i64>().ok().filter(|number| known && *number < limit)
    };
    if fraction.len() > 6 || !plain(fraction) {
        return None;
    }
    let micros: i64 = format!("{fraction:0<6}").parse().ok()?;
    let seconds = number(hour, 839)? * 3600 + number(minute, 60)? * 60 + number(second, 60)?;
    Some(sign * (seconds * SECOND + micros))
}

/// `-25:00:01.5`.
pub(crate) fn format_signed_time(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let all = micros.unsigned_abs();
    let (seconds, fraction) = (all / 1_000_000, all % 1_000_000);
    let time = format!("{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if fraction == 0 {
        return time;
    }
    let digits = format!("{fraction:06}");
    format!("{time}.{}", digits.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_times() {
        for text in ["00:00:00", "-25:00:01.5", "838:59:59", "01:02:03.000004"] {
            assert_eq!(format_signed_time(parse_signed_time(text).expect(text)), text);
        }
        assert_eq!(parse_signed_time("09:30"), parse_signed_time("09:30:00"));
        for text in ["", "1", "24:60", "1:2:3:4", "839:00:00", "x:00", "+1:00", "1:00:00.1234567"] {
            assert_eq!(parse_signed_time(text), None, "{text}");
        }
    }
}

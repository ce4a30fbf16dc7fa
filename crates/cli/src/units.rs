//! Durations and sizes as people type them: `5ms`, `60s`, `4G`.

use std::time::Duration;

/// Reads a duration; a bare number is refused, because its unit is not clear.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let nanos = match unit {
        "ns" => 1,
        "us" | "µs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "" if number == 0 => 1,
        _ => {
            return Err(
                "a duration needs a unit: ns, us, ms, s, m or h, for example 5ms".to_owned()
            );
        }
    };
    number.checked_mul(nanos).map(Duration::from_nanos).ok_or_else(too_large)
}

/// Reads a clock drift as nanoseconds.
pub(crate) fn drift(text: &str) -> Result<i64, String> {
    i64::try_from(duration(text)?.as_nanos()).map_err(|_| too_large())
}

/// Reads a number of bytes; `K`, `M`, `G` and `T` count in steps of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let power = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err("a size is a number of bytes, or ends with K, M, G or T".to_owned()),
    };
    number.checked_mul(1 << (10 * power)).ok_or_else(too_large)
}

fn split(text: &str) -> Result<(u64, &str), String> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let number = text[..digits].parse().map_err(|_| "expected a whole number first")?;
    Ok((number, text[digits..].trim_start()))
}

fn too_large() -> String {
    "too large".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_need_units() {
        assert_eq!(duration("5ms"), Ok(Duration::from_millis(5)));
        assert_eq!(duration("2 min"), Ok(Duration::from_secs(120)));
        assert_eq!(drift("0"), Ok(0));
        assert!(duration("5").is_err() && duration("ms").is_err() && duration("-1s").is_err());
        assert!(drift("9999999999h").is_err());
    }

    #[test]
    fn sizes_count_in_1024() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("300MiB"), Ok(300 << 20));
        assert_eq!(size("1kb"), Ok(1024));
        assert_eq!(size("17"), Ok(17));
        assert!(size("4X").is_err() && size("99999999999T").is_err());
    }
}

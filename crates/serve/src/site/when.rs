//! Instants and sizes for people.

use tristan_ground::Civil;

/// An instant, given in seconds since 1970, as in `2026-11-15 22:10`; in UTC.
pub(super) fn instant(seconds: u64) -> String {
    let Civil { year, month, day } = Civil::from_days((seconds / 86_400) as i64);
    let minutes = seconds / 60 % 1_440;
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// A number of bytes, as in `12 kB`.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00"),
            (951_782_400, "2000-02-29 00:00"),
            (1_794_780_599, "2026-11-15 22:09"),
            (4_107_542_399, "2100-02-28 23:59"),
            (4_107_542_400, "2100-03-01 00:00"),
        ] {
            assert_eq!(instant(seconds), text);
        }
        // However wrong a clock is, there is an answer.
        assert!(instant(u64::MAX).ends_with("07:00"));
        assert_eq!(
            (size(999), size(12_345), size(3_456_000)),
            ("999 B".into(), "12 kB".into(), "3.5 MB".into())
        );
    }
}

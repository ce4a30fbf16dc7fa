//! Numbers of transactions as people type them: `500`, `10K`, `1M`.

/// Reads a number; `K` and `M` stand for a thousand and a million.
///
/// # Errors
/// If it is not such a number, or zero, or too large.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&text[..at], 1_000),
        Some((at, 'M' | 'm')) => (&text[..at], 1_000_000),
        _ => (text, 1),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    number.filter(|number| (1..=1_000_000_000).contains(number)).ok_or_else(|| {
        format!("{text:?} is not a number from 1 to 1000M, for example 500, 10K or 1M")
    })
}

/// The number as short as it can be typed.
pub fn show_size(number: u64) -> String {
    match number {
        0 => "0".to_owned(),
        _ if number.is_multiple_of(1_000_000) => format!("{}M", number / 1_000_000),
        _ if number.is_multiple_of(1_000) => format!("{}K", number / 1_000),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        for (text, number) in [("500", 500), ("10K", 10_000), ("1M", 1_000_000), ("1500", 1_500)] {
            assert_eq!(parse_size(text), Ok(number));
            assert_eq!(show_size(number), text);
        }
        assert_eq!(parse_size("2k"), Ok(2_000));
        for odd in ["", "K", "0", "-1", "1G", "1.5K", "2000M", "9999999999999999999K"] {
            assert!(parse_size(odd).is_err(), "{odd}");
        }
    }
}

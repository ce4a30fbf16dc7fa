//! Integers of 64 bits, signed or not, as texts spell them.

/// The integer that a text spells in the one usual way: no plus sign, no leading zeros.
pub fn integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let usual = digits.len() <= LONGEST && digits.bytes().all(|digit| digit.is_ascii_digit());
    let padded = digits.starts_with('0') && text != "0";
    let number = text.parse().ok().filter(|_| usual && !padded)?;
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&number).then_some(number)
}

/// As many digits as a number of 64 bits can have.
const LONGEST: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_per_integer() {
        let good = ["0", "7", "-7", "18446744073709551615", "-9223372036854775808"];
        for text in good {
            assert_eq!(integer(text).map(|number| number.to_string()).as_deref(), Some(text));
        }
        let bad = ["", "-", "+7", "07", "-0", "00", " 7", "7 ", "x", "1e3", "18446744073709551616"];
        for text in bad {
            assert_eq!(integer(text), None, "{text:?}");
        }
        assert_eq!(integer(&"9".repeat(1000)), None);
    }
}

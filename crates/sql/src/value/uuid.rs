//! Universally unique identifiers, as PostgreSQL reads and writes them.
//!
//! They compare byte by byte, which is how the numbers compare that their bytes make.

/// Reads `a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11`, in letters of either case, in braces or not, with hyphens
/// after any group of four digits; `None` if it is no identifier.
pub(crate) fn parse_uuid(text: &str) -> Option<u128> {
    let inner = match text.strip_prefix('{') {
        Some(rest) => rest.strip_suffix('}')?,
        None => text,
    };
    let (mut number, mut digits, mut hyphen) = (0u128, 0, false);
    for letter in inner.chars() {
        if letter == '-' {
            if hyphen || digits == 0 || digits % 4 != 0 || digits == 32 {
                return None;
            }
            hyphen = true;
            continue;
        }
        if digits == 32 {
            return None;
        }
        number = number << 4 | u128::from(letter.to_digit(16)?);
        digits += 1;
        hyphen = false;
    }
    (digits == 32).then_some(number)
}

/// The groups of 8, 4, 4, 4 and 12 digits, in small letters.
pub(crate) fn format_uuid(number: u128) -> String {
    let digits = format!("{number:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_one_identifier() {
        let usual = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
        for text in [
            usual,
            "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
            "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}",
            "a0eebc999c0b4ef8bb6d6bb9bd380a11",
            "{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}",
        ] {
            assert_eq!(parse_uuid(text).map(format_uuid).as_deref(), Some(usual), "{text}");
        }
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            "",
            "{}",
            "a0eebc99",
            "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
            "a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11",
            "a0eebc9-99c0b-4ef8-bb6d-6bb9bd380a11",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11-",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g",
            " a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        ] {
            assert_eq!(parse_uuid(text), None, "{text}");
        }
    }
}

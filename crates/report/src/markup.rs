//! Text that is safe inside HTML, SVG and XML.

use std::fmt::Write as _;

use crate::layout::is_treacherous;

/// Text as content or as the value of an attribute. What a browser or an XML parser would obey, or
/// would not take, becomes harmless: control characters, and those that turn the direction of
/// writing around so that a line shows something else than it says.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            _ if is_treacherous(letter) => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

/// A file as an address that holds all of it.
pub(crate) fn data_uri(media: &str, content: &str) -> String {
    let mut out = format!("data:{media};base64,");
    base64(content.as_bytes(), &mut out);
    out
}

fn base64(bytes: &[u8], out: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for three in bytes.chunks(3) {
        let byte = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for digit in 0..4 {
            let six = (bits >> (18 - 6 * digit)) & 63;
            let letter = if digit <= three.len() { DIGITS[six as usize] } else { b'=' };
            let _ = write!(out, "{}", char::from(letter));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_place() {
        assert_eq!(escaped("<a b='\"&"), "&lt;a b=&#39;&quot;&amp;");
        assert_eq!(escaped("a\u{0}b\u{202e}c\u{1b}"), "a\u{fffd}b\u{fffd}c\u{fffd}");
    }

    #[test]
    fn files_become_addresses() {
        for (text, code) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            assert_eq!(data_uri("text/plain", text), format!("data:text/plain;base64,{code}"));
        }
    }
}

//! Text that is safe inside HTML, SVG and XML.

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use tristan_history::is_treacherous;

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
    format!("data:{media};base64,{}", BASE64.encode(content))
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

//! Recognises EDN histories by their first bytes.

/// Whether a file starts with a map that has a `:type`, perhaps within a vector.
pub(crate) fn starts_like_edn(head: &[u8]) -> bool {
    let head = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
    let text = after_blanks(head);
    let text = after_blanks(text.strip_prefix(b"[").or(text.strip_prefix(b"(")).unwrap_or(text));
    let Some(map) = after_tag(text).strip_prefix(b"{") else { return false };
    after_blanks(map).starts_with(b":") && map.windows(5).any(|word| word == b":type")
}

/// Passes over blanks and comments.
fn after_blanks(mut text: &[u8]) -> &[u8] {
    loop {
        match text {
            [byte, rest @ ..] if byte.is_ascii_whitespace() || *byte == b',' => text = rest,
            [b';', rest @ ..] => {
                let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                text = &rest[end..];
            }
            _ => return text,
        }
    }
}

/// Passes over the tag of a record, as in `#jepsen.history.Op{…}`.
fn after_tag(text: &[u8]) -> &[u8] {
    let Some(tag) = text.strip_prefix(b"#") else { return text };
    let is_tag = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/".contains(byte);
    let end = tag.iter().position(|byte| !is_tag(byte)).unwrap_or(tag.len());
    after_blanks(&tag[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_are_told_from_other_texts() {
        for history in [
            "{:type :ok}",
            "\u{feff}[{:index 1, :type :ok}",
            "; a comment\n, ({ :f :txn :type :invoke",
            "#jepsen.history.Op{:index 0, :type",
            "[#jepsen.history.Op {:type :info",
        ] {
            assert!(starts_like_edn(history.as_bytes()), "{history}");
        }
        for other in [
            "",
            "; :type",
            "{:valid? true}",
            "{\"type\":\"ok\"}",
            "[[{:type :ok}]]",
            "#",
            "r(1,2,3,4)",
        ] {
            assert!(!starts_like_edn(other.as_bytes()), "{other}");
        }
    }
}

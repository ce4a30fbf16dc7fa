//! Rows as values, as PostgreSQL writes them: `(1,"a, b",)`.

/// Writes the fields, `None` for NULL.
pub(crate) fn format_record(fields: impl Iterator<Item = Option<String>>) -> String {
    let written = fields.map(|field| match field {
        None => String::new(),
        Some(text) if needs_quotes(&text) => {
            format!("\"{}\"", text.replace('\\', r"\\").replace('"', r#""""#))
        }
        Some(text) => text,
    });
    format!("({})", written.collect::<Vec<_>>().join(","))
}

fn needs_quotes(text: &str) -> bool {
    let special = |letter: char| matches!(letter, '(' | ')' | ',' | '"' | '\\' | '\u{b}');
    text.is_empty() || text.contains(|letter: char| special(letter) || letter.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_what_would_be_read_otherwise() {
        let fields = [Some("1"), Some("a, b"), None, Some(""), Some(r#"x"y\"#), Some("null")];
        let written = format_record(fields.into_iter().map(|one| one.map(str::to_owned)));
        assert_eq!(written, r#"(1,"a, b",,"","x""y\\",null)"#);
    }
}

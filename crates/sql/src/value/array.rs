//! Arrays of one dimension, as PostgreSQL reads and writes them: `{1,NULL,"a b"}`.

/// Reads the elements, `None` for NULL. `None` if it is no array, or one of several dimensions or with bounds
/// of its own.
pub(crate) fn parse_array(text: &str) -> Option<Vec<Option<String>>> {
    let inner = text.trim_ascii().strip_prefix('{')?.strip_suffix('}')?;
    if inner.trim_ascii().is_empty() {
        return Some(Vec::new());
    }
    let mut elements = Vec::new();
    let mut letters = inner.chars().peekable();
    loop {
        while letters.next_if(|letter| letter.is_ascii_whitespace()).is_some() {}
        let quoted = letters.next_if_eq(&'"').is_some();
        let element = match quoted {
            true => read_quoted(&mut letters)?,
            false => read_plain(&mut letters)?,
        };
        let null = !quoted && element.eq_ignore_ascii_case("null");
        elements.push((!null).then_some(element));
        while letters.next_if(|letter| letter.is_ascii_whitespace()).is_some() {}
        match letters.next() {
            None => return Some(elements),
            Some(',') => {}
            Some(_) => return None,
        }
    }
}

type Letters<'t> = std::iter::Peekable<std::str::Chars<'t>>;

fn read_quoted(letters: &mut Letters<'_>) -> Option<String> {
    let mut element = String::new();
    loop {
        match letters.next()? {
            '"' => return Some(element),
            '\\' => element.push(letters.next()?),
            letter => element.push(letter),
        }
    }
}

/// An element without quotes is not empty, and the spaces behind it are not part of it.
fn read_plain(letters: &mut Letters<'_>) -> Option<String> {
    let mut element = String::new();
    while let Some(letter) = letters.next_if(|letter| *letter != ',') {
        match letter {
            '{' | '}' | '"' | '\\' => return None,
            letter => element.push(letter),
        }
    }
    element.truncate(element.trim_ascii_end().len());
    (!element.is_empty()).then_some(element)
}

/// Writes the elements, `None` for NULL.
pub(crate) fn format_array(elements: impl Iterator<Item = Option<String>>) -> String {
    let written = elements.map(|element| match element {
        None => "NULL".to_owned(),
        Some(text) if needs_quotes(&text) => {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        }
        Some(text) => text,
    });
    format!("{{{}}}", written.collect::<Vec<_>>().join(","))
}

fn needs_quotes(text: &str) -> bool {
    let special = |letter: char| matches!(letter, '{' | '}' | ',' | '"' | '\\' | '\u{b}');
    text.is_empty()
        || text.eq_ignore_ascii_case("null")
        || text.contains(|letter: char| special(letter) || letter.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(text: &str) -> Option<String> {
        parse_array(text).map(|elements| format_array(elements.into_iter()))
    }

    #[test]
    fn is_written_as_it_was_read() {
        for (text, written) in [
            ("{}", "{}"),
            ("{ }", "{}"),
            ("{1,2}", "{1,2}"),
            (" { 1 , NULL,null } ", "{1,NULL,NULL}"),
            (r#"{"a b","NULL","","x\"y","\\"}"#, r#"{"a b","NULL","","x\"y","\\"}"#),
            (r#"{a b,"c"}"#, r#"{"a b",c}"#),
        ] {
            assert_eq!(again(text).as_deref(), Some(written), "{text}");
        }
    }

    #[test]
    fn what_is_no_array_of_one_dimension_is_refused() {
        for text in ["", "1,2", "{1", "{1,}", "{,1}", "{{1},{2}}", r#"{"a"b}"#, "[0:1]={1,2}"] {
            assert_eq!(parse_array(text), None, "{text}");
        }
    }
}

//! What is written in quotes → what it means.

use std::iter::Peekable;
use std::str::Chars;

use crate::dialect::Dialect;

/// The text that a piece in quotes stands for, whatever kind of quotes it has.
pub(crate) fn unquoted(written: &str, dialect: Dialect) -> String {
    if dialect.has_dollars() && written.starts_with('$') {
        return between_tags(written).to_owned();
    }
    let prefix = written.len()
        - written.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).len();
    let escapes = match &written[..prefix] {
        "E" | "e" => Escapes::PostgreSql,
        _ if dialect.escapes_with_backslash() && !written.starts_with('`') => Escapes::MySql,
        _ => Escapes::No,
    };
    let mut letters = written[prefix..].chars().peekable();
    match letters.next() {
        Some('[') => written.trim_matches(['[', ']']).to_owned(),
        Some(quote) => inside(letters, quote, escapes),
        None => String::new(),
    }
}

#[derive(Clone, Copy)]
enum Escapes {
    No,
    MySql,
    PostgreSql,
}

fn between_tags(written: &str) -> &str {
    let tag = written[1..].find('$').map_or(written.len(), |end| end + 2);
    written.get(tag..written.len().saturating_sub(tag)).unwrap_or_default()
}

/// What is between two quotes; a doubled quote is one.
fn inside(mut letters: Peekable<Chars<'_>>, quote: char, escapes: Escapes) -> String {
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        match (letter, escapes) {
            ('\\', Escapes::MySql) => mysql_escape(&mut letters, &mut text),
            ('\\', Escapes::PostgreSql) => text.extend(postgres_escape(&mut letters)),
            _ if letter == quote && letters.next_if_eq(&quote).is_none() => break,
            _ => text.push(letter),
        }
    }
    text
}

fn mysql_escape(letters: &mut Peekable<Chars<'_>>, text: &mut String) {
    let Some(letter) = letters.next() else { return };
    match letter {
        'n' => text.push('\n'),
        't' => text.push('\t'),
        'r' => text.push('\r'),
        'b' => text.push('\u{8}'),
        '0' => text.push('\0'),
        'Z' => text.push('\u{1a}'),
        // LIKE gives these two a meaning, so they keep their backslash.
        '%' | '_' => text.extend(['\\', letter]),
        other => text.push(other),
    }
}

fn postgres_escape(letters: &mut Peekable<Chars<'_>>) -> Option<char> {
    let letter = letters.next()?;
    Some(match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'x' => number(letters, 16, 2, 0).unwrap_or('x'),
        'u' => number(letters, 16, 4, 0).unwrap_or('u'),
        'U' => number(letters, 16, 8, 0).unwrap_or('U'),
        '0'..='7' => number(letters, 8, 2, letter.to_digit(8)?).unwrap_or(letter),
        other => other,
    })
}

/// The character with a number of at most so many digits; `None` if there is no digit.
fn number(letters: &mut Peekable<Chars<'_>>, radix: u32, most: usize, first: u32) -> Option<char> {
    let (mut number, mut found) = (first, radix == 8);
    for _ in 0..most {
        let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(radix)) else { break };
        letters.next();
        number = number.wrapping_mul(radix).wrapping_add(digit);
        found = true;
    }
    found.then(|| char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_taken_off_as_the_server_does() {
        use Dialect::{MySql, PostgreSql, Sqlite};
        for (written, dialect, expected) in [
            ("'it''s'", PostgreSql, "it's"),
            (r"'a\b'", PostgreSql, r"a\b"),
            (r"E'it\'s \x41\u00e9\101\n'", PostgreSql, "it's AéA\n"),
            ("$$a$b$$", PostgreSql, "a$b"),
            ("$x$ it's $x$", PostgreSql, " it's "),
            (r#""Ab""c""#, PostgreSql, "Ab\"c"),
            (r"'it\'s\%\Z'", MySql, "it's\\%\u{1a}"),
            (r#""x\"y""#, MySql, "x\"y"),
            ("`b``c\\`", MySql, "b`c\\"),
            ("[a b]", Sqlite, "a b"),
            (r"'a\'", Sqlite, "a\\"),
        ] {
            assert_eq!(unquoted(written, dialect), expected, "{written}");
        }
    }
}

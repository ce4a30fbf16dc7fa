//! Statements that differ in their literals only are parsed once.
//!
//! ```text
//!   UPDATE t SET v = 'x' WHERE k = 17
//!     │ the same text with a mark for every literal
//!     ▼
//!   UPDATE t SET v = '␁0' WHERE k = 770000000001 ──► parsed once, and kept
//!     │ the marks replaced again
//!     ▼
//!   the syntax tree of the statement
//! ```
//!
//! Applications that write values into the text of their statements never send the same text twice, and
//! parsing costs more than carrying most of them out. Shapes are kept per thread, because the same statements are read
//! again whenever a log, or a part of it, is gone over once more. What a text is parsed into depends on nothing else.
//!
//! Why the tree is the one that the parser would have built: to the parser, a mark is a literal of the same
//! kind, so it takes the same way. What it then does with the literal is seen in the tree: a template is
//! used only if every mark is found exactly once, as a value in an expression. A literal that the parser
//! looks into, or puts elsewhere (the length of a type, an alias), is not found, and statements of that
//! shape are parsed each time. Literals that our lexer and the parser might read differently are not marked.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use sqlparser::ast;
use tristan_sqltext::{Token, TokenKind};

use crate::dialect::Dialect;
use crate::error::Error;

use super::literals::each_literal;
use super::parse_statement;

/// How many shapes of statements are kept.
const MOST: usize = 1024;

/// Longer statements are parsed each time: their trees may be too deep to copy, and few come twice.
const MOST_TOKENS: usize = 1000;

/// What a marked text begins with.
const TEXT_MARK: char = '\u{1}';
/// The number that stands for literal 0. Every literal of this form is marked, so no other can be meant.
const NUMBER_MARK: u64 = 770_000_000_000;

/// The shapes of the statements seen so far, by their dialect and the text with marks. `None` if literals of this shape
/// are not only values.
type Templates = FxHashMap<(Dialect, String), Option<Box<ast::Statement>>>;

thread_local! {
    static KNOWN: RefCell<Templates> = RefCell::default();
}

/// Parses a part of a text, which has these tokens.
pub(crate) fn parse_like(
    dialect: Dialect,
    text: &str,
    part: &str,
    tokens: &[Token<'_>],
) -> Result<Box<ast::Statement>, Error> {
    KNOWN.with_borrow_mut(|known| parse_known(known, dialect, text, part, tokens))
}

fn parse_known(
    known: &mut Templates,
    dialect: Dialect,
    text: &str,
    part: &str,
    tokens: &[Token<'_>],
) -> Result<Box<ast::Statement>, Error> {
    let Some((marked, literals)) = mark(text, tokens) else {
        return parse_statement(dialect, part).map(Box::new);
    };
    if known.len() >= MOST {
        known.clear();
    }
    let template = known
        .entry((dialect, marked))
        .or_insert_with_key(|(_, marked)| template(dialect, marked, literals.len()));
    let Some(template) = template else {
        return parse_statement(dialect, part).map(Box::new);
    };
    let mut statement = template.clone();
    each_literal(&mut statement, &mut |value| {
        if let Some(literal) = marked_literal(value) {
            *value = literals[literal].clone();
        }
    });
    debug_assert_eq!(
        parse_statement(dialect, part).as_ref().ok(),
        Some(&*statement),
        "a template is what the parser reads"
    );
    Ok(statement)
}

/// The tree of a marked text, if each mark is one value in it.
fn template(dialect: Dialect, marked: &str, literals: usize) -> Option<Box<ast::Statement>> {
    let mut statement = Box::new(parse_statement(dialect, marked).ok()?);
    let (mut seen, mut strange) = (vec![0_u32; literals], false);
    each_literal(&mut statement, &mut |value| {
        let Some(literal) = marked_literal(value) else { return };
        match seen.get_mut(literal) {
            Some(times) => *times += 1,
            None => strange = true,
        }
    });
    (!strange && seen.iter().all(|times| *times == 1)).then_some(statement)
}

/// The text with marks instead of literals, and the literals. Returns `None` if there is too much to read, or a literal
/// that may not be what it looks like.
fn mark(text: &str, tokens: &[Token<'_>]) -> Option<(String, Vec<ast::Value>)> {
    if tokens.len() > MOST_TOKENS {
        return None;
    }
    let (mut marked, mut literals) = (String::with_capacity(text.len()), Vec::new());
    let mut end = tokens.first()?.start;
    for (place, token) in tokens.iter().enumerate() {
        if token.start > end {
            marked.push(' ');
        }
        let written = &text[token.start..token.end];
        let glued = token.start == end
            && matches!(marked.chars().next_back(), Some(last) if is_wordy(last));
        match &token.kind {
            TokenKind::Unclear(_) => return None,
            TokenKind::Text(content) if is_plain_text(written) && !glued => {
                // Two texts side by side are one to some servers.
                if matches!(tokens.get(place + 1).map(|next| &next.kind), Some(TokenKind::Text(_)))
                {
                    return None;
                }
                marked.push_str(&format!("'{TEXT_MARK}{}'", literals.len()));
                literals.push(ast::Value::SingleQuotedString(content.clone()));
            }
            TokenKind::Number(digits) if is_plain_number(digits) && !glued => {
                marked.push_str(&(NUMBER_MARK + literals.len() as u64).to_string());
                literals.push(ast::Value::Number((*digits).to_owned(), false));
            }
            _ if written.contains(TEXT_MARK) => return None,
            _ => marked.push_str(written),
        }
        end = token.end;
    }
    Some((marked, literals))
}

/// Which literal a value is the mark of.
fn marked_literal(value: &ast::Value) -> Option<usize> {
    match value {
        ast::Value::SingleQuotedString(text) => text.strip_prefix(TEXT_MARK)?.parse().ok(),
        ast::Value::Number(digits, _) => {
            let number = digits.parse::<u64>().ok()?.checked_sub(NUMBER_MARK)?;
            usize::try_from(number).ok()
        }
        _ => None,
    }
}

/// Whether all readers of SQL agree on what a text in quotes is.
fn is_plain_text(written: &str) -> bool {
    written.starts_with('\'') && !written.contains(['\\', TEXT_MARK])
}

/// Whether a number is digits, perhaps with a point between them.
fn is_plain_number(written: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match written.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(written),
    }
}

/// Whether a character in front of a literal may be part of it, as in `X'1f'` or `U&'…'`.
fn is_wordy(last: char) -> bool {
    last.is_alphanumeric() || matches!(last, '_' | '&' | '$' | '\'' | '"' | '`' | '.' | ':' | '@')
}

#[cfg(test)]
mod tests {
    use tristan_sqltext::tokens;

    use super::{Dialect, Templates, parse_known, parse_statement};

    /// Parses statements one after the other, and compares with the parser. Returns how many shapes are kept,
    /// and how many of them are of use.
    fn shapes(dialect: Dialect, statements: &[&str]) -> (usize, usize) {
        let mut templates = Templates::default();
        for text in statements {
            let tokens = tokens(text, dialect.text());
            let parsed = parse_known(&mut templates, dialect, text, text, &tokens);
            let direct = parse_statement(dialect, text).map(Box::new);
            assert_eq!(parsed.ok(), direct.ok(), "{text}");
        }
        (templates.len(), templates.values().flatten().count())
    }

    #[test]
    fn statements_with_other_literals_share_a_template() {
        let statements = [
            "UPDATE t SET v = 'a''b', w = -1.50 WHERE k IN (1, 2) AND s LIKE 'x%'",
            "UPDATE t SET v = '', w = -2 WHERE k IN (30, 4) AND s LIKE '770000000000'",
            "UPDATE t /* note */ SET v = 'ü', w = -0\nWHERE k IN (770000000001, 4) AND s LIKE 'y'",
        ];
        assert_eq!(shapes(Dialect::PostgreSql, &statements), (1, 1));
        let queries = [
            "SELECT 1, a + 1 FROM t JOIN u ON u.x = 5 WHERE y BETWEEN 1 AND 2 GROUP BY a + 1 ORDER BY 2 LIMIT 3",
            "SELECT 7, a + 7 FROM t JOIN u ON u.x = 7 WHERE y BETWEEN 7 AND 7 GROUP BY a + 7 ORDER BY 1 LIMIT 7",
        ];
        assert_eq!(shapes(Dialect::MariaDb, &queries), (1, 1));
    }

    #[test]
    fn literals_that_are_not_values_are_parsed_each_time() {
        let lengths =
            ["SELECT CAST(a AS VARCHAR(3)) FROM t", "SELECT CAST(a AS VARCHAR(5)) FROM t"];
        assert_eq!(shapes(Dialect::PostgreSql, &lengths), (1, 0));
        let dates = ["SELECT DATE '2024-01-01'", "SELECT DATE '2024-01-02'"];
        assert_eq!(shapes(Dialect::PostgreSql, &dates), (1, 0));
    }

    #[test]
    fn texts_that_readers_disagree_about_are_not_marked() {
        let joined = ["SELECT 'a' 'b'", "SELECT 'a'\n'b'"];
        assert_eq!(shapes(Dialect::MySql, &joined), (0, 0));
        let escaped = [r"SELECT 'it\'s', 1", r"SELECT 'it\'s', 2", r"SELECT 'it\\s', 2"];
        assert_eq!(shapes(Dialect::MySql, &escaped), (2, 2));
        let prefixed = ["SELECT X'1f', E'a', 1", "SELECT X'20', E'a', 2", "SELECT U&'a', 1"];
        shapes(Dialect::PostgreSql, &prefixed);
        assert_eq!(shapes(Dialect::PostgreSql, &["SELECT '\u{1}0', 1", "SELECT '\u{1}0'"]), (0, 0));
        shapes(Dialect::MySql, &["SELECT a&770000000005, 1", "/*!50000 SELECT */ v, 1 FROM t"]);
    }
}

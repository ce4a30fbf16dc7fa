//! Forms of MySQL's and MariaDB's SQL that the parser does not know, written in others that it does.
//!
//! | written | read as |
//! |---|---|
//! | `ADD COLUMN IF NOT EXISTS a …` | ``ADD COLUMN `mark a` …`` |
//! | `CONVERT TO CHARACTER SET x COLLATE y` | ``RENAME COLUMN `mark` TO `x y` `` |
//! | `… AS (a + b) PERSISTENT` | `… AS (a + b) STORED` |
//! | `UPDATE a, b SET …` | `UPDATE a CROSS JOIN b SET …` |
//!
//! Only these statements are rewritten. Marks are names that begin with a letter that no client sends.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::forms::MARK;
use super::keyword;

const UNLESS_THERE: &str = "unless there ";
const CONVERT: &str = "convert";

/// Rewrites a statement of MySQL or MariaDB.
pub(super) fn known_forms(tokens: Vec<Token>) -> Vec<Token> {
    match tokens.first().map(keyword) {
        Some(Keyword::ALTER) => stored(converted(unless_there_marked(tokens))),
        Some(Keyword::CREATE) => stored(tokens),
        Some(Keyword::UPDATE) => joined(tokens),
        _ => tokens,
    }
}

fn name(text: String) -> Token {
    Token::make_word(&text, Some('`'))
}

fn unless_there_marked(tokens: Vec<Token>) -> Vec<Token> {
    use Keyword::{ADD, COLUMN, EXISTS, IF, NOT};
    let words: Vec<Keyword> = tokens.iter().map(keyword).collect();
    let mut read = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let length = match &words[at..] {
            [ADD, COLUMN, IF, NOT, EXISTS, ..] => 5,
            [ADD, IF, NOT, EXISTS, ..] => 4,
            _ => 0,
        };
        match tokens.get(at + length) {
            Some(Token::Word(column)) if length > 0 => {
                let marked = name(format!("{MARK}{UNLESS_THERE}{}", column.value));
                read.extend([Token::make_keyword("ADD"), Token::make_keyword("COLUMN"), marked]);
                at += length + 1;
            }
            _ => {
                read.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    read
}

/// The name of a new column that is not added if there is one of this name.
pub(crate) fn unless_there(column: &str) -> Option<&str> {
    column.strip_prefix(MARK)?.strip_prefix(UNLESS_THERE)
}

fn converted(mut tokens: Vec<Token>) -> Vec<Token> {
    use Keyword::{CHARACTER, CHARSET, COLLATE, CONVERT as WORD, SET, TO};
    let words: Vec<Keyword> = tokens.iter().map(keyword).collect();
    let found = (0..tokens.len()).find_map(|at| match &words[at..] {
        [WORD, TO, CHARACTER, SET, ..] => Some((at, at + 4)),
        [WORD, TO, CHARSET, ..] => Some((at, at + 3)),
        _ => None,
    });
    let Some((start, at)) = found else { return tokens };
    let plain = |at: usize| match tokens.get(at) {
        Some(Token::Word(word)) => Some(word.value.clone()),
        Some(Token::SingleQuotedString(text)) => Some(text.clone()),
        _ => None,
    };
    let Some(charset) = plain(at) else { return tokens };
    let (to, end) = match (words.get(at + 1), plain(at + 2)) {
        (Some(COLLATE), Some(collation)) => (format!("{charset} {collation}"), at + 3),
        _ => (format!("{charset} "), at + 1),
    };
    let word = Token::make_keyword;
    let read = [word("RENAME"), word("COLUMN"), name(format!("{MARK}{CONVERT}")), word("TO")];
    tokens.splice(start..end, read.into_iter().chain([name(to)]));
    tokens
}

/// The character set and the collation that a table is converted to, if a column is renamed for that reason; the
/// collation may be empty.
pub(crate) fn converts_to<'a>(column: &str, to: &'a str) -> Option<(&'a str, &'a str)> {
    (column.strip_prefix(MARK)? == CONVERT).then(|| to.split_once(' '))?
}

/// MariaDB's own word for a column that is kept.
fn stored(mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 1..tokens.len() {
        let persistent = matches!(&tokens[at], Token::Word(word)
            if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("persistent"));
        if persistent && tokens[at - 1] == Token::RParen {
            tokens[at] = Token::make_keyword("STORED");
        }
    }
    tokens
}

/// Tables of an UPDATE with commas between them. A comma binds less strongly than JOIN, which makes no difference
/// unless all rows of the table behind a RIGHT JOIN are wanted.
fn joined(mut tokens: Vec<Token>) -> Vec<Token> {
    let end = tokens.iter().position(|token| keyword(token) == Keyword::SET).unwrap_or(0);
    if tokens[..end].iter().any(|token| keyword(token) == Keyword::RIGHT) {
        return tokens;
    }
    let mut depth = 0_i32;
    let mut commas = Vec::new();
    for (at, token) in tokens[..end].iter().enumerate() {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            Token::Comma if depth == 0 => commas.push(at),
            _ => {}
        }
    }
    for at in commas.into_iter().rev() {
        tokens.splice(at..=at, [Token::make_keyword("CROSS"), Token::make_keyword("JOIN")]);
    }
    tokens
}

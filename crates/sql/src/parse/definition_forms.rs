//! Forms of definitions and of upserts that the parser does not know, written in others that it does.
//!
//! | written | read as |
//! |---|---|
//! | `CREATE RECURSIVE VIEW v (n) AS q` | `CREATE VIEW v (n) AS WITH RECURSIVE v (n) AS (q) SELECT n FROM v` |
//! | `CREATE VIEW v AS q WITH LOCAL CHECK OPTION` | `CREATE VIEW v WITH (check_option = 'local') AS q` |
//! | `CREATE MATERIALIZED VIEW m AS q WITH NO DATA` | `CREATE MATERIALIZED VIEW m WITH (mark = 'no') AS q` |
//! | `CREATE TABLE u (LIKE t INCLUDING ALL)` | `CREATE TABLE u ("mark t" INT)` |
//! | `ALTER TABLE t SET SCHEMA s` | `ALTER TABLE t RENAME TO s.t` |
//! | `ON CONFLICT (lower(a)) WHERE b DO …` | `ON CONFLICT ("mark lower(a)", "mark b") DO …` |
//!
//! Marks are names that begin with a letter that no client sends.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::keyword;

const LIKE: &str = "\u{1}like ";
const TARGET: &str = "\u{1}target ";
const ONLY_WHERE: &str = "\u{1}where ";
const DATA: &str = "\u{1}data";

/// Rewrites a statement of any server.
pub(super) fn known_views(tokens: Vec<Token>) -> Vec<Token> {
    match tokens.first().map(keyword) {
        Some(Keyword::CREATE) => checked_view(tokens),
        _ => tokens,
    }
}

/// Rewrites a statement of PostgreSQL.
pub(super) fn known_definitions(tokens: Vec<Token>) -> Vec<Token> {
    match tokens.first().map(keyword) {
        Some(Keyword::CREATE) => likes(unfilled_view(recursive_view(tokens))),
        Some(Keyword::ALTER) => moved_table(tokens),
        _ => conflict_targets(tokens),
    }
}

/// What `LIKE` in a list of columns says: the table, and the options in upper case. `None` if it is a column.
pub(crate) fn like_element(column: &str) -> Option<(&str, &str)> {
    column.strip_prefix(LIKE)?.split_once('\u{1}')
}

/// The text of an expression in the target of ON CONFLICT.
pub(crate) fn target_expression(column: &str) -> Option<&str> {
    column.strip_prefix(TARGET)
}

/// The text of the condition behind the target of ON CONFLICT.
pub(crate) fn target_condition(column: &str) -> Option<&str> {
    column.strip_prefix(ONLY_WHERE)
}

/// Whether an option of a materialized view says that it has no rows yet.
pub(crate) fn is_unfilled(option: &str) -> bool {
    option == DATA
}

fn name(text: &str) -> Token {
    Token::make_word(text, Some('"'))
}

fn word(text: &str) -> Token {
    Token::make_word(text, None)
}

fn is(token: Option<&Token>, wanted: Keyword) -> bool {
    token.is_some_and(|token| keyword(token) == wanted)
}

/// The first place where a keyword stands outside all parentheses.
fn outside(tokens: &[Token], wanted: Keyword) -> Option<usize> {
    let mut depth = 0_i32;
    tokens.iter().position(|token| {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0 && keyword(token) == wanted
    })
}

/// The parenthesis that closes the one at a place.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_i32;
    let behind = tokens[open..].iter().position(|token| {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some(open + behind)
}

/// Adds an option to what is created, in front of AS.
fn with_option(mut tokens: Vec<Token>, option: Token, value: &str) -> Vec<Token> {
    let Some(end) = outside(&tokens, Keyword::AS) else { return tokens };
    let setting = [option, Token::Eq, Token::SingleQuotedString(value.to_owned())];
    match outside(&tokens[..end], Keyword::WITH) {
        Some(with) if tokens.get(with + 1) == Some(&Token::LParen) => {
            tokens.splice(with + 2..with + 2, setting.into_iter().chain([Token::Comma]));
        }
        _ => {
            let open = [word("WITH"), Token::LParen];
            let option = open.into_iter().chain(setting).chain([Token::RParen]);
            tokens.splice(end..end, option);
        }
    }
    tokens
}

fn is_view(tokens: &[Token]) -> bool {
    let start = tokens.len().min(24);
    let view = tokens[..start].iter().position(|token| keyword(token) == Keyword::VIEW);
    let other = |token: &Token| matches!(keyword(token), Keyword::TABLE | Keyword::INDEX);
    view.is_some_and(|view| !tokens[..view].iter().any(other))
}

/// `WITH [CASCADED | LOCAL] CHECK OPTION` at the end of a view.
fn checked_view(mut tokens: Vec<Token>) -> Vec<Token> {
    use Keyword::{CHECK, OPTION, WITH};
    let words: Vec<Keyword> = tokens.iter().map(keyword).collect();
    let [before @ .., CHECK, OPTION] = words.as_slice() else { return tokens };
    if !is_view(&tokens) {
        return tokens;
    }
    let text = |token: &Token| token.to_string().to_lowercase();
    let (how, length) = match before {
        [.., WITH] => ("cascaded".to_owned(), 3),
        [.., WITH, _] => (text(&tokens[before.len() - 1]), 4),
        _ => return tokens,
    };
    if how != "cascaded" && how != "local" {
        return tokens;
    }
    tokens.truncate(tokens.len() - length);
    with_option(tokens, word("check_option"), &how)
}

/// `WITH [NO] DATA` at the end of a materialized view.
fn unfilled_view(mut tokens: Vec<Token>) -> Vec<Token> {
    use Keyword::{DATA as DATA_WORD, MATERIALIZED, NO, WITH};
    if !is(tokens.get(1), MATERIALIZED) {
        return tokens;
    }
    let words: Vec<Keyword> = tokens.iter().map(keyword).collect();
    match words.as_slice() {
        [.., WITH, NO, DATA_WORD] => {
            tokens.truncate(tokens.len() - 3);
            with_option(tokens, name(DATA), "no")
        }
        [.., WITH, DATA_WORD] => {
            tokens.truncate(tokens.len() - 2);
            tokens
        }
        _ => tokens,
    }
}

/// A view that names itself. Its columns are always listed.
fn recursive_view(mut tokens: Vec<Token>) -> Vec<Token> {
    let Some(view) = tokens.iter().position(|token| keyword(token) == Keyword::VIEW) else {
        return tokens;
    };
    if view == 0 || !is(tokens.get(view - 1), Keyword::RECURSIVE) {
        return tokens;
    }
    let Some(end) = outside(&tokens, Keyword::AS) else { return tokens };
    let head: Vec<Token> = tokens[view + 1..end].to_vec();
    let (Some(open), Some(Token::RParen)) =
        (head.iter().position(|token| *token == Token::LParen), head.last())
    else {
        return tokens;
    };
    let columns = head[open + 1..head.len() - 1].to_vec();
    let own: Vec<Token> = head[..open].last().cloned().into_iter().collect();
    let query = tokens.split_off(end + 1);
    tokens.remove(view - 1);
    tokens.extend([word("WITH"), word("RECURSIVE")]);
    tokens.extend(own.iter().cloned().chain(head[open..].iter().cloned()));
    tokens.extend([word("AS"), Token::LParen]);
    tokens.extend(query);
    tokens.extend([Token::RParen, word("SELECT")]);
    tokens.extend(columns);
    tokens.push(word("FROM"));
    tokens.extend(own);
    tokens
}

/// `LIKE t INCLUDING …` among the columns of a table.
fn likes(tokens: Vec<Token>) -> Vec<Token> {
    let table = tokens.iter().take(6).position(|token| keyword(token) == Keyword::TABLE);
    let open = tokens.iter().position(|token| *token == Token::LParen);
    let (Some(table), Some(open)) = (table, open) else { return tokens };
    if table > open {
        return tokens;
    }
    let mut read: Vec<Token> = Vec::with_capacity(tokens.len());
    let (mut depth, mut at) = (0_i32, 0);
    while at < tokens.len() {
        let token = &tokens[at];
        let first = matches!(read.last(), Some(Token::LParen | Token::Comma));
        if depth == 1 && first && keyword(token) == Keyword::LIKE {
            let length = tokens[at..]
                .iter()
                .position(|token| matches!(token, Token::Comma | Token::RParen))
                .unwrap_or(tokens.len() - at);
            if let Some(mark) = like_mark(&tokens[at + 1..at + length]) {
                read.extend([name(&mark), word("INT")]);
                at += length;
                continue;
            }
        }
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        read.push(token.clone());
        at += 1;
    }
    read
}

/// The table, which may have a schema in front of it, and the options.
fn like_mark(tokens: &[Token]) -> Option<String> {
    let option = |token: &Token| {
        matches!(token.to_string().to_uppercase().as_str(), "INCLUDING" | "EXCLUDING")
    };
    let end = tokens.iter().position(option).unwrap_or(tokens.len());
    let table: Option<Vec<&str>> = tokens[..end]
        .iter()
        .filter(|token| **token != Token::Period)
        .map(|token| match token {
            Token::Word(word) if !word.value.contains('.') => Some(word.value.as_str()),
            _ => None,
        })
        .collect();
    let table = table.filter(|parts| (1..=2).contains(&parts.len()))?.join(".");
    let options: Vec<String> =
        tokens[end..].iter().map(|token| token.to_string().to_uppercase()).collect();
    Some(format!("{LIKE}{table}\u{1}{}", options.join(" ")))
}

/// `ALTER TABLE t SET SCHEMA s`.
fn moved_table(mut tokens: Vec<Token>) -> Vec<Token> {
    let length = tokens.len();
    let moves = length >= 6
        && is(tokens.get(1), Keyword::TABLE)
        && is(tokens.get(length - 3), Keyword::SET)
        && is(tokens.get(length - 2), Keyword::SCHEMA);
    if !moves {
        return tokens;
    }
    let (own, schema) = (tokens[length - 4].clone(), tokens[length - 1].clone());
    tokens.truncate(length - 3);
    tokens.extend([word("RENAME"), word("TO"), schema, Token::Period, own]);
    tokens
}

/// Targets of ON CONFLICT that are more than columns.
fn conflict_targets(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut at = 2;
    while at < tokens.len() {
        let target = is(tokens.get(at - 2), Keyword::ON)
            && is(tokens.get(at - 1), Keyword::CONFLICT)
            && tokens[at] == Token::LParen;
        if let Some((marks, end)) = target.then(|| marked_target(&tokens, at)).flatten() {
            tokens.splice(at + 1..end, marks);
        }
        at += 1;
    }
    tokens
}

/// The marks of a target, and what is behind it with its condition.
fn marked_target(tokens: &[Token], open: usize) -> Option<(Vec<Token>, usize)> {
    let close = closing(tokens, open)?;
    let filtered = is(tokens.get(close + 1), Keyword::WHERE);
    let end = match filtered {
        true => close + 1 + outside(&tokens[close + 1..], Keyword::DO)?,
        false => close + 1,
    };
    let elements = elements(&tokens[open + 1..close]);
    if !filtered && elements.iter().all(|one| matches!(one, [Token::Word(_)])) {
        return None;
    }
    let mut marks = Vec::new();
    for element in elements {
        marks.push(match element {
            [column @ Token::Word(_)] => column.clone(),
            other => name(&format!("{TARGET}{}", written(other)?)),
        });
        marks.push(Token::Comma);
    }
    match filtered {
        true => marks.push(name(&format!("{ONLY_WHERE}{}", written(&tokens[close + 2..end])?))),
        false => drop(marks.pop()),
    }
    marks.push(Token::RParen);
    Some((marks, end))
}

/// The parts of a list.
fn elements(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_i32;
    let parts = tokens.split(|token| {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0 && *token == Token::Comma
    });
    parts.collect()
}

/// The text of an expression. Returns `None` if it has a part whose text does not say what it is.
fn written(tokens: &[Token]) -> Option<String> {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::SingleQuotedString(content) if !content.contains('\\') => {
                text.push_str(&format!("'{}'", content.replace('\'', "''")));
            }
            Token::Word(_) | Token::Number(..) | Token::LParen | Token::RParen | Token::Comma => {
                text.push_str(&token.to_string());
            }
            Token::Period | Token::Eq | Token::Neq | Token::Lt | Token::Gt => {
                text.push_str(&token.to_string());
            }
            Token::LtEq | Token::GtEq | Token::Plus | Token::Minus | Token::Mul => {
                text.push_str(&token.to_string());
            }
            Token::StringConcat | Token::DoubleColon | Token::Div | Token::Mod => {
                text.push_str(&token.to_string());
            }
            _ => return None,
        }
        text.push(' ');
    }
    Some(text)
}

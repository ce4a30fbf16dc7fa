//! Forms of PostgreSQL's SQL that the parser does not know, written in others that it does.
//!
//! | written | read as |
//! |---|---|
//! | `TABLE t` | `SELECT * FROM t` |
//! | `x BETWEEN SYMMETRIC a AND b` | `x BETWEEN mark * a AND b` |
//! | `trim(LEADING FROM x)` | `trim(LEADING ' ' FROM x)` |
//! | `(ORDER BY x … EXCLUDE TIES)` | `(PARTITION BY mark ORDER BY x …)` |
//! | `x ISNULL`, `x NOTNULL` | `x IS NULL`, `x IS NOT NULL` |
//! | `cidr '10.0.0.0/8'` | `CAST('10.0.0.0/8' AS cidr)` |
//! | `SET a[1] = x` | `SET a."[1]" = x` |
//!
//! Marks are names that begin with a letter that no client sends, so binding cannot take a name for one.

use sqlparser::ast;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::keyword;
use super::numbers::identities;

/// What marks begin with.
pub(super) const MARK: char = '\u{1}';
const SYMMETRIC: &str = "\u{1}symmetric";

/// Rewrites a statement of PostgreSQL.
pub(super) fn known_forms(tokens: Vec<Token>) -> Vec<Token> {
    let tokens = table_command(tokens);
    let tokens = null_tests(symmetric(tokens));
    let tokens = trims(tokens);
    let tokens = exclusions(tokens);
    let tokens = identities(tokens);
    let tokens = typed_texts(tokens);
    subscripts(tokens)
}

fn name(text: &str) -> Token {
    Token::make_word(text, Some('"'))
}

fn word(text: &str) -> Token {
    Token::make_word(text, None)
}

fn table_command(tokens: Vec<Token>) -> Vec<Token> {
    if tokens.first().map(keyword) != Some(Keyword::TABLE) {
        return tokens;
    }
    let select = [word("SELECT"), Token::Mul, word("FROM")];
    select.into_iter().chain(tokens.into_iter().skip(1)).collect()
}

/// The mark is the leftmost part of the lower bound, whatever the precedence of the operators there.
fn symmetric(tokens: Vec<Token>) -> Vec<Token> {
    let mut read = Vec::with_capacity(tokens.len());
    for token in tokens {
        let after_between = read.last().map(keyword) == Some(Keyword::BETWEEN);
        match keyword(&token) {
            Keyword::SYMMETRIC if after_between => read.extend([name(SYMMETRIC), Token::Mul]),
            _ => read.push(token),
        }
    }
    read
}

/// Both words are reserved, except for names of functions and for names behind AS or a schema.
fn null_tests(tokens: Vec<Token>) -> Vec<Token> {
    let mut read: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let named = rest.peek() == Some(&Token::LParen)
            || matches!(read.last(), None | Some(Token::Period))
            || read.last().map(keyword) == Some(Keyword::AS);
        let plain = match &token {
            Token::Word(word) if word.quote_style.is_none() && !named => word.value.to_lowercase(),
            _ => String::new(),
        };
        match plain.as_str() {
            "isnull" => read.extend([word("IS"), word("NULL")]),
            "notnull" => read.extend([word("IS"), word("NOT"), word("NULL")]),
            _ => read.push(token),
        }
    }
    read
}

/// The lower bound of BETWEEN SYMMETRIC without its mark; `None` if it has none.
pub(crate) fn symmetric_bound(low: &ast::Expr) -> Option<ast::Expr> {
    let ast::Expr::BinaryOp { left, op, right } = low else { return None };
    if let ast::Expr::Identifier(ident) = &**left
        && ident.value == SYMMETRIC
    {
        return Some((**right).clone());
    }
    let left = Box::new(symmetric_bound(left)?);
    Some(ast::Expr::BinaryOp { left, op: op.clone(), right: right.clone() })
}

fn trims(tokens: Vec<Token>) -> Vec<Token> {
    let mut read: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let side = matches!(
            read.last().map(keyword),
            Some(Keyword::LEADING | Keyword::TRAILING | Keyword::BOTH)
        );
        let in_trim = read.len() >= 3
            && read[read.len() - 2] == Token::LParen
            && keyword(&read[read.len() - 3]) == Keyword::TRIM;
        if side && in_trim && keyword(&token) == Keyword::FROM {
            read.push(Token::SingleQuotedString(" ".to_owned()));
        }
        read.push(token);
    }
    read
}

/// Literals of types that the parser takes for names.
fn typed_texts(tokens: Vec<Token>) -> Vec<Token> {
    const TYPES: [&str; 8] =
        ["inet", "cidr", "int4range", "int8range", "numrange", "daterange", "tsrange", "tstzrange"];
    let is_type = |token: &Token| match token {
        Token::Word(word) => {
            word.quote_style.is_none() && TYPES.contains(&word.value.to_lowercase().as_str())
        }
        _ => false,
    };
    let mut read: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let is_text = matches!(token, Token::SingleQuotedString(_));
        match read.pop_if(|last| is_text && is_type(last)) {
            Some(ty) => {
                read.extend([word("CAST"), Token::LParen, token, word("AS"), ty, Token::RParen]);
            }
            None => read.push(token),
        }
    }
    read
}

/// `EXCLUDE …)` at the end of a window.
fn exclusions(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut at = 0;
    while at < tokens.len() {
        let rest: Vec<String> =
            tokens[at..].iter().take(4).map(|token| token.to_string().to_uppercase()).collect();
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        let (what, length) = match rest.as_slice() {
            ["EXCLUDE", "CURRENT", "ROW", ")"] => ("current", 3),
            ["EXCLUDE", "NO", "OTHERS", ")"] => ("none", 3),
            ["EXCLUDE", "GROUP", ")", ..] => ("group", 2),
            ["EXCLUDE", "TIES", ")", ..] => ("ties", 2),
            _ => {
                at += 1;
                continue;
            }
        };
        let Some(open) = opening(&tokens[..at]) else { return tokens };
        tokens.drain(at..at + length);
        let mark = name(&format!("{MARK}exclude {what}"));
        match keyword(&tokens[open + 1]) {
            Keyword::PARTITION => {
                tokens.splice(open + 3..open + 3, [mark, Token::Comma]);
            }
            _ => {
                tokens.splice(open + 1..open + 1, [word("PARTITION"), word("BY"), mark]);
            }
        }
    }
    tokens
}

/// The parenthesis that is open at the end.
fn opening(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().rev() {
        match token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 0 => return Some(place),
            Token::LParen => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What a mark in PARTITION BY excludes; `None` if it is no mark.
pub(crate) fn excluded(key: &ast::Expr) -> Option<&str> {
    match key {
        ast::Expr::Identifier(ident) => ident.value.strip_prefix(MARK)?.strip_prefix("exclude "),
        _ => None,
    }
}

/// Subscripts of the columns that UPDATE assigns to.
fn subscripts(tokens: Vec<Token>) -> Vec<Token> {
    let mut read: Vec<Token> = Vec::with_capacity(tokens.len());
    let (mut depth, mut assigns) = (0_i32, false);
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        match (token, keyword(token)) {
            (Token::LParen | Token::LBracket, _) => depth += 1,
            (Token::RParen | Token::RBracket, _) => depth -= 1,
            (_, Keyword::SET) if depth == 0 => assigns = true,
            (_, Keyword::WHERE | Keyword::FROM | Keyword::RETURNING) if depth == 0 => {
                assigns = false;
            }
            _ => {}
        }
        let first = read
            .last()
            .is_some_and(|before| keyword(before) == Keyword::SET || *before == Token::Comma);
        read.push(token.clone());
        at += 1;
        if assigns && depth == 0 && first && matches!(token, Token::Word(_)) {
            while let Some((step, behind)) = bracketed(&tokens, at) {
                read.extend([Token::Period, name(&step)]);
                at = behind;
            }
        }
    }
    read
}

/// `[…]` at a place as a text, and what is behind it.
fn bracketed(tokens: &[Token], at: usize) -> Option<(String, usize)> {
    if tokens.get(at) != Some(&Token::LBracket) {
        return None;
    }
    let length = tokens[at..].iter().position(|token| *token == Token::RBracket)?;
    let inner: Vec<String> = tokens[at + 1..at + length].iter().map(Token::to_string).collect();
    Some((format!("[{}]", inner.join(" ")), at + length + 1))
}

//! Forms about sequences that the parser does not know, written in others that it does.
//!
//! | written | read as |
//! |---|---|
//! | `AS IDENTITY (START WITH 5 INCREMENT BY 2)` | the same with its options in the order of the parser |
//! | `INSERT INTO t (a) OVERRIDING SYSTEM VALUE VALUES …` | `INSERT INTO t (a, mark) VALUES …` |
//! | `NEXT VALUE FOR s`, `PREVIOUS VALUE FOR s` | `nextval(s)`, `lastval(s)` |

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::keyword;

const SYSTEM: &str = "\u{1}overriding system";
const USER: &str = "\u{1}overriding user";

/// The words that options begin with, in the order of the parser.
const OPTIONS: [&str; 6] = ["INCREMENT", "MINVALUE", "MAXVALUE", "START", "CACHE", "CYCLE"];

/// What `OVERRIDING` says about the values that an INSERT gives for identity columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overriding {
    /// They are stored.
    System,
    /// They are left out.
    User,
}

/// What a name in the list of columns of an INSERT says, if it is a mark.
pub(crate) fn overriding(name: &str) -> Option<Overriding> {
    match name {
        SYSTEM => Some(Overriding::System),
        USER => Some(Overriding::User),
        _ => None,
    }
}

/// Rewrites a statement of PostgreSQL.
pub(super) fn identities(tokens: Vec<Token>) -> Vec<Token> {
    marked(ordered(tokens))
}

/// Options of identity columns in the order of the parser.
fn ordered(mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 1..tokens.len() {
        if tokens[at] != Token::LParen || word(&tokens[at - 1]) != "IDENTITY" {
            continue;
        }
        let Some(length) = tokens[at..].iter().position(|token| *token == Token::RParen) else {
            return tokens;
        };
        let inside = at + 1..at + length;
        let mut options: Vec<(usize, Vec<Token>)> = Vec::new();
        for token in &tokens[inside.clone()] {
            let place = OPTIONS.iter().position(|option| word(token) == *option);
            let no =
                options.last().is_some_and(|(_, last)| last.len() == 1 && word(&last[0]) == "NO");
            match (place, options.last_mut()) {
                (Some(place), Some((order, last))) if no => {
                    *order = place;
                    last.push(token.clone());
                }
                (Some(place), _) => options.push((place, vec![token.clone()])),
                (None, _) if word(token) == "NO" => options.push((0, vec![token.clone()])),
                (None, Some((_, last))) => last.push(token.clone()),
                (None, None) => return tokens,
            }
        }
        options.sort_by_key(|(place, _)| *place);
        tokens.splice(inside, options.into_iter().flat_map(|(_, option)| option));
    }
    tokens
}

/// A mark among the columns of an INSERT instead of OVERRIDING.
fn marked(mut tokens: Vec<Token>) -> Vec<Token> {
    let there = |tokens: &[Token], at: usize| {
        word(&tokens[at]) == "OVERRIDING"
            && tokens
                .get(at + 1)
                .is_some_and(|kind| ["SYSTEM", "USER"].contains(&word(kind).as_str()))
            && tokens.get(at + 2).is_some_and(|value| word(value) == "VALUE")
    };
    let Some(at) = (1..tokens.len()).find(|at| there(&tokens, *at)) else { return tokens };
    let mark = if word(&tokens[at + 1]) == "SYSTEM" { SYSTEM } else { USER };
    let mark = Token::make_word(mark, Some('"'));
    tokens.drain(at..at + 3);
    match tokens[at - 1] == Token::RParen {
        true => drop(tokens.splice(at - 1..at - 1, [Token::Comma, mark])),
        false => drop(tokens.splice(at..at, [Token::LParen, mark, Token::RParen])),
    }
    tokens
}

/// Calls instead of `NEXT VALUE FOR s` and `PREVIOUS VALUE FOR s` of MariaDB.
pub(super) fn values_for(tokens: Vec<Token>) -> Vec<Token> {
    let mut read: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let name = match word(&tokens[at]).as_str() {
            "NEXT" => "nextval",
            "PREVIOUS" => "lastval",
            _ => "",
        };
        let behind = |ahead: usize| tokens.get(at + ahead);
        let called = !name.is_empty()
            && behind(1).is_some_and(|token| word(token) == "VALUE")
            && behind(2).map(keyword) == Some(Keyword::FOR);
        let Some(Token::Word(_)) = behind(3).filter(|_| called) else {
            read.push(tokens[at].clone());
            at += 1;
            continue;
        };
        let dotted = behind(4) == Some(&Token::Period) && matches!(behind(5), Some(Token::Word(_)));
        let end = at + if dotted { 6 } else { 4 };
        read.extend([Token::make_word(name, None), Token::LParen]);
        read.extend_from_slice(&tokens[at + 3..end]);
        read.push(Token::RParen);
        at = end;
    }
    read
}

/// A word without quotes, in capitals.
fn word(token: &Token) -> String {
    match token {
        Token::Word(word) if word.quote_style.is_none() => word.value.to_uppercase(),
        _ => String::new(),
    }
}

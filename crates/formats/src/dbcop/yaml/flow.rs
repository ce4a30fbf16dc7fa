//! YAML in brackets: `[{write: true, variable: 0}, …]`, over as many lines as it takes.

use super::LineError;
use super::node::{Content, DEEPEST, Node, unquoted};
use crate::error::{ContentError, quote};

/// What stands in brackets, still in pieces.
#[derive(Debug, Default)]
pub(super) struct Flow {
    tokens: Vec<(u32, Token)>,
    /// How many brackets are open.
    open: usize,
    /// How many tokens have been read.
    read: usize,
}

#[derive(Debug)]
enum Token {
    /// One of `[]{},:`.
    Mark(char),
    Word(String),
}

impl Flow {
    /// Adds a line; true if it closes the first bracket.
    pub(super) fn line(&mut self, number: u32, text: &str) -> Result<bool, LineError> {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            if !self.tokens.is_empty() && self.open == 0 {
                return Err((number, ContentError::new(quote(rest), "the end of the line")));
            }
            let length = match first {
                '[' | ']' | '{' | '}' | ',' | ':' => 1,
                _ => rest.find(is_mark_or_space).unwrap_or(rest.len()),
            };
            let (token, after) = rest.split_at(length);
            match first {
                '[' | '{' => self.open += 1,
                ']' | '}' => self.open = self.open.saturating_sub(1),
                _ => {}
            }
            let token = match is_mark_or_space(first) {
                true => Token::Mark(first),
                false => Token::Word(unquoted(token).to_owned()),
            };
            self.tokens.push((number, token));
            rest = after.trim_start();
        }
        Ok(self.open == 0)
    }

    /// Reads the next piece.
    pub(super) fn node(&mut self, depth: usize) -> Result<Node, LineError> {
        let (line, token) = self.next();
        let content = match token {
            Some(_) if depth > DEEPEST => {
                return Err((line, ContentError::new("one more bracket", "less nesting")));
            }
            Some(Token::Mark('[')) => Content::List(self.items(depth)?),
            Some(Token::Mark('{')) => Content::Mapping(self.entries(depth)?),
            Some(Token::Word(word)) => Content::Word(std::mem::take(word)),
            other => return Err((line, unexpected(other.as_deref(), "a value"))),
        };
        Ok(Node { line, content })
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Node>, LineError> {
        let mut items = Vec::new();
        while !self.closes(']') {
            items.push(self.node(depth + 1)?);
            self.separator(']')?;
        }
        Ok(items)
    }

    fn entries(&mut self, depth: usize) -> Result<Vec<(u32, String, Node)>, LineError> {
        let mut entries = Vec::new();
        while !self.closes('}') {
            let (line, name) = match self.next() {
                (line, Some(Token::Word(name))) => (line, std::mem::take(name)),
                (line, other) => return Err((line, unexpected(other.as_deref(), "a field"))),
            };
            match self.next() {
                (_, Some(Token::Mark(':'))) => {}
                (line, other) => return Err((line, unexpected(other.as_deref(), "a colon"))),
            }
            entries.push((line, name, self.node(depth + 1)?));
            self.separator('}')?;
        }
        Ok(entries)
    }

    /// Whether the bracket closes here; if so, goes on behind it.
    fn closes(&mut self, bracket: char) -> bool {
        let closes = self.sees(bracket);
        self.read += usize::from(closes);
        closes
    }

    /// Goes on behind a comma; there need not be one before the bracket that closes.
    fn separator(&mut self, bracket: char) -> Result<(), LineError> {
        if self.sees(bracket) {
            return Ok(());
        }
        match self.next() {
            (_, Some(Token::Mark(','))) => Ok(()),
            (line, other) => {
                Err((line, unexpected(other.as_deref(), &format!("a comma or {bracket}"))))
            }
        }
    }

    fn sees(&self, mark: char) -> bool {
        matches!(self.tokens.get(self.read), Some((_, Token::Mark(next))) if *next == mark)
    }

    /// The next token and its line; at the end, the last line.
    fn next(&mut self) -> (u32, Option<&mut Token>) {
        let last = self.tokens.last().map_or(1, |(line, _)| *line);
        let next = self.tokens.get_mut(self.read);
        self.read += 1;
        next.map_or((last, None), |(line, token)| (*line, Some(token)))
    }
}

fn is_mark_or_space(letter: char) -> bool {
    letter.is_whitespace() || "[]{},:".contains(letter)
}

fn unexpected(found: Option<&Token>, expected: &str) -> ContentError {
    let found = match found {
        None => "the end of the brackets".to_owned(),
        Some(Token::Mark(mark)) => quote(&mark.to_string()),
        Some(Token::Word(word)) => quote(word),
    };
    ContentError::new(found, expected)
}

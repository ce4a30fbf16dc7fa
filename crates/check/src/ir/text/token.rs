//! The tokens of a line: words separated by blanks, and texts in quotes.

use std::collections::VecDeque;
use std::iter::Peekable;
use std::str::{CharIndices, FromStr};

use super::IrTextError;

#[derive(Clone, Debug)]
enum Token<'a> {
    Word(&'a str),
    Text(String),
}

/// What is left of a line.
pub(super) struct Line<'a> {
    number: usize,
    tokens: VecDeque<Token<'a>>,
}

impl<'a> Line<'a> {
    /// Splits a line; a comment ends it.
    pub(super) fn split(number: usize, text: &'a str) -> Result<Self, IrTextError> {
        let mut line = Self { number, tokens: VecDeque::new() };
        let mut letters = text.char_indices().peekable();
        while let Some(&(start, letter)) = letters.peek() {
            if letter == ';' {
                break;
            }
            if letter.is_whitespace() {
                letters.next();
            } else if letter == '"' {
                letters.next();
                let text = line.quoted(&mut letters)?;
                line.tokens.push_back(Token::Text(text));
            } else {
                let ends = |c: char| c.is_whitespace() || c == ';' || c == '"';
                while letters.next_if(|&(_, c)| !ends(c)).is_some() {}
                let end = letters.peek().map_or(text.len(), |&(at, _)| at);
                line.tokens.push_back(Token::Word(&text[start..end]));
            }
        }
        Ok(line)
    }

    /// The rest of a text after its opening quote.
    fn quoted(&self, letters: &mut Peekable<CharIndices<'_>>) -> Result<String, IrTextError> {
        let mut text = String::new();
        loop {
            match letters.next().map(|(_, letter)| letter) {
                None => return Err(self.error("the end of the line", "'\"'")),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape(letters)?),
                Some(letter) => text.push(letter),
            }
        }
    }

    fn escape(&self, letters: &mut Peekable<CharIndices<'_>>) -> Result<char, IrTextError> {
        let letter = letters.next().map(|(_, letter)| letter);
        match letter {
            Some('"' | '\\') => return Ok(letter.unwrap_or_default()),
            Some('n') => return Ok('\n'),
            Some('r') => return Ok('\r'),
            Some('t') => return Ok('\t'),
            Some('u') if letters.next_if(|&(_, c)| c == '{').is_some() => {
                let hex: String =
                    letters.map(|(_, c)| c).take_while(|c| *c != '}').collect::<String>();
                let code = u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32);
                return code.ok_or_else(|| self.error(format!("'\\u{{{hex}}}'"), "a character"));
            }
            _ => {}
        }
        let found = letter.map_or("the end of the line".to_owned(), |c| format!("'\\{c}'"));
        Err(self.error(found, "an escape: \\\" \\\\ \\n \\r \\t \\u{…}"))
    }

    pub(super) fn error(&self, found: impl Into<String>, expected: &str) -> IrTextError {
        IrTextError { line: self.number, found: found.into(), expected: expected.to_owned() }
    }

    /// The error that something else stands here.
    pub(super) fn unexpected(&self, expected: &str) -> IrTextError {
        let found = match self.tokens.front() {
            None => "the end of the line".to_owned(),
            Some(Token::Word(word)) => format!("'{word}'"),
            Some(Token::Text(text)) => super::quoted(text),
        };
        self.error(found, expected)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Nothing may be left.
    pub(super) fn end(&self) -> Result<(), IrTextError> {
        if self.is_empty() { Ok(()) } else { Err(self.unexpected("the end of the line")) }
    }

    fn peek(&self) -> Option<&'a str> {
        match self.tokens.front() {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Whether a field `name=value` comes next.
    pub(super) fn at_field(&self) -> bool {
        self.peek().is_some_and(|word| word.contains('='))
    }

    pub(super) fn word(&mut self, expected: &str) -> Result<&'a str, IrTextError> {
        let word = self.peek().ok_or_else(|| self.unexpected(expected))?;
        self.tokens.pop_front();
        Ok(word)
    }

    /// A text in quotes, if one comes next.
    pub(super) fn text(&mut self) -> Option<String> {
        match self.tokens.front() {
            Some(Token::Text(_)) => match self.tokens.pop_front() {
                Some(Token::Text(text)) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        if found {
            self.tokens.pop_front();
        }
        found
    }

    pub(super) fn keyword(&mut self, word: &str) -> Result<(), IrTextError> {
        if self.eat(word) { Ok(()) } else { Err(self.unexpected(&format!("'{word}'"))) }
    }

    pub(super) fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, IrTextError> {
        let word = self.peek().and_then(|word| word.parse().ok());
        let number = word.ok_or_else(|| self.unexpected(expected))?;
        self.tokens.pop_front();
        Ok(number)
    }

    /// The running index after the first word of a line.
    pub(super) fn index(&mut self, index: usize) -> Result<(), IrTextError> {
        self.keyword(&index.to_string())
    }

    /// The value of the field `name=value`, if it comes next.
    pub(super) fn optional(&mut self, name: &str) -> Option<&'a str> {
        let value = self.peek()?.strip_prefix(name)?.strip_prefix('=')?;
        self.tokens.pop_front();
        Some(value)
    }

    /// The number in the field `name=number`.
    pub(super) fn field(&mut self, name: &str) -> Result<u32, IrTextError> {
        let expected = format!("'{name}=' and a number");
        match self.optional(name) {
            Some(value) => self.convert(value, &expected),
            None => Err(self.unexpected(&expected)),
        }
    }

    pub(super) fn convert<T: FromStr>(&self, word: &str, expected: &str) -> Result<T, IrTextError> {
        word.parse().map_err(|_| self.error(format!("'{word}'"), expected))
    }

    /// The items in `name=[item,item]`, if it comes next.
    pub(super) fn bracketed<T: FromStr>(
        &mut self,
        name: &str,
    ) -> Result<Option<Vec<T>>, IrTextError> {
        let Some(value) = self.optional(name) else { return Ok(None) };
        let inside = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let items = match inside {
            None => return Err(self.error(format!("'{value}'"), "numbers in brackets")),
            Some("") => Vec::new(),
            Some(inside) => inside
                .split(',')
                .map(|item| self.convert(item, "a number"))
                .collect::<Result<_, _>>()?,
        };
        Ok(Some(items))
    }

    /// The ends in `name=[from,by]`, if it comes next; `_` is an open end.
    pub(super) fn interval(
        &mut self,
        name: &str,
    ) -> Result<(Option<i64>, Option<i64>), IrTextError> {
        let Some(ends) = self.bracketed::<Instant>(name)? else { return Ok((None, None)) };
        match ends[..] {
            [Instant(from), Instant(by)] => Ok((from, by)),
            _ => Err(self.error(format!("{} numbers", ends.len()), "two instants")),
        }
    }
}

/// An instant or `_`.
struct Instant(Option<i64>);

impl FromStr for Instant {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "_" { Ok(Self(None)) } else { text.parse().map(|at| Self(Some(at))) }
    }
}

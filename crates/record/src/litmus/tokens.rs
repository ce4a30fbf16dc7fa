//! The words of a condition.

use super::condition::{Condition, Operand, Test, Value};

/// A word and the line it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    line: usize,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A name, or a word of the language.
    Word(String),
    /// A number, as it is written.
    Number(String),
    /// A text in single quotes.
    Text(String),
    /// One of `( ) , = !=`.
    Sign(&'static str),
}

/// Something that does not belong where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) line: usize,
    pub(super) found: String,
    pub(super) expected: String,
}

impl SyntaxError {
    pub(super) fn new(line: usize, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { line, found: found.into(), expected: expected.into() }
    }
}

const TEST: &str = "a test, as in \"A committed\" or \"seen = 10\"";
const SIGNS: [&str; 5] = ["!=", "=", "(", ")", ","];

/// Reads a condition from the lines it stands on.
pub(super) fn condition(lines: &[(usize, &str)]) -> Result<Condition, SyntaxError> {
    let mut tokens = Vec::new();
    for &(line, text) in lines {
        split(line, text, &mut tokens)?;
    }
    let end = lines.last().map_or(0, |&(line, _)| line);
    Reader { tokens, next: 0, end }.condition()
}

fn split(line: usize, text: &str, tokens: &mut Vec<Token>) -> Result<(), SyntaxError> {
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let sign = SIGNS.into_iter().find(|&sign| rest.starts_with(sign));
        let (kind, length) = if let Some(sign) = sign {
            (Kind::Sign(sign), sign.len())
        } else if first == '\'' {
            let close = rest[1..].find('\'');
            let close = close.ok_or_else(|| SyntaxError::new(line, rest, "a closing quote"))?;
            (Kind::Text(rest[1..=close].to_owned()), close + 2)
        } else if first.is_ascii_digit() || first == '-' {
            let odd = |letter: char| !letter.is_ascii_digit() && letter != '.';
            let length = rest[1..].find(odd).map_or(rest.len(), |length| length + 1);
            (Kind::Number(rest[..length].to_owned()), length)
        } else if is_of_name(first) {
            let length = rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len());
            (Kind::Word(rest[..length].to_owned()), length)
        } else {
            return Err(SyntaxError::new(line, format!("\"{first}\""), "a name, a value, = or !="));
        };
        tokens.push(Token { line, kind });
        rest = rest[length..].trim_start();
    }
    Ok(())
}

/// Whether a letter may be part of a name.
pub(super) fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

struct Reader {
    tokens: Vec<Token>,
    next: usize,
    /// The line where the condition ends.
    end: usize,
}

impl Reader {
    fn condition(&mut self) -> Result<Condition, SyntaxError> {
        let mut alternatives = vec![vec![self.test()?]];
        while let Some(token) = self.tokens.get(self.next) {
            let word = matches!(&token.kind, Kind::Word(word) if word == "and" || word == "or");
            if !word {
                return Err(self.unexpected("and, or, or the end"));
            }
            let or = token.kind == Kind::Word("or".into());
            self.next += 1;
            let test = self.test()?;
            match alternatives.last_mut() {
                Some(tests) if !or => tests.push(test),
                _ => alternatives.push(vec![test]),
            }
        }
        Ok(Condition { alternatives })
    }

    fn test(&mut self) -> Result<Test, SyntaxError> {
        let name = self.name(TEST)?;
        if self.takes("=") {
            return Ok(Test::Equal(name, self.operand()?));
        }
        if self.takes("!=") {
            return Ok(Test::Different(name, self.operand()?));
        }
        let expected = "=, !=, is, has, affected, committed or aborted";
        match self.word().as_deref() {
            Some("committed") => Ok(Test::Committed(name)),
            Some("aborted") => Ok(Test::Aborted(name)),
            Some("is") => self.emptiness(name),
            Some("has") => Ok(Test::Rows(name, self.count()? as usize)),
            Some("affected") => Ok(Test::Affected(name, self.count()?)),
            _ => Err(self.back(expected)),
        }
    }

    fn emptiness(&mut self, name: String) -> Result<Test, SyntaxError> {
        match self.word().as_deref() {
            Some("empty") => Ok(Test::Empty(name)),
            Some("not") => match self.word().as_deref() {
                Some("empty") => Ok(Test::NotEmpty(name)),
                _ => Err(self.back("empty")),
            },
            _ => Err(self.back("empty or not empty")),
        }
    }

    /// `2 rows`
    fn count(&mut self) -> Result<u64, SyntaxError> {
        let expected = "a number of rows, as in \"2 rows\"";
        let number = match self.tokens.get(self.next).map(|token| &token.kind) {
            Some(Kind::Number(number)) => number.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.unexpected(expected))?;
        self.next += 1;
        match self.word().as_deref() {
            Some("row" | "rows") => Ok(number),
            _ => Err(self.back("rows")),
        }
    }

    fn operand(&mut self) -> Result<Operand, SyntaxError> {
        if !self.is_at("(") {
            let name = match self.tokens.get(self.next).map(|token| &token.kind) {
                Some(Kind::Word(word)) if !is_null(word) => Some(word.clone()),
                _ => None,
            };
            if let Some(name) = name {
                self.next += 1;
                return Ok(Operand::Answer(name));
            }
            return Ok(Operand::Rows(vec![vec![self.value()?]]));
        }
        let mut rows = Vec::new();
        while self.takes("(") {
            let mut row = vec![self.value()?];
            while self.takes(",") {
                row.push(self.value()?);
            }
            if !self.takes(")") {
                return Err(self.unexpected(", or )"));
            }
            rows.push(row);
        }
        Ok(Operand::Rows(rows))
    }

    fn value(&mut self) -> Result<Value, SyntaxError> {
        let value = match self.tokens.get(self.next).map(|token| &token.kind) {
            Some(Kind::Number(text) | Kind::Text(text)) => Some(Some(text.clone())),
            Some(Kind::Word(word)) if is_null(word) => Some(None),
            _ => None,
        };
        let value =
            value.ok_or_else(|| self.unexpected("a number, a string in single quotes or NULL"))?;
        self.next += 1;
        Ok(value)
    }

    fn name(&mut self, expected: &str) -> Result<String, SyntaxError> {
        match self.word() {
            Some(word) if !["and", "or"].contains(&word.as_str()) => Ok(word),
            _ => Err(self.back(expected)),
        }
    }

    /// Takes a word; whatever is there is taken, see [`Reader::back`].
    fn word(&mut self) -> Option<String> {
        self.next += 1;
        match self.tokens.get(self.next - 1).map(|token| &token.kind) {
            Some(Kind::Word(word)) => Some(word.clone()),
            _ => None,
        }
    }

    fn is_at(&self, sign: &str) -> bool {
        let at = self.tokens.get(self.next);
        at.is_some_and(|token| matches!(&token.kind, Kind::Sign(known) if *known == sign))
    }

    fn takes(&mut self, sign: &str) -> bool {
        let there = self.is_at(sign);
        self.next += usize::from(there);
        there
    }

    /// What was just taken is unexpected.
    fn back(&mut self, expected: &str) -> SyntaxError {
        self.next -= 1;
        self.unexpected(expected)
    }

    /// What comes next is unexpected.
    fn unexpected(&self, expected: &str) -> SyntaxError {
        let Some(token) = self.tokens.get(self.next) else {
            return SyntaxError::new(self.end, "the end of the condition", expected);
        };
        let found = match &token.kind {
            Kind::Word(text) | Kind::Number(text) => format!("\"{text}\""),
            Kind::Text(text) => format!("'{text}'"),
            Kind::Sign(sign) => format!("\"{sign}\""),
        };
        SyntaxError::new(token.line, found, expected)
    }
}

fn is_null(word: &str) -> bool {
    word.eq_ignore_ascii_case("null")
}

//! Cuts a level file into words and signs.
//!
//! ```text
//!   level mine : dependency { // note      Name Name Sign(":") Name Sign("{")    + one comment
//! ```
//!
//! Comments are kept apart, with their places: the formatter puts them back.

use super::error::{IsoErrorKind, SpannedError};
use super::syntax::Span;

/// A word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Name,
    /// `"…"`
    Text,
    /// `"""…"""`
    Lines,
    /// `/// …`
    Doc,
    /// An operator or a bracket.
    Sign(&'static str),
    /// The end of the file.
    End,
}

/// All tokens of a text, [`TokenKind::End`] last, and its comments.
#[derive(Clone, Debug)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Span>,
}

/// Longer signs first, so that none is cut short.
const SIGNS: [&str; 17] =
    ["^-1", "{", "}", "(", ")", "[", "]", "|", "\\", "&", ";", "?", "+", "*", "=", ":", ","];

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str) -> Result<Tokens, SpannedError> {
    // Some editors start a file with a mark of its encoding.
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lexer = Lexer { text, at, comments: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next()?;
        tokens.push(token);
        if token.kind == TokenKind::End {
            return Ok(Tokens { tokens, comments: lexer.comments });
        }
    }
}

/// The part of the text that a span covers.
pub(super) fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or("")
}

/// Whether a text would be read as one name.
pub(super) fn is_name(text: &str) -> bool {
    let digit = text.starts_with(|first: char| first.is_ascii_digit());
    !digit && !text.is_empty() && word_length(text) == text.len()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    comments: Vec<Span>,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Result<Token, SpannedError> {
        self.skip_blanks_and_comments();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(self.token(TokenKind::End, 0)) };
        if rest.starts_with("///") {
            return Ok(self.token(TokenKind::Doc, line_length(rest)));
        }
        if rest.starts_with("\"\"\"") {
            return self.closed(TokenKind::Lines, "\"\"\"", rest);
        }
        if first == '"' {
            return self.closed(TokenKind::Text, "\"", &rest[..line_length(rest)]);
        }
        let word = word_length(rest);
        if first.is_ascii_digit() {
            let mistake = IsoErrorKind::NameStart(rest[..word].to_owned());
            return Err(self.wrong(word, mistake));
        }
        if word > 0 {
            return Ok(self.token(TokenKind::Name, word));
        }
        match SIGNS.into_iter().chain(["."]).find(|sign| rest.starts_with(sign)) {
            Some(sign) => Ok(self.token(TokenKind::Sign(sign), sign.len())),
            None => Err(self.wrong(first.len_utf8(), IsoErrorKind::Character(first))),
        }
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            // Four slashes and more underline something; only three are documentation.
            let comment = rest.starts_with("//") && !rest.starts_with("///");
            if !comment && !rest.starts_with("////") {
                return;
            }
            let length = rest[..line_length(rest)].trim_end().len();
            self.comments.push(self.span(length));
            self.at += length;
        }
    }

    /// A text up to its closing quotes.
    fn closed(
        &mut self,
        kind: TokenKind,
        quotes: &'static str,
        within: &str,
    ) -> Result<Token, SpannedError> {
        match within[quotes.len()..].find(quotes) {
            Some(length) => Ok(self.token(kind, length + 2 * quotes.len())),
            None => Err(self.wrong(line_length(within), IsoErrorKind::Unterminated(quotes))),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn token(&mut self, kind: TokenKind, length: usize) -> Token {
        let span = self.span(length);
        self.at += length;
        Token { kind, span }
    }

    fn wrong(&self, length: usize, mistake: IsoErrorKind) -> SpannedError {
        SpannedError::new(self.span(length), mistake)
    }

    fn span(&self, length: usize) -> Span {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { start: place(self.at), end: place(self.at + length) }
    }
}

fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// How long the word at the start is: letters, digits, `_`, and hyphens within.
fn word_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let inside = |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let mut end = 0;
    while inside(end) || (end > 0 && bytes.get(end) == Some(&b'-') && inside(end + 1)) {
        end += 1;
    }
    end
}

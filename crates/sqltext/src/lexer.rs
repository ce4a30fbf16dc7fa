//! Text → pieces. Nothing is left out: joined, the pieces are the text again.
//!
//! What is in quotes stays as it is written; `quotes.rs` tells what it means. Characters beyond ASCII
//! belong to words, as in every server here; only ASCII blanks separate.

use crate::dialect::Dialect;
use crate::version::{Conditional, conditional};

/// A stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// What it is.
    pub kind: PieceKind,
    /// As it is written.
    pub text: &'a str,
    /// Where it starts.
    pub start: usize,
}

impl Piece<'_> {
    /// Where it ends.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Blanks between tokens.
    Blank,
    /// A comment.
    Comment,
    /// The beginning or the end of a comment whose inside is executed.
    Mark,
    /// A keyword or a name.
    Word,
    /// A name in quotes.
    QuotedName,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// A parameter.
    Param,
    /// Anything else; `::` is one symbol.
    Symbol,
    /// Text that has no end, or that only some versions of the server execute.
    Unclear,
}

impl PieceKind {
    /// Whether it is part of a statement, and not between its parts.
    pub(crate) fn counts(self) -> bool {
        !matches!(self, Self::Blank | Self::Comment)
    }
}

/// The pieces of a text.
pub fn pieces(text: &str, dialect: Dialect) -> Pieces<'_> {
    Pieces { text, at: 0, dialect, executed: false }
}

/// Walks over the pieces of a text.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    /// Inside a comment that is executed?
    executed: bool,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let start = self.at;
        let first = self.rest().chars().next()?;
        let kind = self.between(first).unwrap_or_else(|| self.token(first));
        Some(Piece { kind, text: &self.text[start..self.at], start })
    }
}

impl<'a> Pieces<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on over so many bytes.
    fn skip(&mut self, count: usize) {
        self.at += count;
    }

    fn skip_while(&mut self, fits: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.skip(rest.find(|letter| !fits(letter)).unwrap_or(rest.len()));
    }

    /// Moves on behind the next occurrence. Returns false, at the end, if there is none.
    fn skip_past(&mut self, what: &str) -> bool {
        let found = self.rest().find(what);
        self.skip(found.map_or(self.rest().len(), |place| place + what.len()));
        found.is_some()
    }

    /// Blanks and comments.
    fn between(&mut self, first: char) -> Option<PieceKind> {
        let (rest, dialect) = (self.rest(), self.dialect);
        if is_blank(first) {
            self.skip_while(is_blank);
            return Some(PieceKind::Blank);
        }
        let dashes =
            rest.starts_with("--") && (!dialect.dashes_need_blank() || is_alone(&rest[2..]));
        if dashes || first == '#' && dialect.has_hash_comments() {
            let returns = dialect.ends_lines_with_return();
            self.skip_while(|letter| letter != '\n' && !(returns && letter == '\r'));
            return Some(PieceKind::Comment);
        }
        if self.executed && rest.starts_with("*/") {
            self.skip(2);
            self.executed = false;
            return Some(PieceKind::Mark);
        }
        if let Some((length, becomes)) = conditional(rest, dialect) {
            self.skip(length);
            return Some(self.conditional(becomes));
        }
        rest.starts_with("/*").then(|| {
            self.skip(2);
            self.comment(if dialect.nests_comments() { usize::MAX } else { 0 })
        })
    }

    fn conditional(&mut self, becomes: Conditional) -> PieceKind {
        match becomes {
            Conditional::Executed if !self.executed => {
                self.executed = true;
                PieceKind::Mark
            }
            // A comment inside a comment that is left out does not end it.
            Conditional::Skipped => self.comment(1),
            Conditional::Executed | Conditional::Unclear => {
                self.comment(1);
                PieceKind::Unclear
            }
        }
    }

    /// Behind the beginning of a comment: moves to its end. Others may be inside, so deep.
    fn comment(&mut self, nested: usize) -> PieceKind {
        let mut depth = 0;
        while !self.rest().is_empty() {
            if self.rest().starts_with("*/") {
                self.skip(2);
                if depth == 0 {
                    return PieceKind::Comment;
                }
                depth -= 1;
            } else if self.rest().starts_with("/*") && depth < nested {
                self.skip(2);
                depth += 1;
            } else {
                self.letter();
            }
        }
        PieceKind::Unclear
    }

    fn letter(&mut self) -> Option<char> {
        let letter = self.rest().chars().next()?;
        self.skip(letter.len_utf8());
        Some(letter)
    }

    fn token(&mut self, first: char) -> PieceKind {
        let (rest, dialect) = (self.rest(), self.dialect);
        match first {
            '\'' => self.quoted('\'', PieceKind::Text, dialect.escapes_with_backslash()),
            '"' if dialect.has_double_quoted_texts() => self.quoted('"', PieceKind::Text, true),
            '"' => self.quoted('"', PieceKind::QuotedName, false),
            '`' if dialect.has_backticks() => self.quoted('`', PieceKind::QuotedName, false),
            '[' if dialect.has_bracketed_names() => match self.skip_past("]") {
                true => PieceKind::QuotedName,
                false => PieceKind::Unclear,
            },
            '?' if dialect.has_question_marks() => {
                self.skip(1);
                self.skip_while(|letter| dialect == Dialect::Sqlite && letter.is_ascii_digit());
                PieceKind::Param
            }
            '$' if dialect.has_dollars() => self.dollar(),
            _ if first.is_ascii_digit() => self.number(),
            '.' if rest[1..].starts_with(|next: char| next.is_ascii_digit()) => self.number(),
            _ if is_word(first) => self.word(),
            _ => {
                self.skip(if rest.starts_with("::") { 2 } else { first.len_utf8() });
                PieceKind::Symbol
            }
        }
    }

    /// A word, or a text with a letter before its quote.
    fn word(&mut self) -> PieceKind {
        let start = self.at;
        self.skip_while(|letter| is_word(letter) || letter.is_ascii_digit() || letter == '$');
        let word = &self.text[start..self.at];
        let escapes = self.dialect.escapes_with_backslash();
        if !self.rest().starts_with('\'') {
            return PieceKind::Word;
        }
        match word {
            "E" | "e" if self.dialect.has_dollars() => self.quoted('\'', PieceKind::Text, true),
            "N" | "n" if self.dialect != Dialect::Sqlite => {
                self.quoted('\'', PieceKind::Text, escapes)
            }
            _ => PieceKind::Word,
        }
    }

    fn number(&mut self) -> PieceKind {
        let start = self.at;
        self.skip_while(|letter| letter.is_ascii_alphanumeric() || letter == '.' || letter == '_');
        let exponent = self.text[start..self.at].ends_with(['e', 'E']);
        if exponent && self.rest().starts_with(['+', '-']) {
            self.skip(1);
            self.skip_while(|letter| letter.is_ascii_digit());
        }
        PieceKind::Number
    }

    /// A parameter, or a text between two tags.
    fn dollar(&mut self) -> PieceKind {
        let rest = self.rest();
        self.skip(1);
        if self.rest().starts_with(|next: char| next.is_ascii_digit()) {
            self.skip_while(|letter| letter.is_ascii_digit());
            return PieceKind::Param;
        }
        let tag = &rest[1..];
        let end = tag.find(|letter| !(is_word(letter) || letter.is_ascii_digit()));
        match end.filter(|end| tag[*end..].starts_with('$')) {
            None => PieceKind::Symbol,
            Some(end) => {
                let tag = &rest[..end + 2];
                self.skip(tag.len() - 1);
                if self.skip_past(tag) { PieceKind::Text } else { PieceKind::Unclear }
            }
        }
    }

    /// Up to the closing quote. A doubled quote is a part of it, and so is an escaped one.
    fn quoted(&mut self, quote: char, kind: PieceKind, escapes: bool) -> PieceKind {
        self.skip(quote.len_utf8());
        while let Some(letter) = self.letter() {
            if letter == quote {
                if !self.rest().starts_with(quote) {
                    return kind;
                }
                self.letter();
            } else if letter == '\\' && escapes {
                self.letter();
            }
        }
        PieceKind::Unclear
    }
}

/// In MySQL two dashes need a blank or a control character behind them.
fn is_alone(behind: &str) -> bool {
    behind.chars().next().is_none_or(|letter| is_blank(letter) || letter.is_ascii_control())
}

fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

pub(crate) fn is_word(letter: char) -> bool {
    letter.is_ascii_alphabetic() || letter == '_' || letter == '@' || !letter.is_ascii()
}

//! Pieces that count → tokens, with what is in quotes taken out of them.

use crate::dialect::Dialect;
use crate::lexer::{Piece, PieceKind, pieces};
use crate::quotes::unquoted;

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind<'a>,
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind<'a> {
    /// A keyword or a name.
    Word(&'a str),
    /// A name in quotes, without them.
    Quoted(String),
    /// A number.
    Number(&'a str),
    /// A text in quotes, without them.
    Text(String),
    /// A parameter, counted from 0.
    Param(usize),
    /// Anything else; `::` is one symbol.
    Symbol(&'a str),
    /// Text that has no end, or that only some versions of the server execute.
    Unclear(&'a str),
}

/// The tokens of a text.
pub fn tokens(text: &str, dialect: Dialect) -> Vec<Token<'_>> {
    let mut numbering = Numbering::new(dialect);
    pieces(text, dialect).filter_map(|piece| numbering.token(piece)).collect()
}

/// Turns pieces into tokens and counts parameters without a number.
pub(crate) struct Numbering {
    dialect: Dialect,
    params: usize,
}

impl Numbering {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self { dialect, params: 0 }
    }

    pub(crate) fn token<'a>(&mut self, piece: Piece<'a>) -> Option<Token<'a>> {
        let kind = match piece.kind {
            PieceKind::Blank | PieceKind::Comment | PieceKind::Mark => return None,
            PieceKind::Word => TokenKind::Word(piece.text),
            PieceKind::QuotedName => TokenKind::Quoted(unquoted(piece.text, self.dialect)),
            PieceKind::Number => TokenKind::Number(piece.text),
            PieceKind::Text => TokenKind::Text(unquoted(piece.text, self.dialect)),
            PieceKind::Param => TokenKind::Param(self.param(piece.text)),
            PieceKind::Symbol => TokenKind::Symbol(piece.text),
            PieceKind::Unclear => TokenKind::Unclear(piece.text),
        };
        Some(Token { kind, start: piece.start, end: piece.end() })
    }

    fn param(&mut self, written: &str) -> usize {
        let numbered = written[1..].parse().ok().and_then(|number: usize| number.checked_sub(1));
        numbered.unwrap_or_else(|| {
            self.params += 1;
            self.params - 1
        })
    }
}

//! A text without its comments.
//!
//! A parser that knows less about comments than the server reads what the server reads. Every other
//! byte stays where it is, so the places in error messages are right.

use std::borrow::Cow;

use crate::dialect::Dialect;
use crate::lexer::{PieceKind, pieces};

/// A place in a text that cannot be read in one way only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnclearTextError {
    /// As it is written.
    pub text: String,
}

impl std::fmt::Display for UnclearTextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown: String = self.text.chars().take(40).collect();
        match self.text.ends_with("*/") {
            true => write!(f, "which versions of the server execute {shown} is not known"),
            false => write!(f, "no end of {shown}"),
        }
    }
}

impl std::error::Error for UnclearTextError {}

/// The text with blanks instead of comments, and with what is executed in `/*! … */`.
///
/// # Errors
/// If a quote or a comment has no end, or if it depends on the server's version what is a comment.
pub fn plain(text: &str, dialect: Dialect) -> Result<Cow<'_, str>, UnclearTextError> {
    let blanked = |kind| matches!(kind, PieceKind::Comment | PieceKind::Mark);
    let mut out = Cow::Borrowed(text);
    for piece in pieces(text, dialect) {
        if piece.kind == PieceKind::Unclear {
            return Err(UnclearTextError { text: piece.text.to_owned() });
        }
        if blanked(piece.kind) {
            let blanks = " ".repeat(piece.text.len());
            out.to_mut().replace_range(piece.start..piece.end(), &blanks);
        }
    }
    Ok(out)
}

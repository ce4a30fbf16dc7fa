//! From bytes to a tree.

use super::error::{IsoError, IsoErrorKind, SpannedError};
use super::syntax::{File, Span};
use super::{parser, token};

/// The text of a level file, if it is text.
///
/// # Errors
/// If it is not UTF-8; `file` is what the error calls it.
pub fn utf8<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str, IsoError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let place = u32::try_from(offset).unwrap_or(u32::MAX);
        let span = Span { start: place, end: place };
        let text = String::from_utf8_lossy(bytes);
        SpannedError::new(span, IsoErrorKind::Utf8 { offset }).place(file, &text)
    })
}

/// The tree of a file, and its comments.
pub(super) fn read(file: &str, text: &str) -> Result<(File, Vec<Span>), IsoError> {
    let place = |error: SpannedError| error.place(file, text);
    let tokens = token::tokens(text).map_err(place)?;
    let tree = parser::file(text, &tokens).map_err(place)?;
    Ok((tree, tokens.comments))
}

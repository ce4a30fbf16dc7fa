//! Where in a file something stands, and the line to show for it.
//!
//! ```text
//! mine.iso:4:13: there is no relation or set `rww` here; did you mean `rw`?
//!   |
//! 4 |     acyclic rww | so
//!   |             ^^^
//! ```

use super::syntax::Span;

/// A place in a level file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in that line, in characters from 1.
    pub column: usize,
    /// The line as it stands in the file.
    pub source_line: String,
    /// How many characters of it are meant, at least 1.
    pub width: usize,
}

impl Place {
    /// Where in a text a span stands; if it covers several lines, its part of the first.
    pub(super) fn of(span: Span, file: &str, text: &str) -> Self {
        let start = floor(text, span.start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = floor(text, span.end).clamp(start, line_end);
        Self {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            source_line: text[line_start..line_end].trim_end_matches('\r').to_owned(),
            width: text[start..end].trim_end().chars().count().max(1),
        }
    }

    /// A message about this place, with the line and a caret under what is meant.
    pub(super) fn marked(&self, message: &str) -> String {
        let Self { file, line, column, .. } = self;
        let margin = " ".repeat(line.to_string().len());
        let (shown, indent, width) = self.window();
        let carets = "^".repeat(width);
        format!(
            "{file}:{line}:{column}: {message}\n{margin} |\n{line} | {shown}\n{margin} | {indent}{carets}"
        )
    }

    /// What is shown of the line, what stands before the carets, and how many of these there are.
    fn window(&self) -> (String, String, usize) {
        let line: Vec<char> = self.source_line.chars().collect();
        let column = (self.column - 1).min(line.len());
        let start = if line.len() <= SHOWN { 0 } else { column.saturating_sub(SHOWN / 2) };
        let end = line.len().min(start + SHOWN);
        let cut = |is_cut: bool| if is_cut { "…" } else { "" };
        let shown: String = line[start..end].iter().collect();
        // Tabs stay tabs, so that the caret stands under the mistake however wide they are.
        let blank = |c: &char| if *c == '\t' { '\t' } else { ' ' };
        let before: String = line[start..column].iter().map(blank).collect();
        let indent = format!("{}{before}", if start > 0 { " " } else { "" });
        let shown = format!("{}{shown}{}", cut(start > 0), cut(end < line.len()));
        (shown, indent, self.width.min((end - column).max(1)))
    }
}

/// How many characters of a line are shown.
const SHOWN: usize = 100;

/// The nearest place at or before `at` where a character starts.
fn floor(text: &str, at: u32) -> usize {
    let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    (0..=at).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0)
}

//! Writes a level file the way all level files are written.
//!
//! ```text
//!   level a:b{acyclic(x)// why      ──►      level a : b {
//!   }                                            acyclic x // why
//!                                            }
//! ```
//!
//! Doc lines and comments stay. A comment in the middle of a clause moves in front of it; one
//! behind a clause stays on its line. Blank lines stay too, one of several.

use super::error::IsoError;
use super::syntax::{Block, ClauseKind, Item, Span};
use super::{text, token};

/// The text of a level file in the usual layout. Names may mean anything: only the grammar
/// matters.
///
/// # Errors
/// If the text does not follow the grammar; `file` is what the error calls it.
pub fn format(file: &str, text: &str) -> Result<String, IsoError> {
    let (tree, comments) = text::read(file, text)?;
    let mut layout = Layout::new(text, &comments);
    for item in &tree.items {
        layout.item(item);
    }
    layout.comments_before(text.len(), 0);
    Ok(layout.out)
}

struct Layout<'a> {
    text: &'a str,
    /// Comments that are still to be written.
    comments: std::slice::Iter<'a, Span>,
    out: String,
    /// How much of the text has been written.
    at: usize,
    /// Whether nothing has been written yet, in the file or in a block.
    first: bool,
    /// Whether a blank line must come next.
    apart: bool,
}

impl<'a> Layout<'a> {
    fn new(text: &'a str, comments: &'a [Span]) -> Self {
        let comments = comments.iter();
        Self { text, comments, out: String::new(), at: 0, first: true, apart: false }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Let(own) => self.piece(own.span, 0, &own.doc, &own.to_string()),
            Item::Def(own) => self.piece(own.span, 0, &own.doc, &own.to_string()),
            Item::Block(block) => {
                self.apart = true;
                self.block(block);
                self.apart = true;
            }
        }
    }

    /// Something that fits on a line, or is its own lines.
    fn piece(&mut self, span: Span, indent: usize, doc: &str, text: &str) {
        self.comments_before(span.start as usize, indent);
        self.gap(span.start as usize);
        self.comments_inside(span.end as usize, indent);
        self.doc(doc, indent);
        self.lines(text, indent);
        self.at = span.end as usize;
        self.comment_behind();
    }

    fn block(&mut self, block: &Block) {
        self.comments_before(block.span.start as usize, 0);
        self.gap(block.span.start as usize);
        self.comments_inside(block.name.span.start as usize, 0);
        self.doc(&block.doc, 0);
        let parent = block.parent.as_ref().map(|name| format!(" : {}", name.text));
        let (keyword, parent) = (block.kind.keyword(), parent.unwrap_or_default());
        self.lines(&format!("{keyword} {}{parent} {{", block.name.text), 0);
        (self.at, self.first) = (block.name.span.end as usize, true);
        for clause in &block.clauses {
            let doc = match &clause.kind {
                ClauseKind::Let(own) => &own.doc,
                ClauseKind::Def(own) => &own.doc,
                _ => "",
            };
            self.piece(clause.span, 1, doc, &clause.kind.to_string());
        }
        self.comments_before(block.span.end as usize, 1);
        self.lines("}", 0);
        (self.at, self.first) = (block.span.end as usize, false);
        self.comment_behind();
    }

    /// Comments that stand by themselves up to here.
    fn comments_before(&mut self, end: usize, indent: usize) {
        while let Some(comment) = self.comment_up_to(end) {
            self.gap(comment.start as usize);
            self.lines(token::slice(self.text, comment), indent);
            self.at = comment.end as usize;
        }
    }

    /// Comments in the middle of something that comes next.
    fn comments_inside(&mut self, end: usize, indent: usize) {
        while let Some(comment) = self.comment_up_to(end) {
            self.lines(token::slice(self.text, comment), indent);
        }
    }

    /// A comment that follows on the same line.
    fn comment_behind(&mut self) {
        let Some(comment) = self.comments.as_slice().first() else { return };
        let between = self.text.get(self.at..comment.start as usize).unwrap_or("\n");
        if between.chars().all(|c| matches!(c, ' ' | '\t' | ',')) {
            self.comments.next();
            self.out.pop();
            self.out.push(' ');
            self.lines(token::slice(self.text, *comment), 0);
            self.at = comment.end as usize;
        }
    }

    fn comment_up_to(&mut self, end: usize) -> Option<Span> {
        let next = self.comments.as_slice().first().copied();
        let comment = next.filter(|comment| (comment.start as usize) < end)?;
        self.comments.next();
        Some(comment)
    }

    /// A blank line if there is one in the text, or if there must be one.
    fn gap(&mut self, next: usize) {
        let between = self.text.get(self.at..next).unwrap_or("");
        let lines: Vec<&str> = between.split('\n').collect();
        let inner = lines.get(1..lines.len() - 1).unwrap_or(&[]);
        let blank = self.apart || inner.iter().any(|line| line.trim().is_empty());
        if blank && !self.first {
            self.out.push('\n');
        }
        (self.apart, self.first) = (false, false);
    }

    fn doc(&mut self, doc: &str, indent: usize) {
        if doc.is_empty() {
            return;
        }
        for line in doc.split('\n') {
            self.lines(format!("/// {line}").trim_end(), indent);
        }
    }

    fn lines(&mut self, text: &str, indent: usize) {
        for line in text.split('\n') {
            if !line.is_empty() {
                self.out.push_str(&"    ".repeat(indent));
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests;

//! The part of YAML that dbcop uses: lists and mappings by indentation or in brackets, words, and
//! remarks. No anchors, no tags, no texts over several lines.
//!
//! ```text
//!   lines ──► Document (indentation, text) ──► Node (list · mapping · word, each with its line)
//! ```

use super::LineError;
use super::flow::Flow;
use super::node::{Content, DEEPEST, Node, unquoted};
use crate::error::{ContentError, quote};

/// The lines that say something.
#[derive(Debug, Default)]
pub(super) struct Document {
    lines: Vec<Line>,
}

/// What is left of a line, and how far it is indented.
#[derive(Debug)]
struct Line {
    number: u32,
    indent: usize,
    text: String,
}

impl Document {
    /// Adds a line.
    pub(super) fn line(&mut self, number: u32, text: &str) -> Result<(), ContentError> {
        let text = without_remark(text).trim_end();
        let indented = text.trim_start_matches(' ');
        if indented.starts_with('\t') {
            return Err(ContentError::new("a tab at the beginning of a line", "spaces"));
        }
        let is_start = self.lines.is_empty() && text == "---";
        if !indented.is_empty() && !is_start {
            let indent = text.len() - indented.len();
            self.lines.push(Line { number, indent, text: indented.to_owned() });
        }
        Ok(())
    }

    /// The whole document as one piece.
    pub(super) fn root(self) -> Result<Node, LineError> {
        let mut lines = self.lines;
        lines.reverse();
        let mut parser = Parser { lines, last: 1 };
        let root = parser.node(0)?;
        match parser.lines.last() {
            None => Ok(root),
            Some(line) => Err(problem(line, "the end of the document")),
        }
    }
}

/// The lines still to be read, the next one last.
struct Parser {
    lines: Vec<Line>,
    /// The line read last.
    last: u32,
}

impl Parser {
    /// Reads what starts at the next line.
    fn node(&mut self, depth: usize) -> Result<Node, LineError> {
        let Some(line) = self.lines.last() else {
            return Ok(Node { line: self.last, content: Content::Word(String::new()) });
        };
        let (number, indent) = (line.number, line.indent);
        if depth > DEEPEST {
            return Err(problem(line, "less nesting"));
        }
        let content = match line.text.as_str() {
            text if text.starts_with(['[', '{']) => return self.flow(),
            text if is_item(text) => Content::List(self.items(indent, depth)?),
            text if split_field(text).is_some() => Content::Mapping(self.entries(indent, depth)?),
            _ => Content::Word(self.take()),
        };
        Ok(Node { line: number, content })
    }

    /// Reads the items of a list.
    fn items(&mut self, indent: usize, depth: usize) -> Result<Vec<Node>, LineError> {
        let mut items = Vec::new();
        while self.lines.last().is_some_and(|line| line.indent == indent && is_item(&line.text)) {
            let number = self.number();
            self.step_into(1);
            items.push(match self.is_below(number, indent) {
                true => self.node(depth + 1)?,
                false => Node { line: number, content: Content::Word(String::new()) },
            });
        }
        self.nothing_deeper(indent)?;
        Ok(items)
    }

    /// Reads the fields of a mapping.
    fn entries(
        &mut self,
        indent: usize,
        depth: usize,
    ) -> Result<Vec<(u32, String, Node)>, LineError> {
        let mut entries = Vec::new();
        while let Some(line) = self.lines.last().filter(|line| line.indent == indent) {
            let Some((name, skip)) = split_field(&line.text) else { break };
            let (number, name) = (line.number, name.to_owned());
            self.step_into(skip);
            // The items of a list may stand right below the name of its field.
            let is_list = self.lines.last().is_some_and(|line| {
                line.number != number && line.indent == indent && is_item(&line.text)
            });
            let value = match is_list || self.is_below(number, indent) {
                true => self.node(depth + 1)?,
                false => Node { line: number, content: Content::Word(String::new()) },
            };
            entries.push((number, name, value));
        }
        self.nothing_deeper(indent)?;
        Ok(entries)
    }

    /// Reads what stands in brackets, over as many lines as it takes.
    fn flow(&mut self) -> Result<Node, LineError> {
        let mut flow = Flow::default();
        while let Some(line) = self.lines.pop() {
            self.last = line.number;
            if flow.line(line.number, &line.text)? {
                return flow.node(0);
            }
        }
        Err((self.last, ContentError::new("the end of the file", "] or }")))
    }

    /// The number of the next line.
    fn number(&self) -> u32 {
        self.lines.last().map_or(self.last, |line| line.number)
    }

    /// Takes the rest of the next line.
    fn take(&mut self) -> String {
        let line = self.lines.pop();
        line.map_or_else(String::new, |line| {
            self.last = line.number;
            line.text
        })
    }

    /// Skips the beginning of the next line; what follows counts as indented by that much.
    fn step_into(&mut self, skip: usize) {
        let Some(line) = self.lines.last_mut() else { return };
        let rest = line.text[skip..].trim_start();
        line.indent += line.text.len() - rest.len();
        line.text = rest.to_owned();
        if line.text.is_empty() {
            self.take();
        }
    }

    /// Whether the next line belongs to what started on a line with this number and indentation.
    fn is_below(&self, number: u32, indent: usize) -> bool {
        self.lines.last().is_some_and(|line| line.number == number || line.indent > indent)
    }

    fn nothing_deeper(&self, indent: usize) -> Result<(), LineError> {
        match self.lines.last() {
            Some(line) if line.indent > indent => {
                Err(problem(line, "something indented like the line above"))
            }
            _ => Ok(()),
        }
    }
}

fn problem(line: &Line, expected: &str) -> LineError {
    (line.number, ContentError::new(quote(&line.text), expected))
}

/// Whether a line starts an item of a list.
fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// The name of a field and where its value begins.
fn split_field(text: &str) -> Option<(&str, usize)> {
    let end = text.find(": ").or_else(|| text.ends_with(':').then(|| text.len() - 1))?;
    Some((unquoted(&text[..end]), end + 1))
}

/// A line without the remark at its end.
fn without_remark(text: &str) -> &str {
    let starts = |(at, _): &(usize, &str)| *at == 0 || text[..*at].ends_with([' ', '\t']);
    text.match_indices('#').find(starts).map_or(text, |(at, _)| &text[..at])
}

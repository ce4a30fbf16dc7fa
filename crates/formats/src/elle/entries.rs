//! The maps of a history one by one, be they within a vector or one after the other.
//!
//! A recorder that is killed leaves half a map behind. So a last line that ends within a map is set
//! aside with a warning. Within a vector that cannot happen: a vector is written when all is over.

use std::io::Read;

use super::form::{Form, Syntax};
use super::parser::{Bracket, Parser};
use super::text::{ElleError, Text};
use crate::TraceError;
use crate::error::quote;

/// The maps being read.
pub(super) struct Entries<'a, R> {
    parser: Parser<'a, R>,
    around: Around,
    seen_any: bool,
    /// What to tell about a last line that was cut off.
    pub(super) cut_off: Option<String>,
}

/// What stands around the maps.
#[derive(Clone, Copy)]
enum Around {
    /// Nothing was read yet.
    Unknown,
    Nothing,
    Vector(Bracket),
    /// A vector that was closed.
    Closed,
}

/// The pairs of a map, and the line it starts on.
pub(super) struct Map {
    pub(super) line: u32,
    pub(super) pairs: Vec<(Form, Form)>,
}

impl<'a, R: Read> Entries<'a, R> {
    pub(super) fn new(input: R, file: &'a str) -> Self {
        let parser = Parser::new(Text::new(input, file));
        Self { parser, around: Around::Unknown, seen_any: false, cut_off: None }
    }

    /// How the history is written.
    pub(super) fn syntax(&self) -> Syntax {
        self.parser.syntax()
    }

    /// The line that comes next.
    pub(super) fn line(&self) -> u32 {
        self.parser.text.place().line
    }

    /// The next map.
    pub(super) fn next(&mut self) -> Result<Option<Map>, TraceError> {
        loop {
            self.parser.blanks()?;
            self.parser.text.start_entry();
            let start = self.line();
            match self.step() {
                Ok(Step::Form(line, form)) => return self.map(line, form).map(Some),
                Ok(Step::Nothing) => {}
                Ok(Step::End) => return Ok(None),
                Err(ElleError::CutOff(_)) if self.is_last_line(start) => {
                    self.cut_off = Some(format!("line {start} is cut off and was ignored"));
                    return Ok(None);
                }
                Err(ElleError::CutOff(error) | ElleError::Wrong(error)) => return Err(error),
            }
        }
    }

    /// Whether the text ends on the line of an entry, and not on the first one.
    fn is_last_line(&self, start: u32) -> bool {
        matches!(self.around, Around::Nothing) && self.seen_any && start == self.line()
    }

    fn map(&mut self, line: u32, form: Form) -> Result<Map, TraceError> {
        self.seen_any = true;
        let Form::Map(pairs) = form else {
            let found = quote(&self.syntax().show(&form));
            let expected = "a map with the fields of an entry";
            return Err(TraceError::content(self.parser.text.file(), line, &found, expected));
        };
        Ok(Map { line, pairs })
    }

    fn step(&mut self) -> Result<Step, ElleError> {
        match self.around {
            Around::Unknown => {
                self.around = self.opening()?;
                Ok(Step::Nothing)
            }
            Around::Vector(bracket) => {
                if self.parser.closes(bracket)? {
                    self.around = Around::Closed;
                    return Ok(Step::Nothing);
                }
                if self.seen_any {
                    self.parser.separator(bracket)?;
                }
                self.item()
            }
            Around::Nothing if self.parser.text.peek()?.is_some() => self.item(),
            Around::Closed => match self.parser.text.peek()? {
                Some(byte) => Err(self.parser.unexpected(byte, "the end of the file").into()),
                None => Ok(Step::End),
            },
            Around::Nothing => Ok(Step::End),
        }
    }

    fn item(&mut self) -> Result<Step, ElleError> {
        let line = self.line();
        Ok(self.parser.item()?.map_or(Step::Nothing, |form| Step::Form(line, form)))
    }

    fn opening(&mut self) -> Result<Around, TraceError> {
        let text = &mut self.parser.text;
        if text.take_if(0xef)? && !(text.take_if(0xbb)? && text.take_if(0xbf)?) {
            return Err(text.wrong("byte 0xef at column 1", "a map or a vector of maps"));
        }
        self.parser.blanks()?;
        Ok(match self.parser.text.peek()? {
            Some(b'[') => Around::Vector(self.parser.open(b']')?),
            Some(b'(') => Around::Vector(self.parser.open(b')')?),
            _ => Around::Nothing,
        })
    }
}

/// What was found next.
enum Step {
    /// A form, and the line it starts on.
    Form(u32, Form),
    /// Something that says nothing.
    Nothing,
    End,
}

//! One line of the log, put together field by field.

use std::io::Write;

use crate::value::{Value, write_text};

/// A JSON object that is being written at the end of a buffer.
pub(crate) struct Line<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

impl<'a> Line<'a> {
    /// An empty object.
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, first: true }
    }

    fn name(&mut self, name: &str) -> &mut Vec<u8> {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
        write_text(self.out, name);
        self.out.push(b':');
        self.out
    }

    /// Adds a field with a number.
    pub(crate) fn number(&mut self, name: &str, number: impl Into<u128>) -> &mut Self {
        let number: u128 = number.into();
        // Writing to a vector does not fail.
        let _ = write!(self.name(name), "{number}");
        self
    }

    /// Adds a field with a string.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> &mut Self {
        write_text(self.name(name), text);
        self
    }

    /// Adds a field with a string. Does nothing if the string is `None`.
    pub(crate) fn maybe(&mut self, name: &str, text: Option<&str>) -> &mut Self {
        if let Some(text) = text {
            self.text(name, text);
        }
        self
    }

    /// Something that is true.
    pub(crate) fn flag(&mut self, name: &str, truth: bool) -> &mut Self {
        if truth {
            self.raw(name, b"true");
        }
        self
    }

    /// A list of values.
    pub(crate) fn values(&mut self, name: &str, values: &[Value]) -> &mut Self {
        let out = self.name(name);
        write_values(out, values);
        self
    }

    /// Something that is JSON already.
    pub(crate) fn raw(&mut self, name: &str, json: &[u8]) -> &mut Self {
        self.name(name).extend_from_slice(json);
        self
    }

    /// Something that is written by others.
    pub(crate) fn with(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        write(self.name(name));
        self
    }

    /// Closes the object, without an end of line.
    pub(crate) fn close(&mut self) {
        self.out.push(b'}');
    }

    /// Closes the object and ends the line.
    pub(crate) fn end(&mut self) {
        self.close();
        self.out.push(b'\n');
    }
}

/// Appends a list of values as JSON.
pub(crate) fn write_values(out: &mut Vec<u8>, values: &[Value]) {
    out.push(b'[');
    for (place, value) in values.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        value.write_json(out);
    }
    out.push(b']');
}

//! Prints one JSON object on one line, field by field, in the order given.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::content::Shown;
use tristan_history::{Datum, History, KeyId, ValueId};

/// An object being printed.
pub(crate) struct Object<'a, W> {
    out: &'a mut W,
    empty: bool,
}

impl<'a, W: Write> Object<'a, W> {
    /// Opens the object.
    pub(crate) fn open(out: &'a mut W) -> io::Result<Self> {
        out.write_all(b"{")?;
        Ok(Self { out, empty: true })
    }

    /// Prints one field.
    pub(crate) fn field<V: Serialize + ?Sized>(&mut self, name: &str, value: &V) -> io::Result<()> {
        let before: &[u8] = if self.empty { b"\"" } else { b",\"" };
        self.empty = false;
        self.out.write_all(before)?;
        self.out.write_all(name.as_bytes())?;
        self.out.write_all(b"\":")?;
        serde_json::to_writer(&mut *self.out, value).map_err(io::Error::from)
    }

    /// Prints a field that may be missing.
    pub(crate) fn maybe<V: Serialize>(&mut self, name: &str, value: Option<V>) -> io::Result<()> {
        value.map_or(Ok(()), |value| self.field(name, &value))
    }

    /// Prints `"name":true`, or nothing.
    pub(crate) fn flag(&mut self, name: &str, set: bool) -> io::Result<()> {
        self.maybe(name, set.then_some(true))
    }

    /// Closes the object and the line.
    pub(crate) fn close(self) -> io::Result<()> {
        self.out.write_all(b"}\n")
    }
}

/// Elements as the client saw them.
pub(crate) fn values<'a>(history: &'a History, ids: &[ValueId]) -> Vec<Cow<'a, Datum>> {
    ids.iter().map(|id| history.value(*id)).collect()
}

/// Values as they are printed.
pub(crate) fn shown<'a>(values: &'a [Cow<'_, Datum>]) -> Vec<Shown<'a>> {
    values.iter().map(|value| Shown(value)).collect()
}

/// Items as they are printed.
pub(crate) fn shown_pairs<'a>(
    pairs: &'a [(&Datum, Cow<'_, Datum>)],
) -> Vec<(&'a Datum, Shown<'a>)> {
    pairs.iter().map(|(key, value)| (*key, Shown(value))).collect()
}

/// Items as the client saw them.
pub(crate) fn pairs<'a>(
    history: &'a History,
    items: &[(KeyId, ValueId)],
) -> Vec<(&'a Datum, Cow<'a, Datum>)> {
    items.iter().map(|(key, value)| (history.key(*key), history.value(*value))).collect()
}

//! One map of a history, field by field.

use super::entries::Map;
use super::form::{Form, Syntax};
use crate::error::{ContentError, quote};
use tristan_history::Datum;

/// An entry as written. Fields that say nothing about a transaction are left out.
pub(super) struct Entry {
    pub(super) line: u32,
    pub(super) kind: Kind,
    pub(super) process: Option<Datum>,
    /// The name of what is done: `txn`, or something of another workload.
    pub(super) function: Option<Form>,
    pub(super) value: Option<Form>,
    pub(super) index: Option<i64>,
    /// When it was noted, in nanoseconds.
    pub(super) time: Option<i64>,
    pub(super) error: Option<String>,
}

/// What an entry tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `:invoke`: the client asks.
    Invoke,
    /// It was done.
    Ok,
    /// It was surely not done.
    Fail,
    /// The outcome is unknown.
    Info,
}

/// The fields that are looked at.
const FIELDS: [&str; 7] = ["type", "process", "f", "value", "index", "time", "error"];

impl Entry {
    /// Reads a map.
    pub(super) fn read(map: Map, syntax: Syntax) -> Result<Self, ContentError> {
        let mut fields: [Option<Form>; FIELDS.len()] = Default::default();
        for (name, value) in map.pairs {
            let Some(place) = FIELDS.iter().position(|field| name.word() == Some(field)) else {
                continue;
            };
            if fields[place].replace(value).is_some() {
                return Err(ContentError::new(
                    format!("{} twice", syntax.name(FIELDS[place])),
                    "it once",
                ));
            }
        }
        let [kind, process, function, value, index, time, error] =
            fields.map(|field| field.filter(|form| *form != Form::Nil));
        Ok(Self {
            line: map.line,
            kind: read_kind(kind, syntax)?,
            process: process.map(|form| read_process(form, syntax)).transpose()?,
            function,
            value,
            index: index.map(|form| read_number("index", &form, syntax)).transpose()?,
            time: time.map(|form| read_number("time", &form, syntax)).transpose()?,
            error: error.map(|form| form.spoken(syntax)),
        })
    }

    /// Whether this is about a fault that was injected.
    pub(super) fn is_nemesis(&self) -> bool {
        matches!(&self.process, Some(Datum::Text(name)) if **name == *"nemesis")
    }

    /// Whether it names itself a transaction, or says nothing to the contrary.
    pub(super) fn is_txn(&self) -> bool {
        self.function.as_ref().is_none_or(|function| function.word() == Some("txn"))
    }

    /// Everything it says, for a note.
    pub(super) fn remark(&self, syntax: Syntax) -> String {
        let said = [&self.function, &self.value].into_iter().flatten();
        let said: Vec<String> = said.map(|form| form.spoken(syntax)).collect();
        said.into_iter().chain(self.error.clone()).collect::<Vec<_>>().join(" ")
    }
}

impl Kind {
    const ALL: [(&'static str, Self); 4] =
        [("invoke", Self::Invoke), ("ok", Self::Ok), ("fail", Self::Fail), ("info", Self::Info)];

    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

fn read_kind(form: Option<Form>, syntax: Syntax) -> Result<Kind, ContentError> {
    let name = syntax.name("type");
    let [invoke, ok, fail, info] = Kind::ALL.map(|(word, _)| syntax.name(word));
    let expected = format!("{invoke}, {ok}, {fail} or {info}");
    let Some(form) = form else {
        return Err(ContentError::new(format!("an entry without {name}"), expected));
    };
    let known = Kind::ALL.iter().find(|(word, _)| form.word() == Some(word));
    let found = || format!("{name} {}", quote(&syntax.show(&form)));
    known.map(|(_, kind)| *kind).ok_or_else(|| ContentError::new(found(), expected))
}

fn read_process(form: Form, syntax: Syntax) -> Result<Datum, ContentError> {
    match form {
        Form::Int(number) => Ok(Datum::Int(number)),
        Form::Text(name) | Form::Keyword(name) => Ok(Datum::Text(name)),
        other => {
            let found = format!("{} {}", syntax.name("process"), quote(&syntax.show(&other)));
            Err(ContentError::new(found, "the number of a process"))
        }
    }
}

fn read_number(name: &str, form: &Form, syntax: Syntax) -> Result<i64, ContentError> {
    let number = match form {
        Form::Int(number) => i64::try_from(*number).ok(),
        _ => None,
    };
    number.ok_or_else(|| {
        let found = format!("{} {}", syntax.name(name), quote(&syntax.show(form)));
        ContentError::new(found, "an integer below 2^63")
    })
}

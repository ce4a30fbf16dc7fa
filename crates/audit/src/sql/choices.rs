//! What the server is free to decide, and what only it knows.

use std::fmt;

use tristan_sql::{Choices, ObservedValue, Open, Prepared, TableId, Value};

use crate::statement::Script;

/// Something that the log does not show.
#[derive(Clone, Debug)]
pub(crate) enum Guess {
    /// A value that only the server knows.
    Value(&'static str),
    /// What the collation of the server says about texts, in words.
    Comparison(String),
}

impl Guess {
    /// What the collation says about two texts; the same text twice if it is not known which others equal it.
    pub(super) fn comparison(a: &str, b: &str) -> Self {
        Self::Comparison(match a == b {
            true => format!("how the server's collation treats {a:?}"),
            false => format!("how the server's collation compares {a:?} and {b:?}"),
        })
    }
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(what) => f.write_str(what),
            Self::Comparison(what) => f.write_str(what),
        }
    }
}

/// Answers from a script. Numbers of a sequence are those that an INSERT was seen to return; otherwise they are
/// guessed, among all numbers that were observed if there are any.
pub(super) struct Scripted<'a> {
    script: &'a mut Script,
    prepared: &'a Prepared,
    observed: &'a [Vec<ObservedValue>],
    fresh: u64,
    numbers: usize,
    /// What was guessed.
    pub(super) guessed: Option<Guess>,
}

impl<'a> Scripted<'a> {
    pub(super) fn new(
        script: &'a mut Script,
        prepared: &'a Prepared,
        observed: &'a [Vec<ObservedValue>],
        fresh: u64,
    ) -> Self {
        Self { script, prepared, observed, fresh, numbers: 0, guessed: None }
    }

    /// The next number of the sequence of a column.
    fn number(&mut self, table: TableId, column: usize) -> Value {
        let row = self.observed.get(self.numbers).map_or(&[][..], Vec::as_slice);
        self.numbers += 1;
        let shown = self.prepared.shows(table, column).and_then(|place| row.get(place));
        if let Some(number) = shown.and_then(whole) {
            return Value::Int(number);
        }
        self.guessed = Some(Guess::Value("a sequence value"));
        let numbers: Vec<i64> = row.iter().filter_map(whole).collect();
        match numbers.as_slice() {
            [] => Value::Int(guess(self.fresh, self.numbers)),
            [one] => Value::Int(*one),
            several => Value::Int(several[self.script.choose(several.len())]),
        }
    }
}

/// The whole number that a client saw.
fn whole(value: &ObservedValue) -> Option<i64> {
    match value {
        ObservedValue::Int(number) => i64::try_from(*number).ok(),
        ObservedValue::Text(text) => text.parse().ok(),
        _ => None,
    }
}

/// A number that no other row has.
fn guess(fresh: u64, number: usize) -> i64 {
    let serial = i64::try_from(fresh >> 24).unwrap_or(0);
    let row = i64::try_from(fresh & 0x00ff_ffff).unwrap_or(0) + i64::try_from(number).unwrap_or(0);
    1_000_000_000 + (serial * 64 + row) % 1_000_000_000
}

impl Choices for Scripted<'_> {
    fn choose(&mut self, alternatives: usize) -> usize {
        self.script.choose(alternatives)
    }

    fn open(&mut self, what: &Open) -> Value {
        let (value, name) = match what {
            Open::Sequence { table, column } => return self.number(*table, *column),
            Open::Now => (Value::Timestamp(0), "the time"),
            Open::Instant => (Value::Instant(0), "the time"),
            Open::Today => (Value::Date(0), "the day"),
            Open::Random => (Value::Double(0.5), "a random number"),
            Open::LastInsertId => (Value::Int(0), "the last sequence value"),
            _ => (Value::Null, "a value that the server chose"),
        };
        self.guessed = Some(Guess::Value(name));
        value
    }

    fn collate(&mut self, a: &str, b: &str) {
        self.guessed = Some(Guess::comparison(a, b));
    }
}

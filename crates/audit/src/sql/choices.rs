//! What the server is free to decide, and what only it knows.

use std::cell::RefCell;
use std::fmt;

use tristan_sql::{
    Choices, ErrorClass, Numbering, ObservedValue, Open, Sequence, ServerError, TableId, Type,
    Value,
};

use super::server::{Place, Server};
use crate::model::{NEVER, Time};
use crate::statement::{Expected, Script, Statement};

/// Microseconds of a second, and of a day.
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// When logs begin, as far as nothing else is known: in 2025.
const EPOCH: i64 = 20_089 * DAY;

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

/// Answers from a script. Values of the server's own are those that the statement was seen to show; otherwise they are
/// predicted, among all numbers that were observed if there are any.
pub(super) struct Scripted<'a> {
    script: &'a mut Script,
    statement: &'a Statement,
    observed: &'a [Vec<ObservedValue>],
    server: &'a RefCell<Server>,
    serial: u64,
    /// How many values were asked for.
    asked: usize,
    /// How many numbers each column, or each sequence in an expression, was given.
    counts: Vec<(Counted, usize)>,
    /// How many random identifiers there are.
    identifiers: usize,
    /// The first number that AUTO_INCREMENT gave, and how many it gave.
    counted: Option<(Sequence, i64, u32)>,
    /// What was guessed.
    pub(super) guessed: Option<Guess>,
}

/// What numbers are counted for.
type Counted = Result<(TableId, usize), tristan_sql::SequenceId>;

impl<'a> Scripted<'a> {
    pub(super) fn new(
        script: &'a mut Script,
        statement: &'a Statement,
        observed: &'a [Vec<ObservedValue>],
        server: &'a RefCell<Server>,
        serial: u64,
    ) -> Self {
        Self {
            script,
            statement,
            observed,
            server,
            serial,
            asked: 0,
            counts: Vec::new(),
            identifiers: 0,
            counted: None,
            guessed: None,
        }
    }

    /// The place of the log for the value that is asked for now.
    fn place(&mut self) -> Place {
        self.asked += 1;
        (self.serial, self.statement.call, self.asked)
    }

    fn is_strict(&self) -> bool {
        self.statement.plan.catalog.dialect().is_strictly_typed()
    }

    /// How many numbers were given for the same before.
    fn count(&mut self, what: Counted) -> usize {
        if let Some((_, count)) = self.counts.iter_mut().find(|(other, _)| *other == what) {
            *count += 1;
            return *count - 1;
        }
        self.counts.push((what, 1));
        0
    }

    /// The next number of a sequence.
    fn next(
        &mut self,
        sequence: &Sequence,
        column: Option<(TableId, usize)>,
        by_zero: bool,
    ) -> Result<i64, ServerError> {
        let at = self.place();
        let prepared = &self.statement.plan.prepared;
        let count = self.count(column.ok_or(sequence.id()));
        let (row, shown) = match column {
            Some((table, column)) => (self.observed.get(count), prepared.shows(table, column)),
            None => {
                (self.observed.first(), prepared.shows_numbers(sequence.id()).get(count).copied())
            }
        };
        let row = row.map_or(&[][..], Vec::as_slice);
        let number = match shown.and_then(|place| row.get(place)).and_then(whole) {
            Some(number) => {
                let inserts = column.is_some();
                self.server.borrow_mut().showed(at, sequence, number, inserts);
                // The rows of a query may have been inserted in another order.
                if self.observed.len() > 1 && prepared.inserts_rows_of_a_query() {
                    self.guess("a sequence value");
                }
                number
            }
            None => {
                self.guess("a sequence value");
                let next = self.server.borrow_mut().next(at, sequence)?;
                let numbers: Vec<i64> = row.iter().filter_map(whole).collect();
                match numbers.as_slice() {
                    [] => next,
                    some if some.contains(&next) => next,
                    [one] => {
                        self.server.borrow_mut().correct(at, sequence, *one);
                        *one
                    }
                    several => several[self.script.choose(several.len())],
                }
            }
        };
        if by_zero && shown.is_none() {
            self.guess("a sequence value");
        }
        let session = self.statement.around.session;
        match &mut self.counted {
            _ if !sequence.follows() => {
                self.server.borrow_mut().give(session, at, Some(sequence.id()), number);
            }
            Some((_, _, rows)) => *rows += 1,
            None => {
                self.counted = Some((sequence.clone(), number, 1));
                self.server.borrow_mut().give(session, at, None, number);
            }
        }
        Ok(number)
    }

    /// The statement is over.
    pub(super) fn finish(&mut self) {
        if let Some((sequence, first, rows)) = self.counted.take()
            && self.statement.plan.prepared.inserts_rows_of_a_query()
        {
            let at = (self.serial, self.statement.call, 0);
            self.server.borrow_mut().took_in_bulk(at, &sequence, first, rows);
        }
    }

    fn guess(&mut self, what: &'static str) {
        self.guessed = Some(Guess::Value(what));
    }

    /// The number that the session was given last, by one sequence or by any.
    fn last(&mut self, sequence: Option<&Sequence>) -> Result<Value, ServerError> {
        let at = self.place();
        self.guess("the last sequence value");
        let named = sequence.map(Sequence::id);
        let by = |other: Option<_>| other.is_some() && (named.is_none() || other == named);
        match self.server.borrow().last(self.statement.around.session, at, by) {
            Some(number) => Ok(Value::Int(number)),
            None if self.is_strict() => {
                let detail = "the session has no number of the sequence yet".to_owned();
                Err(ServerError { class: ErrorClass::NoNumberYet, detail })
            }
            None => Ok(Value::Null),
        }
    }

    /// The time, as one of the functions about it tells it.
    fn time(&mut self, what: &Open) -> Value {
        let plan = &self.statement.plan;
        let shown = plan.prepared.shows_value(&plan.catalog, what);
        let seen = shown.and_then(|place| self.observed.first()?.get(place));
        if let Some(value) = seen.and_then(|seen| what.read(seen)) {
            if let Value::Instant(begin) = value
                && *what == Open::Instant
            {
                self.server.borrow_mut().begins.entry(self.serial).or_insert(begin);
            }
            // In another time zone, it is not known what else is made of the same time.
            if self.is_strict() && !plan.catalog.is_in_utc() {
                self.guess("the time");
            }
            return value;
        }
        self.guess(if *what == Open::Today { "the day" } else { "the time" });
        let now = self.predicted_time(what);
        match what {
            Open::Today => Value::Date(i32::try_from(now.div_euclid(DAY)).unwrap_or(0)),
            Open::Now => Value::Timestamp(now),
            _ => Value::Instant(now),
        }
    }

    /// Microseconds since 1970. Time stands still in a transaction of PostgreSQL, and in a statement of MySQL, which
    /// counts whole seconds.
    fn predicted_time(&mut self, what: &Open) -> i64 {
        let around = &self.statement.around;
        // Logs without times have transactions one after the other, too.
        let serial = i64::try_from(self.serial).unwrap_or(0);
        let micros = |time: Time| EPOCH.saturating_add(time / 1000).saturating_add(serial);
        match what {
            _ if !self.is_strict() => micros(around.begin).div_euclid(SECOND) * SECOND,
            Open::StatementStart => micros(around.begin),
            Open::Clock => {
                let end = if around.end == NEVER { around.begin } else { around.end };
                let (_, _, asked) = self.place();
                micros(end) + i64::try_from(asked).unwrap_or(0)
            }
            _ => {
                let begins = &mut self.server.borrow_mut().begins;
                *begins.entry(self.serial).or_insert(micros(around.txn))
            }
        }
    }

    /// A random identifier that no other row has.
    fn identifier(&mut self, what: &Open) -> Value {
        let plan = &self.statement.plan;
        let (serial, call, asked) = self.place();
        let row = self.observed.get(self.identifiers);
        self.identifiers += 1;
        let shown = plan.prepared.shows_value(&plan.catalog, what);
        let seen = shown.and_then(|place| row?.get(place));
        if let Some(value) = seen.and_then(|seen| what.read(seen)) {
            if self.observed.len() > 1 {
                self.guess("a random identifier");
            }
            return value;
        }
        self.guess("a random identifier");
        let number =
            u128::from(serial) << 32 | (call as u128 & 0xffff) << 16 | asked as u128 & 0xffff;
        let value =
            Value::Uuid((number & 0xffff_ffff_ffff) | 4 << 76 | 2 << 62 | (number >> 48) << 80);
        match (what, ObservedValue::of(&value, Type::Uuid)) {
            (Open::UuidText, ObservedValue::Text(text)) => Value::Text(text.into()),
            _ => value,
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

impl Choices for Scripted<'_> {
    fn choose(&mut self, alternatives: usize) -> usize {
        self.script.choose(alternatives)
    }

    fn may_fail(&self) -> bool {
        // A routine may have handled an error.
        matches!(self.statement.expected, Expected::Error(_)) || self.statement.reach.anything
    }

    fn open(&mut self, what: &Open) -> Value {
        let around = self.statement.around;
        let before = (self.serial, self.statement.call, 0);
        let (value, name) = match what {
            Open::Now | Open::Instant | Open::StatementStart | Open::Clock | Open::Today => {
                return self.time(what);
            }
            Open::Uuid | Open::UuidText => return self.identifier(what),
            Open::Random => (Value::Double(0.5), "a random number"),
            Open::LastInsertId => {
                let last = self.server.borrow().last(around.session, before, |by| by.is_none());
                (Value::Int(last.unwrap_or(0)), "the last sequence value")
            }
            Open::RowCount => {
                (around.changed.map_or(Value::Null, Value::Int), "the number of changed rows")
            }
            Open::FoundRows => {
                let counted = || self.server.borrow().last_found(around.session, before);
                let found = around.found.or_else(counted);
                (found.map_or(Value::Null, Value::Int), "the number of rows that were found")
            }
            _ => (Value::Null, "a value that the server chose"),
        };
        self.guess(name);
        value
    }

    fn number(&mut self, asked: Numbering<'_>) -> Result<Value, ServerError> {
        let session = self.statement.around.session;
        match asked {
            Numbering::Next { sequence, column, by_zero } => {
                self.next(sequence, column, by_zero).map(Value::Int)
            }
            Numbering::Current { sequence } => self.last(Some(sequence)),
            Numbering::Last => self.last(None),
            Numbering::Set { sequence, value, used } => {
                let at = self.place();
                self.guess("a sequence value");
                if !sequence.holds(value) {
                    let detail = "a number beyond the bounds of the sequence".to_owned();
                    return Err(ServerError { class: ErrorClass::OutOfRange, detail });
                }
                let back = self.is_strict();
                let server = &mut *self.server.borrow_mut();
                if !server.set(at, sequence, (value, used), back) {
                    return Ok(Value::Null);
                }
                if used && back {
                    server.give(session, at, Some(sequence.id()), value);
                }
                Ok(Value::Int(value))
            }
            Numbering::Remember { value } => {
                let at = self.place();
                self.server.borrow_mut().give(session, at, None, value);
                Ok(Value::Int(value))
            }
            Numbering::Given { sequence, value } => {
                let at = self.place();
                let server = &mut *self.server.borrow_mut();
                server.tell(at, value, |numbers| numbers.given(sequence, value));
                Ok(Value::Int(value))
            }
            Numbering::Restart { sequence } => {
                let at = self.place();
                let server = &mut *self.server.borrow_mut();
                server.tell(at, 0, |numbers| numbers.restart(sequence));
                Ok(Value::Null)
            }
            _ => Ok(Value::Null),
        }
    }

    fn collate(&mut self, a: &str, b: &str) {
        self.guessed = Some(Guess::comparison(a, b));
    }
}

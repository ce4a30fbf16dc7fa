//! What the server is free to decide.
//!
//! Ground: knows values and the numbers of tables only. A statement that meets a choice asks
//! [`Choices`]; run again with other answers, it shows its other possibilities.

use crate::error::ServerError;
use crate::observed::ObservedValue;
use crate::rows::TableId;
use crate::sequence::{Numbering, Numbers};
use crate::value::{Value, format_uuid, parse_date, parse_instant, parse_timestamp, parse_uuid};

/// Decides what the server is free to decide.
pub trait Choices {
    /// One of several possibilities, counted from zero. There are at least two.
    fn choose(&mut self, alternatives: usize) -> usize;

    /// Whether it matters that a statement may end in an error which the server need not meet. If the caller knows that
    /// the statement did not fail, what the server may look at before it needs to is not looked at.
    fn may_fail(&self) -> bool {
        true
    }

    /// A value of the server's own.
    fn open(&mut self, what: &Open) -> Value;

    /// How two texts compare depends on the server's collation, which is not known; a guess is used. The
    /// texts are the same if it is not known which others equal them.
    fn collate(&mut self, _a: &str, _b: &str) {}

    /// Whether INSERT IGNORE stores a row whose foreign key refers to no row that is known; `None` if that must not
    /// be left open.
    fn stores_orphan(&mut self) -> Option<bool> {
        Some(self.choose(2) == 1)
    }

    /// Asks a sequence for a number, or tells it one.
    ///
    /// # Errors
    /// If the server refuses.
    fn number(&mut self, asked: Numbering<'_>) -> Result<Value, ServerError> {
        Ok(match asked {
            Numbering::Next { column: Some((table, column)), .. } => {
                self.open(&Open::Sequence { table, column })
            }
            Numbering::Set { value, .. } | Numbering::Remember { value } => Value::Int(value),
            _ => Value::Null,
        })
    }
}

/// A value that only the server knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Open {
    /// The next number of a column's sequence.
    Sequence {
        /// The table that the sequence belongs to.
        table: TableId,
        /// The position of the column in the table.
        column: usize,
    },
    /// The time of the statement or the transaction, in the time zone of the session.
    Now,
    /// The moment of the statement or the transaction.
    Instant,
    /// A random identifier.
    Uuid,
    /// The same as a text.
    UuidText,
    /// The day of the statement or the transaction.
    Today,
    /// A number between 0 and 1.
    Random,
    /// The last number of a sequence that this connection was given.
    LastInsertId,
    /// The moment at which the statement began.
    StatementStart,
    /// The moment at which the value is computed.
    Clock,
    /// How many rows the statement before this one changed (`ROW_COUNT()`).
    RowCount,
    /// How many rows the query before this one found (`FOUND_ROWS()`).
    FoundRows,
}

impl Open {
    /// The value that a client saw, if it can be read.
    pub fn read(&self, seen: &ObservedValue) -> Option<Value> {
        match (self, seen) {
            (Self::Now, ObservedValue::Text(text)) => parse_timestamp(text).map(Value::Timestamp),
            (Self::Instant | Self::StatementStart, ObservedValue::Text(text)) => {
                parse_instant(text).map(Value::Instant)
            }
            (Self::Today, ObservedValue::Text(text)) => parse_date(text).map(Value::Date),
            (Self::Uuid, ObservedValue::Text(text)) => parse_uuid(text).map(Value::Uuid),
            (Self::UuidText, ObservedValue::Text(text)) => Some(Value::Text(text.as_str().into())),
            _ => None,
        }
    }
}

/// Always makes the first choice. Sequences count without gaps, and the time is the beginning of 1970.
#[derive(Debug, Clone, Default)]
pub struct FirstChoice {
    numbers: Numbers,
    last: Option<i64>,
    opened: bool,
}

impl FirstChoice {
    /// Whether a value was asked for, since this was asked last, that is certainly another one.
    pub fn take_opened(&mut self) -> bool {
        std::mem::take(&mut self.opened)
    }

    /// How far the sequences have come.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }
}

impl Choices for FirstChoice {
    fn choose(&mut self, _alternatives: usize) -> usize {
        0
    }

    fn stores_orphan(&mut self) -> Option<bool> {
        None
    }

    fn open(&mut self, what: &Open) -> Value {
        self.opened = true;
        match what {
            Open::Sequence { .. } => Value::Int(1),
            Open::Now => Value::Timestamp(0),
            Open::Instant | Open::StatementStart | Open::Clock => Value::Instant(0),
            Open::Uuid => Value::Uuid(0),
            Open::UuidText => Value::Text(format_uuid(0).into()),
            Open::Today => Value::Date(0),
            Open::Random => Value::Double(0.5),
            Open::LastInsertId => Value::Int(self.last.unwrap_or(0)),
            Open::RowCount | Open::FoundRows => Value::Int(0),
        }
    }

    fn number(&mut self, asked: Numbering<'_>) -> Result<Value, ServerError> {
        let number = match asked {
            Numbering::Next { sequence, by_zero, .. } => {
                self.opened |= by_zero;
                let next = self.numbers.next(sequence)?;
                self.last = Some(next);
                next
            }
            Numbering::Current { .. } | Numbering::Last => match self.last {
                Some(last) => last,
                None => return Ok(Value::Null),
            },
            Numbering::Set { sequence, value, used } => {
                self.numbers.set(sequence, value, used);
                value
            }
            Numbering::Remember { value } => {
                self.last = Some(value);
                value
            }
            Numbering::Given { sequence, value } => {
                self.numbers.given(sequence, value);
                value
            }
            Numbering::Restart { sequence } => {
                self.numbers.restart(sequence);
                return Ok(Value::Null);
            }
        };
        Ok(Value::Int(number))
    }
}

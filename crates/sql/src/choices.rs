//! What the server is free to decide.
//!
//! Ground: knows values and the numbers of tables only. A statement that meets a choice asks
//! [`Choices`]; run again with other answers, it shows its other possibilities.

use std::collections::BTreeMap;

use crate::rows::TableId;
use crate::value::Value;

/// Decides what the server is free to decide.
pub trait Choices {
    /// One of several possibilities, counted from zero. There are at least two.
    fn choose(&mut self, alternatives: usize) -> usize;

    /// A value of the server's own.
    fn open(&mut self, what: &Open) -> Value;

    /// How two texts compare depends on the server's collation, which is not known; a guess is used. The
    /// texts are the same if it is not known which others equal them.
    fn collate(&mut self, _a: &str, _b: &str) {}
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
    /// The day of the statement or the transaction.
    Today,
    /// A number between 0 and 1.
    Random,
    /// The last number of a sequence that this connection was given.
    LastInsertId,
}

/// Takes the first of all possibilities; sequences count from one, and it is always 1970.
#[derive(Debug, Clone, Default)]
pub struct FirstChoice {
    sequences: BTreeMap<(TableId, usize), i64>,
    opened: bool,
}

impl FirstChoice {
    /// Whether a value was asked for, since this was asked last, that is certainly another one.
    pub fn take_opened(&mut self) -> bool {
        std::mem::take(&mut self.opened)
    }
}

impl Choices for FirstChoice {
    fn choose(&mut self, _alternatives: usize) -> usize {
        0
    }

    fn open(&mut self, what: &Open) -> Value {
        self.opened |= !matches!(what, Open::Sequence { .. });
        match what {
            Open::Sequence { table, column } => {
                let next = self.sequences.entry((*table, *column)).or_default();
                *next += 1;
                Value::Int(*next)
            }
            Open::Now => Value::Timestamp(0),
            Open::Instant => Value::Instant(0),
            Open::Uuid => Value::Uuid(0),
            Open::Today => Value::Date(0),
            Open::Random => Value::Double(0.5),
            Open::LastInsertId => {
                Value::Int(self.sequences.values().next_back().copied().unwrap_or(0))
            }
        }
    }
}

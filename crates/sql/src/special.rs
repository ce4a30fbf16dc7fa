//! Types of MySQL's columns whose values are one thing in a text, and another in a number.
//!
//! | column | kept as | in a number | sorted by |
//! |---|---|---|---|
//! | `ENUM('s', 'l')` | the text of a label | the place of the label, from 1 | that number |
//! | `SET('r', 'w')` | the labels, with commas between | a bit for each label | that number |
//! | `YEAR` | a number | the number | the number |
//! | `BIT(4)` | a number | the number | the number |
//! | `INET6` | the text of the address | | |
//! | `BLOB`, `BINARY(4)`, `VARBINARY(4)` | bytes | | the bytes |
//!
//! So an expression of such a type is refused, unless what stands around it says which of the two is meant
//! (`bind/specials.rs`).
//!
//! Ground: knows collations.

use std::sync::{Mutex, PoisonError};

use crate::value::Collation;

/// A type that depends on what it is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// One of several labels, compared in this way if the column says so.
    One(Labels, Option<Collation>),
    /// Some of several labels.
    Many(Labels, Option<Collation>),
    /// A year.
    Year,
    /// This many bits, up to 63.
    Bits(u8),
    /// An address of the Internet, in the form in which the server writes it.
    Inet6,
    /// Bytes: at most so many; filled up with zeros if they are fewer.
    Bytes {
        /// The most bytes, if there is a limit.
        limit: Option<u32>,
        /// Whether there are always that many.
        padded: bool,
    },
}

/// The labels of an ENUM or a SET. All lists that were ever named are kept, so that types can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Labels(&'static [Box<str>]);

static KNOWN: Mutex<Vec<Labels>> = Mutex::new(Vec::new());

impl Labels {
    /// These labels. MySQL cuts off the spaces behind them.
    pub(crate) fn of<'a>(labels: impl Iterator<Item = &'a str>) -> Self {
        let labels: Vec<Box<str>> =
            labels.map(|label| label.trim_end_matches(' ').into()).collect();
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.iter().find(|one| *one.0 == *labels) {
            return *same;
        }
        let new = Self(Box::leak(labels.into_boxed_slice()));
        known.push(new);
        new
    }

    /// The labels, in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|label| &**label)
    }
}

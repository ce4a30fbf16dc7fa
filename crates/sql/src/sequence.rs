//! Sequences: what a server counts with.
//!
//! Ground: knows the numbers of tables and errors only.
//!
//! ```text
//!   CREATE SEQUENCE s START 5 INCREMENT 2     Sequence   what is defined; in the catalog
//!   nextval('s') → 5, nextval('s') → 7        Numbers    the last number of each; kept by the caller
//! ```
//!
//! A statement asks for a number through [`Choices::number`](crate::Choices::number). A sequence that is restarted
//! by a definition has a new number of restarts, so [`Numbers`] notices it when it is asked the next time.

use std::collections::BTreeMap;

use crate::error::{ErrorClass, ServerError};
use crate::rows::TableId;

/// The number of a sequence in its catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SequenceId(pub u64);

impl SequenceId {
    const OF_A_COLUMN: u64 = 1 << 48;

    /// The sequence of a column that has its own.
    pub(crate) fn of_column(table: TableId, column: usize) -> Self {
        Self(u64::from(table.0) << 16 | column as u64 | Self::OF_A_COLUMN)
    }

    /// Whether it belongs to a column, and was not made by a statement of its own.
    pub(crate) fn is_of_a_column(self) -> bool {
        self.0 & Self::OF_A_COLUMN != 0
    }
}

/// A sequence as it is defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    pub(crate) id: SequenceId,
    pub(crate) name: String,
    pub(crate) start: i64,
    pub(crate) increment: i64,
    pub(crate) min: i64,
    pub(crate) max: i64,
    pub(crate) cycle: bool,
    /// How often a definition has restarted it, and with which number the last time.
    pub(crate) restarts: u32,
    pub(crate) restart: i64,
    /// Whether it goes on behind the numbers that statements bring themselves (`AUTO_INCREMENT`).
    pub(crate) follows: bool,
}

impl Sequence {
    /// A sequence that counts 1, 2, 3, … up to a bound.
    pub(crate) fn plain(id: SequenceId, name: String, max: i64) -> Self {
        Self {
            id,
            name,
            start: 1,
            increment: 1,
            min: 1,
            max,
            cycle: false,
            restarts: 0,
            restart: 1,
            follows: false,
        }
    }

    /// Its number in the catalog.
    pub fn id(&self) -> SequenceId {
        self.id
    }

    /// Whether it goes on behind the numbers that statements bring themselves (`AUTO_INCREMENT`).
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Whether a number is within its bounds.
    pub fn holds(&self, number: i64) -> bool {
        (self.min..=self.max).contains(&number)
    }

    /// Whether it gives one number before another one.
    pub fn comes_before(&self, number: i64, other: i64) -> bool {
        if self.increment > 0 { number < other } else { number > other }
    }

    /// It counts from this number from now on.
    pub(crate) fn restart_with(&mut self, number: i64) {
        self.restarts += 1;
        self.restart = number;
    }
}

/// What a statement asks of a sequence, or tells it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Numbering<'a> {
    /// The next number, for a column of a table or for an expression.
    Next {
        /// The sequence that is asked.
        sequence: &'a Sequence,
        /// The column that the number is for.
        column: Option<(TableId, usize)>,
        /// Whether the statement asks for it with a 0, which a mode of the server makes a number like any other.
        by_zero: bool,
    },
    /// The number that the session was given last.
    Current {
        /// The sequence that is asked.
        sequence: &'a Sequence,
    },
    /// The number that the session was given last, by any sequence.
    Last,
    /// From now on, count from here.
    Set {
        /// The sequence that is told.
        sequence: &'a Sequence,
        /// The last number, or the next one.
        value: i64,
        /// Whether that number is used up.
        used: bool,
    },
    /// `LAST_INSERT_ID(n)`: the session remembers a number.
    Remember {
        /// The number.
        value: i64,
    },
    /// A row brings a number of its own for a column with `AUTO_INCREMENT`.
    Given {
        /// The sequence of the column.
        sequence: &'a Sequence,
        /// The number.
        value: i64,
    },
    /// The table of the sequence was emptied, and counts from its first number again.
    Restart {
        /// The sequence that is told.
        sequence: &'a Sequence,
    },
}

/// How far sequences have come.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    states: BTreeMap<SequenceId, State>,
}

#[derive(Debug, Clone)]
struct State {
    restarts: u32,
    /// The number that was given last; none if `from` comes next.
    last: Option<i64>,
    from: i64,
}

impl Numbers {
    /// The next number of a sequence.
    ///
    /// # Errors
    /// If it has none left.
    pub fn next(&mut self, sequence: &Sequence) -> Result<i64, ServerError> {
        let state = self.state(sequence);
        let next = match state.last {
            None => i128::from(state.from),
            Some(last) => i128::from(last) + i128::from(sequence.increment),
        };
        let up = sequence.increment > 0;
        let over = next > i128::from(sequence.max) || next < i128::from(sequence.min);
        let next = match i64::try_from(next).ok().filter(|_| !over) {
            Some(next) => next,
            None if sequence.cycle && up => sequence.min,
            None if sequence.cycle => sequence.max,
            None => {
                let detail = format!("the sequence {} is at its end", sequence.name);
                return Err(ServerError { class: ErrorClass::SequenceEnd, detail });
            }
        };
        state.last = Some(next);
        Ok(next)
    }

    /// A sequence has given this number.
    pub fn gave(&mut self, sequence: &Sequence, number: i64) {
        let state = self.state(sequence);
        let ahead = sequence.follows && state.last.is_some_and(|last| last >= number);
        if !ahead {
            state.last = Some(number);
        }
    }

    /// A sequence goes on from a number, which is used up or comes next.
    pub fn set(&mut self, sequence: &Sequence, number: i64, used: bool) {
        let state = self.state(sequence);
        (state.last, state.from) = (used.then_some(number), number);
    }

    /// Whether a sequence has come to a number, or beyond it.
    pub fn has_passed(&mut self, sequence: &Sequence, number: i64) -> bool {
        let last = self.state(sequence).last;
        last.is_some_and(|last| !sequence.comes_before(last, number))
    }

    /// A row brings a number of its own. A sequence that follows such numbers does not fall behind it.
    pub fn given(&mut self, sequence: &Sequence, number: i64) {
        let state = self.state(sequence);
        let next = state.last.map_or(state.from, |last| last.saturating_add(1));
        if sequence.follows && number >= next {
            state.last = Some(number);
        }
    }

    /// A sequence counts from its first number again.
    pub fn restart(&mut self, sequence: &Sequence) {
        let state = self.state(sequence);
        let first = if sequence.follows { 1 } else { sequence.start };
        (state.last, state.from) = (None, first);
    }

    fn state(&mut self, sequence: &Sequence) -> &mut State {
        let state = self.states.entry(sequence.id).or_insert_with(|| State {
            restarts: sequence.restarts,
            last: None,
            from: sequence.restart,
        });
        if state.restarts != sequence.restarts {
            let follows =
                sequence.follows && state.last.is_some_and(|last| last >= sequence.restart);
            if !follows {
                (state.last, state.from) = (None, sequence.restart);
            }
            state.restarts = sequence.restarts;
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence() -> Sequence {
        Sequence::plain(SequenceId(1), "s".to_owned(), 3)
    }

    #[test]
    fn counts_to_its_end() {
        let (mut numbers, sequence) = (Numbers::default(), sequence());
        let all: Vec<_> = (0..4).map(|_| numbers.next(&sequence).ok()).collect();
        assert_eq!(all, [Some(1), Some(2), Some(3), None]);
    }

    #[test]
    fn begins_again_if_it_cycles() {
        let mut numbers = Numbers::default();
        let down = Sequence { increment: -2, cycle: true, start: 3, restart: 3, ..sequence() };
        let all: Vec<_> = (0..3).map(|_| numbers.next(&down).ok()).collect();
        assert_eq!(all, [Some(3), Some(1), Some(3)]);
    }

    #[test]
    fn goes_on_behind_numbers_of_rows_only_if_it_follows_them() {
        let follows = Sequence { follows: true, max: 100, ..sequence() };
        let mut numbers = Numbers::default();
        numbers.given(&follows, 10);
        numbers.given(&follows, 4);
        assert_eq!(numbers.next(&follows), Ok(11));
        let mut restarted = follows.clone();
        restarted.restart_with(5);
        assert_eq!(numbers.next(&restarted), Ok(12));
        restarted.restart_with(50);
        assert_eq!(numbers.next(&restarted), Ok(50));
        let plain = Sequence { id: SequenceId(2), ..sequence() };
        numbers.given(&plain, 2);
        assert_eq!(numbers.next(&plain), Ok(1));
        numbers.set(&plain, 2, false);
        assert_eq!(numbers.next(&plain), Ok(2));
        numbers.set(&plain, 2, true);
        assert_eq!(numbers.next(&plain), Ok(3));
    }
}

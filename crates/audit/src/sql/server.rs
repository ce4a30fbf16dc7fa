//! What the server chose, as far as it can be told: numbers of sequences, times, and what sessions remember of them.
//!
//! ```text
//!   SELECT nextval('s')           → 7        the log shows the number
//!   INSERT INTO t (name) …        → 8        it does not: the next number of the sequence is predicted
//!   SELECT LAST_INSERT_ID()       → 8        follows from what the session was given
//!   INSERT INTO t (made) …now()   → begin    the time of the transaction, or of the statement
//! ```
//!
//! A prediction can only help to accept a log: sequences leave gaps, and other sessions interleave. Where predicted
//! values do not explain the log, the tables that hold them and the queries that show them are excluded from the audit.
//!
//! Transactions are tried in many orders and more than once. So the first number that is predicted for a place of the
//! log stays: the place is the transaction, its statement, and how many values that statement has asked for.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use tristan_sql::{Numbers, Sequence, SequenceId, ServerError};

/// A place of the log: the transaction, its statement, and which of the values that it asks for.
pub(super) type Place = (u64, usize, usize);

/// Earlier numbers of a session that are looked at.
const MOST: usize = 1000;

/// What the server chose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Server {
    numbers: Numbers,
    /// What was predicted or seen for a place of the log.
    chosen: FxHashMap<Place, Result<i64, ServerError>>,
    /// Where a sequence was to be set back, and was not.
    ignored: BTreeSet<Place>,
    /// The numbers that sessions were given, and by which sequence; none for `AUTO_INCREMENT`.
    given: BTreeMap<(u64, Place), (Option<SequenceId>, i64)>,
    /// How many rows queries with `SQL_CALC_FOUND_ROWS` found, by session.
    found: BTreeMap<(u64, Place), i64>,
    /// When transactions began: what was shown or predicted first stays.
    pub(super) begins: FxHashMap<u64, i64>,
}

impl Server {
    /// Sequences have come this far.
    pub(super) fn new(numbers: Numbers) -> Self {
        Self { numbers, ..Self::default() }
    }

    /// The same for another piece of the log, in which transactions have other numbers.
    pub(super) fn again(&self) -> Self {
        Self::new(self.numbers.clone())
    }

    /// The next number of a sequence.
    pub(super) fn next(&mut self, at: Place, sequence: &Sequence) -> Result<i64, ServerError> {
        let numbers = &mut self.numbers;
        self.chosen.entry(at).or_insert_with(|| numbers.next(sequence)).clone()
    }

    /// The log shows the next number of a sequence. An INSERT that met a conflict shows the number of the row that was
    /// there, and has used up one that is not shown.
    pub(super) fn showed(&mut self, at: Place, sequence: &Sequence, number: i64, inserts: bool) {
        if !self.once(at, number) {
            return;
        }
        let next = self.numbers.next(sequence);
        if !(inserts && next.is_ok_and(|next| sequence.comes_before(number, next))) {
            self.numbers.gave(sequence, number);
        }
    }

    /// The number that was predicted was another one.
    pub(super) fn correct(&mut self, at: Place, sequence: &Sequence, number: i64) {
        if self.chosen.insert(at, Ok(number)) != Some(Ok(number)) {
            self.numbers.gave(sequence, number);
        }
    }

    /// Does something to the numbers of sequences when a place of the log comes first.
    pub(super) fn tell(&mut self, at: Place, number: i64, tell: impl FnOnce(&mut Numbers)) {
        if self.once(at, number) {
            tell(&mut self.numbers);
        }
    }

    /// Sets a sequence; MariaDB does not set one back. Returns whether it was set.
    pub(super) fn set(
        &mut self,
        at: Place,
        sequence: &Sequence,
        (number, used): (i64, bool),
        back: bool,
    ) -> bool {
        if self.once(at, number) {
            match !back && self.numbers.has_passed(sequence, number) {
                true => drop(self.ignored.insert(at)),
                false => self.numbers.set(sequence, number, used),
            }
        }
        !self.ignored.contains(&at)
    }

    /// AUTO_INCREMENT gave numbers to the rows of a query, of which the server does not know how many will come: it
    /// takes one number, then two, then four, and does not give back what is left of them.
    pub(super) fn took_in_bulk(&mut self, at: Place, sequence: &Sequence, first: i64, rows: u32) {
        let taken = u64::from(rows + 1).next_power_of_two() - 1;
        let last = first.saturating_add(i64::try_from(taken).unwrap_or(0) - 1);
        if self.once(at, last) {
            self.numbers.gave(sequence, last);
        }
    }

    fn once(&mut self, at: Place, number: i64) -> bool {
        self.chosen.insert(at, Ok(number)).is_none()
    }

    /// A session was given a number.
    pub(super) fn give(&mut self, session: u64, at: Place, by: Option<SequenceId>, number: i64) {
        self.given.insert((session, at), (by, number));
    }

    /// The last number that a session was given before a place, by one of some sequences.
    pub(super) fn last(
        &self,
        session: u64,
        before: Place,
        by: impl Fn(Option<SequenceId>) -> bool,
    ) -> Option<i64> {
        let earlier = self.given.range((session, (0, 0, 0))..(session, before));
        let mut earlier = earlier.rev().take(MOST);
        earlier.find(|(_, (sequence, _))| by(*sequence)).map(|(_, (_, number))| *number)
    }

    /// A query with `SQL_CALC_FOUND_ROWS` found rows.
    pub(super) fn found(&mut self, session: u64, at: Place, rows: i64) {
        self.found.insert((session, at), rows);
    }

    /// How many rows the last query found that counted all of them.
    pub(super) fn last_found(&self, session: u64, before: Place) -> Option<i64> {
        let mut earlier = self.found.range((session, (0, 0, 0))..(session, before));
        earlier.next_back().map(|(_, rows)| *rows)
    }
}

/// Whether a query counts the rows that its LIMIT leaves out.
pub(super) fn counts_all(sql: &str) -> bool {
    sql.to_lowercase().contains("sql_calc_found_rows")
}

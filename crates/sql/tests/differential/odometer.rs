//! All possibilities of a statement, one after the other.

use tristan_sql::{Choices, Numbering, Open, ServerError, Value};

use crate::differential::counters::Counter;

/// The choices of one possibility; [`Odometer::advance`] goes to the next one.
#[derive(Default)]
pub struct Odometer {
    digits: Vec<(usize, usize)>,
    at: usize,
    strict: bool,
    start: Counter,
    /// Whether it was asked how texts compare whose collation is not known.
    pub guessed: bool,
    /// What this possibility makes of the sequences.
    pub counter: Counter,
}

impl Odometer {
    pub fn new(strict: bool, counter: &Counter) -> Self {
        Self { strict, start: counter.clone(), counter: counter.clone(), ..Self::default() }
    }

    /// Says whether there is another possibility.
    pub fn advance(&mut self) -> bool {
        self.at = 0;
        self.counter = self.start.clone();
        while let Some((digit, limit)) = self.digits.pop() {
            if digit + 1 < limit {
                self.digits.push((digit + 1, limit));
                return true;
            }
        }
        false
    }
}

impl Choices for Odometer {
    fn choose(&mut self, alternatives: usize) -> usize {
        if self.at == self.digits.len() {
            self.digits.push((0, alternatives));
        }
        self.at += 1;
        self.digits[self.at - 1].0
    }

    fn open(&mut self, what: &Open) -> Value {
        match what {
            Open::LastInsertId => Value::Int(self.counter.last_insert()),
            _ => Value::Null,
        }
    }

    fn collate(&mut self, _a: &str, _b: &str) {
        self.guessed = true;
    }

    fn number(&mut self, asked: Numbering<'_>) -> Result<Value, ServerError> {
        self.counter.number(asked, self.strict)
    }
}

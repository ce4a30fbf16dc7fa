//! When a transaction read which states.

use super::row::Position;
use crate::model::Time;

/// When a transaction read which states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) begin: Time,
    /// By when it had read.
    pub(crate) by: Time,
    /// The oldest state that looks the same.
    pub(crate) oldest: Position,
    /// The state that was tried.
    pub(crate) state: Position,
    /// Which of its statements read there, bit by bit; of more than 64, those behind have the last bit.
    pub(crate) statements: u64,
}

impl Turn {
    /// Whether one of its statements read there.
    pub(crate) fn has(&self, statement: usize) -> bool {
        self.statements & Self::bit(statement) != 0
    }

    /// The bit that stands for a statement.
    pub(crate) fn bit(place: usize) -> u64 {
        1 << place.min(63)
    }
}

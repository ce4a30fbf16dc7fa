//! How a transaction is explained.

use super::at::At;
use super::row::Position;

/// What a statement saw, and the answers to what it left open.
pub(crate) type StepRead = (At, Vec<usize>);

/// Where the statements of a transaction read, and what was decided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Explanation {
    /// The state in which it took effect, or in which it read.
    pub(crate) position: Position,
    /// Whether it changed something.
    pub(crate) writes: bool,
    /// If it read one state: that one and the oldest that would have looked the same.
    pub(crate) states: Option<(Position, Position)>,
    /// For each statement that was run: what it saw, and the answers to what it left open.
    pub(crate) steps: Vec<StepRead>,
}

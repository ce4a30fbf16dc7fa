//! Which committed rows a statement sees.

use super::row::{Key, Position};

/// Which committed rows a statement sees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum At {
    /// Those of one state.
    State(Position),
    /// Those of one state; but the rows that it changes as they are in a newer one. So a database works that
    /// looks again when it has waited for a lock.
    Recheck { state: Position, newest: Position },
    /// Each row as of a state of its own; those that are not listed as of one state.
    Rows { state: Position, rows: Vec<(Key, Position)> },
}

impl At {
    /// The newest state of which it shows something.
    pub(crate) fn newest(&self) -> Position {
        match self {
            Self::State(state) => *state,
            Self::Recheck { state, newest } => *state.max(newest),
            Self::Rows { state, rows } => {
                rows.iter().map(|&(_, at)| at).fold(*state, Position::max)
            }
        }
    }
}

//! Which committed rows a statement sees.

use super::row::{Key, Position};

/// Which committed rows a statement sees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum At {
    /// Those of one state.
    State(Position),
    /// Each row as of a state of its own; those that are not listed as of one state. Those that it changes it
    /// finds so, and changes as they are in a newer state, if there is one: so a database works that looks again
    /// when it has waited for a lock.
    Rows { state: Position, rows: Vec<(Key, Position)>, newest: Option<Position> },
}

impl At {
    /// One state; but what is changed is changed as it is in a newer one.
    pub(crate) fn looked_at_again(state: Position, newest: Position) -> Self {
        match state < newest {
            true => Self::Rows { state, rows: Vec::new(), newest: Some(newest) },
            false => Self::State(state),
        }
    }

    /// The state of a row.
    pub(crate) fn state_of(&self, key: Key) -> Position {
        match self {
            Self::State(state) => *state,
            Self::Rows { state, rows, .. } => {
                rows.iter().find(|(other, _)| *other == key).map_or(*state, |&(_, state)| state)
            }
        }
    }

    /// The state in which rows that are changed are looked at again.
    pub(crate) fn again(&self) -> Option<Position> {
        match self {
            Self::State(_) => None,
            Self::Rows { newest, .. } => *newest,
        }
    }

    /// The newest state of which it shows something.
    pub(crate) fn newest(&self) -> Position {
        match self {
            Self::State(state) => *state,
            Self::Rows { state, rows, newest } => {
                rows.iter().map(|&(_, at)| at).chain(*newest).fold(*state, Position::max)
            }
        }
    }
}

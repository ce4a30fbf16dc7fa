//! How strong a level is: which orders count besides what was read.

use crate::Rel;

/// What counts as base order `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Only what was read: `b = wr`.
    Plain,
    /// Sessions count: `b = wr | so`.
    Session,
    /// Real time counts too: `b = wr | so | rt`.
    Strong,
}

impl Strength {
    /// All strengths, weakest first.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Session, Self::Strong];

    /// The prefix that names this strength explicitly.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Plain => "plain-",
            Self::Session => "strong-session-",
            Self::Strong => "strong-",
        }
    }

    /// Its name in level files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Session => "session",
            Self::Strong => "strong",
        }
    }

    /// The orders that count: the meaning of `o`.
    pub fn orders(self) -> &'static [Rel] {
        match self {
            Self::Plain => &[],
            Self::Session => &[Rel::So],
            Self::Strong => &[Rel::So, Rel::Rt],
        }
    }
}

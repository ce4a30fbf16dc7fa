//! A register: what it holds, and what a read of it saw.

use tristan_history::{KeyId, ValueId};

/// What a register holds: a value or nothing.
pub(crate) type Content = Option<ValueId>;

/// What a read of a register saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The key was absent.
    Absent,
    /// The key held this value.
    Value(ValueId),
    /// The key held some value.
    Present,
}

impl Seen {
    /// Whether a register with this content looks like this.
    pub(crate) fn fits(self, content: Content) -> bool {
        match self {
            Self::Absent => content.is_none(),
            Self::Value(value) => content == Some(value),
            Self::Present => content.is_some(),
        }
    }

    /// Whether one register state can look like both.
    pub(crate) fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::Present, Self::Present | Self::Value(_)) | (Self::Value(_), Self::Present) => {
                true
            }
            (one, two) => one == two,
        }
    }
}

/// A read of one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    /// The operation within the reader.
    pub op: usize,
    /// The key under which the register is stored.
    pub key: KeyId,
    /// What it looked like.
    pub seen: Seen,
    /// Whether a range read found the key absent.
    pub predicate: bool,
}

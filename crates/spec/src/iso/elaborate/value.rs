//! What an expression turns out to be.

use super::super::model::{Rel, Set};

/// A relation or a set.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Rel(Rel),
    Set(Set),
}

impl Value {
    /// What it is, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Rel(_) => "a relation",
            Self::Set(_) => "a set",
        }
    }
}

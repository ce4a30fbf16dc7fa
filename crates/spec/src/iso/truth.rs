//! Checks that hold whatever the history is, as far as the text shows.

use super::model::{Check, Rel};

impl Check {
    /// Whether the text alone shows that it always holds.
    pub fn is_always_true(&self) -> bool {
        match self {
            Self::In(left, right) => left.is_empty() || right.contains(left),
            Self::Acyclic(rel) | Self::Irreflexive(rel) | Self::Empty(rel) => rel.is_empty(),
            Self::Total(_) | Self::Not(_) => false,
            Self::All(parts) => parts.iter().all(Self::is_always_true),
            Self::Any(parts) => parts.iter().any(Self::is_always_true),
            Self::ForAll(_, inner) => inner.is_always_true(),
        }
    }
}

impl Rel {
    /// Whether the text alone shows that it never holds.
    fn is_empty(&self) -> bool {
        match self {
            Self::Union(parts) => parts.iter().all(Self::is_empty),
            Self::Inter(parts) | Self::Seq(parts) => parts.iter().any(Self::is_empty),
            Self::Diff(left, right) => left.is_empty() || right.contains(left),
            Self::Inverse(inner)
            | Self::Plus(inner)
            | Self::OverKeys(_, inner)
            | Self::Named(_, inner) => inner.is_empty(),
            Self::Given(_) | Self::Witness(..) | Self::Id(_) | Self::Test(_) => false,
            Self::Product(..) | Self::Opt(_) | Self::Star(_) => false,
        }
    }

    /// Whether the text alone shows that it holds wherever the other does.
    fn contains(&self, other: &Self) -> bool {
        if self == other {
            return true;
        }
        match self {
            Self::Union(parts) => parts.iter().any(|part| part.contains(other)),
            Self::Opt(inner) | Self::Plus(inner) | Self::Star(inner) | Self::Named(_, inner) => {
                inner.contains(other)
            }
            _ => false,
        }
    }
}

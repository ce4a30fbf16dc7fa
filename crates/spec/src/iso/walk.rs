//! Walks over levels.

use super::model::{Check, Rel};

impl Rel {
    /// The relations directly inside.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Given(_) | Self::Witness(..) | Self::Id(_) | Self::Test(_) => Vec::new(),
            Self::Product(..) => Vec::new(),
            Self::Union(parts) | Self::Inter(parts) | Self::Seq(parts) => parts.iter().collect(),
            Self::Diff(left, right) => vec![left, right],
            Self::Inverse(inner)
            | Self::Opt(inner)
            | Self::Plus(inner)
            | Self::Star(inner)
            | Self::OverKeys(_, inner)
            | Self::Named(_, inner) => vec![inner],
        }
    }

    /// Whether this relation, or one inside it, is of some kind.
    pub fn any(&self, is: &dyn Fn(&Self) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }
}

impl Check {
    /// The relations that it speaks about.
    pub fn rels(&self) -> Vec<&Rel> {
        match self {
            Self::In(left, right) => vec![left, right],
            Self::Acyclic(rel) | Self::Irreflexive(rel) | Self::Empty(rel) | Self::Total(rel) => {
                vec![rel]
            }
            Self::Not(inner) | Self::ForAll(_, inner) => inner.rels(),
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::rels).collect(),
        }
    }

    /// Whether a relation of some kind occurs anywhere in it.
    pub fn any_rel(&self, is: &dyn Fn(&Rel) -> bool) -> bool {
        self.rels().into_iter().any(|rel| rel.any(is))
    }
}

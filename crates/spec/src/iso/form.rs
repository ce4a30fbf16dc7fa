//! What kind of search a level needs, read off its text.
//!
//! | form | what must be searched |
//! |---|---|
//! | history-only | nothing |
//! | dependency | an order of versions per key, by the fast engine |
//! | least-witness | orders; every relation can then be taken as small as its rules allow |
//! | order | orders |
//! | search | relations, too |
//!
//! The smallest relation is as good as any if every check is of one of two kinds:
//!
//! - a *rule* that only ever adds pairs, such as `ar ; vis in vis`: relations that follow two
//!   rules follow them in common, so a smallest one exists;
//! - a *bound* that smaller relations meet more easily, such as `vis in ar`.

use super::model::{Check, IsoLevel, Rel, WitnessKind};

/// What kind of search a level needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// No witness occurs: the history decides.
    HistoryOnly,
    /// Forbidden cycles of dependencies: see [`IsoLevel::to_formula`].
    Dependency,
    /// Besides orders there are relations, and the smallest of each will do.
    LeastWitness,
    /// Only orders must be chosen.
    Order,
    /// Relations must be chosen for which no smallest one is known.
    Search,
}

impl Form {
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::HistoryOnly => "history-only",
            Self::Dependency => "dependency",
            Self::LeastWitness => "least-witness",
            Self::Order => "order",
            Self::Search => "search",
        }
    }
}

impl IsoLevel {
    /// What kind of search it needs.
    pub fn form(&self) -> Form {
        let is_witness = |rel: &Rel| matches!(rel, Rel::Witness(..));
        if !self.checks.iter().any(|check| check.any_rel(&is_witness)) {
            return Form::HistoryOnly;
        }
        if self.to_formula().is_ok() {
            return Form::Dependency;
        }
        let relations = self.witnesses.iter().any(|one| one.kind == WitnessKind::Relation);
        match relations {
            false => Form::Order,
            true if self.has_least_witnesses() => Form::LeastWitness,
            true => Form::Search,
        }
    }

    /// Whether every relation that must be chosen can be chosen as small as the rules for it
    /// allow, whatever the orders are.
    pub fn has_least_witnesses(&self) -> bool {
        self.checks.iter().all(|check| self.is_rule(check) || self.is_bound(check))
    }

    /// Whether a check only adds pairs to a relation.
    fn is_rule(&self, check: &Check) -> bool {
        match check {
            Check::In(left, right) => {
                let grows = self.polarity(left) <= Polarity::Grows;
                grows && (self.is_relation(right) || self.is_either_direction(right))
            }
            Check::Total(rel) => self.is_relation(rel) && self.is_within_order(rel),
            Check::ForAll(_, inner) => self.is_rule(inner),
            Check::All(parts) => parts.iter().all(|part| self.is_rule(part) || self.is_bound(part)),
            _ => false,
        }
    }

    /// Whether a check stays true if relations get smaller.
    fn is_bound(&self, check: &Check) -> bool {
        match check {
            Check::In(left, right) => {
                let falls = matches!(self.polarity(right), Polarity::Fixed | Polarity::Falls);
                self.polarity(left) <= Polarity::Grows && falls
            }
            Check::Acyclic(rel) | Check::Irreflexive(rel) | Check::Empty(rel) => {
                self.polarity(rel) <= Polarity::Grows
            }
            Check::Total(rel) => self.polarity(rel) == Polarity::Fixed,
            Check::Not(inner) => self.is_fixed(inner),
            Check::ForAll(_, inner) => self.is_bound(inner),
            Check::All(parts) | Check::Any(parts) => parts.iter().all(|part| self.is_bound(part)),
        }
    }

    fn is_fixed(&self, check: &Check) -> bool {
        check.rels().into_iter().all(|rel| self.polarity(rel) == Polarity::Fixed)
    }

    /// What becomes of a relation if the relations to be chosen get larger.
    fn polarity(&self, rel: &Rel) -> Polarity {
        match rel {
            Rel::Witness(..) if self.is_relation(rel) => Polarity::Grows,
            Rel::Diff(left, right) => self.polarity(left).and(self.polarity(right).reversed()),
            _ => {
                let parts = rel.parts().into_iter().map(|part| self.polarity(part));
                parts.fold(Polarity::Fixed, Polarity::and)
            }
        }
    }

    /// Whether this is a relation to be chosen, and nothing else.
    fn is_relation(&self, rel: &Rel) -> bool {
        match rel {
            Rel::Witness(index, None) => {
                self.witnesses.get(*index).is_some_and(|one| one.kind == WitnessKind::Relation)
            }
            Rel::Named(_, inner) => self.is_relation(inner),
            _ => false,
        }
    }

    /// Whether this is `r | r^-1` for an `r` that lies within an order: then only one of the two
    /// directions is possible, and the check adds that one.
    fn is_either_direction(&self, rel: &Rel) -> bool {
        let Rel::Union(parts) = rel else { return false };
        let [first, second] = parts.as_slice() else { return false };
        let converse = |of: &Rel, rel: &Rel| matches!(rel, Rel::Inverse(inner) if **inner == *of);
        let pair = |one: &Rel, other: &Rel| {
            self.is_relation(one) && converse(one, other) && self.is_within_order(one)
        };
        pair(first, second) || pair(second, first)
    }

    fn is_within_order(&self, rel: &Rel) -> bool {
        let is_order = |bound: &Rel| match bound {
            Rel::Witness(index, None) => {
                self.witnesses.get(*index).is_some_and(|one| one.kind == WitnessKind::Order)
            }
            _ => false,
        };
        self.checks.iter().any(
            |check| matches!(check, Check::In(inner, bound) if inner == rel && is_order(bound)),
        )
    }
}

/// What becomes of something if the relations to be chosen get larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Polarity {
    /// Nothing.
    Fixed,
    /// It gets larger or stays.
    Grows,
    /// It gets smaller or stays.
    Falls,
    /// Anything can happen.
    Mixed,
}

impl Polarity {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Fixed, one) | (one, Self::Fixed) => one,
            (one, same) if one == same => one,
            _ => Self::Mixed,
        }
    }

    fn reversed(self) -> Self {
        match self {
            Self::Grows => Self::Falls,
            Self::Falls => Self::Grows,
            same => same,
        }
    }
}

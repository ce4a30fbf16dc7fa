//! A relation as a union of compositions.
//!
//! ```text
//!   (a | b) ; c?   =   a | a;c | b | b;c
//! ```
//!
//! Only what mentions one witness is taken apart; the rest stays as it is.

use tristan_spec::iso::{KeyVar, Rel};

use super::shape::{bare, identity, is_identity, seq, without_loops};
use crate::syntax::mentions;

/// One composition of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// Keys the union ranges over.
    pub keys: Vec<KeyVar>,
    /// What is composed, left to right; none for the identity.
    pub factors: Vec<Rel>,
    /// Whether loops are left out.
    pub without_loops: bool,
}

/// More compositions than any sensible level has.
const MOST_TERMS: usize = 64;

impl Term {
    /// A relation as a whole.
    pub(super) fn of(factor: &Rel) -> Self {
        let factors = if is_identity(factor) { Vec::new() } else { vec![bare(factor).clone()] };
        Self { keys: Vec::new(), factors, without_loops: false }
    }

    /// The relation again.
    pub(super) fn rel(&self) -> Rel {
        let plain = seq(self.factors.clone());
        let plain = if self.without_loops { without_loops(plain) } else { plain };
        over(&self.keys, plain)
    }

    /// First this, then the other; `None` if that cannot be one term.
    fn then(&self, other: &Self) -> Option<Self> {
        let clash = other.keys.iter().any(|key| self.keys.contains(key));
        if clash || self.without_loops || other.without_loops {
            return None;
        }
        let keys = [self.keys.as_slice(), &other.keys].concat();
        let factors = [self.factors.as_slice(), &other.factors].concat();
        Some(Self { keys, factors, without_loops: false })
    }

    /// The places of the factors that mention a witness.
    pub(super) fn places(&self, witness: usize) -> Vec<usize> {
        let with = self.factors.iter().enumerate().filter(|(_, rel)| mentions(rel, witness));
        with.map(|(place, _)| place).collect()
    }
}

/// The relation over all keys.
pub(super) fn over(keys: &[KeyVar], rel: Rel) -> Rel {
    keys.iter().rev().fold(rel, |inner, key| Rel::OverKeys(*key, Box::new(inner)))
}

/// The terms of a relation, taken apart around a witness; `None` if it is used in some other way.
pub(super) fn terms(rel: &Rel, witness: usize) -> Option<Vec<Term>> {
    if !mentions(rel, witness) {
        return Some(vec![Term::of(rel)]);
    }
    match bare(rel) {
        Rel::Union(parts) => all(parts.iter().map(|part| terms(part, witness))),
        Rel::Seq(parts) => {
            let mut done = vec![Term::of(&identity())];
            for part in parts {
                done = product(&done, &terms(part, witness)?)?;
            }
            Some(done)
        }
        Rel::Opt(inner) => {
            let mut found = terms(inner, witness)?;
            found.push(Term::of(&identity()));
            Some(found)
        }
        Rel::OverKeys(key, inner) => {
            let mut found = terms(inner, witness)?;
            found.iter_mut().for_each(|term| term.keys.insert(0, *key));
            Some(found)
        }
        Rel::Diff(left, right) if is_identity(right) => {
            let mut found = terms(left, witness)?;
            found.retain(|term| !term.factors.is_empty());
            found.iter_mut().for_each(|term| term.without_loops = true);
            Some(found)
        }
        other => Some(vec![Term::of(other)]),
    }
}

fn all(parts: impl Iterator<Item = Option<Vec<Term>>>) -> Option<Vec<Term>> {
    let mut found = Vec::new();
    for part in parts {
        found.extend(part?);
    }
    (found.len() <= MOST_TERMS).then_some(found)
}

fn product(left: &[Term], right: &[Term]) -> Option<Vec<Term>> {
    let pairs = left.iter().flat_map(|one| right.iter().map(move |two| one.then(two)));
    all(pairs.map(|term| term.map(|term| vec![term])))
}

#[cfg(test)]
mod tests {
    use tristan_spec::iso::Given;

    use super::*;

    #[test]
    fn only_what_mentions_the_witness_is_taken_apart() {
        let (v, so, rt) = (Rel::Witness(0, None), Rel::Given(Given::So), Rel::Given(Given::Rt));
        let either = Rel::Union(vec![so, rt]);
        let rel = Rel::Seq(vec![Rel::Opt(Box::new(v.clone())), either.clone()]);
        let found = terms(&rel, 0).expect("it can be taken apart");
        let factors: Vec<Vec<Rel>> = found.into_iter().map(|term| term.factors).collect();
        assert_eq!(factors, [vec![v, either.clone()], vec![either]]);
    }
}

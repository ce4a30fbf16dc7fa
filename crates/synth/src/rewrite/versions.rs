//! Where an order of all transactions is only used among the writers of a key: step 1 of
//! [`super::dependency`].

use tristan_spec::iso::{KeyVar, Rel, Set, Sort};

use super::shape::{
    bare, ends_at_writers, inter, is_identity, seq, starts_at_writers, union, without_loops,
    written_key,
};
use crate::syntax::mentions;

/// An order of all transactions, and the order per key that takes its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Versions {
    /// The number of the order of all transactions.
    pub order: usize,
    /// The number of the order per key.
    pub place: usize,
    /// Whether it was needed so far.
    pub needed: bool,
}

impl Versions {
    /// The version order of a key.
    pub(super) fn of(&self, key: KeyVar) -> Rel {
        Rel::Named("ww".to_owned(), Box::new(Rel::Witness(self.place, Some(key))))
    }

    /// Whether a relation is the order.
    pub(super) fn is_order(&self, rel: &Rel) -> bool {
        matches!(bare(rel), Rel::Witness(place, None) if *place == self.order)
    }

    /// Whether a relation mentions the order.
    pub(super) fn has_order(&self, rel: &Rel) -> bool {
        mentions(rel, self.order)
    }

    /// The relation with version orders where it can; `None` where the order takes part in something else than
    /// compositions and unions.
    pub(super) fn reduce(&mut self, rel: &Rel) -> Option<Rel> {
        let rel = bare(rel);
        if !self.has_order(rel) {
            return Some(rel.clone());
        }
        match rel {
            Rel::Witness(..) => Some(rel.clone()),
            Rel::Union(parts) => Some(Rel::Union(self.reduce_all(parts)?)),
            Rel::Seq(parts) => {
                let parts = self.reduce_all(parts)?;
                Some(self.tested(parts))
            }
            Rel::Inter(parts) => self.restricted(parts),
            Rel::Diff(left, right) if is_identity(right) => Some(without_loops(self.reduce(left)?)),
            Rel::Diff(left, right) => {
                let (left, right) = (self.reduce(left)?, self.reduce(right)?);
                let fits = !self.has_order(&left) && !self.has_order(&right);
                fits.then(|| Rel::Diff(Box::new(left), Box::new(right)))
            }
            Rel::Opt(inner) => Some(Rel::Opt(Box::new(self.reduce(inner)?))),
            Rel::OverKeys(key, inner) => Some(Rel::OverKeys(*key, Box::new(self.reduce(inner)?))),
            // An order is its own closure.
            Rel::Plus(inner) if self.is_order(inner) => Some(bare(inner).clone()),
            Rel::Star(inner) if self.is_order(inner) => Some(Rel::Opt(inner.clone())),
            Rel::Plus(inner) | Rel::Star(inner) | Rel::Inverse(inner) => {
                let inner = self.reduce(inner)?;
                let fits = !self.has_order(&inner);
                fits.then(|| match rel {
                    Rel::Plus(_) => Rel::Plus(Box::new(inner)),
                    Rel::Star(_) => Rel::Star(Box::new(inner)),
                    _ => Rel::Inverse(Box::new(inner)),
                })
            }
            _ => None,
        }
    }

    fn reduce_all(&mut self, parts: &[Rel]) -> Option<Vec<Rel>> {
        parts.iter().map(|part| self.reduce(part)).collect()
    }

    /// `[W[x]] ; O ; [W[x]]` within a composition.
    fn tested(&mut self, mut parts: Vec<Rel>) -> Rel {
        let key = |rel: &Rel| match bare(rel) {
            Rel::Test(set) => written_key(set),
            _ => None,
        };
        for place in 1..parts.len().saturating_sub(1) {
            let (before, after) = (key(&parts[place - 1]), key(&parts[place + 1]));
            if let (Some(before), true) = (before, before == after && self.is_order(&parts[place]))
            {
                parts[place] = self.of(before);
                self.needed = true;
            }
        }
        seq(parts)
    }

    /// `E & O`, taken apart until `E` is a product.
    fn restricted(&mut self, parts: &[Rel]) -> Option<Rel> {
        let others: Vec<Rel> = parts.iter().filter(|part| !self.is_order(part)).cloned().collect();
        if others.len() == parts.len() {
            let parts = self.reduce_all(parts)?;
            let fits = parts.iter().all(|part| !self.has_order(part));
            return fits.then(|| inter(parts));
        }
        let other = self.reduce(&inter(others))?;
        (!self.has_order(&other)).then(|| self.within(&other))?
    }

    /// `rel & O`, for a relation that does not mention the order.
    fn within(&mut self, rel: &Rel) -> Option<Rel> {
        match bare(rel) {
            Rel::Union(parts) => {
                let parts: Option<Vec<Rel>> = parts.iter().map(|part| self.within(part)).collect();
                parts.map(union)
            }
            Rel::OverKeys(key, inner) => Some(Rel::OverKeys(*key, Box::new(self.within(inner)?))),
            // The order has no loops anyway.
            Rel::Diff(left, right) if is_identity(right) => self.within(left),
            Rel::Id(Sort::Txn) => Some(Rel::Union(Vec::new())),
            Rel::Inverse(inner) => self.within(&inverted(inner)?),
            Rel::Product(left, right) => Some(self.within_product(left, right)),
            other => {
                let key = starts_at_writers(other)?;
                let fits = ends_at_writers(other) == Some(key);
                self.needed |= fits;
                fits.then(|| inter(vec![other.clone(), self.of(key)]))
            }
        }
    }

    fn within_product(&mut self, left: &Set, right: &Set) -> Rel {
        match (written_key(left), written_key(right)) {
            (Some(key), Some(other)) if key == other => {
                self.needed = true;
                let whole = *left == Set::Writes(key) && *right == Set::Writes(key);
                match whole {
                    true => self.of(key),
                    false => inter(vec![Rel::Product(left.clone(), right.clone()), self.of(key)]),
                }
            }
            _ => seq(vec![
                Rel::Test(left.clone()),
                Rel::Witness(self.order, None),
                Rel::Test(right.clone()),
            ]),
        }
    }
}

/// The converse of a relation made of products.
fn inverted(rel: &Rel) -> Option<Rel> {
    match bare(rel) {
        Rel::Product(left, right) => Some(Rel::Product(right.clone(), left.clone())),
        Rel::Union(parts) => parts.iter().map(inverted).collect::<Option<_>>().map(Rel::Union),
        Rel::OverKeys(key, inner) => Some(Rel::OverKeys(*key, Box::new(inverted(inner)?))),
        Rel::Diff(left, right) if is_identity(right) => Some(without_loops(inverted(left)?)),
        Rel::Inverse(inner) => Some(bare(inner).clone()),
        _ => None,
    }
}

//! From an order of all transactions to an order of the versions of each key.
//!
//! A level that asks for a total order `O` often cares little for most of it. What matters is
//! which of two versions came first. Given those choices, all else about `O` is a list of pairs it
//! must contain, and it exists if these have no cycle. There are far fewer orders of versions than
//! orders of transactions, and one cycle speaks for all orders of transactions at once.
//!
//! Let `vo[x]` be `O` among the writers of `x`, so `vo[x] in O`. Then, step by step:
//!
//! 1. `(W[x] * W[x]) & O` and `[W[x]] ; O ; [W[x]]` are `vo[x]`.
//! 2. `A ; O ; B in O`, where `A` starts and `B` ends at writers of `x` (loops left out). A pair of
//!    it is two writers of `x`, and it is in `O` unless `vo[x]` leads back. So the check says that
//!    `A ; O ; B ; vo[x]` has no loop, or, going round from the middle, that nowhere `O` leads
//!    back along `B ; vo[x] ; A`. Since `O` is total that is `(B ; vo[x] ; A) \ id in O`.
//! 3. If loops are not left out, `A ; O ; B` must not have any: `(B ; A) \ id in O`.
//! 4. If `A ; O ; B` must have no loop, that is the same. If `E & F` must be empty, `E ; F^-1` must
//!    have no loop.
//! 5. A composition of tests, of `O`, and of what is known to be within `O` by other checks is within
//!    `O`: nothing to do.
//! 6. If versions are ordered anyway, `([W[x]] ; F ; wr[x]^-1) \ id in O` is said more directly: no
//!    reader knows, through `F`, a version newer than the one it reads. As in step 2, that is
//!    `F ; wr[x]^-1 ; vo[x]` without loops.
//! 7. Now `O` occurs only in `E in O` with no `O` in `E`. Such an `O`, the initial transaction
//!    first, exists exactly if the union of all `E`, of all `vo[x]`, and of the pairs that put
//!    the initial transaction first, has no cycle.
//!
//! For serializability, `([W[x]] ; co ; wr[x]^-1) \ id in co`, step 2 gives
//! `wr[x]^-1 ; vo[x] ; [W[x]]`: the anti-dependencies of Adya's graph. If steps 1 and 2 are never
//! needed, nothing is left to choose at all.

use tristan_spec::iso::{Check, Given, IsoLevel, KeyVar, Rel, Set, Witness, WitnessKind};

use super::flat::flatten;
use super::shape::{
    bare, ends_at_writers, initial_first, inter, is_identity, seq, starts_at_writers, union,
    without_loops,
};
use super::terms::{Term, over, terms};
use super::versions::Versions;
use crate::syntax::speaks_of;

/// The level with an order per key, or nothing, in place of a total order; `None` if it uses the
/// order in some other way.
pub fn dependency_form(level: &IsoLevel, order: usize) -> Option<IsoLevel> {
    form(level, order, false)
}

/// The same, always with an order per key: longer, but the way people write it.
pub fn textbook_form(level: &IsoLevel, order: usize) -> Option<IsoLevel> {
    form(level, order, true)
}

fn form(level: &IsoLevel, order: usize, needed: bool) -> Option<IsoLevel> {
    let is_order = |known: &Witness| known.kind == WitnessKind::Order;
    level.witnesses.get(order).filter(|known| is_order(known))?;
    let versions = Versions { order, place: level.witnesses.len(), needed };
    let mut form = Form { versions, checks: Vec::new() };
    let (with, mut checks): (Vec<Check>, Vec<Check>) =
        flatten(&level.checks).into_iter().partition(|check| speaks_of(check, order));
    let mut contained = Vec::new();
    for check in &with {
        contained.extend(form.contained_by(check)?);
    }
    let mut below = form.below(contained)?;
    let mut witnesses = level.witnesses.clone();
    if form.versions.needed {
        witnesses.push(Witness { name: "vo".to_owned(), kind: WitnessKind::OrderPerKey });
        // Any number will do: nothing else is bound inside.
        let key = KeyVar(0);
        below.push(Rel::OverKeys(key, Box::new(form.versions.of(key))));
    }
    below.push(initial_first());
    checks.push(Check::Acyclic(union(below)));
    checks.append(&mut form.checks);
    Some(IsoLevel { witnesses, checks, ..level.clone() })
}

/// What replaces the order.
struct Form {
    /// The order, and the order per key that takes its place.
    versions: Versions,
    /// What is left of checks that were only partly about the order.
    checks: Vec<Check>,
}

impl Form {
    /// The terms that a check says are within the order.
    fn contained_by(&mut self, check: &Check) -> Option<Vec<Term>> {
        match check {
            Check::In(left, right) if self.versions.is_order(right) => {
                let left = self.versions.reduce(left)?;
                terms(&left, self.versions.order)
            }
            Check::Irreflexive(rel) => self.without_loops(rel),
            Check::Empty(rel) => {
                let rel = self.as_loops(rel)?;
                self.without_loops(&rel)
            }
            Check::Acyclic(rel) => {
                let Rel::Union(parts) = bare(rel) else { return None };
                let (own, others): (Vec<&Rel>, Vec<&Rel>) =
                    parts.iter().partition(|part| self.versions.is_order(part));
                let plain = others.iter().all(|part| !self.versions.has_order(part));
                (!own.is_empty() && plain).then(|| others.into_iter().map(Term::of).collect())
            }
            _ => None,
        }
    }

    /// The terms that are within the order exactly if the relation has no loops; what has nothing
    /// to do with the order becomes a check of its own.
    fn without_loops(&mut self, rel: &Rel) -> Option<Vec<Term>> {
        let rel = self.versions.reduce(rel)?;
        let (with, plain): (Vec<Term>, Vec<Term>) = terms(&rel, self.versions.order)?
            .into_iter()
            .partition(|term| !term.places(self.versions.order).is_empty());
        self.checks.extend(plain.iter().map(|term| Check::Irreflexive(term.rel())));
        with.iter().map(|term| self.turned(term).map(|rel| Term::of(&rel))).collect()
    }

    /// For `E & F` where `E` mentions the order: `E ; F^-1`, which has a loop wherever the first
    /// has a pair.
    fn as_loops(&self, rel: &Rel) -> Option<Rel> {
        if let Rel::OverKeys(key, inner) = bare(rel) {
            return Some(Rel::OverKeys(*key, Box::new(self.as_loops(inner)?)));
        }
        let Rel::Inter(parts) = bare(rel) else { return None };
        let (with, plain): (Vec<&Rel>, Vec<&Rel>) =
            parts.iter().partition(|part| self.versions.has_order(part));
        let [with] = with[..] else { return None };
        let plain = inter(plain.into_iter().cloned().collect());
        Some(match bare(with) {
            Rel::Inverse(inner) => seq(vec![inner.as_ref().clone(), plain]),
            other => seq(vec![other.clone(), Rel::Inverse(Box::new(plain))]),
        })
    }

    /// Relations without the order that are within it exactly if the terms are.
    fn below(&mut self, contained: Vec<Term>) -> Option<Vec<Rel>> {
        let (with, plain): (Vec<Term>, Vec<Term>) =
            contained.into_iter().partition(|term| !term.places(self.versions.order).is_empty());
        let plain: Vec<Rel> = plain.iter().map(Term::rel).collect();
        let mut below = Vec::new();
        for term in with {
            if self.follows(&term, &plain) {
                continue;
            }
            let (before, after, key) = self.between_writers(&term)?;
            below.push(over(&term.keys, self.leading_back(after, before, key)));
            if !term.without_loops {
                below.push(self.turned(&term)?);
            }
        }
        for rel in plain {
            match missed(&rel).filter(|_| self.versions.needed) {
                Some(missed) => self.checks.push(Check::Irreflexive(self.without_misses(missed))),
                None => below.push(rel),
            }
        }
        Some(below)
    }

    /// Whether a term is within the order because all its factors are: an order is transitive.
    fn follows(&self, term: &Term, plain: &[Rel]) -> bool {
        term.factors.iter().all(|factor| {
            self.versions.is_order(factor)
                || matches!(factor, Rel::Test(_))
                || plain.contains(factor)
        })
    }

    /// For `([W[x]] ; F ; wr[x]^-1) \ id in O`: the relation that must have no loop.
    fn without_misses(&self, Missed { keys, known, key }: Missed) -> Rel {
        over(&keys, seq([known.as_slice(), &[self.rw(key)]].concat()))
    }

    /// The anti-dependencies of a key.
    fn rw(&self, key: KeyVar) -> Rel {
        let missed = seq(vec![reads(key), self.versions.of(key)]);
        Rel::Named("rw".to_owned(), Box::new(missed))
    }

    /// `(B ; vo[x] ; A) \ id`, with the anti-dependency at its heart called by its name.
    fn leading_back(&self, after: Rel, before: Rel, key: KeyVar) -> Rel {
        let mut parts = match after {
            Rel::Seq(parts) => parts,
            other => vec![other],
        };
        let heart = match parts.pop_if(|last| *last == reads(key)) {
            Some(_) => self.rw(key),
            None => self.versions.of(key),
        };
        parts.push(heart);
        // The version order ends at writers anyway.
        let tested = before == Rel::Test(Set::Writes(key));
        parts.extend((!tested).then_some(before));
        without_loops(seq(parts))
    }

    /// For `A ; O ; B` without loops: `(B ; A) \ id`.
    fn turned(&self, term: &Term) -> Option<Rel> {
        let (before, after) = self.around(term)?;
        Some(over(&term.keys, without_loops(seq(vec![after, before]))))
    }

    /// What stands before and after the only mention of the order.
    fn around(&self, term: &Term) -> Option<(Rel, Rel)> {
        let [place] = term.places(self.versions.order)[..] else { return None };
        let alone = self.versions.is_order(&term.factors[place]);
        let before = seq(term.factors[..place].to_vec());
        let after = seq(term.factors[place + 1..].to_vec());
        alone.then_some((before, after))
    }

    /// The same, if the whole leads from writers of a key to writers of it.
    fn between_writers(&mut self, term: &Term) -> Option<(Rel, Rel, KeyVar)> {
        let (before, after) = self.around(term)?;
        let key = starts_at_writers(&before)?;
        let fits = ends_at_writers(&after) == Some(key);
        self.versions.needed |= fits;
        fits.then_some((before, after, key))
    }
}

/// `wr[x]^-1`.
fn reads(key: KeyVar) -> Rel {
    Rel::Inverse(Box::new(Rel::Given(Given::Wr(key))))
}

/// `([W[x]] ; F ; wr[x]^-1) \ id`: a reader of `x` knows a writer of `x` through `F`.
struct Missed {
    /// Keys the union ranges over.
    keys: Vec<KeyVar>,
    /// The factors of `F`.
    known: Vec<Rel>,
    /// `x`.
    key: KeyVar,
}

/// Takes such a relation apart, if it is one.
fn missed(rel: &Rel) -> Option<Missed> {
    match bare(rel) {
        Rel::OverKeys(key, inner) => {
            let mut inside = missed(inner)?;
            inside.keys.insert(0, *key);
            Some(inside)
        }
        Rel::Diff(left, right) if is_identity(right) => {
            let Rel::Seq(parts) = bare(left) else { return None };
            let [Rel::Test(Set::Writes(key)), known @ .., last] = parts.as_slice() else {
                return None;
            };
            let fits = *last == reads(*key);
            fits.then(|| Missed { keys: Vec::new(), known: known.to_vec(), key: *key })
        }
        _ => None,
    }
}

//! Choosing visibility: the least relation the rules allow.
//!
//! A visibility `V` is often asked to be large by some checks and small by all others:
//!
//! ```text
//!   so in V     wr in V     V ; V in V     ar ; V in V        large: E in V, with V in E or not
//!   V in ar     ([W[x]] ; V ; wr[x]^-1) \ id in ar            small: easier to meet if V shrinks
//! ```
//!
//! **Why the least one will do.** Let the rules be `E1(V) in V, …, Ek(V) in V`, where no `Ei`
//! shrinks when `V` grows. Relations that meet all of them are closed under intersection (if `V`
//! and `V'` do, then `Ei(V & V') in Ei(V) & Ei(V') in V & V'`), so there is a least one, `L`. If
//! some `V` meets the rules and all other checks, then `L in V`, and the other checks, which only
//! get easier when `V` shrinks, hold for `L` as well. So "some `V`" may be replaced by `L`.
//!
//! **Writing it down.** Rules come in four shapes, with `V` in none of `c`, `A`, `B`, `M`:
//!
//! ```text
//!   c in V        A ; V in V        V ; B in V        V ; M ; V in V
//! ```
//!
//! Take the unions of the `c`, of the `A`, of the `B` and of the `M`, and let `d = A* ; c ; B*`.
//! Then `L = d ; (M ; d)*`. Every pair of it follows from the rules, one step of a word after the
//! other; and it meets them: `A ; d` and `d ; B` are within `d`, and two words with an `M` between
//! them are a word.
//!
//! **Either way round.** If `V in O` is among the checks and `O` is a total order, two more rules
//! can be brought into this shape. `E in V | V^-1` asks for `V` between the two of each pair, and
//! `O` says in which direction: it is the same as `(E | E^-1) & O in V`, and that `E` has no
//! loops, since `V` has none. `total V` is the case where `E` relates all that differ: `O in V`.

use tristan_spec::iso::{Check, IsoLevel, KeyVar, Rel, Witness, WitnessKind};

use super::flat::flatten;
use super::polarity::{Polarity, in_check};
use super::shape::{bare, identity, inter, is_identity, is_plainly_irreflexive, seq, union};
use super::terms::{Term, over, terms};
use crate::syntax::{free_keys, mentions};

/// The least choice of a relation that a level asks for, in terms of what else it speaks of;
/// `None` if the level uses it in some other way.
pub fn least(level: &IsoLevel, witness: usize) -> Option<Rel> {
    Rules::of(level, witness).map(|rules| rules.least())
}

/// The level with the least choice in place of the relation; `None` if it cannot be written down.
pub fn without(level: &IsoLevel, witness: usize) -> Option<IsoLevel> {
    let rules = Rules::of(level, witness)?;
    let name = level.witnesses.get(witness)?.name.clone();
    let least = Rel::Named(name, Box::new(rules.least()));
    let checks = rules.others.iter().map(|check| replace_in(check, witness, &least)).collect();
    Some(IsoLevel { checks, ..level.clone() })
}

/// The checks of a level, sorted by what they do to a relation.
#[derive(Debug, Default)]
struct Rules {
    /// A total order the relation is part of.
    order: Option<Rel>,
    /// `c in V`.
    constant: Vec<Rel>,
    /// `A ; V in V`.
    left: Vec<Rel>,
    /// `V ; B in V`.
    right: Vec<Rel>,
    /// `V ; M ; V in V`.
    middle: Vec<Rel>,
    /// What only gets easier when the relation shrinks.
    others: Vec<Check>,
}

impl Rules {
    fn of(level: &IsoLevel, witness: usize) -> Option<Self> {
        let is_relation = |known: &Witness| known.kind == WitnessKind::Relation;
        level.witnesses.get(witness).filter(|known| is_relation(known))?;
        let checks = flatten(&level.checks);
        let order = checks.iter().find_map(|check| order_above(level, check, witness));
        let mut rules = Self { order, ..Self::default() };
        for check in checks {
            rules.sort_in(check, witness)?;
        }
        Some(rules)
    }

    fn sort_in(&mut self, check: Check, witness: usize) -> Option<()> {
        match in_check(&check, witness) {
            Polarity::Absent | Polarity::Shrinks => {
                self.others.push(check);
                Some(())
            }
            Polarity::Grows | Polarity::Mixed => match &check {
                Check::In(left, right) => self.lower_bound(left, right, witness),
                Check::Total(rel) if is_witness(rel, witness) => {
                    self.constant.push(self.order.clone()?);
                    Some(())
                }
                _ => None,
            },
        }
    }

    /// `left in right`, where the right is the relation, alone or with something beside it.
    fn lower_bound(&mut self, left: &Rel, right: &Rel, witness: usize) -> Option<()> {
        let parts = match bare(right) {
            Rel::Union(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let turned = |rel: &Rel| match bare(rel) {
            Rel::Inverse(inner) => is_witness(inner, witness),
            _ => false,
        };
        let straight = parts.iter().any(|part| is_witness(part, witness));
        let inverse = parts.iter().any(turned);
        let beside: Vec<Rel> = parts
            .iter()
            .filter(|part| !is_witness(part, witness) && !turned(part))
            .cloned()
            .collect();
        if !straight || beside.iter().any(|part| mentions(part, witness)) {
            return None;
        }
        let simple = beside.is_empty() && !inverse;
        let rest = match beside.is_empty() {
            true => left.clone(),
            false => Rel::Diff(Box::new(left.clone()), Box::new(union(beside))),
        };
        match inverse {
            _ if simple => {
                terms(left, witness)?.iter().try_for_each(|term| self.rule(term, witness))
            }
            _ if mentions(left, witness) => None,
            true => self.either_way(rest),
            false => {
                self.constant.push(rest);
                Some(())
            }
        }
    }

    /// `rel in V | V^-1`.
    fn either_way(&mut self, rel: Rel) -> Option<()> {
        let order = self.order.clone()?;
        if !is_plainly_irreflexive(&rel) {
            self.others.push(Check::Irreflexive(rel.clone()));
        }
        let both = union(vec![rel.clone(), Rel::Inverse(Box::new(rel))]);
        self.constant.push(inter(vec![both, order]));
        Some(())
    }

    /// `term in V`.
    fn rule(&mut self, term: &Term, witness: usize) -> Option<()> {
        let places = term.places(witness);
        if places.is_empty() {
            self.constant.push(term.rel());
            return Some(());
        }
        if let ([only], [Rel::Plus(inner)]) = (places.as_slice(), term.factors.as_slice()) {
            let closed = *only == 0 && is_witness(inner, witness);
            return closed.then(|| self.middle.push(identity()));
        }
        let alone = |place: &usize| is_witness(&term.factors[*place], witness);
        if term.without_loops || !places.iter().all(alone) {
            return None;
        }
        let last = term.factors.len() - 1;
        let between =
            |from: usize, to: usize| bound_within(term, &term.factors[from..to], from, to);
        match places.as_slice() {
            [0] if last == 0 => {}
            [place] if *place == last => self.left.push(between(0, last)?),
            [0] => self.right.push(between(1, last + 1)?),
            [0, place] if *place == last => self.middle.push(between(1, last)?),
            _ => return None,
        }
        Some(())
    }

    fn least(&self) -> Rel {
        let mut whole = Vec::new();
        if !self.left.is_empty() {
            whole.push(self.any_number(&self.left));
        }
        whole.push(union(self.constant.clone()));
        if !self.right.is_empty() {
            whole.push(self.any_number(&self.right));
        }
        let once = seq(whole);
        // What lies before `V` in the order is before what `V` leads to: with `O ; V in V` and
        // `V in O`, `V ; V in V` says nothing new.
        let prefix_closed = self.order.as_ref().is_some_and(|order| self.left.contains(order));
        let middle: Vec<Rel> = self
            .middle
            .iter()
            .filter(|rel| !(prefix_closed && is_identity(rel)))
            .cloned()
            .collect();
        match middle.as_slice() {
            [] => once,
            several if several.iter().all(is_identity) => Rel::Plus(Box::new(once)),
            several => {
                let again = seq(vec![union(several.to_vec()), once.clone()]);
                seq(vec![once, Rel::Star(Box::new(again))])
            }
        }
    }

    /// Any number of steps; an order needs one at most.
    fn any_number(&self, steps: &[Rel]) -> Rel {
        let step = union(steps.to_vec());
        match Some(&step) == self.order.as_ref() {
            true => Rel::Opt(Box::new(step)),
            false => Rel::Star(Box::new(step)),
        }
    }
}

/// The factors between two places as a relation of their own, with the keys only they speak of;
/// `None` if they share a key with the rest.
fn bound_within(term: &Term, inside: &[Rel], from: usize, to: usize) -> Option<Rel> {
    let speaks = |rels: &[Rel], key: &KeyVar| rels.iter().any(|rel| free_keys(rel).contains(key));
    let own: Vec<_> = term.keys.iter().copied().filter(|key| speaks(inside, key)).collect();
    let outside = [&term.factors[..from], &term.factors[to..]].concat();
    let shared = own.iter().any(|key| speaks(&outside, key));
    (!shared).then(|| over(&own, seq(inside.to_vec())))
}

/// The total order that a check says the relation is part of.
fn order_above(level: &IsoLevel, check: &Check, witness: usize) -> Option<Rel> {
    let Check::In(left, right) = check else { return None };
    let Rel::Witness(place, None) = bare(right) else { return None };
    let is_order = level.witnesses.get(*place)?.kind == WitnessKind::Order;
    let below = match bare(left) {
        Rel::Union(parts) => parts.iter().any(|part| is_witness(part, witness)),
        other => is_witness(other, witness),
    };
    (is_order && below).then(|| bare(right).clone())
}

fn is_witness(rel: &Rel, witness: usize) -> bool {
    matches!(bare(rel), Rel::Witness(place, None) if *place == witness)
}

fn replace_in(check: &Check, witness: usize, by: &Rel) -> Check {
    let rel = |rel: &Rel| replace(rel, witness, by);
    let all = |parts: &[Check]| parts.iter().map(|part| replace_in(part, witness, by)).collect();
    match check {
        Check::In(left, right) => Check::In(rel(left), rel(right)),
        Check::Acyclic(inner) => Check::Acyclic(rel(inner)),
        Check::Irreflexive(inner) => Check::Irreflexive(rel(inner)),
        Check::Empty(inner) => Check::Empty(rel(inner)),
        Check::Total(inner) => Check::Total(rel(inner)),
        Check::Not(inner) => Check::Not(Box::new(replace_in(inner, witness, by))),
        Check::All(parts) => Check::All(all(parts)),
        Check::Any(parts) => Check::Any(all(parts)),
        Check::ForAll(key, inner) => Check::ForAll(*key, Box::new(replace_in(inner, witness, by))),
    }
}

fn replace(rel: &Rel, witness: usize, by: &Rel) -> Rel {
    let all = |parts: &[Rel]| parts.iter().map(|part| replace(part, witness, by)).collect();
    let boxed = |inner: &Rel| Box::new(replace(inner, witness, by));
    match rel {
        Rel::Witness(place, _) if *place == witness => by.clone(),
        Rel::Given(_) | Rel::Witness(..) | Rel::Id(_) | Rel::Test(_) | Rel::Product(..) => {
            rel.clone()
        }
        Rel::Union(parts) => Rel::Union(all(parts)),
        Rel::Inter(parts) => Rel::Inter(all(parts)),
        Rel::Seq(parts) => Rel::Seq(all(parts)),
        Rel::Diff(left, right) => Rel::Diff(boxed(left), boxed(right)),
        Rel::Inverse(inner) => Rel::Inverse(boxed(inner)),
        Rel::Opt(inner) => Rel::Opt(boxed(inner)),
        Rel::Plus(inner) => Rel::Plus(boxed(inner)),
        Rel::Star(inner) => Rel::Star(boxed(inner)),
        Rel::OverKeys(key, inner) => Rel::OverKeys(*key, boxed(inner)),
        Rel::Named(name, inner) => Rel::Named(name.clone(), boxed(inner)),
    }
}

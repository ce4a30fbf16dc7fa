//! Finds facts about transitive closures.
//!
//! **Inside.** `E+` is the least transitive relation that contains `E`. So if `E in X` and
//! `X ; X in X`, then `E+ in X`. Candidates for `X` are the orders and relations at hand; each fact
//! found may lead to others, until there are no more.
//!
//! **Around.** Let `T` be a strict order of the history, and let `F` only start in `S`. Then
//! `acyclic T | F` if `acyclic F ; T? ; [S]`: a cycle of `T | F` is not made of `T` alone, as `T` is
//! transitive and has no loop. So begin it with a step of `F`. Whatever steps of `T` follow are
//! one or none, as `T` is transitive, and lead to where the next step of `F` starts, which is in
//! `S`. So it is a cycle of `F ; T? ; [S]`.
//!
//! Where a check fails because of `E+`, there is a last step, or a first one:
//! `E+ = (E+)? ; E = E ; (E+)?`. Goals are also tried with closures unrolled like this.

use tristan_spec::iso::{Check, Given, Rel, Set, Sort};

use super::axioms::Shape;
use super::facts::{Fact, Learnt};
use super::ground::Scope;
use super::rewrite::{flat, free_keys, map_parts, map_rels};
use super::theory::Theory;

/// What is known of closures so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Induction {
    /// The facts, each from those before it.
    pub(super) learnt: Vec<Learnt>,
    /// Facts that did not follow, and from how much.
    failed: Vec<(Fact, usize)>,
}

impl Induction {
    /// Adds to the theory what closures in it and in the goal are contained in.
    pub(super) fn learn(&mut self, theory: &mut Theory, goal: Option<&Check>) {
        loop {
            let before = theory.known.len();
            let steps = theory.closed_relations(goal);
            for step in &steps {
                for bound in candidates(theory, &steps, step) {
                    let scope = Scope::default();
                    self.attempt(theory, Fact::Inside { step: step.clone(), bound, scope });
                }
            }
            if theory.known.len() == before {
                return;
            }
        }
    }

    /// Tries to show that the relation has no cycle by setting apart an order of the history; says
    /// whether it has none.
    pub(super) fn set_apart(&mut self, theory: &mut Theory, acyclic: &Rel) -> bool {
        let Rel::Union(parts) = flat(acyclic) else { return false };
        for order in [Given::So, Given::Rt].map(Rel::Given) {
            let (own, rest): (Vec<Rel>, Vec<Rel>) =
                parts.iter().cloned().partition(|part| *part == order);
            if own.is_empty() {
                continue;
            }
            let (rest, scope) = (Rel::Union(rest), Scope::default());
            let fact = Fact::Around { order, rest, starts: Set::Writers, scope };
            if let Some(between) = fact.reasons().last() {
                self.learn(theory, Some(between));
            }
            if self.attempt(theory, fact) {
                return true;
            }
        }
        false
    }

    /// Adds the fact if its reasons follow; says whether it is known now.
    fn attempt(&mut self, theory: &mut Theory, fact: Fact) -> bool {
        let conclusion = fact.conclusion();
        if theory.known.contains(&conclusion) {
            return true;
        }
        let failure = (fact, theory.known.len());
        if self.failed.contains(&failure) {
            return false;
        }
        match shown(theory, &failure.0) {
            None => {
                self.failed.push(failure);
                false
            }
            Some(learnt) => {
                theory.known.push(conclusion);
                self.learnt.push(learnt);
                true
            }
        }
    }
}

/// The fact, with what it follows from, if it does.
fn shown(theory: &Theory, fact: &Fact) -> Option<Learnt> {
    let (mut most, mut from) = (Scope::default(), Vec::new());
    for reason in fact.reasons() {
        let reason = theory.entails(&reason)?;
        most = most.larger(reason.scope);
        from.extend(reason.from);
    }
    let mut fact = fact.clone();
    match &mut fact {
        Fact::Inside { scope, .. } | Fact::Around { scope, .. } => *scope = most,
    }
    Some(Learnt { fact, place: theory.known.len(), from })
}

/// What a closure may be contained in: everything at hand that is transitive, or may be.
fn candidates(theory: &Theory, steps: &[Rel], step: &Rel) -> Vec<Rel> {
    let keys = free_keys(step);
    let mut found = Vec::new();
    if step.sorts() == (Sort::Txn, Sort::Txn) {
        let of_history = |rel: &Rel| !matches!(rel, Rel::Witness(..) | Rel::Given(Given::Wr(_)));
        if !step.any(&|rel| !of_history(rel)) {
            found.extend([Given::So, Given::Rt].map(Rel::Given));
        }
        for (index, shape) in theory.shapes.iter().enumerate() {
            match shape {
                Shape::Order { .. } | Shape::Relation => found.push(Rel::Witness(index, None)),
                Shape::OrderForEachKey { .. } | Shape::OrderOfWriters => {
                    found.extend(keys.first().map(|&key| Rel::Witness(index, Some(key))));
                }
            }
        }
    }
    let others = steps.iter().filter(|other| {
        *other != step && other.sorts() == step.sorts() && free_keys(other).len() <= keys.len()
    });
    found.extend(others.map(|other| Rel::Plus(Box::new(other.clone()))));
    found
}

/// How closures are unrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unrolled {
    /// Left as they are.
    Not,
    /// `(E+)? ; E`.
    Last,
    /// `E ; (E+)?`.
    First,
}

impl Unrolled {
    /// All ways, the one that needs fewest transactions first.
    pub(super) const ALL: [Self; 3] = [Self::Not, Self::Last, Self::First];
}

/// The check with its closures unrolled; `None` if there are none. That something has no cycle is
/// left as it is: which of its steps one looks at makes no difference there.
pub(super) fn unroll(check: &Check, how: Unrolled) -> Option<Check> {
    if how == Unrolled::Not {
        return Some(check.clone());
    }
    let is_closure = |rel: &Rel| matches!(rel, Rel::Plus(_) | Rel::Star(_));
    let unrolled = || map_rels(check, &mut |rel| unroll_rel(&flat(rel), how));
    check.any_rel(&is_closure).then(unrolled)
}

fn unroll_rel(rel: &Rel, how: Unrolled) -> Rel {
    let Rel::Plus(step) = rel else {
        return map_parts(rel, &mut |part| unroll_rel(part, how));
    };
    let (step, more) = ((**step).clone(), Rel::Opt(Box::new(rel.clone())));
    match how {
        Unrolled::Not => rel.clone(),
        Unrolled::Last => Rel::Seq(vec![more, step]),
        Unrolled::First => Rel::Seq(vec![step, more]),
    }
}

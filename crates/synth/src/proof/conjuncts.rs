//! A check as the checks it consists of.
//!
//! Negations are pushed inwards first: `not not c` is `c`, `not (c or d)` is `not c and not d`. So
//! the way in which a level is written down does not decide whether it can be proved.

use tristan_spec::iso::{Check, KeyVar, Rel};

use super::checks::for_all_keys;

/// One of the checks a check consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conjunct {
    /// The keys it holds for all of.
    pub(super) keys: Vec<KeyVar>,
    /// What holds for them.
    pub(super) check: Check,
}

impl Conjunct {
    /// As one check.
    pub(super) fn closed(&self) -> Check {
        for_all_keys(&self.keys, self.check.clone())
    }
}

/// The checks that a check consists of, with `e+` irreflexive written as `e` acyclic.
pub(super) fn conjuncts(check: &Check) -> Vec<Conjunct> {
    conjuncts_for(&[], check)
}

/// The checks that `forall keys. check` consists of.
pub(super) fn conjuncts_for(keys: &[KeyVar], check: &Check) -> Vec<Conjunct> {
    let mut found = Vec::new();
    collect(&pushed(check, true), &mut keys.to_vec(), &mut found);
    found
}

/// The check, or its negation unless it `holds`, with negations only before single checks and
/// before `forall`.
fn pushed(check: &Check, holds: bool) -> Check {
    let all = |parts: &[Check]| parts.iter().map(|part| pushed(part, holds)).collect();
    match (check, holds) {
        (Check::Not(inner), _) => pushed(inner, !holds),
        (Check::All(parts) | Check::Any(parts), _) if parts.len() == 1 => pushed(&parts[0], holds),
        (Check::All(parts), true) | (Check::Any(parts), false) => Check::All(all(parts)),
        (Check::Any(parts), true) | (Check::All(parts), false) => Check::Any(all(parts)),
        (Check::ForAll(key, inner), true) => Check::ForAll(*key, Box::new(pushed(inner, true))),
        (_, true) => check.clone(),
        (_, false) => Check::Not(Box::new(check.clone())),
    }
}

fn collect(check: &Check, keys: &mut Vec<KeyVar>, found: &mut Vec<Conjunct>) {
    match check {
        Check::All(parts) => parts.iter().for_each(|part| collect(part, keys, found)),
        Check::ForAll(key, inner) => {
            keys.push(*key);
            collect(inner, keys, found);
            keys.pop();
        }
        Check::Irreflexive(Rel::Plus(step)) => {
            let check = Check::Acyclic((**step).clone());
            found.push(Conjunct { keys: keys.clone(), check });
        }
        _ => found.push(Conjunct { keys: keys.clone(), check: check.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use tristan_spec::iso::Given;

    use super::*;

    #[test]
    fn negations_go_inwards_and_conjunctions_fall_apart() {
        let (so, rt) = (Rel::Given(Given::So), Rel::Given(Given::Rt));
        let (a, b) = (Check::Acyclic(so), Check::Empty(rt));
        let not = |check: &Check| Check::Not(Box::new(check.clone()));
        let checks = |check: &Check| -> Vec<Check> {
            conjuncts(check).into_iter().map(|conjunct| conjunct.check).collect()
        };
        assert_eq!(checks(&not(&not(&a))), std::slice::from_ref(&a));
        let neither = not(&Check::Any(vec![not(&a), b.clone()]));
        assert_eq!(checks(&neither), [a.clone(), not(&b)]);
        let one = not(&Check::All(vec![not(&a), b.clone()]));
        assert_eq!(checks(&one), [Check::Any(vec![a.clone(), not(&b)])]);
        assert_eq!(checks(&Check::Any(vec![a.clone()])), [a]);
    }
}

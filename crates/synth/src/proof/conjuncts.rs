//! A check as the checks it consists of.

use tristan_spec::iso::{Check, KeyVar, Rel};

use super::theory::for_all_keys;

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
    let mut found = Vec::new();
    collect(check, &mut Vec::new(), &mut found);
    found
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

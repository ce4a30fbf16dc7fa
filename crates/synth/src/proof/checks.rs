//! Checks that axioms, facts and theories all write.

use tristan_spec::iso::{Check, KeyVar, Rel};

/// `r ; r in r`.
pub(super) fn transitive(rel: &Rel) -> Check {
    Check::In(Rel::Seq(vec![rel.clone(), rel.clone()]), rel.clone())
}

/// The check for all values of the keys.
pub(super) fn for_all_keys(keys: &[KeyVar], check: Check) -> Check {
    keys.iter().rev().fold(check, |check, &key| Check::ForAll(key, Box::new(check)))
}

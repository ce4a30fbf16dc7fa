//! Checks as a flat list.
//!
//! ```text
//!   all of A, B                    A and B on their own
//!   for every key x, A and B       for every key x, A; for every key x, B
//!   for every key x, E in R        (U x. E) in R, if R does not speak of x
//!   E \ R is empty                 E in R
//! ```

use tristan_spec::iso::{Check, KeyVar, Rel};

use super::shape::bare;
use crate::syntax::free_keys;

/// The same checks, none of them a conjunction, keys within relations as far as possible.
pub fn flatten(checks: &[Check]) -> Vec<Check> {
    checks.iter().flat_map(one).collect()
}

fn one(check: &Check) -> Vec<Check> {
    match check {
        Check::All(parts) => flatten(parts),
        Check::Not(inner) => match inner.as_ref() {
            Check::Not(twice) => one(twice),
            Check::Any(parts) => {
                parts.iter().flat_map(|part| one(&Check::Not(Box::new(part.clone())))).collect()
            }
            _ => vec![check.clone()],
        },
        Check::Empty(rel) => match bare(rel) {
            Rel::Diff(left, right) => {
                vec![Check::In(left.as_ref().clone(), right.as_ref().clone())]
            }
            _ => vec![check.clone()],
        },
        Check::ForAll(key, inner) => {
            one(inner).into_iter().map(|inner| for_all(*key, inner)).collect()
        }
        _ => vec![check.clone()],
    }
}

fn for_all(key: KeyVar, check: Check) -> Check {
    let over = |rel: Rel| match free_keys(&rel).contains(&key) {
        true => Rel::OverKeys(key, Box::new(rel)),
        false => rel,
    };
    match check {
        Check::In(left, right) if !free_keys(&right).contains(&key) => Check::In(over(left), right),
        Check::Empty(rel) => Check::Empty(over(rel)),
        Check::Irreflexive(rel) => Check::Irreflexive(over(rel)),
        other => Check::ForAll(key, Box::new(other)),
    }
}

//! Which level implies which: every history the first accepts, the second accepts.
//!
//! Within one strength the families are ordered by [`WITHIN`]; a stronger strength of one
//! family implies the weaker ones; a few implications cross both.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::{Catalog, Level, Strength};

/// `(stronger, weaker)` families: the implication holds at each common strength.
pub const WITHIN: [(&str, &str); 21] = [
    ("serializable", "repeatable-read"),
    ("serializable", "snapshot-isolation"),
    ("serializable", "update-serializable"),
    ("repeatable-read", "cursor-stability"),
    ("generalized-snapshot-isolation", "snapshot-isolation"),
    ("snapshot-isolation", "prefix"),
    ("snapshot-isolation", "parallel-si"),
    ("update-serializable", "update-atomic"),
    ("forward-consistent-view", "consistent-view"),
    ("parallel-si", "consistent-view"),
    ("consistent-view", "parallel-si"),
    ("parallel-si", "update-atomic"),
    ("parallel-si", "causal"),
    ("prefix", "causal"),
    ("causal", "read-atomic"),
    ("update-atomic", "read-atomic"),
    ("update-atomic", "cursor-stability"),
    ("cursor-stability", "read-committed"),
    ("read-atomic", "monotonic-atomic-view"),
    ("monotonic-atomic-view", "read-committed"),
    ("read-committed", "read-uncommitted"),
];

/// `(stronger, weaker)` full names that no other rule gives.
pub const ACROSS: [(&str, &str); 16] = [
    ("strong-consistent-view", "strong-forward-consistent-view"),
    ("read-atomic", "read-your-writes"),
    ("causal", "monotonic-reads"),
    ("causal", "monotonic-writes"),
    ("causal", "writes-follow-reads"),
    ("update-serializable", "consistent-view"),
    ("strong-session-update-serializable", "monotonic-writes"),
    ("read-your-writes", "plain-read-atomic"),
    ("monotonic-reads", "plain-read-atomic"),
    ("monotonic-writes", "plain-read-atomic"),
    ("writes-follow-reads", "plain-read-atomic"),
    ("read-your-writes", "read-committed"),
    ("monotonic-reads", "read-committed"),
    ("monotonic-writes", "read-committed"),
    ("writes-follow-reads", "read-committed"),
    ("monotonic-writes", "strong-session-read-uncommitted"),
];

/// The implications between levels of the library, closed under transitivity.
#[derive(Clone, Debug)]
pub struct Lattice {
    implied: BTreeSet<(String, String)>,
}

impl Default for Lattice {
    fn default() -> Self {
        let levels = Catalog::default().levels();
        let mut implied: BTreeSet<(String, String)> = direct(&levels);
        loop {
            let further: Vec<_> = implied
                .iter()
                .flat_map(|(a, b)| {
                    let next = implied.range((b.clone(), String::new())..);
                    next.take_while(move |(from, _)| from == b).map(|(_, c)| (a.clone(), c.clone()))
                })
                .filter(|pair| !implied.contains(pair))
                .collect();
            if further.is_empty() {
                return Self { implied };
            }
            implied.extend(further);
        }
    }
}

static LIBRARY: LazyLock<Lattice> = LazyLock::new(Lattice::default);

impl Lattice {
    /// The lattice of the library, worked out once.
    pub fn library() -> &'static Self {
        &LIBRARY
    }

    /// Whether every history accepted at `stronger` is accepted at `weaker` (full names).
    pub fn implies(&self, stronger: &str, weaker: &str) -> bool {
        stronger == weaker || self.implied.contains(&(stronger.to_owned(), weaker.to_owned()))
    }

    /// All pairs `(stronger, weaker)`, by full name.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.implied.iter().map(|(a, b)| (a.as_str(), b.as_str()))
    }
}

fn direct(levels: &[Level]) -> BTreeSet<(String, String)> {
    let mut pairs: BTreeSet<_> =
        ACROSS.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    for a in levels {
        for b in levels {
            if same_family_weaker(a, b) || within(a, b) {
                pairs.insert((a.name.clone(), b.name.clone()));
            }
        }
    }
    pairs
}

fn same_family_weaker(a: &Level, b: &Level) -> bool {
    a.family == b.family && a.strength > b.strength
}

fn within(a: &Level, b: &Level) -> bool {
    let common = a.strength == b.strength && a.strength.is_some_and(|s| Strength::ALL.contains(&s));
    common && WITHIN.contains(&(a.family.as_str(), b.family.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_tables_exists() {
        let catalog = Catalog::default();
        for (a, b) in WITHIN.into_iter().chain(ACROSS) {
            assert_eq!(catalog.find(a).expect(a).name, a);
            assert_eq!(catalog.find(b).expect(b).name, b);
        }
    }

    #[test]
    fn strict_serializability_is_the_top_and_read_uncommitted_the_bottom() {
        let lattice = Lattice::default();
        for level in Catalog::default().levels() {
            if !level.family.contains("generalized") {
                assert!(lattice.implies("strong-serializable", &level.name), "{}", level.name);
            }
            assert!(lattice.implies(&level.name, "read-uncommitted"), "{}", level.name);
        }
        assert!(!lattice.implies("snapshot-isolation", "serializable"));
    }
}

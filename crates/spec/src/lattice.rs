//! Which level implies which: every history the first accepts, the second accepts, and with the same
//! witness.
//!
//! Within one strength the families are ordered by [`WITHIN`]; a stronger strength of one
//! family implies the weaker ones; a few implications cross both. Histories without range reads know
//! more implications, by [`ITEMS`]. Closed under transitivity, this is every implication between
//! levels of the library that `tristan compare` proves with the same order of versions, no more and
//! no less: a test of `tristan-synth` proves each of them, and that no other one can be proved.
//! Implications that hold only if every time is known are left out, because traces seldom have
//! exact times.

use std::collections::{BTreeMap, BTreeSet};
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

/// `(stronger, weaker)` families: the implication holds at each common strength, for histories
/// without range reads. Phantoms are all that tells these levels apart.
pub const ITEMS: [(&str, &str); 1] = [("repeatable-read", "serializable")];

/// The implications between levels of the library, closed under transitivity.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// Per level, all weaker ones.
    implied: BTreeMap<String, BTreeSet<String>>,
}

static LIBRARY: LazyLock<Lattice> = LazyLock::new(|| Lattice::closed(&WITHIN));
static OF_ITEMS: LazyLock<Lattice> = LazyLock::new(|| {
    let within: Vec<_> = WITHIN.into_iter().chain(ITEMS).collect();
    Lattice::closed(&within)
});

impl Default for Lattice {
    fn default() -> Self {
        LIBRARY.clone()
    }
}

impl Lattice {
    /// The lattice of the library, worked out once.
    pub fn library() -> &'static Self {
        &LIBRARY
    }

    /// The lattice of the library for histories without range reads, worked out once.
    pub fn of_items() -> &'static Self {
        &OF_ITEMS
    }

    /// The implications that follow from those within strengths.
    fn closed(within: &[(&str, &str)]) -> Self {
        let mut implied = direct(&Catalog::default().levels(), within);
        loop {
            let further: Vec<_> = implied
                .iter()
                .flat_map(|(a, b)| {
                    let next = implied.range((b.clone(), String::new())..);
                    next.take_while(move |(from, _)| from == b).map(|(_, c)| (a.clone(), c.clone()))
                })
                .filter(|(a, c)| a != c && !implied.contains(&(a.clone(), c.clone())))
                .collect();
            if further.is_empty() {
                break;
            }
            implied.extend(further);
        }
        let mut lattice = Self { implied: BTreeMap::new() };
        for (stronger, weaker) in implied {
            lattice.implied.entry(stronger).or_default().insert(weaker);
        }
        lattice
    }

    /// Whether every history accepted at `stronger` is accepted at `weaker` (full names).
    pub fn implies(&self, stronger: &str, weaker: &str) -> bool {
        let all = self.implied.get(stronger);
        stronger == weaker || all.is_some_and(|all| all.contains(weaker))
    }

    /// All pairs `(stronger, weaker)`, by full name.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.implied.iter().flat_map(|(a, all)| all.iter().map(move |b| (a.as_str(), b.as_str())))
    }
}

fn direct(levels: &[Level], pairs_within: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    let mut pairs: BTreeSet<_> =
        ACROSS.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    for a in levels {
        for b in levels {
            if same_family_weaker(a, b) || within(a, b, pairs_within) {
                pairs.insert((a.name.clone(), b.name.clone()));
            }
        }
    }
    pairs
}

fn same_family_weaker(a: &Level, b: &Level) -> bool {
    a.family == b.family && a.strength > b.strength
}

fn within(a: &Level, b: &Level, pairs: &[(&str, &str)]) -> bool {
    let common = a.strength == b.strength && a.strength.is_some_and(|s| Strength::ALL.contains(&s));
    common && pairs.contains(&(a.family.as_str(), b.family.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_tables_exists() {
        let catalog = Catalog::default();
        for (a, b) in WITHIN.into_iter().chain(ACROSS).chain(ITEMS) {
            assert_eq!(catalog.find(a).expect(a).name, a);
            assert_eq!(catalog.find(b).expect(b).name, b);
        }
    }

    #[test]
    fn strict_serializability_is_the_top_and_read_uncommitted_the_bottom() {
        let lattice = Lattice::default();
        for level in Catalog::default().levels() {
            if !level.family.contains("generalized") {
                let implied = lattice.implies("strong-serializable", &level.name);
                assert!(implied, "the tables lack a level that implies {}", level.name);
            }
            let implies = lattice.implies(&level.name, "read-uncommitted");
            assert!(implies, "the tables lack a level that {} implies", level.name);
        }
        assert!(!lattice.implies("snapshot-isolation", "serializable"));
        assert!(!lattice.implies("repeatable-read", "serializable"), "phantoms tell them apart");
        assert!(Lattice::of_items().implies("repeatable-read", "snapshot-isolation"));
    }
}

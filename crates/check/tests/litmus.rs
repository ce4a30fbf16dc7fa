//! The engine on the classical histories: every cell of the table, every separation of two
//! levels, every level of the library. Every verdict is certified.

#![allow(clippy::panic, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_history::History;
use tristan_oracle::litmus::{LEVELS, TABLE, separations};
use tristan_oracle::{Judgement, judge};
use tristan_spec::lattice::Lattice;
use tristan_spec::{Catalog, Level};

/// Whether the level accepts the history; the evidence is certified on the way.
fn accepts(level: &Level, history: &History) -> bool {
    let verdict = check(history, level, &Options::default(), &Silent).verdict;
    match certify(history, level, 0, &verdict) {
        Ok(Certified::Accept) => true,
        Ok(Certified::Reject) => false,
        other => panic!("{}: {other:?}\n{}", level.name, verdict.to_json()),
    }
}

fn level(name: &str) -> Level {
    Catalog::default().find(name).expect(name)
}

#[test]
fn every_cell_of_the_table() {
    let mut cells = 0;
    for litmus in TABLE {
        let history = litmus.history();
        for (name, expected) in litmus.verdicts() {
            assert_eq!(accepts(&level(name), &history), expected, "{} at {name}", litmus.name);
            cells += 1;
        }
    }
    assert_eq!(cells, TABLE.len() * LEVELS.len());
}

#[test]
fn every_separation() {
    let mut separated = 0;
    for separation in separations() {
        let history = separation.history();
        assert!(accepts(&level(separation.accepts), &history), "{separation:?}");
        assert!(!accepts(&level(separation.rejects), &history), "{separation:?}");
        separated += 1;
    }
    let lattice = Lattice::default();
    let pairs = LEVELS.iter().flat_map(|a| LEVELS.iter().map(move |b| (a, b)));
    let incomparable = pairs.filter(|(a, b)| !lattice.implies(a, b)).count();
    assert_eq!(separated, incomparable, "levels that do not imply each other are separated");
}

#[test]
fn every_level_of_the_library_on_every_history_of_the_table() {
    for litmus in TABLE {
        let history = litmus.history();
        for level in Catalog::default().levels() {
            let expected = judge(&history, &level, 0) == Judgement::Accept;
            assert_eq!(accepts(&level, &history), expected, "{} at {}", litmus.name, level.name);
        }
    }
}

#[test]
fn every_level_rejects_its_smallest_rejected_history() {
    for family in Catalog::default().families() {
        let text = &family.smallest_rejected;
        assert!(!text.is_empty(), "{} rejects something", family.name);
        let history = formats::read(text.as_bytes(), &family.name, None).expect("well formed");
        for &strength in family.strengths() {
            let level = family.level(strength).expect("a formula");
            let natural = family.natural.is_none_or(|natural| natural <= strength);
            if natural {
                assert!(!accepts(&level, &history), "{}", level.name);
            }
        }
    }
}

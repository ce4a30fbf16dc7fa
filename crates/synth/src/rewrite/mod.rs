//! Levels that mean the same and are easier to search.
//!
//! ```text
//!   as written ──least──► no visibility left to choose ──dependency──► a version order per key,
//!                         (an order still is)           free_versions  or nothing, to choose
//! ```
//!
//! Nothing here knows a level by name: [`least`], [`dependency_form`] and [`without_versions`] look
//! at how a witness is used. They keep the places of witnesses; one that is no longer used is simply not mentioned.
//! Whatever is found with their help is judged again by the level as it was written.

mod dependency;
mod flat;
mod free_versions;
mod least;
mod polarity;
mod shape;
mod terms;
mod versions;

use tristan_spec::iso::{IsoLevel, WitnessKind};

use crate::syntax::speaks_of;

pub use dependency::{dependency_form, textbook_form};
pub use flat::flatten;
pub use free_versions::without_versions;
pub use least::{least, without};
pub use polarity::{Polarity, in_check, in_rel};

/// The level without the relations whose least choice can be written down.
pub fn eliminate_relations(level: &IsoLevel) -> IsoLevel {
    let mut level = level.clone();
    for place in 0..level.witnesses.len() {
        if level.witnesses[place].kind == WitnessKind::Relation {
            level = without(&level, place).unwrap_or(level);
        }
    }
    level
}

/// The level with as little to choose as we know how: see the module.
pub fn simplest(level: &IsoLevel) -> IsoLevel {
    let mut level = eliminate_relations(level);
    for place in 0..level.witnesses.len() {
        level = match level.witnesses[place].kind {
            WitnessKind::Order => dependency_form(&level, place).unwrap_or(level),
            WitnessKind::OrderPerKey => without_versions(&level, place).unwrap_or(level),
            WitnessKind::Relation => level,
        };
    }
    level
}

/// The level in the form in which people like to see it violated: with an order per key wherever it
/// has a total order.
pub fn textbook(level: &IsoLevel) -> IsoLevel {
    let mut level = eliminate_relations(level);
    for place in 0..level.witnesses.len() {
        if level.witnesses[place].kind == WitnessKind::Order {
            level = textbook_form(&level, place).unwrap_or(level);
        }
    }
    level
}

/// The places of the witnesses that some check mentions.
pub fn mentioned(level: &IsoLevel) -> Vec<usize> {
    let occurs = |place: &usize| level.checks.iter().any(|check| speaks_of(check, *place));
    (0..level.witnesses.len()).filter(occurs).collect()
}

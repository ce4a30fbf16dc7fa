//! Finds a level by any of its names, for the fast engine.
//!
//! ```text
//!   levels/*.iso ──► Definition ──(those with dependency form)──► Family ──► Level at a strength
//! ```

use std::sync::LazyLock;

use crate::iso::Library;
use crate::names::{self, Nameable};
use crate::{Family, FormulaError, Level, Strength, UnknownLevelError};

/// The levels that can be asked for: the library, and what the user adds.
#[derive(Clone, Debug)]
pub struct Catalog {
    families: Vec<Family>,
    /// Families that are found by name only, because they ask what each transaction was
    /// promised, which most traces do not say.
    by_name: Vec<Family>,
}

/// The levels of the standard library, worked out once.
static LIBRARY: LazyLock<Catalog> = LazyLock::new(|| Catalog::of(Library::standard()));

impl Default for Catalog {
    fn default() -> Self {
        LIBRARY.clone()
    }
}

impl Catalog {
    /// The levels of a library that have dependency form.
    pub fn of(library: &Library) -> Self {
        let families = library.definitions().filter_map(|definition| definition.family().ok());
        let (by_name, families) =
            families.partition(|family| readable(family, Strength::Plain).asks_promises());
        Self { families, by_name }
    }

    /// Adds a family of the user's own.
    ///
    /// # Errors
    /// If its formula cannot be read.
    pub fn add(&mut self, family: Family) -> Result<(), FormulaError> {
        family.level(Strength::Plain)?;
        self.families.push(family);
        Ok(())
    }

    /// The families, library first; `mixed` is found by name only.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Every level: each family in each of its strengths.
    pub fn levels(&self) -> Vec<Level> {
        let pairs = self
            .families
            .iter()
            .flat_map(|family| family.strengths().iter().map(move |&strength| (family, strength)));
        pairs.map(|(family, strength)| readable(family, strength)).collect()
    }

    /// The level with this name, alias or explicit strength, whatever its letter case.
    ///
    /// # Errors
    /// If there is none; the error names the nearest ones.
    pub fn find(&self, name: &str) -> Result<Level, UnknownLevelError> {
        let (family, strength) = names::find(self.named(), name)?;
        Ok(readable(family, strength))
    }

    /// The family with this name or alias, whatever its letter case; `mixed`, too.
    pub fn family(&self, name: &str) -> Option<&Family> {
        let wanted = names::normal(name);
        self.named().find(|family| family.is_named(&wanted))
    }

    fn named(&self) -> impl Iterator<Item = &Family> + Clone {
        self.families.iter().chain(&self.by_name)
    }
}

fn readable(family: &Family, strength: Strength) -> Level {
    family.level(strength).expect("formulas are read when a family enters the catalog")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full_name(name: &str) -> String {
        Catalog::default().find(name).expect(name).name
    }

    #[test]
    fn names_and_aliases_mean_what_their_sources_define() {
        for (asked, expected) in [
            ("si", "snapshot-isolation"),
            ("SER", "serializable"),
            ("rc", "read-committed"),
            ("PL-3", "serializable"),
            ("PL-2+", "consistent-view"),
            ("gsi", "generalized-snapshot-isolation"),
            ("strict_serializable", "strong-serializable"),
            ("plain-causal", "plain-causal"),
            ("strong-session-causal", "causal"),
            ("ss-si", "strong-session-snapshot-isolation"),
            ("Strong_GSI", "strong-generalized-snapshot-isolation"),
            ("pc-si", "strong-session-generalized-snapshot-isolation"),
            ("Mixed", "mixed"),
            ("plain-mixed", "mixed"),
            ("strong-session-mixed", "strong-session-mixed"),
            ("strong-mixed", "strong-mixed"),
        ] {
            assert_eq!(full_name(asked), expected, "{asked}");
        }
    }

    #[test]
    fn every_full_name_finds_its_own_level() {
        for level in Catalog::default().levels() {
            assert_eq!(full_name(&level.name), level.name);
        }
    }

    #[test]
    fn mixed_levels_are_not_among_the_levels_of_every_trace() {
        assert!(Catalog::default().levels().iter().all(|level| !level.asks_promises()));
        assert!(Catalog::default().find("mixed").is_ok_and(|level| level.asks_promises()));
    }

    #[test]
    fn a_name_that_sources_use_for_different_levels_is_refused_with_the_choices() {
        let error = Catalog::default().find("Strong SI").expect_err("two meanings");
        let told = error.to_string();
        for choice in ["strong-snapshot-isolation: ", "strong-generalized-snapshot-isolation: "] {
            assert!(told.contains(choice), "{told}");
        }
        assert!(Catalog::default().find("strong-session-si").is_err());
    }

    #[test]
    fn common_names_lead_to_the_right_level() {
        for (asked, expected) in [
            ("snapshot", "snapshot-isolation"),
            ("strict-ser", "strong-serializable"),
            ("Linearizable", "strong-serializable"),
            ("ssi", "serializable"),
            ("sequential consistency", "strong-session-serializable"),
        ] {
            let error = Catalog::default().find(asked).expect_err(asked);
            assert_eq!(full_name(&error.nearest[0]), expected, "{asked}");
        }
    }

    #[test]
    fn every_suggestion_is_a_level() {
        for (name, meant) in names::MEANT {
            assert!(Catalog::default().find(name).is_err(), "{name}");
            meant.iter().for_each(|(level, _)| assert!(!full_name(level).is_empty()));
        }
    }

    #[test]
    fn a_wrong_name_gets_suggestions() {
        let error = Catalog::default().find("serialisable").expect_err("British spelling");
        assert_eq!(error.nearest[0], "serializable");
        assert!(Catalog::default().find("strong-ryw").is_err(), "one form only");
    }
}

//! Finds a level by any of its names.

use std::borrow::Cow;

use crate::{Family, FormulaError, Level, Strength, levels};

/// The levels that can be asked for: the library, and what the user adds.
#[derive(Clone, Debug)]
pub struct Catalog {
    families: Vec<Family>,
}

/// A name nobody knows, with the nearest known ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown isolation level '{name}'; did you mean {}?", .nearest.join(", "))]
pub struct UnknownLevel {
    /// What was asked for.
    pub name: String,
    /// Known names close to it.
    pub nearest: Vec<String>,
}

impl Default for Catalog {
    fn default() -> Self {
        Self { families: levels::ALL.into_iter().cloned().collect() }
    }
}

/// Names that mean one family at one strength, whatever the family's natural strength is.
const FIXED: [(&str, &str, Strength); 8] = [
    ("strict-serializable", "serializable", Strength::Strong),
    ("strict-serializability", "serializable", Strength::Strong),
    ("sser", "serializable", Strength::Strong),
    ("pl-ss", "serializable", Strength::Strong),
    ("prefix-consistent-si", "generalized-snapshot-isolation", Strength::Session),
    ("pc-si", "generalized-snapshot-isolation", Strength::Session),
    ("session-si", "generalized-snapshot-isolation", Strength::Session),
    ("session-snapshot-isolation", "generalized-snapshot-isolation", Strength::Session),
];

impl Catalog {
    /// Adds a family of the user's own.
    ///
    /// # Errors
    /// If its formula cannot be read.
    pub fn add(&mut self, family: Family) -> Result<(), FormulaError> {
        family.level(Strength::Plain)?;
        self.families.push(family);
        Ok(())
    }

    /// The families, library first; [`levels::mixed`] is found by name only.
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
    pub fn find(&self, name: &str) -> Result<Level, UnknownLevel> {
        let wanted = name.trim().to_lowercase().replace(['_', ' '], "-");
        if let Some((_, family, strength)) = FIXED.iter().find(|(alias, _, _)| *alias == wanted) {
            return self.at(family, *strength).ok_or_else(|| self.unknown(name, &wanted));
        }
        if let Some(family) = self.family(&wanted) {
            return Ok(readable(family, family.natural.unwrap_or(Strength::Plain)));
        }
        let explicit = [
            ("plain-", Strength::Plain),
            ("strong-session-", Strength::Session),
            ("ss-", Strength::Session),
            ("strong-", Strength::Strong),
        ];
        for (prefix, strength) in explicit {
            let family = wanted.strip_prefix(prefix).and_then(|rest| self.family(rest));
            if let Some(family) = family.filter(|family| family.strengths().contains(&strength)) {
                return Ok(readable(family, strength));
            }
        }
        Err(self.unknown(name, &wanted))
    }

    fn at(&self, family: &str, strength: Strength) -> Option<Level> {
        self.family(family).map(|family| readable(family, strength))
    }

    fn family(&self, name: &str) -> Option<&Family> {
        self.named().find(|family| family.name == name || family.aliases.contains(&name))
    }

    /// The families that have a name, [`levels::mixed`] too.
    fn named(&self) -> impl Iterator<Item = &Family> {
        self.families.iter().chain([&levels::mixed::FAMILY])
    }

    fn unknown(&self, name: &str, wanted: &str) -> UnknownLevel {
        let mut names: Vec<Cow<'_, str>> = Vec::new();
        for family in self.named() {
            names.extend(family.strengths().iter().map(|&s| Cow::Owned(family.name_at(s))));
            names.extend(family.aliases.iter().map(|&alias| Cow::Borrowed(alias)));
        }
        names.extend(FIXED.iter().map(|(alias, _, _)| Cow::Borrowed(*alias)));
        names.sort_by_key(|known| edit_distance(wanted, known));
        let nearest = names.iter().take(3).map(ToString::to_string).collect();
        UnknownLevel { name: name.to_owned(), nearest }
    }
}

fn readable(family: &Family, strength: Strength) -> Level {
    family.level(strength).expect("formulas are read when a family enters the catalog")
}

/// How many letters must change to get from one word to the other (Levenshtein).
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let change = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
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
            ("strong-session-si", "strong-session-snapshot-isolation"),
            ("pc-si", "strong-session-generalized-snapshot-isolation"),
            ("strong-SI", "strong-snapshot-isolation"),
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
    fn a_wrong_name_gets_suggestions() {
        let error = Catalog::default().find("serialisable").expect_err("British spelling");
        assert_eq!(error.nearest[0], "serializable");
        assert!(Catalog::default().find("strong-ryw").is_err(), "one form only");
    }
}

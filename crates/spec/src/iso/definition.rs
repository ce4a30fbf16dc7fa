//! A level as its author wrote it down, in all its strengths.

use super::dependency::DependencyFormError;
use super::model::IsoLevel;
use super::registry::ItemAt;
use crate::names::Nameable;
use crate::{Family, Strength};

/// A level with everything its file says about it.
#[derive(Clone, Debug)]
pub struct Definition {
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    /// A smallest history it rejects, as a trace; empty if none is given.
    pub(super) smallest_rejected: String,
    pub(super) natural: Option<Strength>,
    /// One for each of its strengths.
    pub(super) levels: Vec<IsoLevel>,
    pub(super) file: String,
    pub(super) at: ItemAt,
}

impl Definition {
    /// Its name, e.g. `snapshot-isolation`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Other names.
    pub fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// One line for people.
    pub fn title(&self) -> &str {
        &self.itself().title
    }

    /// What its author says about it.
    pub fn doc(&self) -> &str {
        &self.itself().doc
    }

    /// The framework it is written in; empty if it is about the history alone.
    pub fn framework(&self) -> &str {
        &self.itself().framework
    }

    /// A smallest history it rejects, as a trace; empty if none is given.
    pub fn smallest_rejected(&self) -> &str {
        &self.smallest_rejected
    }

    /// The file it stands in.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What the bare name means; `None` if neither `b` nor `o` occurs, so that there is only
    /// one form.
    pub fn natural(&self) -> Option<Strength> {
        self.natural
    }

    /// The strengths it exists in.
    pub fn strengths(&self) -> &'static [Strength] {
        Nameable::strengths(self)
    }

    /// The level in all its strengths, weakest first.
    pub fn levels(&self) -> &[IsoLevel] {
        &self.levels
    }

    /// The level at a strength; the only one if there is only one.
    pub fn level(&self, strength: Strength) -> &IsoLevel {
        let at = self.levels.iter().find(|level| level.strength == Some(strength));
        at.unwrap_or_else(|| self.itself())
    }

    /// The family of levels that the fast engine can judge.
    ///
    /// # Errors
    /// If it has no dependency form; the error says why.
    pub fn family(&self) -> Result<Family, DependencyFormError> {
        let formula = self.itself().formula_with_strength()?;
        Ok(Family {
            name: self.name.clone(),
            aliases: self.aliases.clone(),
            title: self.title().to_owned(),
            natural: self.natural,
            formula: formula.to_string(),
            reads: self.itself().reads,
            smallest_rejected: self.smallest_rejected.clone(),
        })
    }

    /// What the bare name means.
    pub fn itself(&self) -> &IsoLevel {
        let natural = self.levels.iter().find(|level| level.strength == self.natural);
        natural.expect("it is worked out at its natural strength")
    }
}

impl Nameable for Definition {
    fn name(&self) -> &str {
        &self.name
    }

    fn aliases(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().map(String::as_str)
    }

    fn natural(&self) -> Option<Strength> {
        self.natural
    }
}

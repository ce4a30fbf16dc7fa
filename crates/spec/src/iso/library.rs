//! Levels that can be asked for by name: those that come with the program, and the user's.
//!
//! ```
//! use tristan_spec::iso::Library;
//!
//! let mut library = Library::default();
//! library.add("mine.iso", "level mine : commit-order { arb(so) }")?;
//! assert_eq!(library.find("mine")?.framework, "commit-order");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use super::definition::Definition;
use super::model::IsoLevel;
use super::registry::Registry;
use super::syntax::BlockKind;
use super::token;
use crate::names;
use crate::{Strength, UnknownLevelError};

/// Level files that were read, and the levels in them.
#[derive(Clone, Debug)]
pub struct Library {
    pub(super) registry: Registry,
    pub(super) definitions: Vec<Arc<Definition>>,
}

/// What levels have in common.
#[derive(Clone, Copy, Debug)]
pub struct Framework<'a> {
    /// The name by which levels extend it.
    pub name: &'a str,
    /// What its author says about it.
    pub doc: &'a str,
    /// The file it stands in.
    pub file: &'a str,
    /// Its text as the file has it, doc lines included.
    pub source: &'a str,
}

impl Library {
    /// The level with this name, alias or explicit strength, whatever its letter case.
    ///
    /// # Errors
    /// If there is none; the error names the nearest ones.
    pub fn find(&self, name: &str) -> Result<IsoLevel, UnknownLevelError> {
        let (definition, strength) = self.find_definition(name)?;
        Ok(definition.level(strength).clone())
    }

    /// The definition that a name belongs to, and the strength that the name asks for.
    ///
    /// # Errors
    /// If there is none; the error names the nearest ones.
    pub fn find_definition(
        &self,
        name: &str,
    ) -> Result<(&Definition, Strength), UnknownLevelError> {
        names::find(self.definitions(), name)
    }

    /// All levels, in the order in which they were added.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> + Clone {
        self.definitions.iter().map(Arc::as_ref)
    }

    /// The full names of all levels, in all their strengths.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.definitions().flat_map(|one| one.levels().iter().map(|level| level.name.clone()))
    }

    /// The files that were read, by name, with their texts.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let sources = self.registry.sources().iter();
        sources.map(|source| (source.name.as_str(), source.text.as_str()))
    }

    /// All frameworks, in the order in which they were added.
    pub fn frameworks(&self) -> impl Iterator<Item = Framework<'_>> {
        self.registry.blocks().filter(|(_, block)| block.kind == BlockKind::Framework).map(
            |(at, block)| {
                let source = self.registry.source(at.file);
                Framework {
                    name: &block.name.text,
                    doc: &block.doc,
                    file: &source.name,
                    source: token::slice(&source.text, block.span),
                }
            },
        )
    }

    /// The text of a level as its file has it, doc lines included.
    pub fn source(&self, definition: &Definition) -> &str {
        let block = self.registry.block(definition.at);
        let text = &self.registry.source(definition.at.file).text;
        block.map_or("", |block| token::slice(text, block.span))
    }

    pub(super) fn empty() -> Self {
        Self { registry: Registry::default(), definitions: Vec::new() }
    }
}

//! Lets files into a library: they are read, tested and worked out, all or nothing.

use std::sync::Arc;

use super::define::define;
use super::elaborate::Elaborator;
use super::error::{IsoError, IsoErrorKind};
use super::library::Library;
use super::registry::{ItemAt, Source};
use super::scope::{Scope, Site};
use super::syntax::{Block, BlockKind, ClauseKind, Item};
use super::text;
use crate::Strength;
use crate::names::{self, Nameable, PREFIXES};

impl Library {
    /// Adds a file that may use everything that is here already.
    ///
    /// # Errors
    /// If something in it is wrong, or gives a name that is taken another meaning. Nothing of the
    /// file is added then.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), IsoError> {
        self.add_all(&[(file, text)], false)
    }

    /// The same for a file that may not even be text.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_bytes(&mut self, file: &str, bytes: &[u8]) -> Result<(), IsoError> {
        self.add(file, text::utf8(file, bytes)?)
    }

    /// Adds files that may use each other.
    pub(super) fn add_all(
        &mut self,
        files: &[(&str, &str)],
        of_library: bool,
    ) -> Result<(), IsoError> {
        let mut next = self.clone();
        let generation = next.registry.sources().last().map_or(0, |last| last.generation + 1);
        let first = next.registry.sources().len();
        for (name, text) in files {
            let (tree, _) = text::read(name, text)?;
            let (name, text) = ((*name).to_owned(), (*text).to_owned());
            next.registry.add(Source { name, text, tree, generation, of_library })?;
        }
        next.define_from(first)?;
        *self = next;
        Ok(())
    }

    /// Works out everything in the files from this number on.
    fn define_from(&mut self, first: usize) -> Result<(), IsoError> {
        for file in first..self.registry.sources().len() {
            self.test_definitions(file)?;
            let source = Arc::clone(&self.registry.sources()[file]);
            for (item, definition) in source.tree.items.iter().enumerate() {
                let Item::Block(block) = definition else { continue };
                let at = ItemAt { file, item };
                self.test_block(block, at)?;
                if block.kind == BlockKind::Level {
                    let level = define(&self.registry, at)?;
                    self.definitions.push(Arc::new(level));
                }
            }
        }
        self.no_double_names(first)
    }

    /// Tests what a file defines outside frameworks and levels.
    fn test_definitions(&self, file: usize) -> Result<(), IsoError> {
        let scope = Scope::of_files(&self.registry);
        let site = Site { file, inside: false };
        let items = &self.registry.source(file).tree.items;
        let macros = items.iter().filter_map(|item| match item {
            Item::Def(def) => Some(def),
            _ => None,
        });
        scope.test_macros(macros, site)?;
        let mut elaborator = Elaborator::new(&scope, Strength::Session);
        for item in items {
            if let Item::Let(definition) = item {
                elaborator.start_over();
                elaborator.definition(definition, site)?;
            }
        }
        Ok(())
    }

    /// Tests a framework or level, even those parts that no check uses.
    fn test_block(&self, block: &Block, at: ItemAt) -> Result<(), IsoError> {
        let chain = self.registry.ancestors(at)?;
        let scope = Scope::of_blocks(&self.registry, &chain)?;
        let site = Site { file: at.file, inside: true };
        let macros = block.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Def(def) => Some(def),
            _ => None,
        });
        scope.test_macros(macros, site)?;
        let mut elaborator = Elaborator::new(&scope, Strength::Session);
        for clause in &block.clauses {
            match &clause.kind {
                ClauseKind::Let(own) => {
                    elaborator.definition(own, site)?;
                }
                ClauseKind::Check(check) => {
                    elaborator.clause(check, site)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A name must not be that of one level and, with its prefix, that of a strength of another.
    fn no_double_names(&self, first: usize) -> Result<(), IsoError> {
        for one in self.definitions() {
            for name in [one.name()].into_iter().chain(Nameable::aliases(one)) {
                let normal = names::normal(name);
                let other = PREFIXES.iter().find_map(|(prefix, strength)| {
                    let rest = normal.strip_prefix(prefix)?;
                    let other = self.definitions().find(|other| other.is_named(rest))?;
                    other.strengths().contains(strength).then_some((other, *strength))
                });
                let Some((other, strength)) = other else { continue };
                let newer = if one.at.file >= first { one } else { other };
                let (level, strength) = (other.name(), strength.name());
                let meaning = format!("it is level `{level}` at strength `{strength}`");
                let mistake = IsoErrorKind::Taken { name: name.to_owned(), meaning };
                let span = self.registry.block(newer.at).map(|block| block.name.span);
                return Err(self.registry.wrong(newer.at.file, span.unwrap_or_default(), mistake));
            }
        }
        Ok(())
    }
}

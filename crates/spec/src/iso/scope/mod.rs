//! The names that a framework or level knows.
//!
//! ```text
//!   built in  ◄─  let, def of files  ◄─  framework  ◄─  the level it extends  ◄─  level
//! ```
//!
//! No name may hide another one, so it does not matter where a search starts.

mod macros;
mod named;

use std::collections::BTreeMap;

use super::error::{IsoError, IsoErrorKind};
use super::registry::{Global, ItemAt, Registry};
use super::syntax::{ClauseKind, Def, Let, Span, Word};
use super::token;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning<'a> {
    /// Something to be chosen.
    Witness {
        /// Its number.
        index: usize,
        /// Whether there is one for every key.
        per_key: bool,
    },
    Let(&'a Let),
    Def(&'a Def),
}

/// A name, with where it was given its meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) meaning: Meaning<'a>,
    pub(super) site: Site,
}

/// Where a text stands, as far as that decides which names it can use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) file: usize,
    /// Whether it is inside a framework or level.
    pub(super) inside: bool,
}

/// The names of a level: its own, and those of all it extends.
pub(super) struct Scope<'a> {
    registry: &'a Registry,
    locals: BTreeMap<&'a str, (Entry<'a>, &'a Word)>,
    witnesses: usize,
}

impl<'a> Scope<'a> {
    /// The names of files only.
    pub(super) fn of_files(registry: &'a Registry) -> Self {
        Self { registry, locals: BTreeMap::new(), witnesses: 0 }
    }

    /// The names that the last of these blocks knows.
    pub(super) fn of_blocks(registry: &'a Registry, chain: &[ItemAt]) -> Result<Self, IsoError> {
        let mut scope = Self::of_files(registry);
        for &at in chain {
            scope.open(at)?;
        }
        scope.not_hidden(chain)?;
        Ok(scope)
    }

    /// What a name means there.
    pub(super) fn lookup(&self, name: &str, site: Site) -> Option<Entry<'a>> {
        if let Some((entry, _)) = self.locals.get(name).filter(|_| site.inside) {
            return Some(*entry);
        }
        let generation = self.registry.source(site.file).generation;
        let (global, at) = self.registry.global(name, generation)?;
        let meaning = match global {
            Global::Let(definition) => Meaning::Let(definition),
            Global::Def(definition) => Meaning::Def(definition),
        };
        Some(Entry { meaning, site: Site { file: at.file, inside: false } })
    }

    pub(super) fn wrong(&self, span: Span, file: usize, mistake: IsoErrorKind) -> IsoError {
        self.registry.wrong(file, span, mistake)
    }

    /// What stands there, on one line.
    pub(super) fn text(&self, file: usize, span: Span) -> String {
        let raw = token::slice(&self.registry.source(file).text, span);
        raw.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What a parameter of this name would hide, if anything.
    fn hidden_by(&self, name: &Word, site: Site) -> Option<String> {
        let local = self.locals.get(name.text.as_str()).filter(|_| site.inside);
        if let Some((entry, word)) = local {
            let place = self.registry.file_and_line(entry.site.file, word.span);
            return Some(format!("it is defined at {place}"));
        }
        self.registry.hidden_by(&name.text, self.registry.source(site.file).generation)
    }

    fn open(&mut self, at: ItemAt) -> Result<(), IsoError> {
        let registry = self.registry;
        let Some(block) = registry.block(at) else { return Ok(()) };
        for clause in &block.clauses {
            let (name, meaning) = match &clause.kind {
                ClauseKind::Witness(witness) => {
                    let per_key = witness.key.is_some();
                    self.witnesses += 1;
                    (&witness.name, Meaning::Witness { index: self.witnesses - 1, per_key })
                }
                ClauseKind::Let(definition) => (&definition.name, Meaning::Let(definition)),
                ClauseKind::Def(definition) => (&definition.name, Meaning::Def(definition)),
                _ => continue,
            };
            self.define(name, Entry { meaning, site: Site { file: at.file, inside: true } })?;
        }
        Ok(())
    }

    fn define(&mut self, name: &'a Word, entry: Entry<'a>) -> Result<(), IsoError> {
        let meaning = self.hidden_by(name, entry.site);
        if let Some(meaning) = meaning {
            return Err(self.registry.taken(name, entry.site.file, meaning));
        }
        self.locals.insert(&name.text, (entry, name));
        Ok(())
    }

    /// A file must not give a meaning of its own to the names of a framework it uses.
    fn not_hidden(&self, chain: &[ItemAt]) -> Result<(), IsoError> {
        let Some(&last) = chain.last() else { return Ok(()) };
        let generation = self.registry.source(last.file).generation;
        let parent = self.registry.block(last).and_then(|block| block.parent.as_ref());
        let clash = self.locals.keys().find_map(|name| {
            Some(((*name).to_owned(), self.registry.hidden_by(name, generation)?))
        });
        match (parent, clash) {
            (Some(parent), Some((name, meaning))) => {
                let mistake = IsoErrorKind::Brings { parent: parent.text.clone(), name, meaning };
                Err(self.registry.wrong(last.file, parent.span, mistake))
            }
            _ => Ok(()),
        }
    }
}

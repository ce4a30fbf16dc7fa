//! Every file that was read, and what its names stand for.
//!
//! Files come in generations: all files of the library are one, every file that is added later
//! is one of its own. A file sees its own generation and the earlier ones, so what is added
//! later never changes what an earlier text means.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::elaborate::BUILT_IN;
use super::error::{IsoError, IsoErrorKind, SpannedError};
use super::parser::MAX_DEPTH;
use super::place::Place;
use super::syntax::{Block, BlockKind, ClauseKind, Def, File, Item, Let, Span, Word};
use crate::names::{self, FIXED};

/// A file that was read.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) tree: File,
    pub(super) generation: usize,
    /// Whether it comes with the program.
    pub(super) of_library: bool,
}

/// An item of a file, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ItemAt {
    pub(super) file: usize,
    pub(super) item: usize,
}

/// All files, and where each name is defined.
#[derive(Clone, Debug, Default)]
pub(super) struct Registry {
    sources: Vec<Arc<Source>>,
    /// `let` and `def` at the level of a file.
    globals: BTreeMap<String, ItemAt>,
    /// Frameworks and levels by all their names, as [`names::normal`] writes them.
    blocks: BTreeMap<String, ItemAt>,
}

/// A definition at the level of a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Global<'a> {
    Let(&'a Let),
    Def(&'a Def),
}

impl Registry {
    /// Takes a file in; its number.
    pub(super) fn add(&mut self, source: Source) -> Result<usize, IsoError> {
        let file = self.sources.len();
        let source = Arc::new(source);
        self.sources.push(Arc::clone(&source));
        for (item, definition) in source.tree.items.iter().enumerate() {
            let at = ItemAt { file, item };
            match definition {
                Item::Let(Let { name, .. }) | Item::Def(Def { name, .. }) => {
                    self.define(name, at)?;
                }
                Item::Block(block) => self.name_block(block, at)?,
            }
        }
        Ok(file)
    }

    pub(super) fn sources(&self) -> &[Arc<Source>] {
        &self.sources
    }

    pub(super) fn source(&self, file: usize) -> &Source {
        &self.sources[file]
    }

    /// The framework or level at this place.
    pub(super) fn block(&self, at: ItemAt) -> Option<&Block> {
        match &self.sources[at.file].tree.items[at.item] {
            Item::Block(block) => Some(block),
            _ => None,
        }
    }

    /// Every framework and level.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (ItemAt, &Block)> {
        let items = self.sources.iter().enumerate().flat_map(|(file, source)| {
            (0..source.tree.items.len()).map(move |item| ItemAt { file, item })
        });
        items.filter_map(|at| Some((at, self.block(at)?)))
    }

    /// The definition that a file of this generation sees under this name.
    pub(super) fn global(&self, name: &str, generation: usize) -> Option<(Global<'_>, ItemAt)> {
        let at = *self.globals.get(name)?;
        let source = &self.sources[at.file];
        let global = match &source.tree.items[at.item] {
            Item::Let(definition) => Global::Let(definition),
            Item::Def(definition) => Global::Def(definition),
            Item::Block(_) => return None,
        };
        (source.generation <= generation).then_some((global, at))
    }

    /// All names that a file of this generation sees without opening a framework.
    pub(super) fn global_names(&self, generation: usize) -> impl Iterator<Item = &str> {
        let visible = move |at: &ItemAt| self.sources[at.file].generation <= generation;
        self.globals.iter().filter(move |(_, at)| visible(at)).map(|(name, _)| name.as_str())
    }

    /// A block and all that it extends, outermost first.
    pub(super) fn ancestors(&self, at: ItemAt) -> Result<Vec<ItemAt>, IsoError> {
        let mut chain = vec![at];
        while let Some(last) = chain.last().copied()
            && let Some((child, parent)) =
                self.block(last).and_then(|block| Some((block, block.parent.as_ref()?)))
        {
            let next = self.parent(child, parent, last.file)?;
            if let Some(first) = chain.iter().position(|seen| *seen == next) {
                let name = |at: &ItemAt| self.block(*at).map(|block| block.name.text.clone());
                let path = chain[first..].iter().filter_map(name).collect();
                return Err(self.wrong(last.file, parent.span, IsoErrorKind::Cycle(path)));
            }
            if chain.len() >= MAX_DEPTH as usize {
                return Err(self.wrong(last.file, parent.span, IsoErrorKind::TooDeep(MAX_DEPTH)));
            }
            chain.push(next);
        }
        chain.reverse();
        Ok(chain)
    }

    /// Where something stands, for people: `file:line`.
    pub(super) fn file_and_line(&self, file: usize, span: Span) -> String {
        let source = &self.sources[file];
        let Place { file, line, .. } = Place::of(span, &source.name, &source.text);
        let owner = if source.of_library { " of the library" } else { "" };
        format!("{file}:{line}{owner}")
    }

    pub(super) fn wrong(&self, file: usize, span: Span, mistake: IsoErrorKind) -> IsoError {
        let source = &self.sources[file];
        SpannedError::new(span, mistake).place(&source.name, &source.text)
    }

    /// What a `let`, `def`, witness or parameter of this name would hide, if anything.
    pub(super) fn hidden_by(&self, name: &str, generation: usize) -> Option<String> {
        if BUILT_IN.contains(&name) {
            return Some("it is built in".to_owned());
        }
        let (_, at) = self.global(name, generation)?;
        let span = match &self.sources[at.file].tree.items[at.item] {
            Item::Let(definition) => definition.name.span,
            Item::Def(definition) => definition.name.span,
            Item::Block(block) => block.name.span,
        };
        Some(format!("it is defined at {}", self.file_and_line(at.file, span)))
    }

    fn define(&mut self, name: &Word, at: ItemAt) -> Result<(), IsoError> {
        if let Some(meaning) = self.hidden_by(&name.text, usize::MAX) {
            return Err(self.taken(name, at.file, meaning));
        }
        self.globals.insert(name.text.clone(), at);
        Ok(())
    }

    fn name_block(&mut self, block: &Block, at: ItemAt) -> Result<(), IsoError> {
        let also = block.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Also(aliases) => Some(aliases),
            _ => None,
        });
        for name in [&block.name].into_iter().chain(also.flatten()) {
            let normal = names::normal(&name.text);
            if let Some(meaning) = self.block_meaning(&normal) {
                return Err(self.taken(name, at.file, meaning));
            }
            self.blocks.insert(normal, at);
        }
        Ok(())
    }

    fn block_meaning(&self, normal: &str) -> Option<String> {
        if let Some((_, level, strength)) = FIXED.iter().find(|(name, ..)| *name == normal) {
            return Some(format!("it is level `{level}` at strength `{}`", strength.name()));
        }
        let at = *self.blocks.get(normal)?;
        let block = self.block(at)?;
        let place = self.file_and_line(at.file, block.name.span);
        Some(format!("it is {} `{}` at {place}", block.kind.keyword(), block.name.text))
    }

    /// Says that a name is taken.
    pub(super) fn taken(&self, name: &Word, file: usize, meaning: String) -> IsoError {
        self.wrong(file, name.span, IsoErrorKind::Taken { name: name.text.clone(), meaning })
    }

    /// The block that another one extends.
    fn parent(&self, child: &Block, name: &Word, file: usize) -> Result<ItemAt, IsoError> {
        let generation = self.sources[file].generation;
        let seen = |at: &ItemAt| self.sources[at.file].generation <= generation;
        let found = self.blocks.get(&names::normal(&name.text)).copied().filter(seen);
        let fits = |at: &ItemAt| {
            let kind = self.block(*at).map(|block| block.kind);
            child.kind == BlockKind::Level || kind == Some(BlockKind::Framework)
        };
        match found {
            Some(at) if fits(&at) => Ok(at),
            Some(_) => {
                let (found, expected) = ("a level", "a framework");
                let name_text = name.text.clone();
                let mistake = IsoErrorKind::Kind { name: name_text, found, expected };
                Err(self.wrong(file, name.span, mistake))
            }
            None => {
                let known = self.blocks.iter().filter(|(_, at)| seen(at) && fits(at));
                let nearest = names::nearest(
                    &names::normal(&name.text),
                    known.map(|(name, _)| name.as_str()),
                );
                let what = match child.kind {
                    BlockKind::Framework => "framework",
                    BlockKind::Level => "framework or level",
                };
                let nearest = nearest.map(str::to_owned);
                let mistake = IsoErrorKind::Unknown { what, name: name.text.clone(), nearest };
                Err(self.wrong(file, name.span, mistake))
            }
        }
    }
}

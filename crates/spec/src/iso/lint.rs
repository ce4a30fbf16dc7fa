//! Remarks on a level file that is right, but may not say what its author means.

use std::fmt::{self, Display, Formatter};

use super::definition::Definition;
use super::library::Library;
use super::place::Place;
use super::registry::{ItemAt, Source};
use super::syntax::{Block, BlockKind, ClauseKind, Def, Item, Span, Word};
use super::uses;
use crate::Strength;

/// Something that may be a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where it stands.
    pub place: Place,
    /// What is odd there.
    pub remark: Remark,
}

/// What may be odd about a level file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// Something was defined for nothing.
    Unused {
        /// What it is, e.g. `definition`.
        what: &'static str,
        /// The name that is never used.
        name: String,
    },
    /// A check that says nothing.
    AlwaysTrue,
    /// A level that accepts everything.
    NoChecks(String),
    /// A level without doc lines.
    NoDoc(String),
    /// A level without a title.
    NoTitle(String),
    /// A strength that changes nothing.
    NoStrengths(String),
}

impl Display for Remark {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unused { what, name } => write!(out, "{what} `{name}` is never used"),
            Self::AlwaysTrue => out.write_str("this holds for every history"),
            Self::NoChecks(level) => {
                write!(out, "level `{level}` has no checks, so every history satisfies it")
            }
            Self::NoDoc(level) => {
                write!(out, "level `{level}` has no doc lines (`/// …`) that say what it means")
            }
            Self::NoTitle(level) => write!(out, "level `{level}` has no `title`"),
            Self::NoStrengths(level) => {
                write!(out, "level `{level}` uses neither `b` nor `o`, so it has no strengths")
            }
        }
    }
}

impl Display for Warning {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.place.marked(&format!("warning: {}", self.remark)))
    }
}

impl Library {
    /// Remarks on the file of this name, in the order of its lines.
    pub fn lint(&self, file: &str) -> Vec<Warning> {
        let sources = self.registry.sources();
        let Some(number) = sources.iter().rposition(|source| source.name == file) else {
            return Vec::new();
        };
        let lint = Lint { library: self, file: number, source: &sources[number] };
        let mut remarks = Vec::new();
        for (item, definition) in lint.source.tree.items.iter().enumerate() {
            match definition {
                Item::Block(block) => lint.block(block, item, &mut remarks),
                Item::Let(own) => lint.global("definition", &own.name, item, &mut remarks),
                Item::Def(own) => {
                    lint.global("macro", &own.name, item, &mut remarks);
                    lint.params(own, &mut remarks);
                }
            }
        }
        remarks.sort_by_key(|(span, _)| span.start);
        remarks.into_iter().map(|(span, remark)| lint.warning(span, remark)).collect()
    }
}

type Remarks = Vec<(Span, Remark)>;

struct Lint<'a> {
    library: &'a Library,
    file: usize,
    source: &'a Source,
}

impl Lint<'_> {
    fn warning(&self, span: Span, remark: Remark) -> Warning {
        Warning { place: Place::of(span, &self.source.name, &self.source.text), remark }
    }

    fn block(&self, block: &Block, item: usize, remarks: &mut Remarks) {
        let at = ItemAt { file: self.file, item };
        let level = block.kind == BlockKind::Level;
        for clause in &block.clauses {
            match &clause.kind {
                ClauseKind::Witness(own) => self.local("witness", &own.name, at, remarks),
                // What a framework defines is an offer to levels that may be yet to come.
                ClauseKind::Let(own) if level => {
                    self.local("definition", &own.name, at, remarks);
                }
                ClauseKind::Def(own) => {
                    if level {
                        self.local("macro", &own.name, at, remarks);
                    }
                    self.params(own, remarks);
                }
                _ => {}
            }
        }
        let definition = self.library.definitions().find(|one| one.at == at);
        if let Some(definition) = definition {
            level_remarks(definition, block, remarks);
        }
    }

    fn params(&self, def: &Def, remarks: &mut Remarks) {
        let used = uses::in_body(&def.body);
        for param in &def.params {
            if !used.contains(param.text.as_str()) {
                remarks.push((param.span, unused("parameter", param)));
            }
        }
    }

    /// A name of a block must be used there, or in something that extends the block.
    fn local(&self, what: &'static str, name: &Word, at: ItemAt, remarks: &mut Remarks) {
        let extends = |other: ItemAt| {
            let chain = self.library.registry.ancestors(other);
            chain.is_ok_and(|chain| chain.contains(&at))
        };
        let used = self.library.registry.blocks().any(|(other, block)| {
            uses::in_block(block).contains(name.text.as_str()) && extends(other)
        });
        if !used {
            remarks.push((name.span, unused(what, name)));
        }
    }

    /// A name of a file must be used somewhere, unless the file is nothing but definitions for
    /// others.
    fn global(&self, what: &'static str, name: &Word, item: usize, remarks: &mut Remarks) {
        let for_others = !self.source.tree.items.iter().any(|item| matches!(item, Item::Block(_)));
        let used = self.library.registry.sources().iter().enumerate().any(|(file, source)| {
            let others = source.tree.items.iter().enumerate();
            let mut others = others.filter(|(other, _)| (file, *other) != (self.file, item));
            others.any(|(_, other)| uses::in_item(other).contains(name.text.as_str()))
        });
        if !for_others && !used {
            remarks.push((name.span, unused(what, name)));
        }
    }
}

fn unused(what: &'static str, name: &Word) -> Remark {
    Remark::Unused { what, name: name.text.clone() }
}

fn level_remarks(definition: &Definition, block: &Block, remarks: &mut Remarks) {
    // At the strongest strength no order is empty merely because the strength leaves it out.
    let level = definition.level(Strength::Strong);
    let mut whole = |remark: fn(String) -> Remark| {
        remarks.push((block.name.span, remark(block.name.text.clone())));
    };
    if level.checks.is_empty() {
        whole(Remark::NoChecks);
    }
    if level.doc.is_empty() {
        whole(Remark::NoDoc);
    }
    if level.title.is_empty() {
        whole(Remark::NoTitle);
    }
    let states = |kind: &ClauseKind| matches!(kind, ClauseKind::Strength(_));
    let strength = block.clauses.iter().find(|clause| states(&clause.kind));
    if let Some(clause) = strength.filter(|_| definition.natural().is_none()) {
        remarks.push((clause.span, Remark::NoStrengths(block.name.text.clone())));
    }
    let is_check = |kind: &ClauseKind| matches!(kind, ClauseKind::Check(_));
    let own = block.clauses.iter().filter(|clause| is_check(&clause.kind));
    for (clause, check) in own.rev().zip(level.checks.iter().rev()) {
        if check.is_always_true() {
            remarks.push((clause.span, Remark::AlwaysTrue));
        }
    }
}

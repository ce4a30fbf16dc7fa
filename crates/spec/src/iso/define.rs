//! Works out what a level of a file means, with all it inherits.
//!
//! ```text
//!   framework ◄── framework ◄── level ◄── level      one scope, one list of checks, one IsoLevel
//! ```

use super::definition::Definition;
use super::elaborate::Elaborator;
use super::error::{IsoError, IsoErrorKind};
use super::model::{Check, IsoLevel, Rel, Witness, WitnessKind};
use super::registry::{ItemAt, Registry};
use super::scope::{Scope, Site};
use super::syntax::{self, Block, BlockKind, ClauseKind};
use crate::names::Nameable;
use crate::{ReadRule, Strength};

/// Works out the level at this place.
pub(super) fn define(registry: &Registry, at: ItemAt) -> Result<Definition, IsoError> {
    let chain = registry.ancestors(at)?;
    let blocks: Vec<&Block> = chain.iter().filter_map(|at| registry.block(*at)).collect();
    let own = *blocks.last().expect("a level is the last of its own ancestors");
    let attributes = Attributes::of(own, registry, at.file)?;
    let session = level(registry, &chain, &blocks, Strength::Session)?;
    let natural = session.checks.iter().any(has_strengths).then(|| {
        let stated = blocks.iter().rev().find_map(|block| stated_strength(block));
        stated.unwrap_or(Strength::Plain)
    });
    let mut definition = Definition {
        name: own.name.text.clone(),
        aliases: attributes.aliases,
        smallest_rejected: attributes.rejects,
        natural,
        levels: Vec::new(),
        file: registry.source(at.file).name.clone(),
        at,
    };
    for &strength in definition.strengths() {
        let mut level = level(registry, &chain, &blocks, strength)?;
        level.name = Nameable::name_at(&definition, strength);
        level.strength = natural.map(|_| strength);
        level.title.clone_from(&attributes.title);
        definition.levels.push(level);
    }
    Ok(definition)
}

/// The level that a chain of blocks makes at a strength.
fn level(
    registry: &Registry,
    chain: &[ItemAt],
    blocks: &[&Block],
    strength: Strength,
) -> Result<IsoLevel, IsoError> {
    let scope = Scope::of_blocks(registry, chain)?;
    let mut elaborator = Elaborator::new(&scope, strength);
    let (mut witnesses, mut checks) = (Vec::new(), Vec::new());
    for at in chain {
        let Some(block) = registry.block(*at) else { continue };
        let site = Site { file: at.file, inside: true };
        for clause in &block.clauses {
            match &clause.kind {
                ClauseKind::Witness(witness) => witnesses.push(model_witness(witness)),
                ClauseKind::Check(check) => checks.push(elaborator.clause(check, site)?),
                ClauseKind::Let(own) => {
                    elaborator.definition(own, site)?;
                }
                _ => {}
            }
        }
    }
    let framework = blocks.iter().rev().find(|block| block.kind == BlockKind::Framework);
    let own = blocks.last();
    Ok(IsoLevel {
        name: own.map_or_else(String::new, |own| own.name.text.clone()),
        title: String::new(),
        doc: own.map_or_else(String::new, |own| own.doc.clone()),
        framework: framework.map_or_else(String::new, |block| block.name.text.clone()),
        strength: Some(strength),
        reads: blocks.iter().rev().find_map(|block| reads(block)).unwrap_or(ReadRule::Committed),
        witnesses,
        checks,
    })
}

fn model_witness(witness: &syntax::WitnessClause) -> Witness {
    let kind = match (witness.kind, &witness.key) {
        (syntax::WitnessKind::Relation, _) => WitnessKind::Relation,
        (syntax::WitnessKind::Order, None) => WitnessKind::Order,
        (syntax::WitnessKind::Order, Some(_)) => WitnessKind::OrderPerKey,
    };
    Witness { name: witness.name.text.clone(), kind }
}

/// What a level says about itself, beside its checks.
#[derive(Default)]
struct Attributes {
    title: String,
    aliases: Vec<String>,
    rejects: String,
}

impl Attributes {
    fn of(block: &Block, registry: &Registry, file: usize) -> Result<Self, IsoError> {
        let mut attributes = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        for clause in &block.clauses {
            let keyword = match &clause.kind {
                ClauseKind::Also(aliases) => {
                    attributes.aliases.extend(aliases.iter().map(|alias| alias.text.clone()));
                    continue;
                }
                ClauseKind::Title(title) => {
                    attributes.title.clone_from(&title.text);
                    "title"
                }
                ClauseKind::Rejects(trace) => {
                    attributes.rejects.clone_from(&trace.text);
                    "rejects"
                }
                ClauseKind::Strength(_) => "strength",
                ClauseKind::Reads(_) => "reads",
                _ => continue,
            };
            if seen.contains(&keyword) {
                return Err(registry.wrong(file, clause.span, twice(keyword)));
            }
            seen.push(keyword);
        }
        Ok(attributes)
    }
}

fn twice(keyword: &str) -> IsoErrorKind {
    let found = format!("a second `{keyword}`");
    IsoErrorKind::Expected { found, expected: "at most one in a level".to_owned(), nearest: None }
}

fn stated_strength(block: &Block) -> Option<Strength> {
    block.clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Strength(word) => Some(match word.text.as_str() {
            "session" => Strength::Session,
            "strong" => Strength::Strong,
            _ => Strength::Plain,
        }),
        _ => None,
    })
}

fn reads(block: &Block) -> Option<ReadRule> {
    block.clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Reads(word) => Some(match word.text.as_str() {
            "dirty" => ReadRule::Dirty,
            "promised" => ReadRule::Promised,
            _ => ReadRule::Committed,
        }),
        _ => None,
    })
}

/// Whether `b` or `o` occurs.
fn has_strengths(check: &Check) -> bool {
    check.any_rel(&|rel| matches!(rel, Rel::Named(name, _) if name == "b" || name == "o"))
}

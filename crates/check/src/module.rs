//! Modules: what a user knows beyond the trace, or asks beyond the level.
//!
//! ```text
//!   Asg + Ir ──► module ──► Ir ──► verifier ──► next module ──► … ──► solve
//! ```

use std::collections::BTreeSet;

use tristan_history::Datum;
use tristan_spec::{Level, Rel};
use tristan_verdict::{Answer, Assumption, Chosen, Verdict};

use crate::asg::Asg;
use crate::explain;
use crate::explain::refutation::range_key;
use crate::ir::verify::verify;
use crate::ir::{Ir, Read, Reason};

/// A step of the user's own between lowering and solving.
///
/// A module looks at the ASG (and through it at the trace and the hints in its header) and edits
/// the IR of one level: it adds edges with [`Reason::Module`], narrows the sources of reads, or
/// changes what is forbidden. It runs after lowering, in [`crate::check_with`]. What it did is
/// part of the verdict: the level is then called `serializable + my-module`, its definition is
/// the formula that the module left behind, and the module is listed among the assumptions.
pub trait Module {
    /// Its name, in [`Reason::Module`], in the verdict and in errors.
    fn name(&self) -> &str;

    /// Edits the problem. Edges of a module belong to `so` or `ww`, and the formula must mention
    /// the relation: an edge that counts for nothing is an error.
    fn edit(&self, asg: &Asg<'_>, ir: &mut Ir);

    /// What it takes for granted, in a sentence for the reader of the verdict.
    fn assumption(&self) -> Option<String> {
        None
    }
}

/// A module did something it may not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModuleError {
    /// The IR it left behind is not one.
    #[error("module '{module}' breaks the IR: {broken}")]
    Broken {
        /// The name of the module.
        module: String,
        /// The invariant that does not hold.
        broken: String,
    },
    /// The IR speaks of something the trace does not have.
    #[error("module '{module}' adds {what}, which is not in the trace")]
    Stray {
        /// The name of the module.
        module: String,
        /// What it speaks of.
        what: String,
    },
    /// Edges of this relation are derived, never given.
    #[error("module '{module}' adds an edge of '{relation}'; only so and ww can be added")]
    Derived {
        /// The name of the module.
        module: String,
        /// The name of the relation.
        relation: &'static str,
    },
    /// The formula asks what transactions were promised, which the level did not.
    #[error("module '{module}' asks for promises in {formula}; only a level that does so can")]
    Promises {
        /// The name of the module.
        module: String,
        /// What must hold.
        formula: String,
    },
    /// The formula does not mention the relation, so the edge would change nothing.
    #[error("module '{module}' adds an edge of '{relation}', which {formula} does not mention")]
    Ignored {
        /// The name of the module.
        module: String,
        /// The name of the relation.
        relation: &'static str,
        /// What must hold.
        formula: String,
    },
}

/// Runs the modules one after the other, each followed by the verifier.
///
/// # Errors
/// If a module leaves an IR behind that is not one, or adds an edge that counts for nothing.
pub(crate) fn apply(
    modules: &[&dyn Module],
    asg: &Asg<'_>,
    ir: &mut Ir,
) -> Result<(), ModuleError> {
    for module in modules {
        module.edit(asg, ir);
        verify(ir).map_err(|error| {
            let module = module.name().to_owned();
            ModuleError::Broken { module, broken: error.to_string() }
        })?;
        everything_exists(*module, asg, ir)?;
        promises_are_known(*module, asg, ir)?;
        every_edge_counts(*module, ir)?;
    }
    Ok(())
}

/// What the verifier cannot see without the trace.
fn everything_exists(module: &dyn Module, asg: &Asg<'_>, ir: &Ir) -> Result<(), ModuleError> {
    let stray = |what| Err(ModuleError::Stray { module: module.name().to_owned(), what });
    let txns = &asg.history.txns;
    if let Some(unit) = ir.units.iter().find(|unit| unit.txn.index() >= txns.len()) {
        return stray(format!("transaction {}", unit.txn.0));
    }
    for read in &ir.reads {
        let txn = ir.units[read.unit.index()].txn;
        if read.op >= txns[txn.index()].op_count {
            return stray(format!("operation {} of transaction {}", read.op, txn.0));
        }
        let mut shown = read.shows().into_iter().flatten();
        if let Some(unit) = shown.find(|&&unit| unit.index() >= ir.units.len()) {
            return stray(format!("unit {}", unit.0));
        }
    }
    Ok(())
}

/// Units carry promises only if the level asks for them.
fn promises_are_known(module: &dyn Module, asg: &Asg<'_>, ir: &Ir) -> Result<(), ModuleError> {
    match ir.formula.asks_promises() && asg.promises.len() < asg.history.txns.len() {
        false => Ok(()),
        true => {
            let (module, formula) = (module.name().to_owned(), ir.formula.to_string());
            Err(ModuleError::Promises { module, formula })
        }
    }
}

fn every_edge_counts(module: &dyn Module, ir: &Ir) -> Result<(), ModuleError> {
    let added = ir.edges.iter().filter(|edge| matches!(edge.reason, Reason::Module(_)));
    for edge in added {
        let (module, relation) = (module.name().to_owned(), edge.rel.name());
        if !matches!(edge.rel, Rel::So | Rel::Ww) {
            return Err(ModuleError::Derived { module, relation });
        }
        if !ir.uses(edge.rel) {
            let formula = ir.formula.to_string();
            return Err(ModuleError::Ignored { module, relation, formula });
        }
    }
    Ok(())
}

/// The level that the modules make of this one.
pub(crate) fn combined(level: &Level, modules: &[&dyn Module], ir: &Ir) -> Level {
    let names = modules.iter().map(|module| module.name());
    let name = std::iter::once(level.name.as_str()).chain(names).collect::<Vec<_>>().join(" + ");
    // Session order may only be assumed where the definition is known to follow from it.
    Level { name, formula: ir.formula.clone(), with_sessions: None, ..level.clone() }
}

/// The reads of which a module left one source out of several: the trace alone does not give
/// these away, so a witness must name them.
pub(crate) fn narrowed(before: &Ir, after: &Ir) -> Vec<Chosen> {
    let place =
        |ir: &Ir, read: &Read| (ir.units[read.unit.index()].txn.0, read.op, range_key(ir, read));
    let several: BTreeSet<(u32, u32, Option<Datum>)> = before
        .reads
        .iter()
        .filter(|read| read.sources.len() > 1)
        .map(|read| place(before, read))
        .collect();
    let one = after.reads.iter().filter_map(|read| match read.sources[..] {
        [only] => Some((place(after, read), only)),
        _ => None,
    });
    one.filter(|(place, _)| several.contains(place))
        .map(|((txn, op, key), from)| {
            let from = explain::refutation::source(after, from);
            Chosen { txn, op, key, from }
        })
        .collect()
}

/// Writes into the verdict what the modules did.
pub(crate) fn disclose(modules: &[&dyn Module], narrowed: &[Chosen], verdict: &mut Verdict) {
    for module in modules {
        let name = module.name();
        let what = match module.assumption() {
            Some(assumption) => format!("module {name}: {assumption}"),
            None => format!("module {name}"),
        };
        verdict.assumptions.push(Assumption { what, status: "given".to_owned() });
    }
    if let Answer::Accept { witness } = &mut verdict.answer {
        witness.sources.extend_from_slice(narrowed);
        witness.sources.sort_by(|a, b| (a.txn, a.op, &a.key).cmp(&(b.txn, b.op, &b.key)));
    }
}

//! Minimise: leave transactions out of a refutation as long as it stays one.
//!
//! In: a refuted IR and its conflicts. Out: a part of it whose every unit is needed, with a
//! refutation of its own, and whether that was shown for all of them. When the budget ends, the
//! smallest part so far comes out, and nothing is claimed about its units.
//!
//! What is left of a list read if the last transaction it shows is left out? As evidence, nothing: a
//! refutation that used it would have to name that transaction. A person who looks at the other
//! transactions still sees what the list shows of *them*, though, and may find a contradiction there.
//! So a part counts as minimal only if leaving out any unit makes the rest acceptable in both
//! readings: without such lists, and with lists cut down to the transactions of the part.

use std::iter;

use rustc_hash::FxHashSet;
use tristan_ground::{Silent, Threads};
use tristan_history::TxnId;

use crate::budget::{Budget, Stop};
use crate::ir::restrict::restrict;
use crate::ir::{Ir, Source, Unit};
use crate::options::{Pass, Passes};
use crate::solve::conflict::{Conflict, Literal, units_of};
use crate::solve::{Solution, solve};

/// Larger cores are left as they are.
const LARGEST: usize = 48;

/// A refutation: the problem it is about, its conflicts, and whether no unit can be left out.
#[derive(Debug)]
pub struct Core {
    /// The constraint problem of the core alone.
    pub ir: Ir,
    /// Conflicts that exclude every assignment.
    pub conflicts: Vec<Conflict>,
    /// Whether leaving out any unit makes the rest acceptable.
    pub minimal: bool,
}

/// Makes a refutation smaller, as long as the budget allows.
pub fn minimise(ir: Ir, conflicts: Vec<Conflict>, budget: &Budget) -> Core {
    let Ok(Some(mut core)) = grow(&ir, &conflicts, budget) else {
        return Core { ir, conflicts, minimal: false };
    };
    let mut needed = 0;
    while needed < core.ir.units.len() {
        let rest: Vec<Unit> =
            Unit::all(core.ir.units.len()).filter(|&unit| unit.index() != needed).collect();
        match refute(&core.ir, &rest, budget) {
            Ok(Some(smaller)) => {
                tracing::debug!(units = smaller.ir.units.len(), "a smaller core");
                core = smaller;
                needed = 0;
            }
            Ok(None) => needed += 1,
            Err(_) => return Core { minimal: false, ..core },
        }
    }
    let minimal = is_minimal_with_cut_lists(&ir, &core.ir, budget).unwrap_or(false);
    Core { minimal, ..core }
}

/// Whether leaving out any unit of a core makes the rest acceptable even if the list reads of the rest
/// are kept, cut down to the units of the core.
fn is_minimal_with_cut_lists(whole: &Ir, core: &Ir, budget: &Budget) -> Result<bool, Stop> {
    if whole.reads.iter().all(|read| read.shows().is_none()) {
        return Ok(true);
    }
    let txns: FxHashSet<TxnId> = core.units.iter().map(|unit| unit.txn).collect();
    let is_core = |unit: &Unit| txns.contains(&whole.units[unit.index()].txn);
    let units: Vec<Unit> = Unit::all(whole.units.len()).filter(is_core).collect();
    let cut = cut_lists(whole, &units);
    for left_out in Unit::all(cut.units.len()) {
        let rest: Vec<Unit> = Unit::all(cut.units.len()).filter(|&unit| unit != left_out).collect();
        if refute(&cut, &rest, budget)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The part with these units (ascending), in which every list shows those of them that it shows in the
/// whole, and is read from the last of them.
fn cut_lists(whole: &Ir, units: &[Unit]) -> Ir {
    let is_kept = |unit: &Unit| units.binary_search(unit).is_ok();
    let lists = || whole.reads.iter().filter(|read| is_kept(&read.unit) && read.shows().is_some());
    let mut wide: Vec<Unit> =
        lists().flat_map(|read| read.shows().unwrap_or_default()).copied().collect();
    wide.extend(units);
    wide.sort_unstable();
    wide.dedup();
    let mut part = restrict(whole, &wide).ir;
    let kept: Vec<Unit> =
        Unit::enumerate(&wide).filter(|(_, old)| is_kept(old)).map(|(new, _)| new).collect();
    for read in &mut part.reads {
        let Some(shown) = read.shows() else { continue };
        let last = shown.iter().rev().find(|unit| kept.binary_search(unit).is_ok());
        read.sources =
            iter::once(last.map_or(Source::Initial, |&unit| Source::Unit(unit))).collect();
    }
    restrict(&part, &kept).ir
}

/// The contradiction alone, if its units suffice; else with what proves the choices it rests on,
/// and so on. The contradiction is the last of the conflicts.
fn grow(ir: &Ir, conflicts: &[Conflict], budget: &Budget) -> Result<Option<Core>, Stop> {
    let all = units_of(ir, conflicts);
    let whole = restrict(ir, &all).ir;
    let within = |unit: Unit| all.binary_search(&unit).map_or(Unit(0), Unit::new);
    let mut taken: Vec<Conflict> = conflicts.last().cloned().into_iter().collect();
    loop {
        let units = units_of(ir, &taken);
        if units.len() > LARGEST {
            return Ok(None);
        }
        let units: Vec<Unit> = units.into_iter().map(within).collect();
        if let Some(core) = refute(&whole, &units, budget)? {
            return Ok(Some(core));
        }
        let fresh: Vec<Conflict> = conflicts
            .iter()
            .filter(|conflict| proves_any(conflict, &taken) && !taken.contains(conflict))
            .cloned()
            .collect();
        if fresh.is_empty() {
            return Ok(None);
        }
        taken.extend(fresh);
    }
}

/// Whether a conflict excludes the opposite of a choice that others rest on.
fn proves_any(conflict: &Conflict, others: &[Conflict]) -> bool {
    let opposed = |mine: &Literal, theirs: &Literal| match (mine, theirs) {
        (Literal::Before(order, a, b), Literal::Before(other, c, d)) => {
            order == other && a == d && b == c
        }
        (Literal::Reads(read, from), Literal::Reads(other, source)) => {
            read == other && from != source
        }
        _ => false,
    };
    let mut theirs = others.iter().flat_map(|other| &other.literals);
    theirs.any(|theirs| conflict.literals.iter().any(|mine| opposed(mine, theirs)))
}

/// The refutation of a part, cut down to the units it uses, if there is one.
fn refute(ir: &Ir, units: &[Unit], budget: &Budget) -> Result<Option<Core>, Stop> {
    let part = restrict(ir, units).ir;
    let passes = Passes::only(&[Pass::Saturate, Pass::Guess]);
    let solution = solve(&part, &passes, Threads::new(1), budget, &Silent)?;
    let Solution::Refuted(conflicts) = solution else { return Ok(None) };
    let used = units_of(&part, &conflicts);
    let smaller = match used.len() < part.units.len() {
        true => refute(&part, &used, budget)?,
        false => None,
    };
    Ok(smaller.or(Some(Core { ir: part, conflicts, minimal: false })))
}

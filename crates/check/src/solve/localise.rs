//! Localise: solve the strongly connected components on their own before the whole again.
//!
//! The conflicts of one test name a few units. Taken as a problem of its own these are decided
//! quickly, often by many more conflicts, all of which hold for the whole; if they cannot be
//! satisfied, neither can the whole.

use tristan_ground::Threads;

use super::conflict::{Conflict, units_of};
use super::context::Context;
use super::graph::Graph;
use super::learn::learn_all;
use super::versions::Versions;
use super::widen::widened;
use crate::automaton::Automaton;
use crate::budget::{Budget, Stop};
use crate::ir::Ir;
use crate::ir::restrict::restrict;

/// Larger components are left to the whole.
const LARGEST: usize = 4_000;

/// Everything that is learnt by deciding the units of some conflicts on their own.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn localise(
    ir: &Ir,
    automaton: &Automaton,
    conflicts: &[Conflict],
    budget: &Budget,
) -> Result<Vec<Conflict>, Stop> {
    let units = units_of(ir, conflicts);
    if units.len() > LARGEST || units.len() == ir.units.len() {
        return Ok(Vec::new());
    }
    let part = restrict(ir, &units);
    let known = Graph::known(&part.ir, automaton);
    let versions = Versions::new(&part.ir);
    let context = Context {
        ir: &part.ir,
        automaton,
        known: &known,
        versions: &versions,
        saturated: None,
        threads: Threads::new(1),
    };
    let learnt = learn_all(&context, budget)?;
    Ok(learnt.into_iter().map(|conflict| widened(ir, &part, conflict)).collect())
}

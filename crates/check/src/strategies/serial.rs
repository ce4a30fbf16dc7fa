//! Serial: look for a serial execution first where most reads have several possible sources, or where
//! many sessions stay open, so that hardly any order is known.
//!
//! A trace of the first kind of a correct database usually has very many serial executions, and to find
//! one of them takes less than to decide which write each read saw. One of the second kind has few, but
//! its reads say where transactions belong (see [`crate::solve::serial`]). Most levels accept what is
//! serializable, with the same witness (see [`super::stronger`]), so it helps with them, too. Session order
//! is only kept if the level demands it: the fewer orders are known, the more executions there are.

use tristan_ground::Threads;
use tristan_spec::Level;

use super::ambiguity::Ambiguity;
use super::stronger::{is_hard, weakest_of};
use crate::asg::Asg;
use crate::automaton::Automaton;
use crate::budget::{Budget, Stop};
use crate::decision::Decision;
use crate::ir::Ir;
use crate::lower::likely_order::is_doubtful;
use crate::lower::lower_within;
use crate::observer::Observer;
use crate::options::{Options, Pass};
use crate::passes::succession;
use crate::solve::assignment::Assignment;
use crate::solve::serial::{rearranged, restored};

/// If the reads of a transaction demand more than this, in bits, executions are too rare to be found by
/// moving transactions. There are `log2 n - 1.4` bits in the place of each of `n` transactions.
const BITS: f64 = 4.0;

/// The decision, if a serial execution is found.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn serial_accepts(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Decision>, Stop> {
    // Where nothing can be missed, the first guess is a witness.
    let automaton = Automaton::compile(&level.formula);
    if !options.passes.has(Pass::Serial) || automaton.missing().next().is_none() {
        return Ok(None);
    }
    let needs_search = automaton.missing().any(|arc| !arc.jump) || is_hard(level);
    let Some(search) = search_for(asg, needs_search) else { return Ok(None) };
    let Some(serializable) = weakest_of("serializable", level) else { return Ok(None) };
    let ir = lower_within(asg, &serializable, options, &options.within)?;
    observer.problem(&ir);
    observer.stage("guess");
    let found = search(&ir, options.threads(), &options.within)?;
    // The witness is one of the stronger level, and is shown as such.
    Ok(found.map(|assignment| Decision::Accepted(ir, assignment)))
}

/// A search for a serial execution.
type Search = fn(&Ir, Threads, &Budget) -> Result<Option<Assignment>, Stop>;

/// The search that suits a trace and a level, which needs a search even if every source is known, or does not.
fn search_for(asg: &Asg<'_>, needs_search: bool) -> Option<Search> {
    let ambiguity = Ambiguity::of(asg);
    if ambiguity.is_common() {
        return (ambiguity.bits() <= BITS).then_some(rearranged);
    }
    let many = asg.history.sessions.len() > succession::FEW;
    (needs_search && many && is_doubtful(asg)).then_some(restored)
}

//! Serial: where most reads have several possible sources, look for a serial execution first.
//!
//! Such a trace of a correct database usually has very many serial executions, and to find one of them
//! takes less than to decide which write each read saw. Most levels accept what is serializable, with
//! the same witness (see [`super::stronger`]), so it helps with them, too. Session order is only kept
//! if the level demands it: the fewer orders are known, the more executions there are.

use tristan_spec::Level;

use super::ambiguity::Ambiguity;
use super::stronger::weakest_of;
use crate::asg::Asg;
use crate::automaton::Automaton;
use crate::budget::Stop;
use crate::decision::Decision;
use crate::lower::lower_within;
use crate::observer::Observer;
use crate::options::{Options, Pass};
use crate::solve::serial::rearranged;

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
    let misses = Automaton::compile(&level.formula).missing().next().is_some();
    if !options.passes.has(Pass::Serial) || !misses {
        return Ok(None);
    }
    let ambiguity = Ambiguity::of(asg);
    if !ambiguity.is_common() || ambiguity.bits() > BITS {
        return Ok(None);
    }
    let Some(serializable) = weakest_of("serializable", level) else { return Ok(None) };
    let ir = lower_within(asg, &serializable, options, &options.within)?;
    observer.problem(&ir);
    observer.stage("guess");
    let found = rearranged(&ir, options.threads(), &options.within)?;
    // The witness is one of the stronger level, and is shown as such.
    Ok(found.map(|assignment| Decision::Accepted(ir, assignment)))
}

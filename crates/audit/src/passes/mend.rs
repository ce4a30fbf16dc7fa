//! Mends the greedy pass where it gets stuck.
//!
//! ```text
//!   T1 … T108   T109 … T117 ✗     T118 … T164 ✗
//!     greedy    └─ everything ┘     greedy
//!                 is tried here
//! ```
//!
//! The greedy pass takes the first way that works. Where it gets stuck it has taken a wrong turn, most often shortly
//! before: two commits that overlap were put in the wrong order, or an update found its rows in another state. So
//! the log is gone through again, and everything is tried from a few transactions before that place up to
//! it. If that is not enough, the stretch becomes twice as long. If it is, the pass goes on, greedy again, to
//! the next place.
//!
//! This only finds explanations. A place that is not mended so may be a mistake of the database, which
//! the slices show: they try everything that can matter to it, from the start of the log.

use super::pass::{End, Pass};
use super::run::Run;
use super::stuck::{LENGTHS, Stuck, refute};
use crate::error::Error;
use crate::explain::Effort;
use crate::search::{Extent, Stretches};

/// After which length the slices are asked.
const PATIENCE: usize = 2;

/// Goes over the log until nothing is left to mend. Returns the last pass, or one that shows that nothing explains
/// a part of the log, and its effort.
///
/// Where many transactions overlap, even a few of them have too many orders to try. So each pass carries out at most
/// so many statements.
pub(super) fn mend(
    run: &Run<'_>,
    mut stuck: Stuck,
    most_runs: u64,
) -> Result<(Pass, Effort), Error> {
    let mut stretches = Stretches::default();
    let mut length = 0;
    let mut refuted = false;
    loop {
        stretches.add(stuck.since[length], stuck.by);
        let extent =
            Extent { runs: Some(most_runs), stretches: stretches.clone(), ..Extent::default() };
        let pass = run.pass(Effort::MENDED, extent)?;
        let unexplained = match &pass.end {
            End::Unexplained(unexplained) if unexplained.impossible.is_none() => unexplained,
            _ => return Ok((pass, Effort::MENDED)),
        };
        let next = Stuck::of(&pass, unexplained);
        if next.by > stuck.by {
            (stuck, length, refuted) = (next, 0, false);
            continue;
        }
        length += 1;
        if length > PATIENCE && !refuted {
            refuted = true;
            if let Some(found) = refute(run, &stuck, most_runs)? {
                return Ok(found);
            }
        }
        if length == LENGTHS.len() {
            return Ok((pass, Effort::MENDED));
        }
    }
}

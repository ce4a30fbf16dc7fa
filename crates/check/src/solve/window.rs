//! Windows: a refutation from as small a part of the trace as suffices.
//!
//! Violations of real databases involve few transactions that ran close together, so Boomslang
//! cuts a trace it cannot accept into pieces and looks for a refutation in each. Here the
//! contradiction itself says where to look: the units it speaks of are taken as a problem of their
//! own; if that has a solution, they are joined by those that prove what the contradiction rests
//! on, and so on. Most refutations end with the first window, and nothing else needs to be proved.
//!
//! Session order that was only assumed is left out of a window first: what is refuted without it
//! is refuted.

use super::conflict::{Conflict, units_of};
use super::proof::Proof;
use super::saturated::Saturated;
use super::solution::Solution;
use super::widen::widened;
use crate::budget::Stop;
use crate::ir::restrict::{Part, restrict};
use crate::ir::{Ir, Reason, Unit};

/// Decides a window as a problem of its own.
type Solve<'a> = dyn Fn(&Ir) -> Result<Solution, Stop> + 'a;

/// Larger windows are not tried.
const LARGEST: usize = 64;

/// The conflicts of a refutation that starts from contradictions. Windows are solved by `solve`.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn refutation(
    ir: &Ir,
    saturated: &Saturated,
    contradictions: Vec<Conflict>,
    solve: &Solve<'_>,
) -> Result<Vec<Conflict>, Stop> {
    let mut proof = Proof::of(ir, saturated, contradictions);
    let mut tried = 0;
    loop {
        let units = units_of(ir, proof.conflicts());
        if units.len() > LARGEST || units.len() == ir.units.len() {
            return Ok(proof.complete());
        }
        if units.len() > tried {
            tried = units.len();
            if let Some(conflicts) = refute(ir, &units, solve)? {
                return Ok(conflicts);
            }
        }
        if !proof.deepen() {
            return Ok(proof.complete());
        }
    }
}

/// A refutation of some units alone, in terms of the whole.
fn refute(ir: &Ir, units: &[Unit], solve: &Solve<'_>) -> Result<Option<Vec<Conflict>>, Stop> {
    let window = restrict(ir, units);
    let assumed = |reason: &Reason| *reason == Reason::Assumed;
    if window.ir.edges.iter().any(|edge| assumed(&edge.reason)) {
        let bare = without_edges(window.clone(), assumed);
        if let Some(conflicts) = refute_window(ir, &bare, solve)? {
            return Ok(Some(conflicts));
        }
    }
    refute_window(ir, &window, solve)
}

fn refute_window(ir: &Ir, window: &Part, solve: &Solve<'_>) -> Result<Option<Vec<Conflict>>, Stop> {
    match solve(&window.ir)? {
        Solution::Witness(_) => Ok(None),
        Solution::Refuted(conflicts) => {
            let widened = conflicts.into_iter().map(|conflict| widened(ir, window, conflict));
            Ok(Some(widened.collect()))
        }
    }
}

fn without_edges(mut window: Part, left_out: impl Fn(&Reason) -> bool) -> Part {
    let kept: Vec<bool> = window.ir.edges.iter().map(|edge| !left_out(&edge.reason)).collect();
    let mut flags = kept.iter();
    window.ir.edges.retain(|_| flags.next().copied().unwrap_or(true));
    let mut flags = kept.iter();
    window.edges.retain(|_| flags.next().copied().unwrap_or(true));
    window
}

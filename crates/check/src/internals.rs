//! What this crate's integration tests look into: the text form of problems, the solver on problems
//! that are written by hand, and what lists show.
//!
//! Integration tests are crates of their own, so this module has to be public. Nothing else uses it,
//! and it may change at any time.

use tristan_ground::{Silent, Threads};
use tristan_history::{History, TxnId};
use tristan_spec::Level;

pub use crate::explain::cards::in_words;
pub use crate::ir::text::{parse, print};
pub use crate::ir::verify::verify;

use crate::asg::{Asg, PromiseError};
use crate::budget::{Budget, Stop};
use crate::ir::Ir;
use crate::options::{Options, Passes};
use crate::solve::Solution;
use crate::{lower, solve};

/// What a resolved history says.
pub fn asg(history: &History) -> Asg<'_> {
    Asg::build(history, Threads::new(1))
}

/// The transactions whose appends a list read shows; none if the operation is not one.
pub fn shown_in<'a>(asg: &'a Asg<'_>, txn: TxnId, op: u32) -> &'a [TxnId] {
    asg.lists.writers_in(txn, op).unwrap_or_default()
}

/// The problem that a level poses on a resolved history.
///
/// # Errors
/// If the level asks what transactions were promised and the trace does not say so.
pub fn lowered(history: &History, level: &Level, options: &Options) -> Result<Ir, PromiseError> {
    let asg = Asg::for_level(history, level, Threads::default())?;
    Ok(lower::lower(&asg, level, options))
}

/// Whether some assignment meets a problem.
///
/// # Errors
/// If the budget is used up.
pub fn is_satisfiable(ir: &Ir, passes: &Passes, budget: &Budget) -> Result<bool, Stop> {
    let solution = solve::solve(ir, passes, Threads::new(1), budget, &Silent)?;
    Ok(matches!(solution, Solution::Witness(_)))
}

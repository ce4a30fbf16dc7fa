//! Whether the state at a quiet cut is the only possible one.

use crate::error::Error;
use crate::explain::Effort;
use crate::load::{Piece, Source};
use crate::options::AuditOptions;
use crate::passes::{End, run_until};
use crate::search::Extent;
use crate::watched_budget::WatchedBudget;

/// How many statements are carried out for each transaction before it is too much to try.
const RUNS: u64 = 64;

/// Whether all explanations of a piece that ends with a quiet moment, from the state in which it begins, go on
/// from one world.
pub(super) fn is_certain(
    piece: &Piece,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
) -> Result<bool, Error> {
    let most = RUNS * (piece.txns.len() as u64 + 64);
    let extent = Extent { runs: Some(most), ..Extent::default() };
    let pass = run_until(Source::Piece(piece), options, Effort::FULL, budget, extent)?;
    let all = matches!(pass.end, End::Explained) && pass.search.notes.untried().is_none();
    Ok(all && pass.search.last_worlds == 1 && pass.search.sql.guessed().is_none())
}

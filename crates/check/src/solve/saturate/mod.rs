//! Saturation: what every witness must contain, derived before any guess.
//!
//! For two writers `a`, `b` of a key, `a` first is impossible if it closes a forbidden cycle with
//! what is known: if `b` reaches `a`, or if `b` reaches a reader of `a`. Then `b` is first, which
//! adds edges, which may rule out more. Likewise a source of a read is impossible if the reader
//! reaches it, or if an overwrite of it reaches the reader. The rules run over all nodes in
//! topological order until nothing changes; a node whose clock did not change is skipped.
//!
//! ```text
//!   known graph ──► route (topological order) ──► propagate (one round over all nodes)
//!                     ▲                              │ new links       │ none
//!                     └──────────────────────────────┘                 ▼
//!                     ▲                                     exclude (sources of reads)
//!                     └────────────── new links ───────────────────────┘
//! ```
//!
//! Every derived fact remembers how many links there were, so that its proof can be found again
//! later among older links only (see [`super::proof`]).

mod exclude;
mod propagate;
mod route;
mod state;

use super::conflict::Conflict;
use super::context::Context;
use super::derivation::Saturated;
use crate::budget::{Budget, Stop};
use crate::ir::{ReadId, Source};
use route::Route;
use state::{MANY_CHAINS, Reach, Saturation};

/// Derives what it can.
///
/// # Errors
/// If the budget is used up.
pub(super) fn saturate(context: &Context<'_>, budget: &Budget) -> Result<Saturated, Stop> {
    finish(Saturation::start(context), budget)
}

/// Derives what follows if, besides what is known, some reads have these sources.
///
/// # Errors
/// If the budget is used up.
pub(super) fn suppose(
    context: &Context<'_>,
    known: Saturated,
    sources: &[(ReadId, Source)],
    budget: &Budget,
) -> Result<Saturated, Stop> {
    let mut saturation = Saturation::resume(context, known);
    // Suppositions far apart may be wrong: the more is found out at once, the better.
    saturation.patient = true;
    sources.iter().for_each(|&(read, source)| saturation.fix(read, source));
    finish(saturation, budget)
}

fn finish(mut saturation: Saturation<'_>, budget: &Budget) -> Result<Saturated, Stop> {
    let contradictions = run(&mut saturation, budget)?;
    let Saturation { graph, facts, excluded, fixed, before_all, .. } = saturation;
    Ok(Saturated { graph, facts, excluded, fixed, before_all, contradictions })
}

/// Runs rounds until nothing changes. Returns contradictions, if there are any, the shortest first.
fn run(saturation: &mut Saturation<'_>, budget: &Budget) -> Result<Vec<Conflict>, Stop> {
    let mut reach: Option<Reach> = None;
    let mut chains = usize::MAX;
    let mut fewer = true;
    let mut route = Route::default();
    // How many links there were when clocks were last brought up to date.
    let mut counted = 0;
    loop {
        budget.check()?;
        route.follow(&saturation.graph, saturation.threads);
        if route.order.len() < saturation.graph.nodes() {
            let contradictions = saturation.contradictions();
            if !contradictions.is_empty() {
                return Ok(contradictions);
            }
            saturation.patient = true;
        }
        let mut now = match reach.take() {
            Some(reach) => reach,
            None => {
                counted = 0;
                let prepared = saturation.prepare(&route.order, budget)?;
                // A cover that is not much smaller than the one before stays.
                fewer = prepared.chains.count() < chains / 4 * 3;
                chains = prepared.chains.count();
                prepared
            }
        };
        let before = saturation.graph.links.len();
        let is_whole = propagate::round(saturation, &mut now, &route, counted, budget)?;
        counted = if is_whole { before } else { 0 };
        if saturation.graph.links.len() == before
            && let Err(conflict) = exclude::sources(saturation, &mut now)
        {
            return Ok(vec![*conflict]);
        }
        let news = saturation.graph.links.len() - before;
        if news == 0 {
            return Ok(Vec::new());
        }
        // More links may need far fewer chains, and what was not on one counts again.
        let anew = fewer && chains > MANY_CHAINS && news > saturation.graph.nodes() / 64;
        reach = (!anew).then_some(now);
    }
}

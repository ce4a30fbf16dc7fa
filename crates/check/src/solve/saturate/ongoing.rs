//! Saturation that can go on: what was derived, and the clocks with which it was derived.
//!
//! Clocks hold whatever is added later: links are never taken back. So a round after new links only
//! visits what they lead to. A copy of the whole is what there was before, if what is added turns out
//! to be impossible.

use super::exclude;
use super::propagate;
use super::revisit::revisit;
use super::route::Route;
use super::state::{MANY_CHAINS, Reach, Saturation};
use crate::budget::{Budget, Stop};
use crate::ir::{ReadId, Source};
use crate::solve::context::Context;
use crate::solve::saturated::Saturated;

/// What was derived so far, and how to go on.
#[derive(Clone)]
pub(in crate::solve) struct Ongoing<'a> {
    saturation: Saturation<'a>,
    reach: Option<Reach>,
    /// How many chains clocks have.
    chains: usize,
    /// Whether these were far fewer than the last time.
    fewer: bool,
    route: Route,
    /// How many links there were when clocks were last brought up to date.
    counted: usize,
}

impl<'a> Ongoing<'a> {
    /// What is known before the first round.
    pub(super) fn start(context: &Context<'a>) -> Self {
        Self::with(Saturation::start(context))
    }

    /// Goes on from what was derived before.
    pub(in crate::solve) fn resume(context: &Context<'a>, known: Saturated) -> Self {
        Self::with(Saturation::resume(context, known))
    }

    fn with(saturation: Saturation<'a>) -> Self {
        let route = Route::default();
        Self { saturation, reach: None, chains: usize::MAX, fewer: true, route, counted: 0 }
    }

    /// What was derived so far.
    pub(in crate::solve) fn known(&self) -> &Saturated {
        &self.saturation.known
    }

    /// What was derived.
    pub(super) fn into_known(self) -> Saturated {
        self.saturation.known
    }

    /// Derives what follows if, besides what is known, some reads have these sources.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(in crate::solve) fn suppose(
        &mut self,
        sources: &[(ReadId, Source)],
        budget: &Budget,
    ) -> Result<(), Stop> {
        // Suppositions far apart may be wrong: the more is found out at once, the better.
        self.saturation.patient = true;
        sources.iter().for_each(|&(read, source)| self.saturation.fix(read, source));
        self.run(budget)
    }

    /// Runs rounds until nothing changes, or until there are contradictions: the shortest first.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(super) fn run(&mut self, budget: &Budget) -> Result<(), Stop> {
        loop {
            budget.check()?;
            if let Some(reach) = &mut self.reach {
                revisit(&mut self.saturation, reach);
            }
            self.route.follow(&self.saturation.known.graph, self.saturation.threads);
            if self.route.order.len() < self.saturation.known.graph.nodes() {
                let contradictions = self.saturation.contradictions();
                if !contradictions.is_empty() {
                    self.saturation.known.contradictions = contradictions;
                    return Ok(());
                }
                self.saturation.patient = true;
            }
            if !self.round(budget)? {
                return Ok(());
            }
        }
    }

    /// One round. Returns false if it was the last one.
    fn round(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let mut reach = match self.reach.take() {
            Some(reach) => reach,
            None => self.prepare(budget)?,
        };
        let saturation = &mut self.saturation;
        let before = saturation.known.graph.links.len();
        let is_whole = propagate::round(saturation, &mut reach, &self.route, self.counted, budget)?;
        self.counted = if is_whole { before } else { 0 };
        if saturation.known.graph.links.len() == before
            && let Err(conflict) = exclude::sources(saturation, &mut reach)
        {
            saturation.known.contradictions = vec![*conflict];
            return Ok(false);
        }
        let graph = &saturation.known.graph;
        let news = graph.links.len() - before;
        // More links may need far fewer chains, and what was not on one counts again.
        let anew = self.fewer && self.chains > MANY_CHAINS && news > graph.nodes() / 64;
        let goes_on = news > 0 || !saturation.late.is_empty();
        self.reach = (!anew).then_some(reach);
        Ok(goes_on)
    }

    /// New clocks, which know nothing yet.
    fn prepare(&mut self, budget: &Budget) -> Result<Reach, Stop> {
        self.counted = 0;
        self.saturation.late.clear();
        let prepared = self.saturation.prepare(&self.route.order, budget)?;
        // A cover that is not much smaller than the one before stays.
        self.fewer = prepared.chains.count() < self.chains / 4 * 3;
        self.chains = prepared.chains.count();
        Ok(prepared)
    }
}

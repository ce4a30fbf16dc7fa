//! Restore: a serial order, when all that is known is which transaction read from which.
//!
//! Where hundreds of sessions stay open, sessions order hardly anything, and saturation can derive
//! little: it takes two known orders to derive a third. But a read says much about its place: after its
//! source, and before the next version. With eight reads, a transaction fits about one place in several
//! thousand, even if only half of its neighbours are in order. So an order that is right on a large scale is
//! put right on a small one:
//!
//! 1. Begin with the likely order of the units, or with the one that [`seriation`] finds, in one direction
//!    or the other: with the one in which fewest reads are wrong if readers are put behind their sources.
//! 2. Take a read that is wrong. Move its reader, its source or the writer of the version that it would
//!    see to where few reads are wrong, nearly always the fewest. Do so until none is wrong.
//!
//! Unlike in [`super::rearrange`], an order that fits is hardly ever the nearest one, so a unit may
//! move far: usually over as many places as lie between two versions of a key, at times anywhere.
//!
//! Any order in which no read is wrong is a serial execution; nothing follows if none is found. The search ends
//! after a number of moves, and of touches looked at, that grows in proportion to the problem: where a key is
//! read by very many transactions, a single move looks at all of them.

use tristan_ground::Random;

use super::super::context::Context;
use super::seriation;
use super::timeline::{GAP, Gap, Timeline};
use super::visible::Visible;
use crate::budget::{Budget, Stop};
use crate::ir::{OrderId, Source, Unit};

/// The search ends after so many moves per unit.
const MOVES: usize = 64;

/// It ends after so many moves per unit that have not led to fewer units with wrong reads.
const PATIENCE: usize = 8;

/// So many more moves are made in both cases.
const MORE: usize = 20_000;

/// How likely a gap is to be chosen if it makes 0, 1, 2 … reads more wrong than the best one: less likely by
/// a factor of 0.12 for each. With half of that the search gets stuck, with twice that it never settles.
const WEIGHTS: [u64; 5] = [1 << 32, 515_396_076, 61_847_529, 7_421_703, 890_604];

/// The search ends when so many touches were looked at for each one that there is.
const VISITS: u64 = 1024;

/// One move in so many goes anywhere, while many units have wrong reads and in the end.
const ANYWHERE: [u64; 2] = [64, 8];

/// In the end, at most one unit in so many has a wrong read.
const END: usize = 200;

/// The units in an order in which every read sees what it saw, if moves lead to one.
///
/// # Errors
/// If the budget is used up.
pub(super) fn order_of(
    context: &Context<'_>,
    visible: &Visible<'_>,
    budget: &Budget,
) -> Result<Option<Vec<Unit>>, Stop> {
    let mut search = Search::new(context, visible, budget)?;
    Ok(search.succeeds(budget)?.then(|| search.line.order()))
}

/// The timeline to begin with.
fn start(context: &Context<'_>, visible: &Visible<'_>, budget: &Budget) -> Result<Timeline, Stop> {
    let likely: Vec<Unit> = Unit::all(context.ir.units.len()).collect();
    let forward = seriation::order_of(context, budget)?;
    let backward = forward.iter().rev().copied().collect();
    let mut best: Option<(u32, Vec<Unit>)> = None;
    for order in [likely, forward, backward] {
        budget.check()?;
        let after = Timeline::new(context, visible, &after_sources(context, &order));
        if best.as_ref().is_none_or(|(wrong, _)| after.all_wrong() < *wrong) {
            best = Some((after.all_wrong(), order));
        }
    }
    let (wrong, order) = best.expect("there are three of them");
    tracing::debug!(wrong, "an order to begin with");
    Ok(Timeline::new(context, visible, &order))
}

/// The same order with every reader after the last of its sources: in an order that runs backward, few
/// versions are still there then.
fn after_sources(context: &Context<'_>, order: &[Unit]) -> Vec<Unit> {
    let mut place = vec![0; order.len()];
    (0..).zip(order).for_each(|(at, &unit)| place[unit.index()] = at);
    let mut after: Vec<(usize, bool, Unit)> =
        order.iter().map(|&unit| (place[unit.index()], false, unit)).collect();
    for read in &context.ir.reads {
        if let [Source::Unit(writer)] = read.sources[..] {
            let own = &mut after[place[read.unit.index()]];
            let last = place[writer.index()];
            if last > own.0 {
                (own.0, own.1) = (last, true);
            }
        }
    }
    after.sort_unstable();
    after.into_iter().map(|(_, _, unit)| unit).collect()
}

/// A search for such an order.
struct Search {
    line: Timeline,
    /// The units with reads that are wrong.
    wrong: Vec<Unit>,
    /// Where each unit stands there, or [`RIGHT`].
    listed: Vec<u32>,
    /// Who wrote which class of versions of which key, sorted.
    writers: Vec<(OrderId, u32, Unit)>,
    random: Random,
    /// How far a unit usually moves, at most.
    far: u64,
}

/// Of a unit with no read that is wrong.
const RIGHT: u32 = u32::MAX;

impl Search {
    fn new(context: &Context<'_>, visible: &Visible<'_>, budget: &Budget) -> Result<Self, Stop> {
        let (units, versions) = (context.ir.units.len(), context.versions.count().max(1));
        let apart = units as u64 * context.ir.orders.len() as u64 / versions as u64;
        let mut writers = Vec::with_capacity(versions);
        for unit in Unit::all(units) {
            let written = context.versions.of_unit(unit).iter();
            writers.extend(written.map(|one| (one.order, visible.class(one.version), unit)));
        }
        writers.sort_unstable();
        let mut search = Self {
            line: start(context, visible, budget)?,
            wrong: Vec::new(),
            listed: vec![RIGHT; units],
            writers,
            random: Random::new(units as u64),
            far: apart.clamp(1, units.max(1) as u64) * GAP,
        };
        Unit::all(units).for_each(|unit| search.list(unit));
        Ok(search)
    }

    /// Whether no read is wrong in the end.
    fn succeeds(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let mut ticker = budget.ticker();
        let units = self.listed.len();
        let (most, patience) = (MORE + MOVES * units, MORE + PATIENCE * units);
        let visits = VISITS * (MORE as u64 + self.line.touches());
        let (mut least, mut since, mut moves) = (self.wrong.len(), 0, 0);
        let mut changed = Vec::new();
        let mut is_over = false;
        while !self.wrong.is_empty() && !is_over {
            ticker.tick()?;
            let unit = self.culprit();
            let limits = self.limits(unit);
            let Self { line, random, .. } = self;
            line.relocate(unit, limits, &mut changed, |gaps| choose(gaps, random));
            changed.drain(..).for_each(|unit| self.list(unit));
            (moves, since) = (moves + 1, since + 1);
            if self.wrong.len() < least {
                (least, since) = (self.wrong.len(), 0);
            }
            is_over = since >= patience || moves >= most || self.line.visited() >= visits;
        }
        let (wrong, visited) = (self.wrong.len(), self.line.visited());
        tracing::debug!(moves, visited, wrong, least, "searched for a serial order");
        Ok(self.wrong.is_empty())
    }

    /// A unit that could be moved to mend a read.
    fn culprit(&mut self) -> Unit {
        let unit = self.wrong[self.random.below(self.wrong.len() as u64) as usize];
        let wrong = self.line.any_wrong_read(unit, &mut self.random);
        let moved = wrong.and_then(|(order, class, instead)| match self.random.below(3) {
            0 => None,
            1 => self.source(order, class),
            _ => instead,
        });
        moved.unwrap_or(unit)
    }

    /// A writer of a class of versions of a key.
    fn source(&mut self, order: OrderId, class: u32) -> Option<Unit> {
        let first = self.writers.partition_point(|&(one, other, _)| (one, other) < (order, class));
        let end = self.writers.partition_point(|&(one, other, _)| (one, other) <= (order, class));
        let chosen = first + self.random.below((end - first) as u64) as usize;
        (first < end).then(|| self.writers[chosen].2)
    }

    /// The places between which a unit is moved.
    fn limits(&mut self, unit: Unit) -> (u64, u64) {
        let end = self.line.end();
        let one_in = ANYWHERE[usize::from(END * self.wrong.len() < self.listed.len())];
        if self.random.below(one_in) == 0 {
            return (0, end);
        }
        let place = self.line.place(unit);
        (place.saturating_sub(self.far), place.saturating_add(self.far).min(end))
    }

    /// Lists a unit among those with wrong reads, or no longer.
    fn list(&mut self, unit: Unit) {
        let at = self.listed[unit.index()];
        match (self.line.is_wrong(unit), at) {
            (true, RIGHT) => {
                self.listed[unit.index()] = self.wrong.len() as u32;
                self.wrong.push(unit);
            }
            (false, at) if at != RIGHT => {
                self.wrong.swap_remove(at as usize);
                self.listed[unit.index()] = RIGHT;
                if let Some(&other) = self.wrong.get(at as usize) {
                    self.listed[other.index()] = at;
                }
            }
            _ => {}
        }
    }
}

/// A place in one of the gaps, the likelier the fewer reads would be wrong there.
fn choose(gaps: &[Gap], random: &mut Random) -> Option<u64> {
    let least = gaps.iter().map(|gap| gap.cost).min()?;
    let weight = |gap: &Gap| WEIGHTS.get((gap.cost - least) as usize).copied().unwrap_or(0);
    let mut rest = random.below(gaps.iter().map(weight).sum());
    let chosen = gaps.iter().find(|gap| {
        let weight = weight(gap);
        let found = rest < weight;
        rest = rest.saturating_sub(weight);
        found
    });
    chosen.map(|gap| gap.place(random))
}

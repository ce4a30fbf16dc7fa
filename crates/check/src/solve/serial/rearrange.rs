//! Rearrange: a serial order of all transactions, repaired one move at a time.
//!
//! Where every write is a possible source of half of the reads, there are very many serial executions,
//! and none of them can be told from the start. So begin with any order that respects what is known,
//! and count the reads that see what they may not. Then, again and again, take a transaction with such
//! a read; move it, the one whose version it sees, one that it could have read from, or one that keeps
//! these from moving, to where few reads are wrong.
//!
//! A move only looks at the keys that the transaction touches, nearby, between the transactions that
//! are known to come before and after it, so moves are cheap. Places that are a little worse are
//! taken now and then, and more often while nothing gets better, or the search would end where no single
//! move helps.

use tristan_ground::Random;

use super::super::context::Context;
use super::super::flat_lists::FlatLists;
use super::super::graph::{Graph, Node};
use super::super::order;
use super::lanes::{GAP, Lanes};
use super::visible::Visible;
use crate::budget::{Budget, Stop};
use crate::ir::{Source, Unit};

/// The search ends after so many moves per unit that have not led to fewer units with wrong reads.
const PATIENCE: usize = 32;

/// So many more such moves are made where there are not just a few units: the last wrong reads take long.
const MORE: usize = 50_000;

/// It ends after so many moves per unit in any case.
const MOVES: usize = 512;

/// A unit is moved by at most so many places at a time.
const FAR: u64 = 64;

/// How likely a place is chosen if that makes 0, 1, 2 … reads more wrong than the best one: less likely by
/// a factor of 0.007 for each. Whole numbers are the same on every machine.
const COLD: [u64; 5] = [1 << 32, 30_064_771, 210_453, 1473, 10];

/// The same with a factor of 0.05, which leads away from where the search is stuck.
const HOT: [u64; 5] = [1 << 32, 214_748_365, 10_737_418, 536_871, 26_844];

/// After this many moves that have not led to fewer units with wrong reads, the search turns hot, and after
/// as many cold again.
const STUCK: usize = 3000;

/// So many more moves are made for each unit with wrong reads before it does.
const EACH: usize = 64;

/// Out of a hundred moves, so many move a neighbour to make room.
const ROOM: u64 = 25;

/// The units in an order in which every read sees what it may, if moves lead to one.
///
/// # Errors
/// If the budget is used up.
pub(super) fn order_of(
    context: &Context<'_>,
    visible: &Visible<'_>,
    budget: &Budget,
) -> Result<Option<Vec<Unit>>, Stop> {
    let mut search = Search::new(context, visible);
    Ok(search.succeeds(budget)?.then(|| search.lanes.order()))
}

/// A search for such an order.
struct Search<'a> {
    context: &'a Context<'a>,
    graph: &'a Graph,
    before: FlatLists<Node, Node>,
    after: FlatLists<Node, Node>,
    lanes: Lanes<'a>,
    /// The units with reads that are wrong.
    wrong: Vec<Unit>,
    /// Where each unit stands there, or [`RIGHT`].
    listed: Vec<u32>,
    random: Random,
    /// How likely places are that are worse than the best one.
    weights: &'static [u64],
}

/// Of a unit with no read that is wrong.
const RIGHT: u32 = u32::MAX;

/// Between two places, and how many reads would be wrong there.
struct Gap {
    from: u64,
    to: u64,
    cost: i32,
}

impl<'a> Search<'a> {
    fn new(context: &'a Context<'a>, visible: &'a Visible<'a>) -> Self {
        let graph = context.derived();
        let (before, after) = (graph.before(), graph.after());
        let position = order::positions(graph, &after);
        let mut units: Vec<Unit> = Unit::all(context.ir.units.len()).collect();
        units.sort_by_key(|&unit| position[graph.node(unit, 0).index()]);
        let lanes = Lanes::new(context, visible, &units);
        let (wrong, listed) = (Vec::new(), vec![RIGHT; units.len()]);
        let random = Random::new(units.len() as u64);
        let mut search =
            Self { context, graph, before, after, lanes, wrong, listed, random, weights: &COLD };
        units.into_iter().for_each(|unit| search.list(unit));
        search
    }

    /// Whether no read is wrong in the end.
    fn succeeds(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let mut ticker = budget.ticker();
        let (mut least, mut since, mut moves) = (self.wrong.len(), 0, 0);
        let units = self.listed.len();
        let more = MORE.min(MOVES * units);
        let (patience, most) = (more + PATIENCE * units, more + MOVES * units);
        while !self.wrong.is_empty() && since < patience && moves < most {
            ticker.tick()?;
            let is_hot = since / (STUCK + EACH * least) % 2 == 1;
            self.weights = if is_hot { &HOT } else { &COLD };
            let unit = self.any_wrong();
            let unit = self.culprit(unit);
            self.relocate(unit);
            (moves, since) = (moves + 1, since + 1);
            if self.wrong.len() < least {
                (least, since) = (self.wrong.len(), 0);
            }
        }
        tracing::debug!(moves, wrong = self.wrong.len(), least, "a serial order was rearranged");
        Ok(self.wrong.is_empty())
    }

    fn any_wrong(&mut self) -> Unit {
        self.wrong[self.random.below(self.wrong.len() as u64) as usize]
    }

    /// A unit that could be moved to mend a read of this one.
    fn culprit(&mut self, unit: Unit) -> Unit {
        let reads = self.lanes.wrong_reads(unit);
        let (read, seen) = reads[self.random.below(reads.len() as u64) as usize];
        let sources = &self.context.ir.reads[read.index()].sources;
        let moved = match self.random.below(4) {
            0 => Source::Unit(unit),
            1 => self.lanes.writer(seen),
            _ => self.lanes.near(sources, unit, &mut self.random),
        };
        let moved = match moved {
            Source::Unit(moved) => moved,
            Source::Initial => unit,
        };
        if self.random.below(100) < ROOM { self.neighbour(moved).unwrap_or(moved) } else { moved }
    }

    /// A unit that is known to come before or after this one.
    fn neighbour(&mut self, unit: Unit) -> Option<Unit> {
        let lists = [&self.before, &self.after];
        let all = lists[self.random.below(2) as usize].of(self.graph.node(unit, 0));
        let one = *all.get(self.random.below(all.len() as u64) as usize)?;
        self.graph.unit(one)
    }

    /// Moves a unit to where few reads are wrong.
    fn relocate(&mut self, unit: Unit) {
        let (from, to) = self.limits(unit);
        let mut changed = vec![unit];
        self.lanes.remove(unit, &mut changed);
        let place = self.place_between(unit, from, to);
        let is_crowded = self.lanes.insert(unit, place, &mut changed);
        changed.into_iter().for_each(|unit| self.list(unit));
        if is_crowded {
            self.lanes.spread();
        }
    }

    /// The places between which a unit can be moved.
    fn limits(&self, unit: Unit) -> (u64, u64) {
        let node = self.graph.node(unit, 0);
        let place = |&node: &Node| self.graph.unit(node).map(|unit| self.lanes.place(unit));
        let first = self.before.of(node).iter().filter_map(place).max().unwrap_or(0);
        let last = self.after.of(node).iter().filter_map(place).min().unwrap_or(u64::MAX);
        let own = self.lanes.place(unit);
        let far = FAR * GAP;
        (first.max(own.saturating_sub(far)), last.min(own.saturating_add(far)))
    }

    /// A place where few reads are wrong, if the unit goes there; where it was, if there is no room.
    fn place_between(&mut self, unit: Unit, from: u64, to: u64) -> u64 {
        let gaps = self.gaps(unit, from, to);
        let Some(least) = gaps.iter().map(|gap| gap.cost).min() else {
            return self.lanes.place(unit);
        };
        let weight =
            |gap: &Gap| self.weights.get((gap.cost - least) as usize).copied().unwrap_or(0);
        let all: u64 = gaps.iter().map(weight).sum();
        let mut rest = self.random.below(all);
        let chosen = gaps.iter().find(|gap| {
            let weight = weight(gap);
            let found = rest < weight;
            rest = rest.saturating_sub(weight);
            found
        });
        chosen.map_or_else(|| self.lanes.place(unit), |gap| gap.from + (gap.to - gap.from) / 2)
    }

    fn gaps(&self, unit: Unit, from: u64, to: u64) -> Vec<Gap> {
        let (mut cost, changes) = self.lanes.costs(unit, from, to);
        let mut gaps = Vec::with_capacity(changes.len() + 1);
        let mut start = from;
        for (place, change) in changes.into_iter().chain([(to, 0)]) {
            if place > start + 1 {
                gaps.push(Gap { from: start, to: place, cost });
            }
            cost += change;
            start = place;
        }
        gaps
    }

    /// Lists a unit among those with wrong reads, or no longer.
    fn list(&mut self, unit: Unit) {
        let at = self.listed[unit.index()];
        match (self.lanes.is_wrong(unit), at) {
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

//! An order of all units, seen from the keys: per key a lane with the units that read or write it.
//!
//! A unit's place is a number; only its relation to the places of units that share a lane with it, or
//! that are known to come before or after it, means anything.

use tristan_ground::Random;

use super::super::context::Context;
use super::super::versions::VersionId;
use super::visible::Visible;
use crate::ir::{OrderId, ReadId, Source, Unit};

/// The distance between places at the start.
pub(super) const GAP: u64 = 1 << 32;

/// Places that are closer than this leave hardly any room.
const CROWDED: u64 = 64;

/// How many sources are compared.
const FEW: usize = 4;

/// What a unit does with one key.
#[derive(Clone, Copy, Debug)]
struct Touch {
    unit: Unit,
    order: OrderId,
    /// Its reads of the key: a range of [`Lanes::reads`].
    reads: (u32, u32),
    /// The version it installs after them.
    version: Option<VersionId>,
}

/// The units that touch each key, in their order.
pub(super) struct Lanes<'a> {
    visible: &'a Visible<'a>,
    touches: Vec<Touch>,
    /// Where the touches of each unit begin; one entry more than there are units.
    first: Vec<u32>,
    reads: Vec<ReadId>,
    /// Per order, the indexes of touches by place.
    lanes: Vec<Vec<u32>>,
    /// The place of every unit.
    places: Vec<u64>,
    /// Per unit, how many of its reads see what they may not.
    wrong: Vec<u32>,
}

impl<'a> Lanes<'a> {
    /// The units in an order.
    pub(super) fn new(context: &Context<'_>, visible: &'a Visible<'a>, order: &[Unit]) -> Self {
        let ir = context.ir;
        let (mut touches, mut first, mut reads) = (Vec::new(), vec![0], Vec::new());
        for unit in Unit::all(ir.units.len()) {
            let mut own: Vec<ReadId> = visible.reads_of(unit).to_vec();
            own.sort_by_key(|&read| visible.order(read));
            let written = context.versions.of_unit(unit);
            let mut orders: Vec<OrderId> = own.iter().map(|&read| visible.order(read)).collect();
            orders.extend(written.iter().map(|written| written.order));
            orders.sort_unstable();
            orders.dedup();
            for order in orders {
                let from = reads.len() as u32;
                reads.extend(own.iter().filter(|&&read| visible.order(read) == order));
                let version = written.iter().find(|written| written.order == order);
                let version = version.map(|written| written.version);
                touches.push(Touch { unit, order, reads: (from, reads.len() as u32), version });
            }
            first.push(touches.len() as u32);
        }
        let mut places = vec![0; ir.units.len()];
        let mut lanes = vec![Vec::new(); ir.orders.len()];
        for (at, &unit) in (1..).zip(order) {
            places[unit.index()] = at * GAP;
            for touch in first[unit.index()]..first[unit.index() + 1] {
                lanes[touches[touch as usize].order.index()].push(touch);
            }
        }
        let wrong = vec![0; ir.units.len()];
        let mut lanes = Self { visible, touches, first, reads, lanes, places, wrong };
        lanes.count();
        lanes
    }

    /// Counts what is wrong in the whole order.
    fn count(&mut self) {
        for (order, lane) in OrderId::enumerate(&self.lanes) {
            let mut current = self.visible.initial(order);
            for &touch in lane {
                let touch = self.touches[touch as usize];
                self.wrong[touch.unit.index()] += self.mismatches(touch, current);
                current = touch.version.unwrap_or(current);
            }
        }
    }

    /// The touches of a unit.
    fn touches_of(&self, unit: Unit) -> &[Touch] {
        &self.touches[self.first[unit.index()] as usize..self.first[unit.index() + 1] as usize]
    }

    /// How many reads of a touch may not see a version.
    fn mismatches(&self, touch: Touch, version: VersionId) -> u32 {
        let reads = &self.reads[touch.reads.0 as usize..touch.reads.1 as usize];
        reads.iter().filter(|&&read| !self.visible.sees(read, version)).count() as u32
    }

    /// The place of a unit.
    pub(super) fn place(&self, unit: Unit) -> u64 {
        self.places[unit.index()]
    }

    /// Whether some read of a unit sees what it may not.
    pub(super) fn is_wrong(&self, unit: Unit) -> bool {
        self.wrong[unit.index()] > 0
    }

    /// One of these, and of a few of them the one that is closest to a unit.
    pub(super) fn near(&self, sources: &[Source], unit: Unit, random: &mut Random) -> Source {
        let distance = |source: &Source| match source {
            Source::Unit(other) => self.place(*other).abs_diff(self.place(unit)),
            Source::Initial => self.place(unit),
        };
        let few = (0..FEW).map(|_| sources[random.below(sources.len() as u64) as usize]);
        few.min_by_key(distance).unwrap_or(Source::Initial)
    }

    /// Who wrote a version.
    pub(super) fn writer(&self, version: VersionId) -> Source {
        self.visible.writer(version)
    }

    /// The first index of a lane whose touch does not come before a place.
    fn index(&self, order: OrderId, place: u64) -> usize {
        let place_of = |touch: u32| self.places[self.touches[touch as usize].unit.index()];
        self.lanes[order.index()].partition_point(|&touch| place_of(touch) < place)
    }

    /// The version that is there before an index of a lane.
    fn version_before(&self, order: OrderId, index: usize) -> VersionId {
        let before = self.lanes[order.index()][..index].iter().rev();
        let mut written = before.filter_map(|&touch| self.touches[touch as usize].version);
        written.next().unwrap_or_else(|| self.visible.initial(order))
    }

    /// Every read of a unit that is wrong, with what it sees.
    pub(super) fn wrong_reads(&self, unit: Unit) -> Vec<(ReadId, VersionId)> {
        let mut found = Vec::new();
        for &touch in self.touches_of(unit) {
            let index = self.index(touch.order, self.places[unit.index()]);
            let seen = self.version_before(touch.order, index);
            let reads = &self.reads[touch.reads.0 as usize..touch.reads.1 as usize];
            let wrong = reads.iter().filter(|&&read| !self.visible.sees(read, seen));
            found.extend(wrong.map(|&read| (read, seen)));
        }
        found
    }

    /// Takes a unit out, and adds the others to `changed` that are wrong in another number of reads
    /// than before.
    pub(super) fn remove(&mut self, unit: Unit, changed: &mut Vec<Unit>) {
        for at in self.first[unit.index()]..self.first[unit.index() + 1] {
            let touch = self.touches[at as usize];
            let index = self.index(touch.order, self.places[unit.index()]);
            self.lanes[touch.order.index()].remove(index);
            if let Some(version) = touch.version {
                let before = self.version_before(touch.order, index);
                self.replace(touch.order, index, version, before, changed);
            }
        }
        self.wrong[unit.index()] = 0;
    }

    /// Puts a unit that was taken out to a place. Returns whether there is hardly any room left.
    pub(super) fn insert(&mut self, unit: Unit, place: u64, changed: &mut Vec<Unit>) -> bool {
        self.places[unit.index()] = place;
        let mut is_crowded = false;
        for at in self.first[unit.index()]..self.first[unit.index() + 1] {
            let touch = self.touches[at as usize];
            let index = self.index(touch.order, place);
            let before = self.version_before(touch.order, index);
            self.wrong[unit.index()] += self.mismatches(touch, before);
            if let Some(version) = touch.version {
                self.replace(touch.order, index, before, version, changed);
            }
            let next = self.lanes[touch.order.index()].get(index);
            let next = next.map(|&touch| self.place(self.touches[touch as usize].unit));
            is_crowded |= next.is_some_and(|next| next - place < CROWDED);
            self.lanes[touch.order.index()].insert(index, at);
        }
        is_crowded
    }

    /// The reads from an index on up to the next version see another one than before.
    fn replace(
        &mut self,
        order: OrderId,
        index: usize,
        old: VersionId,
        new: VersionId,
        changed: &mut Vec<Unit>,
    ) {
        for at in index..self.lanes[order.index()].len() {
            let touch = self.touches[self.lanes[order.index()][at] as usize];
            let (was, is) = (self.mismatches(touch, old), self.mismatches(touch, new));
            if was != is {
                let wrong = &mut self.wrong[touch.unit.index()];
                *wrong = *wrong + is - was;
                changed.push(touch.unit);
            }
            if touch.version.is_some() {
                break;
            }
        }
    }

    /// What a unit that was taken out would make wrong between two places: how many reads in the gap
    /// after the first place, and by how much that changes at each place after it.
    pub(super) fn costs(&self, unit: Unit, from: u64, to: u64) -> (i32, Vec<(u64, i32)>) {
        let mut changes = Vec::new();
        let costs = |&touch: &Touch| self.costs_in(touch, from, to, &mut changes);
        let first = self.touches_of(unit).iter().map(costs).sum();
        changes.sort_unstable();
        (first, changes)
    }

    fn costs_in(&self, own: Touch, from: u64, to: u64, changes: &mut Vec<(u64, i32)>) -> i32 {
        let lane = &self.lanes[own.order.index()];
        let start = self.index(own.order, from + 1);
        let mut current = self.version_before(own.order, start);
        // What the unit's version would change for those who read it, per stretch between versions.
        let mut stretch = self.stretch(own, start, current);
        let mut cost = self.mismatches(own, current) as i32 + stretch;
        let first = cost;
        for (index, &touch) in lane.iter().enumerate().skip(start) {
            let touch = self.touches[touch as usize];
            let place = self.places[touch.unit.index()];
            if place >= to {
                break;
            }
            stretch -= self.change(own, touch, current);
            if let Some(version) = touch.version {
                current = version;
                stretch = self.stretch(own, index + 1, current);
            }
            let next = self.mismatches(own, current) as i32 + stretch;
            changes.push((place, next - cost));
            cost = next;
        }
        first
    }

    /// What the version of a touch changes for the reads from an index on, up to the next version.
    fn stretch(&self, own: Touch, index: usize, current: VersionId) -> i32 {
        if own.version.is_none() {
            return 0;
        }
        let mut sum = 0;
        for &touch in &self.lanes[own.order.index()][index..] {
            let touch = self.touches[touch as usize];
            sum += self.change(own, touch, current);
            if touch.version.is_some() {
                break;
            }
        }
        sum
    }

    /// What the version of a touch changes for another one that sees `current`.
    fn change(&self, own: Touch, touch: Touch, current: VersionId) -> i32 {
        own.version.map_or(0, |version| {
            self.mismatches(touch, version) as i32 - self.mismatches(touch, current) as i32
        })
    }

    /// All units by place.
    pub(super) fn order(&self) -> Vec<Unit> {
        let mut order: Vec<Unit> = Unit::all(self.places.len()).collect();
        order.sort_unstable_by_key(|unit| (self.places[unit.index()], *unit));
        order
    }

    /// Makes room between all places.
    pub(super) fn spread(&mut self) {
        for (at, unit) in (1..).zip(self.order()) {
            self.places[unit.index()] = at * GAP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::trials::each_problem;

    #[test]
    fn costs_are_what_moves_make_wrong() {
        let mut random = Random::new(7);
        let mut moves = 0;
        each_problem(613, &["serializable"], |context, which| {
            let visible = &Visible::new(context);
            let units: Vec<Unit> = Unit::all(context.ir.units.len()).collect();
            let mut lanes = Lanes::new(context, visible, &units);
            for _ in 0..20 {
                let unit = units[random.below(units.len() as u64) as usize];
                let mut changed = Vec::new();
                lanes.remove(unit, &mut changed);
                let without: u32 = lanes.wrong.iter().sum();
                let (mut cost, changes) = lanes.costs(unit, 0, u64::MAX);
                let mut chosen = random.below(changes.len() as u64 + 1) as usize;
                // There is no room between what one unit does with several keys.
                while chosen > 0
                    && changes.get(chosen).is_some_and(|next| next.0 == changes[chosen - 1].0)
                {
                    chosen += 1;
                }
                cost += changes[..chosen].iter().map(|&(_, change)| change).sum::<i32>();
                let start = chosen.checked_sub(1).map_or(0, |at| changes[at].0);
                let end = changes.get(chosen).map_or(start + GAP, |&(place, _)| place);
                lanes.insert(unit, start + (end - start) / 2, &mut changed);
                let with: u32 = lanes.wrong.iter().sum();
                assert_eq!(without as i32 + cost, with as i32, "{which}");
                let again = Lanes::new(context, visible, &lanes.order());
                assert_eq!(again.wrong, lanes.wrong, "{which}");
                moves += 1;
            }
            lanes.spread();
            assert_eq!(Lanes::new(context, visible, &lanes.order()).wrong, lanes.wrong, "{which}");
        });
        assert!(moves > 1000, "{moves}");
    }
}

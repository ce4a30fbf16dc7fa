//! A timeline: every unit at a place, and per key the reads and writes along it.
//!
//! ```text
//!   key x   ── w(7) ──── r(7) ── r(7) ───────── w(3) ── r(3) ──
//!   key y   ───────── w(1) ──────────── r(5)! ──────────────────
//!                                       wrong: it would see 1
//! ```
//!
//! A read is wrong if the last version before it is not one that it may have seen. Versions that no read
//! tells apart are one *class* ([`Visible::class`]), so that is one comparison, and a key's touches lie
//! side by side in memory. [`super::lanes`] does the same where saturation has excluded sources.

use std::cell::Cell;

use tristan_ground::Random;

use super::super::context::Context;
use super::visible::Visible;
use crate::ir::{OrderId, ReadId, Unit};

/// The distance between neighbours at the start.
pub(super) const GAP: u64 = 1 << 32;

/// Of so many touches, moving them within a lane takes as long as looking at one.
const MOVED_AT_ONCE: u64 = 16;

/// A class that is read or written. In 32 bits, as lanes have to fit into caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access(u32);

impl Access {
    fn read(class: u32) -> Self {
        Self(class << 1)
    }

    fn write(class: u32) -> Self {
        Self(class << 1 | 1)
    }

    fn class(self) -> u32 {
        self.0 >> 1
    }

    fn is_write(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What one unit does with one key.
#[derive(Clone, Copy, Debug)]
struct Touch {
    place: u64,
    unit: Unit,
    access: Access,
}

/// What a unit does with a key, wherever it stands.
#[derive(Clone, Copy, Debug)]
struct Deed {
    order: OrderId,
    access: Access,
}

/// Where a unit may be put.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    from: u64,
    to: u64,
    /// How many reads would be wrong there, compared with other gaps.
    pub(super) cost: i32,
}

impl Gap {
    /// Some place in its middle half.
    pub(super) fn place(self, random: &mut Random) -> u64 {
        let room = self.to - self.from;
        self.from + room / 4 + random.below((room / 2).max(1))
    }
}

/// All units in an order.
#[derive(Debug)]
pub(super) struct Timeline {
    /// The touches of each key, by place; of one unit, reads come before writes.
    lanes: Vec<Vec<Touch>>,
    /// Where the deeds of each unit begin; one entry more than there are units.
    first: Vec<u32>,
    deeds: Vec<Deed>,
    /// The class of each key at the start.
    initial: Vec<u32>,
    places: Vec<u64>,
    /// How many reads of each unit are wrong.
    wrong: Vec<u32>,
    /// Changes of costs along the line; kept for its memory.
    changes: Vec<(u64, i32)>,
    /// How many touches were looked at.
    visited: Cell<u64>,
}

impl Timeline {
    /// The units in an order, at even distances.
    pub(super) fn new(context: &Context<'_>, visible: &Visible<'_>, order: &[Unit]) -> Self {
        let ir = context.ir;
        let (mut first, mut deeds) = (vec![0], Vec::new());
        for unit in Unit::all(ir.units.len()) {
            // A key that is never written is the same everywhere.
            let written = |read: &&ReadId| {
                let order = visible.order(**read);
                !ir.orders[order.index()].writers.is_empty()
                    || visible.class_seen(**read) != visible.class(visible.initial(order))
            };
            let reads = visible.reads_of(unit).iter().filter(written).map(|&read| Deed {
                order: visible.order(read),
                access: Access::read(visible.class_seen(read)),
            });
            let writes = context.versions.of_unit(unit).iter().map(|written| Deed {
                order: written.order,
                access: Access::write(visible.class(written.version)),
            });
            deeds.extend(reads.chain(writes));
            first.push(deeds.len() as u32);
        }
        let orders = OrderId::all(ir.orders.len());
        let initial = orders.map(|order| visible.class(visible.initial(order))).collect();
        let mut line = Self {
            lanes: vec![Vec::new(); ir.orders.len()],
            first,
            deeds,
            initial,
            places: vec![0; ir.units.len()],
            wrong: vec![0; ir.units.len()],
            changes: Vec::new(),
            visited: Cell::new(0),
        };
        line.lay_out(order);
        line
    }

    fn lay_out(&mut self, order: &[Unit]) {
        for (at, &unit) in (1..).zip(order) {
            let place = at * GAP;
            self.places[unit.index()] = place;
            for deed in self.first[unit.index()]..self.first[unit.index() + 1] {
                let Deed { order, access } = self.deeds[deed as usize];
                self.lanes[order.index()].push(Touch { place, unit, access });
            }
        }
        for (lane, &initial) in self.lanes.iter().zip(&self.initial) {
            let mut current = initial;
            for Touch { unit, access, .. } in lane {
                match access.is_write() {
                    true => current = access.class(),
                    false => self.wrong[unit.index()] += u32::from(access.class() != current),
                }
            }
        }
    }

    /// How many touches there are.
    pub(super) fn touches(&self) -> u64 {
        self.deeds.len() as u64
    }

    /// How many touches moves have looked at.
    pub(super) fn visited(&self) -> u64 {
        self.visited.get()
    }

    fn visit(&self, touches: usize) {
        self.visited.set(self.visited.get() + touches as u64);
    }

    /// How many reads are wrong.
    pub(super) fn all_wrong(&self) -> u32 {
        self.wrong.iter().sum()
    }

    /// Whether some read of a unit is wrong.
    pub(super) fn is_wrong(&self, unit: Unit) -> bool {
        self.wrong[unit.index()] > 0
    }

    /// The place of a unit.
    pub(super) fn place(&self, unit: Unit) -> u64 {
        self.places[unit.index()]
    }

    /// The place after the last unit.
    pub(super) fn end(&self) -> u64 {
        (self.places.len() as u64 + 1) * GAP
    }

    fn deeds_of(&self, unit: Unit) -> std::ops::Range<usize> {
        self.first[unit.index()] as usize..self.first[unit.index() + 1] as usize
    }

    /// One of the wrong reads of a unit: the key, the class that it should see, and the unit whose version it
    /// sees instead, if any. `None` if no read is wrong.
    pub(super) fn any_wrong_read(
        &self,
        unit: Unit,
        random: &mut Random,
    ) -> Option<(OrderId, u32, Option<Unit>)> {
        let mut others = random.below(u64::from(self.wrong[unit.index()]));
        for deed in self.deeds[self.deeds_of(unit)].iter().filter(|deed| !deed.access.is_write()) {
            let last = self.last_write(deed.order, self.index(deed.order, unit));
            let class = last.map_or(self.initial[deed.order.index()], |touch| touch.access.class());
            if class != deed.access.class() {
                if others == 0 {
                    return Some((deed.order, deed.access.class(), last.map(|touch| touch.unit)));
                }
                others -= 1;
            }
        }
        None
    }

    /// The index in a lane of the first touch that is not before a unit.
    fn index(&self, order: OrderId, unit: Unit) -> usize {
        let place = self.places[unit.index()];
        self.lanes[order.index()].partition_point(|touch| (touch.place, touch.unit) < (place, unit))
    }

    /// The last write before an index of a lane.
    fn last_write(&self, order: OrderId, index: usize) -> Option<Touch> {
        let before = &self.lanes[order.index()][..index];
        let last = before.iter().rposition(|touch| touch.access.is_write());
        self.visit(index - last.unwrap_or(0));
        last.map(|last| before[last])
    }

    /// The class that is there before an index of a lane.
    fn class_before(&self, order: OrderId, index: usize) -> u32 {
        self.last_write(order, index)
            .map_or(self.initial[order.index()], |touch| touch.access.class())
    }

    /// Moves a unit to a gap that `choose` picks among those between two places, and adds all units to
    /// `changed` that are wrong in another number of reads than before.
    pub(super) fn relocate(
        &mut self,
        unit: Unit,
        (from, to): (u64, u64),
        changed: &mut Vec<Unit>,
        choose: impl FnOnce(&[Gap]) -> Option<u64>,
    ) {
        self.take_out(unit, changed);
        let gaps = self.gaps(unit, from, to);
        let place = choose(&gaps).unwrap_or(self.places[unit.index()]);
        self.put_in(unit, place, changed);
        changed.push(unit);
    }

    fn take_out(&mut self, unit: Unit, changed: &mut Vec<Unit>) {
        for deed in self.deeds_of(unit).rev() {
            let Deed { order, access } = self.deeds[deed];
            let start = self.index(order, unit);
            let lane = &mut self.lanes[order.index()];
            let own = |touch: &Touch| touch.access == access;
            let index = start + lane[start..].iter().position(own).expect("the unit is there");
            lane.remove(index);
            self.visited.update(|visited| visited + (lane.len() - index) as u64 / MOVED_AT_ONCE);
            if access.is_write() {
                let before = self.class_before(order, index);
                self.replace(order, index, access.class(), before, changed);
            }
        }
        self.wrong[unit.index()] = 0;
    }

    fn put_in(&mut self, unit: Unit, place: u64, changed: &mut Vec<Unit>) {
        self.places[unit.index()] = place;
        for deed in self.deeds_of(unit) {
            let Deed { order, access } = self.deeds[deed];
            let lane = &self.lanes[order.index()];
            let index = lane.partition_point(|touch| {
                (touch.place, touch.unit) < (place, unit) || touch.unit == unit
            });
            let before = self.class_before(order, index);
            match access.is_write() {
                true => self.replace(order, index, before, access.class(), changed),
                false => self.wrong[unit.index()] += u32::from(access.class() != before),
            }
            self.lanes[order.index()].insert(index, Touch { place, unit, access });
        }
    }

    /// The reads from an index on up to the next write see another class than before.
    fn replace(
        &mut self,
        order: OrderId,
        index: usize,
        old: u32,
        new: u32,
        changed: &mut Vec<Unit>,
    ) {
        let after = self.lanes[order.index()][index..].iter();
        for touch in after.take_while(|touch| !touch.access.is_write()) {
            let (was, is) = (touch.access.class() != old, touch.access.class() != new);
            if was != is {
                let wrong = &mut self.wrong[touch.unit.index()];
                *wrong = *wrong + u32::from(is) - u32::from(was);
                changed.push(touch.unit);
            }
        }
    }

    /// The gaps between two places, if a unit is taken out. Gaps without room are left out.
    fn gaps(&mut self, unit: Unit, from: u64, to: u64) -> Vec<Gap> {
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        let deeds = self.deeds[self.deeds_of(unit)].iter();
        let mut cost = deeds.map(|&deed| self.costs_of(deed, from, to, &mut changes)).sum();
        changes.sort_unstable();
        let mut gaps = Vec::with_capacity(changes.len() + 1);
        let mut start = from;
        for &(place, change) in changes.iter().chain([&(to, 0)]) {
            if place > start + 2 {
                gaps.push(Gap { from: start + 1, to: place, cost });
            }
            cost += change;
            start = place;
        }
        self.changes = changes;
        gaps
    }

    /// What a deed makes wrong just after a place; later changes of that are added.
    fn costs_of(&self, deed: Deed, from: u64, to: u64, changes: &mut Vec<(u64, i32)>) -> i32 {
        let lane = &self.lanes[deed.order.index()];
        let start = lane.partition_point(|touch| touch.place <= from);
        let mut current = self.class_before(deed.order, start);
        let at = |index: usize, current: u32| match deed.access.is_write() {
            true => stretch(&lane[index..], deed.access.class(), current),
            false => i32::from(deed.access.class() != current),
        };
        let mut cost = at(start, current);
        let first = cost;
        let end = start + lane[start..].partition_point(|touch| touch.place < to);
        self.visit(end - start);
        for (index, touch) in lane.iter().enumerate().take(end).skip(start) {
            let next = match (touch.access.is_write(), deed.access.is_write()) {
                (true, _) => {
                    current = touch.access.class();
                    at(index + 1, current)
                }
                (false, true) => cost - change(touch, deed.access.class(), current),
                (false, false) => cost,
            };
            if next != cost {
                changes.push((touch.place, next - cost));
                cost = next;
            }
        }
        first
    }

    /// All units by place.
    pub(super) fn order(&self) -> Vec<Unit> {
        let mut order: Vec<Unit> = Unit::all(self.places.len()).collect();
        order.sort_unstable_by_key(|unit| (self.places[unit.index()], *unit));
        order
    }
}

/// How many more reads are wrong up to the next write if they see a class instead of the current one.
fn stretch(lane: &[Touch], class: u32, current: u32) -> i32 {
    let reads = lane.iter().take_while(|touch| !touch.access.is_write());
    reads.map(|touch| change(touch, class, current)).sum()
}

/// How much more wrong a read is if it sees a class instead of the current one.
fn change(read: &Touch, class: u32, current: u32) -> i32 {
    i32::from(read.access.class() != class) - i32::from(read.access.class() != current)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::trials::each_problem;

    #[test]
    fn costs_are_what_moves_make_wrong() {
        let mut random = Random::new(11);
        let mut moves = 0;
        each_problem(617, &["serializable"], |context, which| {
            let visible = &Visible::new(context);
            let units: Vec<Unit> = Unit::all(context.ir.units.len()).collect();
            let mut line = Timeline::new(context, visible, &units);
            for _ in 0..20 {
                let unit = units[random.below(units.len() as u64) as usize];
                let mut changed = Vec::new();
                let end = line.end();
                let mut places = Vec::new();
                line.relocate(unit, (0, end), &mut changed, |gaps| {
                    places = gaps.iter().map(|gap| (gap.place(&mut random), gap.cost)).collect();
                    None
                });
                let mut least = None;
                for &(place, cost) in &places {
                    line.relocate(unit, (0, end), &mut changed, |_| Some(place));
                    let rest = line.all_wrong() as i32 - cost;
                    assert_eq!(*least.get_or_insert(rest), rest, "{which}");
                    let again = Timeline::new(context, visible, &line.order());
                    assert_eq!(again.wrong, line.wrong, "{which}");
                    moves += 1;
                }
            }
        });
        assert!(moves > 1000, "{moves}");
    }
}

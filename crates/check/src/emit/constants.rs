//! What is not known: who took effect, where reads came from, in which order versions were
//! installed. One constant each.
//!
//! Unlike the solver, which lets a unit take effect only if a read shows that it did, the script
//! leaves it open: any set of units that contains the sure ones and the sources of its own reads
//! may have taken effect.

use tristan_spec::Rel;

use super::script::Script;
use super::term::{FALSE, TRUE, Term, and, implies, not, or};
use crate::ir::{Ir, OrderId, Read, ReadId, Reason, Source, Unit};

/// The constants of the script.
pub(super) struct Constants<'a> {
    ir: &'a Ir,
    live: Vec<Term>,
}

impl<'a> Constants<'a> {
    /// Declares the constants and asserts what the trace says about them.
    pub(super) fn declare(ir: &'a Ir, script: &mut Script) -> Self {
        let mut live = Vec::new();
        for (index, unit) in ir.units.iter().enumerate() {
            live.push(match unit.sure {
                true => TRUE.to_owned(),
                false => script.declare(format!("live_{index}"), "Bool"),
            });
        }
        let constants = Self { ir, live };
        constants.declare_orders(script);
        for read in ReadId::all(ir.reads.len()) {
            constants.declare_read(read, script);
        }
        constants.assert_claims(script);
        constants.assert_listed(script);
        constants
    }

    /// The unit took effect.
    pub(super) fn live(&self, unit: Unit) -> Term {
        self.live[unit.index()].clone()
    }

    pub(super) fn both_live(&self, a: Unit, b: Unit) -> Term {
        and([self.live(a), self.live(b)])
    }

    /// The read's unit took effect and the read came from this source.
    pub(super) fn reads(&self, read: ReadId, source: Source) -> Term {
        if !self.ir.reads[read.index()].sources.contains(&source) {
            return FALSE.to_owned();
        }
        match source {
            Source::Initial => format!("reads_{}_initial", read.0),
            Source::Unit(unit) => format!("reads_{}_{}", read.0, unit.0),
        }
    }

    /// Both units installed a version of the order's key, the first one's earlier.
    pub(super) fn before(&self, order: OrderId, a: Unit, b: Unit) -> Term {
        let writers = &self.ir.orders[order.index()].writers;
        if a == b || !writers.contains(&a) || !writers.contains(&b) {
            return FALSE.to_owned();
        }
        and([self.both_live(a, b), format!("(< {} {})", place(order, a), place(order, b))])
    }

    /// The unit, not the reader, installed a later version than the one the read saw.
    pub(super) fn overwrites(&self, read: ReadId, unit: Unit) -> Term {
        let Read { unit: reader, order, ref sources, .. } = self.ir.reads[read.index()];
        let writers = &self.ir.orders[order.index()].writers;
        if unit == reader || !writers.contains(&unit) {
            return FALSE.to_owned();
        }
        or(sources.iter().map(|&source| {
            let later = match source {
                Source::Initial => self.live(unit),
                Source::Unit(seen) => self.before(order, seen, unit),
            };
            and([self.reads(read, source), later])
        }))
    }

    /// The places of versions in their order.
    fn declare_orders(&self, script: &mut Script) {
        for (id, order) in OrderId::enumerate(&self.ir.orders) {
            let places: Vec<String> = order.writers.iter().map(|&unit| place(id, unit)).collect();
            for place in &places {
                script.declare(place.clone(), "Int");
            }
            if places.len() > 1 {
                script.assert(&format!("(distinct {})", places.join(" ")));
            }
        }
    }

    /// A read of a unit that took effect has exactly one source, which took effect too.
    fn declare_read(&self, id: ReadId, script: &mut Script) {
        let read = &self.ir.reads[id.index()];
        let mut earlier: Vec<Term> = Vec::new();
        for &source in &read.sources {
            let this = script.declare(self.reads(id, source), "Bool");
            if let Source::Unit(unit) = source {
                script.assert(&implies(this.clone(), self.live(unit)));
            }
            for other in &earlier {
                script.assert(&not(and([this.clone(), other.clone()])));
            }
            earlier.push(this);
        }
        let some = or(earlier);
        script.assert(&implies(some.clone(), self.live(read.unit)));
        script.assert(&implies(self.live(read.unit), some));
        if let Some(shown) = read.shows() {
            self.assert_shown(read, shown, script);
        }
    }

    /// A list shows that these versions come first, in this order, and all others later.
    fn assert_shown(&self, read: &Read, shown: &[Unit], script: &mut Script) {
        let live = self.live(read.unit);
        for &unit in shown {
            script.assert(&implies(live.clone(), self.live(unit)));
        }
        for pair in shown.windows(2) {
            script.assert(&implies(live.clone(), self.before(read.order, pair[0], pair[1])));
        }
        let Some(&last) = shown.last() else { return };
        let writers = self.ir.orders[read.order.index()].writers.iter();
        for &other in writers.filter(|writer| !shown.contains(writer)) {
            let both = and([live.clone(), self.live(other)]);
            script.assert(&implies(both, self.before(read.order, last, other)));
        }
    }

    /// Reads of one unknown initial state agree on it.
    fn assert_claims(&self, script: &mut Script) {
        let reads = &self.ir.reads;
        for (i, one) in ReadId::enumerate(reads) {
            for (j, other) in ReadId::enumerate(reads).skip(i.index() + 1) {
                let (Some(claim), Some(counter)) = (one.initial_claim(), other.initial_claim())
                else {
                    continue;
                };
                if one.order == other.order && claim.clashes(counter) {
                    let initial = |read| self.reads(read, Source::Initial);
                    script.assert(&not(and([initial(i), initial(j)])));
                }
            }
        }
    }

    /// Known parts of version orders.
    fn assert_listed(&self, script: &mut Script) {
        for edge in self.ir.edges.iter().filter(|edge| edge.rel == Rel::Ww) {
            if let Reason::Listed { order, .. } = edge.reason {
                let both = self.both_live(edge.from, edge.to);
                script.assert(&implies(both, self.before(order, edge.from, edge.to)));
            }
        }
    }
}

/// The place of a unit's version in an order.
fn place(order: OrderId, unit: Unit) -> Term {
    format!("pos_{}_{}", order.0, unit.0)
}

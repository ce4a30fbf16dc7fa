//! Single steps from unit to unit, asked for one by one.

use tristan_spec::Rel;

use super::assignment::Assignment;
use super::flat_lists::FlatLists;
use super::graph::Via;
use crate::ir::{EdgeId, Ir, OrderId, ReadId, Source, Unit};

/// What is needed to tell whether one unit follows another by a single step, if it is known which
/// of the two comes first.
pub(super) struct Steps<'a> {
    ir: &'a Ir,
    assignment: &'a Assignment,
    /// The reads of each unit, if reading counts.
    reads_of: Option<FlatLists<Unit, ReadId>>,
    /// The version orders each unit writes to, ascending, if versions count.
    written: Option<FlatLists<Unit, OrderId>>,
    sessions: Option<Sessions>,
    /// Whether real time counts.
    clock: bool,
}

impl<'a> Steps<'a> {
    /// `None` if session order is more than one line per session with branches.
    pub(super) fn new(ir: &'a Ir, assignment: &'a Assignment, rels: &[Rel]) -> Option<Self> {
        let counts = |rel: Rel| rels.contains(&rel);
        let units = ir.units.len();
        let reads = ReadId::enumerate(&ir.reads).map(|(id, read)| (read.unit, id));
        let orders = OrderId::enumerate(assignment.versions.iter());
        let written =
            orders.flat_map(|(order, versions)| versions.iter().map(move |&unit| (unit, order)));
        let sessions = match counts(Rel::So) {
            true => Some(Sessions::new(ir)?),
            false => None,
        };
        Some(Self {
            ir,
            assignment,
            reads_of: counts(Rel::Wr).then(|| FlatLists::group(units, reads)),
            written: counts(Rel::Ww).then(|| FlatLists::group(units, written)),
            sessions,
            clock: counts(Rel::Rt),
        })
    }

    /// The step from a unit to a later one, if there is one.
    pub(super) fn between(&self, first: Unit, second: Unit) -> Option<Via> {
        let session = || self.sessions.as_ref()?.step(first, second);
        let clock = || (self.clock && self.ends_before(first, second)).then_some(Via::Rt);
        self.read(first, second)
            .or_else(session)
            .or_else(|| self.version(first, second))
            .or_else(clock)
    }

    fn read(&self, first: Unit, second: Unit) -> Option<Via> {
        let mut reads = self.reads_of.as_ref()?.of(second).iter().copied();
        let source = |read: ReadId| self.assignment.sources[read.index()];
        reads.find(|&read| source(read) == Some(Source::Unit(first))).map(Via::Wr)
    }

    fn version(&self, first: Unit, second: Unit) -> Option<Via> {
        let written = self.written.as_ref()?;
        let mut orders = written.of(first).iter().copied();
        orders.find(|order| written.of(second).binary_search(order).is_ok()).map(Via::Ww)
    }

    fn ends_before(&self, first: Unit, second: Unit) -> bool {
        let times = |unit: Unit| self.ir.times(unit);
        let ends = times(first).end_by.map(|end| end.saturating_add(self.ir.drift));
        ends.zip(times(second).begin_from).is_some_and(|(end, begin)| end < begin)
    }
}

/// Session order as a forest: who comes after whom is a matter of two numbers.
struct Sessions {
    /// Per unit, an edge that starts at it, if there is one.
    edge: Vec<Option<EdgeId>>,
    /// Per unit, when a walk through the forest enters and leaves it.
    visit: Vec<(u32, u32)>,
}

impl Sessions {
    /// `None` if a unit follows two others.
    fn new(ir: &Ir) -> Option<Self> {
        let edges = || EdgeId::enumerate(&ir.edges).filter(|(_, edge)| edge.rel == Rel::So);
        let mut edge = vec![None; ir.units.len()];
        let mut is_root = vec![true; ir.units.len()];
        for (id, next) in edges() {
            edge[next.from.index()].get_or_insert(id);
            if !std::mem::replace(&mut is_root[next.to.index()], false) {
                return None;
            }
        }
        let after = FlatLists::group(ir.units.len(), edges().map(|(_, next)| (next.from, next.to)));
        let mut visit = vec![(0, 0); ir.units.len()];
        let mut time = 0;
        for root in Unit::all(ir.units.len()).filter(|&unit| is_root[unit.index()]) {
            walk(root, &after, &mut visit, &mut time);
        }
        Some(Self { edge, visit })
    }

    fn step(&self, first: Unit, second: Unit) -> Option<Via> {
        let (enter, leave) = self.visit[first.index()];
        let follows = (enter + 1..leave).contains(&self.visit[second.index()].0);
        self.edge[first.index()].filter(|_| follows).map(Via::Known)
    }
}

fn walk(root: Unit, after: &FlatLists<Unit, Unit>, visit: &mut [(u32, u32)], time: &mut u32) {
    let mut stack = vec![(root, false)];
    while let Some((unit, is_done)) = stack.pop() {
        if is_done {
            visit[unit.index()].1 = *time;
            continue;
        }
        visit[unit.index()].0 = *time;
        *time += 1;
        stack.push((unit, true));
        stack.extend(after.of(unit).iter().map(|&next| (next, false)));
    }
}

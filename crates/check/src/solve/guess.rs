//! A likely total assignment: units are numbered in a likely order.
//!
//! In: what is decided. Out: an assignment that respects it, or, if what is decided already
//! contains forbidden cycles, these. The version orders are read off one topological order that
//! takes likely units first.

use std::sync::OnceLock;

use tristan_ground::Threads;
use tristan_spec::Rel;

use super::assignment::Assignment;
use super::choices::{Choices, Decided, Leading, Open, OpenReads};
use super::conflict::Conflict;
use super::context::Context;
use super::flat_lists::FlatLists;
use super::graph::{Graph, Link, Node};
use super::intervals::Intervals;
use super::order::Position;
use super::saturated::Saturated;
use super::scc::Components;
use super::schedule::{After, Schedule};
use super::{cycles, order, paths};
use crate::automaton::{Arc, Automaton, State};
use crate::ir::{Ir, OrderId, Read, ReadId, Source, Unit, VersionOrder};

/// How many cycles are reported per strongly connected component.
const EACH: u32 = 8;

/// How many cycles are reported at most, if each goes backward once.
const MANY: usize = 8192;

/// The part of the problem that guessing needs, prepared once.
#[derive(Debug)]
pub(crate) struct Guesser<'a> {
    ir: &'a Ir,
    automaton: &'a Automaton,
    known: &'a Graph,
    saturated: Option<&'a Saturated>,
    threads: Threads,
    /// The state whose topological order gives the version orders.
    spine: Option<State>,
    /// Reads that saturation has not fixed.
    open: OpenReads,
    /// Whether every unit surely took effect.
    all_sure: bool,
    /// Where the links lead that every guess goes along, if every unit surely took effect.
    derived: Option<FlatLists<Node, Node>>,
    schedule: Schedule<'a>,
    /// An order of what was derived, if it was asked for.
    sorted: OnceLock<Sorted>,
}

/// An order of what was derived.
#[derive(Debug)]
struct Sorted {
    /// The position of every node.
    position: Vec<Position>,
    /// Where links of every guess go backward in it.
    backward: Intervals,
}

/// An open read in an order.
#[derive(Debug)]
pub(crate) struct Placed {
    /// The reader's place.
    at: Position,
    pub(crate) read: ReadId,
    /// The last version before it, if that is a possible source.
    pub(crate) current: Option<Source>,
    /// The nearest possible source.
    pub(crate) nearest: Option<Source>,
}

impl<'a> Guesser<'a> {
    /// Prepares to guess.
    pub(crate) fn new(context: &Context<'a>) -> Self {
        let Context { ir, automaton, known, versions, saturated, threads } = *context;
        let forbids =
            |arc: &Arc| automaton.acyclic[arc.from as usize] || automaton.acyclic[arc.to as usize];
        let mut arcs = automaton.arcs_of(Rel::Ww).filter(|arc| !arc.jump);
        let spine =
            arcs.find(|arc| forbids(arc) && automaton.chains(*arc, true)).map(|arc| arc.from);
        let open = saturated.map_or_else(|| OpenReads::all(ir), OpenReads::left_by);
        let all_sure = ir.units.iter().all(|unit| unit.sure);
        let derived = context.derived();
        let (derived, mut schedule) = threads
            .both(|| all_sure.then(|| derived.after()), || Schedule::new(ir, automaton, versions));
        if let Some(saturated) = saturated.filter(|_| all_sure) {
            schedule.fix(ir, &saturated.fixed);
        }
        let sorted = OnceLock::new();
        Self {
            ir,
            automaton,
            known,
            saturated,
            threads,
            spine,
            open,
            all_sure,
            derived,
            schedule,
            sorted,
        }
    }

    /// An assignment, or the forbidden cycles in what is decided. With it comes the position of
    /// every node in the order it was read off, unless the level allows cycles in it.
    pub(crate) fn guess(
        &self,
        decided: &Decided,
    ) -> Result<(Assignment, Option<Vec<Position>>), Vec<Conflict>> {
        let mut assignment = Assignment::settle(self.ir, self.sources(decided)?);
        let (position, is_acyclic) = self.positions(decided, &assignment)?;
        let place = |unit: Unit| match self.spine {
            Some(state) => position[self.known.node(unit, state).index()],
            None => Position(unit.0),
        };
        assignment.versions = versions_by(self.ir, self.threads, &assignment.live, place);
        Ok((assignment, is_acyclic.then_some(position)))
    }

    /// The position of every node in an order, and whether there is no cycle that the level
    /// allows; or else the cycles that it forbids.
    fn positions(
        &self,
        decided: &Decided,
        settled: &Assignment,
    ) -> Result<(Vec<Position>, bool), Vec<Conflict>> {
        let forbidden = |found: Vec<Conflict>| if found.is_empty() { Ok(()) } else { Err(found) };
        // To look for cycles is cheap where little goes backward, to schedule everything is not.
        if !decided.is_empty() {
            forbidden(self.cycles(decided, settled))?;
        }
        if let Some(position) = self.scheduled(decided, settled) {
            return Ok((position, true));
        }
        if decided.is_empty() {
            forbidden(self.cycles(decided, settled))?;
        }
        let mut graph = self.chosen(decided, &settled.live, &settled.sources);
        graph.links.extend_from_slice(self.unchosen());
        Ok((order::positions(&graph, &graph.after()), false))
    }

    /// The position of every node in an order that reads like an execution; `None` if there is a
    /// cycle.
    fn scheduled(&self, decided: &Decided, settled: &Assignment) -> Option<Vec<Position>> {
        let Assignment { live, sources, .. } = settled;
        let empty = FlatLists::default();
        let more = match self.derived {
            Some(_) => self.chosen_after(decided, live, sources),
            None => self.chosen(decided, live, sources).after(),
        };
        let after = match &self.derived {
            Some(derived) => After { derived, more: &more },
            None => After { derived: &more, more: &empty },
        };
        self.schedule.positions(self.ir, self.base(), &after, sources, self.open.iter())
    }

    /// Where the links lead that follow from what is decided and chosen. There may be many: they
    /// are laid out flat at once.
    fn chosen_after(
        &self,
        decided: &Decided,
        live: &[bool],
        sources: &[Option<Source>],
    ) -> FlatLists<Node, Node> {
        let graph = self.base();
        let choices = Choices::new(self.open(), decided, live, sources);
        FlatLists::gather(graph.nodes(), &Leading { choices, graph })
    }

    /// What was derived, or else what is known.
    fn base(&self) -> &Graph {
        self.saturated.map_or(self.known, |saturated| &saturated.graph)
    }

    /// A source for every read: fixed, decided or, in an order that leaves the rest open, the
    /// last one before the reader. If what is decided already contains forbidden cycles, these.
    fn sources(&self, decided: &Decided) -> Result<Vec<Option<Source>>, Vec<Conflict>> {
        let mut sources = self.fixed_sources();
        for &(read, source) in &decided.sources {
            sources[read.index()] = Some(source);
        }
        let open = |read: &ReadId| sources[read.index()].is_none();
        let open: Vec<ReadId> = self.open.iter().filter(open).collect();
        if open.is_empty() {
            return Ok(sources);
        }
        let settled = Assignment::settle(self.ir, sources.clone());
        let (position, _) = self.positions(decided, &settled)?;
        let (reads_in, writes_in) = self.schedule.states();
        let place = |unit: Unit, state: State| position[self.known.node(unit, state).index()];
        for read in open {
            let at = place(self.ir.reads[read.index()].unit, reads_in);
            sources[read.index()] = self.likely_source(read, at, |unit| place(unit, writes_in));
        }
        Ok(sources)
    }

    /// The source of every read that has only one left.
    fn fixed_sources(&self) -> Vec<Option<Source>> {
        let fixed = |read: usize| self.saturated.and_then(|saturated| saturated.fixed[read]);
        let only = |(index, read): (usize, &Read)| match read.sources[..] {
            [only] => Some(only),
            _ => fixed(index),
        };
        self.ir.reads.iter().enumerate().map(only).collect()
    }

    /// Where open reads stand in an order that leaves them aside, first to last. Only readers and sources
    /// that surely took effect count, and of these the ones that are not given up.
    pub(crate) fn placed(&self, given_up: impl Fn(ReadId, Source) -> bool) -> Vec<Placed> {
        let settled = Assignment::settle(self.ir, self.fixed_sources());
        let Ok((position, _)) = self.positions(&Decided::default(), &settled) else {
            return Vec::new();
        };
        let (reads_in, writes_in) = self.schedule.states();
        let place = |unit: Unit, state: State| position[self.known.node(unit, state).index()];
        let written = |unit: Unit| place(unit, writes_in);
        let is_sure = |source: Source| match source {
            Source::Initial => true,
            Source::Unit(unit) => self.ir.units[unit.index()].sure,
        };
        let versions = versions_by(self.ir, self.threads, &settled.live, written);
        let placed = |id: ReadId| {
            let read = &self.ir.reads[id.index()];
            let at = place(read.unit, reads_in);
            let versions = versions.of(read.order);
            let before = versions.partition_point(|&unit| written(unit) < at);
            let last = versions[..before].iter().rfind(|&&unit| unit != read.unit);
            let current = last.map_or(Source::Initial, |&unit| Source::Unit(unit));
            let left = |listed: usize, source: Source| {
                !self.is_excluded(id, listed) && !given_up(id, source) && is_sure(source)
            };
            let listed = read.sources.binary_search(&current).ok();
            let current = listed.filter(|&listed| left(listed, current)).map(|_| current);
            let nearest = nearest(self.ir, id, at, written, left);
            Placed { at, read: id, current, nearest }
        };
        let sure = |id: &ReadId| is_sure(Source::Unit(self.ir.reads[id.index()].unit));
        let mut open: Vec<Placed> = self.open.iter().filter(sure).map(placed).collect();
        open.sort_unstable_by_key(|placed| (placed.at, placed.read));
        open
    }

    /// Whether the source at a place in the list of a read was excluded by saturation.
    fn is_excluded(&self, read: ReadId, listed: usize) -> bool {
        self.saturated.is_some_and(|saturated| saturated.excluded.hold(read, listed))
    }

    /// The latest source before the reader's place that is not excluded, else the first after it.
    fn likely_source(
        &self,
        id: ReadId,
        at: Position,
        place: impl Fn(Unit) -> Position,
    ) -> Option<Source> {
        let left = |listed: usize, _| !self.is_excluded(id, listed);
        let nearest = nearest(self.ir, id, at, place, left);
        nearest.or_else(|| self.ir.reads[id.index()].sources.first().copied())
    }

    /// Everything decided and chosen, for states where cycles are forbidden; with what is known
    /// and derived, if that depends on who takes effect.
    fn chosen(&self, decided: &Decided, live: &[bool], sources: &[Option<Source>]) -> Graph {
        let mut graph = match self.all_sure {
            true => self.base().without_links(),
            false => self.base().clone(),
        };
        if !self.all_sure {
            self.add_unsure(&mut graph, live);
        }
        let choices = Choices::new(self.open(), decided, live, sources);
        choices.each(|arc, from, to, via| graph.add_dep(arc, from, to, via));
        graph
    }

    fn open(&self) -> Open<'_> {
        let Self { ir, automaton, saturated, all_sure, .. } = *self;
        Open { ir, automaton, saturated, reads: &self.open, all_sure }
    }

    /// Saturation looks at sure units only; the others come back if they are live.
    fn add_unsure(&self, graph: &mut Graph, live: &[bool]) {
        let unit = |node| self.known.unit(node);
        if self.saturated.is_some() {
            let unsure = |node| unit(node).is_some_and(|unit| !self.ir.units[unit.index()].sure);
            let missing = |link: &&Link| unsure(link.from) || unsure(link.to);
            graph.links.extend(self.known.links.iter().filter(missing));
        }
        let dead = |node| unit(node).is_some_and(|unit| !live[unit.index()]);
        graph.links.retain(|link| !dead(link.from) && !dead(link.to));
    }

    /// The links of every guess that [`Guesser::chosen`] does not have.
    fn unchosen(&self) -> &[Link] {
        if self.all_sure { &self.base().links } else { &[] }
    }

    /// An order of what was derived.
    fn sorted(&self) -> &Sorted {
        self.sorted.get_or_init(|| {
            let base = self.base();
            let position = match &self.derived {
                Some(after) => order::positions(base, after),
                None => order::positions(base, &base.after()),
            };
            let mut backward = Intervals::default();
            self.unchosen().iter().for_each(|link| backward.look_at(&position, link));
            Sorted { position, backward }
        })
    }

    /// The part of the graph of a guess that can be on a cycle: what lies between the ends of
    /// links that go backward in an order of what was derived.
    fn cyclic_part(&self, decided: &Decided, settled: &Assignment) -> Graph {
        let mut graph = self.chosen(decided, &settled.live, &settled.sources);
        let Sorted { position, backward } = self.sorted();
        let mut intervals = backward.clone();
        graph.links.iter().for_each(|link| intervals.look_at(position, link));
        intervals.join();
        if intervals.is_empty() {
            return graph.without_links();
        }
        let marks = intervals.marks(position);
        graph.links.retain(|link| marks.hold(link));
        graph.links.extend(self.unchosen().iter().filter(|link| marks.hold(link)));
        graph
    }

    /// Forbidden cycles of a guess: for every link that goes backward in an order of what was
    /// derived, or, if none of them closes one alone, some of every strongly connected
    /// component.
    fn cycles(&self, decided: &Decided, settled: &Assignment) -> Vec<Conflict> {
        let graph = self.cyclic_part(decided, settled);
        if graph.links.is_empty() || order::is_acyclic(&graph, &graph.after()) {
            return Vec::new();
        }
        let outgoing = graph.outgoing();
        let position = &self.sorted().position;
        let mut walks = cycles::backward(self.automaton, &graph, &outgoing, position, MANY);
        if walks.is_empty() {
            let components = Components::find(graph.nodes(), &graph.links, &outgoing);
            walks = cycles::forbidden(self.automaton, &graph, &outgoing, &components, EACH);
        }
        let conflict = |walk: &Vec<Link>| {
            Conflict::of_cycle(self.ir, settled.chosen(), paths::dependencies(&graph, walk))
        };
        let mut found: Vec<Conflict> = walks.iter().map(conflict).collect();
        found.sort_by(|a, b| {
            a.literals.len().cmp(&b.literals.len()).then(a.literals.cmp(&b.literals))
        });
        found.dedup_by(|a, b| a.literals == b.literals);
        found
    }
}

/// The latest source before the reader's place among those that are left, else the first after it.
fn nearest(
    ir: &Ir,
    id: ReadId,
    at: Position,
    place: impl Fn(Unit) -> Position,
    is_left: impl Fn(usize, Source) -> bool,
) -> Option<Source> {
    let distance = |source: &Source| match source {
        Source::Initial => (1, usize::MAX, false),
        Source::Unit(unit) => {
            let unsure = !ir.units[unit.index()].sure;
            let place = place(*unit);
            let distance = place.index().abs_diff(at.index());
            (if place < at { 0 } else { 2 }, distance, unsure)
        }
    };
    let sources = ir.reads[id.index()].sources.iter().copied().enumerate();
    let left = sources.filter(|&(listed, source)| is_left(listed, source));
    left.map(|(_, source)| source).min_by_key(distance)
}

/// The live writers of every order as `place` puts them.
pub(super) fn versions_by(
    ir: &Ir,
    threads: Threads,
    live: &[bool],
    place: impl Fn(Unit) -> Position + Sync,
) -> FlatLists<OrderId, Unit> {
    let count = ir.orders.iter().map(|order| order.writers.len()).sum();
    let shares = threads.shares(ir.orders.len(), count);
    FlatLists::joined(threads.run(shares, |orders| sorted_by(&ir.orders[orders], live, &place)))
}

fn sorted_by(
    orders: &[VersionOrder],
    live: &[bool],
    place: impl Fn(Unit) -> Position,
) -> FlatLists<OrderId, Unit> {
    let count = orders.iter().map(|order| order.writers.len()).sum();
    let mut versions = FlatLists::with_capacity(orders.len(), count);
    let mut placed: Vec<(Position, Unit)> = Vec::new();
    for order in orders {
        let writers = order.writers.iter().filter(|&&unit| live[unit.index()]);
        placed.clear();
        placed.extend(writers.map(|&unit| (place(unit), unit)));
        // Units are numbered in a likely order: most is in order already.
        placed.sort();
        versions.push(placed.iter().map(|&(_, unit)| unit));
    }
    versions
}

//! A likely total assignment: units are numbered in a likely order.
//!
//! In: what is decided. Out: an assignment that respects it, or, if what is decided already
//! contains forbidden cycles, these. The version orders are read off one topological order that
//! takes likely units first.

use rustc_hash::FxHashMap;
use tristan_spec::Rel;

use super::assignment::Assignment;
use super::automaton::{Arc, Automaton, State};
use super::conflict::{Chosen, Conflict, Literal};
use super::graph::{Graph, Link, Outgoing, Via};
use super::readers::Lists;
use super::refine::Rules;
use super::saturate::Saturated;
use super::scc::Components;
use super::schedule::{After, Schedule};
use super::{cycles, order, paths};
use crate::ir::{Ir, Source, Unit};

/// How many cycles are reported per knot.
const EACH: u32 = 8;

/// How many cycles are reported at most, if each goes backward once.
const MANY: usize = 8192;

/// What was decided by the solver.
#[derive(Debug, Default)]
pub struct Decided {
    /// Sources of ambiguous reads.
    pub sources: Vec<(u32, Source)>,
    /// Pairs of versions.
    pub orders: Vec<(u32, Unit, Unit)>,
}

/// The part of the problem that guessing needs, prepared once.
#[derive(Debug)]
pub struct Guesser<'a> {
    ir: &'a Ir,
    automaton: &'a Automaton,
    known: &'a Graph,
    saturated: Option<&'a Saturated>,
    /// The state whose topological order gives the version orders.
    spine: Option<State>,
    /// Reads that saturation has not fixed.
    open: Vec<u32>,
    /// Whether every unit surely took effect.
    all_sure: bool,
    /// Where the links lead that every guess goes along, if every unit surely took effect.
    derived: Option<Lists>,
    schedule: Schedule<'a>,
}

impl<'a> Guesser<'a> {
    /// Prepares to guess.
    pub fn new(rules: &Rules<'a>) -> Self {
        let Rules { ir, automaton, known, versions, saturated } = *rules;
        let forbids =
            |arc: &Arc| automaton.acyclic[arc.from as usize] || automaton.acyclic[arc.to as usize];
        let mut arcs = automaton.arcs_of(Rel::Ww).filter(|arc| !arc.jump);
        let spine =
            arcs.find(|arc| forbids(arc) && automaton.chains(*arc, true)).map(|arc| arc.from);
        let fixed = |read: u32| saturated.is_some_and(|done| done.fixed[read as usize].is_some());
        let open = (0..ir.reads.len() as u32).filter(|&read| !fixed(read)).collect();
        let schedule = Schedule::new(ir, automaton, versions);
        let all_sure = ir.units.iter().all(|unit| unit.sure);
        let derived = saturated.map_or(known, |saturated| &saturated.graph);
        let derived = all_sure.then(|| derived.after());
        Self { ir, automaton, known, saturated, spine, open, all_sure, derived, schedule }
    }

    /// An assignment, or the forbidden cycles in what is decided. With it comes the position of
    /// every node in the order it was read off, unless the level allows cycles in it.
    pub fn guess(
        &self,
        decided: &Decided,
    ) -> Result<(Assignment, Option<Vec<u32>>), Vec<Conflict>> {
        let mut assignment = Assignment::settle(self.ir, self.sources(decided)?);
        let scheduled = self.positions(decided, &assignment);
        let unscheduled;
        let position = match &scheduled {
            Some(position) => position,
            None => {
                unscheduled = self.positions_despite_cycles(decided, &assignment)?;
                &unscheduled
            }
        };
        let place = |unit: Unit| match self.spine {
            Some(state) => position[self.known.node(unit, state) as usize],
            None => unit,
        };
        assignment.versions = versions_by(self.ir, &assignment.live, place);
        Ok((assignment, scheduled))
    }

    /// The position of every node in an order that reads like an execution; `None` if there is a
    /// cycle.
    fn positions(&self, decided: &Decided, settled: &Assignment) -> Option<Vec<u32>> {
        let chosen = self.chosen(decided, &settled.live, &settled.sources);
        let empty = Lists::default();
        let more = chosen.after();
        let after = match &self.derived {
            Some(derived) => After { derived, more: &more },
            None => After { derived: &more, more: &empty },
        };
        self.schedule.positions(self.ir, &chosen, &after, &settled.sources)
    }

    /// The same if there is a cycle that the level allows, or else the cycles that it forbids.
    fn positions_despite_cycles(
        &self,
        decided: &Decided,
        settled: &Assignment,
    ) -> Result<Vec<u32>, Vec<Conflict>> {
        let mut graph = self.chosen(decided, &settled.live, &settled.sources);
        if self.derived.is_some() {
            graph.links.extend_from_slice(&self.base().links);
        }
        let conflicts = self.cycles(&graph, settled.chosen());
        match conflicts.is_empty() {
            true => Ok(order::positions(&graph, &graph.after())),
            false => Err(conflicts),
        }
    }

    /// What was derived, or else what is known.
    fn base(&self) -> &Graph {
        self.saturated.map_or(self.known, |saturated| &saturated.graph)
    }

    /// A source for every read: fixed, decided or, in an order that leaves the rest open, the
    /// last one before the reader. If what is decided already contains forbidden cycles, these.
    fn sources(&self, decided: &Decided) -> Result<Vec<Option<Source>>, Vec<Conflict>> {
        let fixed = |read: usize| self.saturated.and_then(|saturated| saturated.fixed[read]);
        let mut sources: Vec<Option<Source>> = (0..self.ir.reads.len()).map(fixed).collect();
        for &(read, source) in &decided.sources {
            sources[read as usize] = Some(source);
        }
        let open = |&&read: &&u32| sources[read as usize].is_none();
        let open: Vec<u32> = self.open.iter().filter(open).copied().collect();
        if open.is_empty() {
            return Ok(sources);
        }
        let settled = Assignment::settle(self.ir, sources.clone());
        let position = match self.positions(decided, &settled) {
            Some(position) => position,
            None => self.positions_despite_cycles(decided, &settled)?,
        };
        let (reads_in, writes_in) = self.schedule.states();
        let place = |unit: Unit, state: State| position[self.known.node(unit, state) as usize];
        for read in open {
            let at = place(self.ir.reads[read as usize].unit, reads_in);
            sources[read as usize] = self.likely_source(read, at, |unit| place(unit, writes_in));
        }
        Ok(sources)
    }

    /// The latest source before the reader's place that is not excluded, else the first after it.
    fn likely_source(&self, index: u32, at: u32, place: impl Fn(Unit) -> u32) -> Option<Source> {
        let read = &self.ir.reads[index as usize];
        let excluded = |source: &Source| {
            self.saturated
                .is_some_and(|saturated| saturated.excluded.contains_key(&(index, *source)))
        };
        let distance = |source: &Source| match source {
            Source::Initial => (1, u32::MAX, 0),
            Source::Unit(unit) => {
                let sure = u32::from(!self.ir.units[*unit as usize].sure);
                let place = place(*unit);
                if place < at { (0, at - place, sure) } else { (2, place - at, sure) }
            }
        };
        let open = read.sources.iter().copied().filter(|source| !excluded(source));
        open.min_by_key(distance).or_else(|| read.sources.first().copied())
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
        for arc in self.automaton.arcs_of(Rel::Wr).filter(|arc| !arc.jump) {
            for &index in &self.open {
                if let Some(Source::Unit(source)) = sources[index as usize] {
                    let reader = self.ir.reads[index as usize].unit;
                    graph.add_dep(arc, source, reader, Via::Wr(index));
                }
            }
        }
        self.add_initial(&mut graph, live, sources);
        self.add_orders(&mut graph, decided, live, sources);
        graph
    }

    /// Saturation looks at sure units only; the others come back if they are live.
    fn add_unsure(&self, graph: &mut Graph, live: &[bool]) {
        let unit = |node| self.known.unit(node);
        if self.saturated.is_some() {
            let unsure = |node| unit(node).is_some_and(|unit| !self.ir.units[unit as usize].sure);
            let missing = |link: &&Link| unsure(link.from) || unsure(link.to);
            graph.links.extend(self.known.links.iter().filter(missing));
        }
        let dead = |node| unit(node).is_some_and(|unit| !live[unit as usize]);
        graph.links.retain(|link| !dead(link.from) && !dead(link.to));
    }

    /// Reads of the initial state precede every version; saturation has said so of fixed reads
    /// and sure writers.
    fn add_initial(&self, graph: &mut Graph, live: &[bool], sources: &[Option<Source>]) {
        let all: Vec<u32>;
        let (reads, only_unsure) = match self.all_sure {
            true => (&self.open, false),
            false => {
                all = (0..self.ir.reads.len() as u32).collect();
                (&all, true)
            }
        };
        let from_start = |&&index: &&u32| sources[index as usize] == Some(Source::Initial);
        let fixed =
            |index: u32| self.saturated.is_some_and(|done| done.fixed[index as usize].is_some());
        for arc in self.automaton.missing().filter(|arc| !arc.jump) {
            for &index in reads.iter().filter(from_start) {
                let read = &self.ir.reads[index as usize];
                if !arc.counts(read) {
                    continue;
                }
                let said = |writer: Unit| {
                    only_unsure && fixed(index) && self.ir.units[writer as usize].sure
                };
                for &writer in &self.ir.orders[read.order as usize].writers {
                    if writer != read.unit && live[writer as usize] && !said(writer) {
                        graph.add_dep(arc, read.unit, writer, Via::Rw(index));
                    }
                }
            }
        }
    }

    /// Decided pairs of versions, and the anti-dependencies that follow from them.
    fn add_orders(
        &self,
        graph: &mut Graph,
        decided: &Decided,
        live: &[bool],
        sources: &[Option<Source>],
    ) {
        if decided.orders.is_empty() {
            return;
        }
        let firsts = decided.orders.iter().map(|&(order, first, _)| ((order, first), Vec::new()));
        let mut readers: FxHashMap<(u32, Unit), Vec<u32>> = firsts.collect();
        for (index, read) in self.ir.reads.iter().enumerate() {
            if let Some(Source::Unit(source)) = sources[index]
                && let Some(readers) = readers.get_mut(&(read.order, source))
            {
                readers.push(index as u32);
            }
        }
        for &(order, first, second) in &decided.orders {
            if !live[first as usize] || !live[second as usize] {
                continue;
            }
            for arc in self.automaton.arcs_of(Rel::Ww).filter(|arc| !arc.jump) {
                graph.add_dep(arc, first, second, Via::Ww(order));
            }
            for &index in readers.get(&(order, first)).into_iter().flatten() {
                let read = &self.ir.reads[index as usize];
                let counts = |arc: &Arc| !arc.jump && arc.counts(read) && read.unit != second;
                for arc in self.automaton.missing().filter(counts) {
                    graph.add_dep(arc, read.unit, second, Via::Rw(index));
                }
            }
        }
    }

    /// Forbidden cycles of a graph: for every link that goes backward in an order of what was
    /// derived, or, if none of them closes one alone, some of every knot.
    fn cycles(&self, graph: &Graph, chosen: Chosen<'_>) -> Vec<Conflict> {
        let outgoing = Outgoing::index(graph.nodes(), &graph.links, |link| link.from);
        let position = order::positions(self.base(), &self.base().after());
        let mut walks = cycles::backward(self.automaton, graph, &outgoing, &position, MANY);
        if walks.is_empty() {
            let components = Components::find(graph.nodes(), &graph.links, &outgoing);
            walks = cycles::forbidden(self.automaton, graph, &outgoing, &components, EACH);
        }
        let conflict = |walk: &Vec<Link>| {
            Conflict::of_cycle(self.ir, chosen, paths::dependencies(graph, walk))
        };
        let mut found: Vec<Conflict> = walks.iter().map(conflict).collect();
        found.sort_by(|a, b| {
            a.literals.len().cmp(&b.literals.len()).then(a.literals.cmp(&b.literals))
        });
        found.dedup_by(|a, b| a.literals == b.literals);
        found
    }
}

/// The live writers of every order as `place` puts them.
pub(super) fn versions_by(ir: &Ir, live: &[bool], place: impl Fn(Unit) -> u32) -> Vec<Vec<Unit>> {
    let versions = ir.orders.iter().map(|order| {
        let writers = order.writers.iter().copied();
        let mut versions: Vec<Unit> = writers.filter(|&unit| live[unit as usize]).collect();
        versions.sort_unstable_by_key(|&unit| place(unit));
        versions
    });
    versions.collect()
}

/// Whether a literal is among the facts saturation derived.
pub fn is_fact(saturated: Option<&Saturated>, literal: Literal) -> bool {
    saturated.is_some_and(|saturated| match literal {
        Literal::Before(..) => saturated.facts.contains_key(&literal),
        Literal::Reads(read, source) => saturated.fixed[read as usize] == Some(source),
    })
}

//! The witness of an accept: one order of points.

use tristan_spec::Rel;
use tristan_verdict::{Chosen, Point, PointKind, Source, Witness};

use crate::automaton::{Automaton, State};
use crate::ir::{Ir, Read, Unit};
use crate::solve::assignment::{Assignment, Places};
use crate::solve::graph::Graph;
use crate::solve::{order, total_graph};

/// The witness an assignment gives.
pub(crate) fn witness(ir: &Ir, assignment: &Assignment) -> Witness {
    let automaton = Automaton::compile(&ir.formula);
    let points = Points::of(&automaton);
    let found = assignment.places.as_ref().filter(|places| {
        points.are_in(places) && total_graph::goes_along(ir, &automaton, assignment, places)
    });
    let order = match found {
        Some(places) => points.along(ir, assignment, places),
        None => points.along(ir, assignment, &places(ir, &automaton, assignment)),
    };
    Witness {
        order,
        sources: sources(ir, assignment),
        committed: committed(ir, assignment),
        ..Witness::default()
    }
}

/// An order that goes along the whole graph of an assignment.
fn places(ir: &Ir, automaton: &Automaton, assignment: &Assignment) -> Places {
    let graph = total_graph::build(ir, automaton, &Graph::known(ir, automaton), assignment);
    Places { states: automaton.states(), position: order::positions(&graph, &graph.after()) }
}

/// An order of so many points is shown as a whole.
const SHORT: usize = 40;

/// Which places of a unit are shown.
enum Points {
    /// One, in the state in which versions follow one another.
    Whole(State),
    /// Begin and commit.
    Snapshot(State, State),
}

impl Points {
    fn of(automaton: &Automaton) -> Self {
        match snapshot_states(automaton) {
            Some((begin, commit)) => Self::Snapshot(begin, commit),
            None => Self::Whole(ordering_state(automaton)),
        }
    }

    /// Whether units have these places.
    fn are_in(&self, places: &Places) -> bool {
        match *self {
            Self::Whole(_) => true,
            Self::Snapshot(begin, commit) => places.states > begin.max(commit) as usize,
        }
    }

    /// The points of all live units, in order.
    fn along(&self, ir: &Ir, assignment: &Assignment, places: &Places) -> Vec<Point> {
        let each: &[(State, PointKind)] = match *self {
            Self::Whole(state) => &[(state, PointKind::Whole)],
            Self::Snapshot(begin, commit) => {
                &[(begin, PointKind::Begin), (commit, PointKind::Commit)]
            }
        };
        let mut points = Vec::with_capacity(each.len() * ir.units.len());
        for unit in live(assignment) {
            let shown = each.iter().map(|&(state, at)| (places.of(unit, state), unit, at));
            points.extend(shown);
        }
        points.sort_unstable_by_key(|&(place, ..)| place);
        let point = |(_, unit, at): (_, Unit, _)| Point { txn: ir.units[unit.index()].txn.0, at };
        points.into_iter().map(point).collect()
    }
}

fn live(assignment: &Assignment) -> impl Iterator<Item = Unit> + '_ {
    Unit::all(assignment.live.len()).filter(|unit| assignment.live[unit.index()])
}

/// Begin and commit states, if the formula is one acyclic graph of two states in which versions
/// are ordered by commit.
fn snapshot_states(automaton: &Automaton) -> Option<(State, State)> {
    let [inside] = automaton.inside[..] else { return None };
    let plain = inside.test.is_none() && !inside.jump && automaton.states() == 2;
    let from_commit = automaton.arcs_of(Rel::Ww).all(|arc| arc.from == inside.to);
    (plain && from_commit).then_some((inside.from, inside.to))
}

/// Whether all of an order is shown.
pub(super) fn is_short(witness: &Witness) -> bool {
    witness.order.len() <= SHORT
}

/// The transactions that a report of a witness names: both ends of the order, which is all of it
/// if it is short, and the first choices.
pub(crate) fn shown(witness: &Witness) -> Vec<u32> {
    let most = if is_short(witness) { SHORT } else { 6 };
    let ends = witness.order.iter().take(most).chain(witness.order.iter().rev().take(most));
    let mut shown: Vec<u32> = ends.map(|point| point.txn).collect();
    for chosen in witness.sources.iter().take(4) {
        shown.push(chosen.txn);
        if let Source::Txn(txn) = chosen.from {
            shown.push(txn);
        }
    }
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// The state in which versions follow one another.
fn ordering_state(automaton: &Automaton) -> State {
    let acyclic = |state: State| automaton.acyclic[state as usize];
    let ordering = automaton.arcs_of(Rel::Ww).find(|arc| {
        !arc.jump && automaton.chains(*arc, true) && (acyclic(arc.from) || acyclic(arc.to))
    });
    ordering.map_or(0, |arc| arc.from)
}

fn sources(ir: &Ir, assignment: &Assignment) -> Vec<Chosen> {
    let mut chosen = Vec::new();
    let ambiguous = |(read, _): &(&Read, _)| read.sources.len() > 1;
    for (read, source) in ir.reads.iter().zip(&assignment.sources).filter(ambiguous) {
        if let Some(source) = *source {
            let from = super::refutation::source(ir, source);
            let txn = ir.units[read.unit.index()].txn.0;
            let key = super::refutation::range_key(ir, read);
            chosen.push(Chosen { txn, op: read.op, key, from });
        }
    }
    chosen.sort_by(|a, b| (a.txn, a.op, &a.key).cmp(&(b.txn, b.op, &b.key)));
    chosen
}

fn committed(ir: &Ir, assignment: &Assignment) -> Vec<u32> {
    live(assignment)
        .filter(|&unit| ir.units[unit.index()].unknown)
        .map(|unit| ir.units[unit.index()].txn.0)
        .collect()
}

//! The witness of an accept: one order of points.

use tristan_spec::Rel;
use tristan_verdict::{Chosen, Point, PointKind, Source, Witness};

use crate::ir::{Ir, Unit};
use crate::solve::assignment::Assignment;
use crate::solve::automaton::{Automaton, State};
use crate::solve::graph::{Graph, Node};
use crate::solve::{order, total};

/// The witness an assignment gives.
pub fn witness(ir: &Ir, assignment: &Assignment) -> Witness {
    let automaton = Automaton::compile(&ir.formula);
    let known = Graph::known(ir, &automaton);
    let graph = total::build(ir, &automaton, &known, assignment);
    let position = order::positions(&graph, &graph.after());
    let order = match snapshot_states(&automaton) {
        Some((begin, commit)) => {
            let mut points = Vec::new();
            for unit in live(assignment) {
                let txn = ir.units[unit as usize].txn.0;
                let at = |state| position[graph.node(unit, state) as usize];
                points.push((at(begin), Point { txn, at: PointKind::Begin }));
                points.push((at(commit), Point { txn, at: PointKind::Commit }));
            }
            points.sort_by_key(|(position, _)| *position);
            points.into_iter().map(|(_, point)| point).collect()
        }
        None => whole_points(ir, &automaton, &graph, &position, assignment),
    };
    Witness { order, sources: sources(ir, assignment), committed: committed(ir, assignment) }
}

fn live(assignment: &Assignment) -> impl Iterator<Item = Unit> + '_ {
    (0..assignment.live.len() as Unit).filter(|&unit| assignment.live[unit as usize])
}

/// Begin and commit states, if the formula is one acyclic graph of two states in which versions
/// are ordered by commit.
fn snapshot_states(automaton: &Automaton) -> Option<(State, State)> {
    let [inside] = automaton.inside[..] else { return None };
    let plain = inside.test.is_none() && !inside.jump && automaton.states() == 2;
    let from_commit = automaton.arcs_of(Rel::Ww).all(|arc| arc.from == inside.to);
    (plain && from_commit).then_some((inside.from, inside.to))
}

/// The transactions that a report of a witness names: both ends of the order, the first choices.
pub fn shown(witness: &Witness) -> Vec<u32> {
    let ends = witness.order.iter().take(6).chain(witness.order.iter().rev().take(6));
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

/// One point per transaction, ordered by the state in which versions follow one another.
fn whole_points(
    ir: &Ir,
    automaton: &Automaton,
    graph: &Graph,
    position: &[u32],
    assignment: &Assignment,
) -> Vec<Point> {
    let acyclic = |state: State| automaton.acyclic[state as usize];
    let ordering = automaton.arcs_of(Rel::Ww).find(|arc| {
        !arc.jump && automaton.chains(*arc, true) && (acyclic(arc.from) || acyclic(arc.to))
    });
    let state = ordering.map_or(0, |arc| arc.from);
    let mut units: Vec<Unit> = live(assignment).collect();
    let place = |unit: Unit| -> u32 {
        let node: Node = graph.node(unit, state);
        position[node as usize]
    };
    units.sort_by_key(|&unit| place(unit));
    let point = |unit: Unit| Point { txn: ir.units[unit as usize].txn.0, at: PointKind::Whole };
    units.into_iter().map(point).collect()
}

fn sources(ir: &Ir, assignment: &Assignment) -> Vec<Chosen> {
    let mut chosen = Vec::new();
    for (index, read) in ir.reads.iter().enumerate().filter(|(_, read)| read.sources.len() > 1) {
        if let Some(source) = assignment.sources[index] {
            let from = super::refutation::source(ir, source);
            let txn = ir.units[read.unit as usize].txn.0;
            let key = super::refutation::range_key(ir, read);
            chosen.push(Chosen { txn, op: read.op, key, from });
        }
    }
    chosen.sort_by(|a, b| (a.txn, a.op, &a.key).cmp(&(b.txn, b.op, &b.key)));
    chosen
}

fn committed(ir: &Ir, assignment: &Assignment) -> Vec<u32> {
    live(assignment)
        .filter(|&unit| ir.units[unit as usize].unknown)
        .map(|unit| ir.units[unit as usize].txn.0)
        .collect()
}

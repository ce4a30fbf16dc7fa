//! Anti-dependencies that close a forbidden walk by a single jump.
//!
//! Many levels forbid that a transaction misses a version of one it follows: `b ; rw`,
//! `b+ ; rw`, `(b | ww)+ ; rw`. All units stand in an order that every step goes along, so only a
//! version that comes *before* its reader in that order can be missed by a reader that follows its
//! writer. These are few, and each of them is looked at.
//!
//! ```text
//!        s ───► w ─ ─ ─► r        r read s and missed w: forbidden if r follows w
//!        └──── wr ───────▲
//! ```

use tristan_spec::Rel;

use super::assignment::Assignment;
use super::graph::{Graph, Label, Link, Node, Via};
use super::order::Position;
use super::steps::Steps;
use super::{jumps, total_graph};
use crate::automaton::{Automaton, Return};
use crate::ir::{Ir, ReadId, Unit};

/// A read and a later version of its key, by a unit that comes before the reader.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    read: ReadId,
    reader: Unit,
    missed: Unit,
}

impl Suspect {
    /// The jump, in a graph with one state.
    fn jump(self) -> Link {
        step(self.reader, self.missed, Via::Rw(self.read))
    }
}

/// A link in a graph with one state.
fn step(from: Unit, to: Unit, via: Via) -> Link {
    Link { from: Node::of(from), to: Node::of(to), label: Label::Dep(via) }
}

/// Closed walks with one jump, at most `most` of them, and the graph with one state they are in.
/// `place` says where each unit stands. `None` if that is not the way to find them.
pub(super) fn walks(
    ir: &Ir,
    automaton: &Automaton,
    assignment: &Assignment,
    returns: &Return,
    place: &[Position],
    most: usize,
) -> Option<(Graph, Vec<Vec<Link>>)> {
    // Where versions are steps too, a later version follows from the next one.
    let each = match returns {
        Return::Many(rels) if rels.contains(&Rel::Ww) => 1,
        _ => usize::MAX,
    };
    let mut suspects = Vec::new();
    for arc in automaton.missing() {
        total_graph::each_order_read(ir, assignment, arc, |versions, reads, after| {
            for &read in reads {
                let reader = ir.reads[read.index()].unit;
                let later = &versions[after(read)..];
                let before = |missed: &&Unit| place[missed.index()] < place[reader.index()];
                let missed =
                    later.iter().take_while(before).filter(|&&missed| missed != reader).take(each);
                suspects.extend(missed.map(|&missed| Suspect { read, reader, missed }));
            }
        });
    }
    match returns {
        Return::One(rels) => one_step(ir, assignment, rels, &suspects, most),
        Return::Many(rels) => Some(many_steps(ir, assignment, rels, suspects, place, most)),
    }
}

/// The walks of suspects that follow whom they missed by a single step.
fn one_step(
    ir: &Ir,
    assignment: &Assignment,
    rels: &[Rel],
    suspects: &[Suspect],
    most: usize,
) -> Option<(Graph, Vec<Vec<Link>>)> {
    let steps = Steps::new(ir, assignment, rels)?;
    let walk = |suspect: &Suspect| {
        let Suspect { reader, missed, .. } = *suspect;
        let via = steps.between(missed, reader)?;
        Some(vec![step(missed, reader, via), suspect.jump()])
    };
    let walks = suspects.iter().filter_map(walk).take(most).collect();
    Some((Graph::of_units(ir.units.len()), walks))
}

/// The walks of suspects that follow whom they missed by any number of steps.
fn many_steps(
    ir: &Ir,
    assignment: &Assignment,
    rels: &[Rel],
    mut suspects: Vec<Suspect>,
    place: &[Position],
    most: usize,
) -> (Graph, Vec<Vec<Link>>) {
    if suspects.is_empty() {
        return (Graph::of_units(ir.units.len()), Vec::new());
    }
    let closure = Automaton::closure(rels);
    let graph = total_graph::build(ir, &closure, &Graph::known(ir, &closure), assignment);
    suspects.sort_unstable_by_key(|suspect| place[suspect.missed.index()]);
    let order = jumps::Order::of_units(&graph, place);
    let outgoing = graph.outgoing();
    let suspects: Vec<Link> = suspects.into_iter().map(Suspect::jump).collect();
    let walks = jumps::closing(&graph, &outgoing, &order, &suspects, most);
    (graph, walks)
}

//! What of a refutation is shown first, and which of its edges the trace leaves open.

use tristan_verdict::{
    Answer, Bad, Conflict, Edge, EdgeKind, Literal, Refutation, Rule, Source, Verdict,
};

use crate::cases::{self, End, Node};
use crate::figure::Figure;
use crate::names::Names;

/// What the one picture of a rejection shows.
pub(crate) enum Main<'v> {
    /// A read that is wrong by itself.
    Bad(&'v Bad),
    /// A cycle, and the conflict it belongs to.
    Cycle(&'v [Edge], &'v Conflict),
    /// There is no cycle: reads that cannot all be explained.
    Nothing,
}

/// The most telling part of a refutation: where the argument ends, in its first case.
pub(crate) fn main<'v>(refutation: &'v Refutation, names: Names<'_>) -> Main<'v> {
    let refutation = refutation.first_case();
    if let Some(bad) = &refutation.bad {
        return Main::Bad(bad);
    }
    let ends = cases::argue(refutation, names).map(|node| leaves(&node)).unwrap_or_default();
    let all = ends.into_iter().chain(0..refutation.conflicts.len());
    let mut cycles = all.filter_map(|number| {
        let conflict = &refutation.conflicts[number];
        match &conflict.rule {
            Rule::Cycle(edges) => Some(Main::Cycle(edges, conflict)),
            _ => None,
        }
    });
    cycles.next().unwrap_or(Main::Nothing)
}

/// The conflicts in which an argument ends, case by case.
fn leaves(node: &Node) -> Vec<usize> {
    match &node.end {
        End::Conflict(number) => vec![*number],
        End::Split(branches) => branches.iter().flat_map(|(_, node)| leaves(node)).collect(),
    }
}

/// The picture of a verdict, if it has one.
pub(crate) fn figure(verdict: &Verdict) -> Option<Figure> {
    let names = Names::of(verdict);
    let Answer::Reject { refutation, .. } = &verdict.answer else { return None };
    let refutation = refutation.first_case();
    match main(refutation, names) {
        Main::Bad(bad) => Some(Figure::of_bad(names, bad)),
        Main::Cycle(edges, conflict) => {
            Some(Figure::of_cycle(names, edges, |edge| is_derived(refutation, conflict, edge)))
        }
        Main::Nothing => None,
    }
}

/// Whether an edge is there only because of a choice that the trace leaves open.
pub(crate) fn is_derived(refutation: &Refutation, conflict: &Conflict, edge: &Edge) -> bool {
    let is_open = |literal: &&Literal| match literal {
        Literal::Before { .. } => true,
        Literal::Reads { txn, op, .. } => {
            refutation.choices.iter().any(|choice| (choice.txn, choice.op) == (*txn, *op))
        }
    };
    conflict.literals.iter().filter(is_open).any(|literal| rests_on(edge, literal))
}

/// Whether an edge needs a choice to be made this way.
pub(crate) fn rests_on(edge: &Edge, literal: &Literal) -> bool {
    match literal {
        Literal::Before { key, first, then } => {
            let replaced = match edge.kind {
                EdgeKind::Ww => Some(edge.from),
                EdgeKind::Rw | EdgeKind::Prw => match edge.over {
                    Some(Source::Txn(writer)) => Some(writer),
                    _ => None,
                },
                _ => None,
            };
            edge.key.as_ref() == Some(key) && replaced == Some(*first) && edge.to == *then
        }
        Literal::Reads { txn, op, key, from } => {
            let (reader, source) = match edge.kind {
                EdgeKind::Wr | EdgeKind::Pwr => (edge.to, Some(Source::Txn(edge.from))),
                EdgeKind::Rw | EdgeKind::Prw => (edge.from, edge.over),
                _ => return false,
            };
            reader == *txn
                && edge.read_op == Some(*op)
                && key.as_ref().is_none_or(|key| edge.key.as_ref() == Some(key))
                && source == Some(*from)
        }
    }
}

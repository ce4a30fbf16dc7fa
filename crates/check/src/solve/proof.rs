//! Proofs: from a contradiction back to what the trace says.
//!
//! A fact found by saturation is the opposite of something that closes a cycle. Here that cycle
//! is found again, over links that are older than the fact, and the facts *it* uses are proved
//! in turn. The result is a list of conflicts that are unsatisfiable together by propagation.

use rustc_hash::FxHashSet;

use super::conflict::{Chosen, Conflict, Literal};
use super::derivation::Derivation;
use super::flat_lists::FlatLists;
use super::graph::{Graph, LinkId, Node};
use super::paths;
use super::saturated::Saturated;
use crate::ir::{Ir, ReadId, Source};

/// Contradictions, and conflicts that prove the facts they use, step by step.
pub(crate) struct Proof<'a> {
    ir: &'a Ir,
    saturated: &'a Saturated,
    outgoing: FlatLists<Node, LinkId>,
    /// Links by where they lead, if any cycle will do and not only a shortest one.
    incoming: Option<FlatLists<Node, LinkId>>,
    /// What has been proved so far rests on these; the contradictions come first.
    conflicts: Vec<Conflict>,
    /// Conflicts whose facts are not proved yet, by their place.
    open: std::ops::Range<usize>,
    proved: FxHashSet<Literal>,
}

impl<'a> Proof<'a> {
    /// Only the contradictions.
    pub(crate) fn of(ir: &'a Ir, saturated: &'a Saturated, contradictions: Vec<Conflict>) -> Self {
        let graph = &saturated.graph;
        let outgoing = graph.outgoing();
        let open = 0..contradictions.len();
        let proved = FxHashSet::default();
        Self { ir, saturated, outgoing, incoming: None, conflicts: contradictions, open, proved }
    }

    /// The same; steps are found faster, but are not the shortest ones.
    pub(crate) fn hasty(ir: &'a Ir, saturated: &'a Saturated, from: Vec<Conflict>) -> Self {
        let incoming = Some(saturated.graph.incoming());
        Self { incoming, ..Self::of(ir, saturated, from) }
    }

    /// The conflicts so far.
    pub(crate) fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// Proves the facts that the latest conflicts use; says whether there were any.
    pub(crate) fn deepen(&mut self) -> bool {
        let Self { ir, saturated, .. } = *self;
        let latest = self.open.clone();
        for at in latest.clone() {
            for literal in self.conflicts[at].literals.clone() {
                if !self.proved.insert(literal) {
                    continue;
                }
                for (derivation, excluded) in derivations(ir, saturated, literal) {
                    let (graph, fixed) = (&saturated.graph, &saturated.fixed);
                    let lists = (&self.outgoing, self.incoming.as_ref());
                    let conflict = cycle_of(ir, graph, lists, fixed, &derivation, excluded);
                    self.conflicts.push(conflict);
                }
            }
        }
        self.open = latest.end..self.conflicts.len();
        !self.open.is_empty()
    }

    /// Everything that has to be proved; the contradictions come last.
    pub(crate) fn complete(mut self) -> Vec<Conflict> {
        while self.deepen() {}
        let mut proof: Vec<Conflict> = Vec::new();
        let mut known: FxHashSet<Conflict> = FxHashSet::default();
        for conflict in self.conflicts {
            if !conflict.is_vacuous() && known.insert(conflict.clone()) {
                proof.push(conflict);
            }
        }
        proof.reverse();
        proof
    }
}

/// What saturation derived a literal from, if it did.
fn derivations(
    ir: &Ir,
    saturated: &Saturated,
    literal: Literal,
) -> Vec<(Derivation, Option<(ReadId, Source)>)> {
    match literal {
        Literal::Before(..) => saturated
            .facts
            .get(&literal)
            .map(|&derivation| (derivation, None))
            .into_iter()
            .collect(),
        // A source of a read holds if all others are excluded. An excluded source may also be
        // the literal itself: then all sources were.
        Literal::Reads(read, _) => {
            let mut found = Vec::new();
            let Saturated { graph, facts, excluded, .. } = saturated;
            for (place, &source) in ir.reads[read.index()].sources.iter().enumerate() {
                let how = excluded.derivation((ir, graph), read, place);
                let Some((derivation, order)) = how else { continue };
                found.push((derivation, Some((read, source))));
                // A fact that was found later may itself rest on the exclusion.
                let order = order.filter(|(literal, path)| {
                    facts.get(literal).is_none_or(|fact| path.before < fact.before)
                });
                found.extend(order.map(|(_, derivation)| (derivation, None)));
            }
            found
        }
    }
}

/// The conflict behind a derivation.
pub(crate) fn conflict_of(
    ir: &Ir,
    graph: &Graph,
    fixed: &[Option<Source>],
    derivation: &Derivation,
    excluded: Option<(ReadId, Source)>,
) -> Conflict {
    let outgoing = graph.outgoing();
    cycle_of(ir, graph, (&outgoing, None), fixed, derivation, excluded)
}

fn cycle_of(
    ir: &Ir,
    graph: &Graph,
    (outgoing, incoming): (&FlatLists<Node, LinkId>, Option<&FlatLists<Node, LinkId>>),
    fixed: &[Option<Source>],
    derivation: &Derivation,
    excluded: Option<(ReadId, Source)>,
) -> Conflict {
    let older = |link: LinkId| link < derivation.before;
    let (from, to) = (derivation.from, derivation.to);
    let path = match incoming {
        Some(incoming) => paths::meeting(&graph.links, (outgoing, incoming), from, to, older),
        None => paths::shortest(&graph.links, outgoing, from, to, true, older),
    };
    let path = path.expect("the clocks saw this path when the fact was derived");
    let mut cycle = paths::open_dependencies(graph, &path);
    cycle.push(derivation.closing);
    Conflict::of_cycle(ir, Chosen { sources: fixed, support: &[], instead: excluded }, cycle)
}

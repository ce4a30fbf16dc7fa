//! Succession: assume that a session which seems to have ended long before another began did so.
//!
//! With a hundred thousand short sessions hardly anything is ordered at first, and clocks would
//! need a hundred thousand chains. Sessions that follow each other at a distance make a few long
//! lines instead. Like all that is assumed it may lead to a witness, and never counts in a
//! refutation.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tristan_spec::Rel;

use crate::automaton::Automaton;
use crate::ir::{Edge, Ir, Reason, Unit};

/// So many sessions make enough chains.
pub(crate) const FEW: usize = 256;

/// How many units must lie between two sessions.
const DISTANCE: usize = 1024;

/// Adds edges from the ends of sessions to the starts of later ones, if there are many sessions
/// and the order of versions matters. Says whether it did.
pub(crate) fn assume(ir: &mut Ir) -> bool {
    let sessions = sessions(ir);
    let is_search = Automaton::compile(&ir.formula).missing().any(|arc| !arc.jump);
    if sessions.len() <= FEW || !is_search {
        return false;
    }
    let mut ended: BinaryHeap<Reverse<Unit>> = BinaryHeap::new();
    for (first, last) in sessions {
        if let Some(&Reverse(end)) = ended.peek().filter(|end| is_far(end.0, first)) {
            ended.pop();
            ir.edges.push(Edge { from: end, to: first, rel: Rel::So, reason: Reason::Assumed });
        }
        ended.push(Reverse(last));
    }
    true
}

fn is_far(end: Unit, start: Unit) -> bool {
    end.index() + DISTANCE < start.index()
}

/// First and last unit of every session, by the first.
fn sessions(ir: &Ir) -> Vec<(Unit, Unit)> {
    let mut first: Vec<Unit> = Unit::all(ir.units.len()).collect();
    let mut goes_on = vec![false; ir.units.len()];
    let mut is_first = vec![true; ir.units.len()];
    for edge in ir.edges.iter().filter(|edge| edge.rel == Rel::So) {
        first[edge.to.index()] = first[edge.from.index()];
        goes_on[edge.from.index()] = true;
        is_first[edge.to.index()] = false;
    }
    let ends = Unit::all(ir.units.len()).filter(|&unit| !goes_on[unit.index()]);
    let mut sessions: Vec<(Unit, Unit)> = ends
        .map(|last| (first[last.index()], last))
        .filter(|one| is_first[one.0.index()])
        .collect();
    sessions.sort_unstable();
    sessions.dedup_by_key(|session| session.0);
    sessions
}

#[cfg(test)]
mod tests {
    use tristan_generate::{Turns, Workload};
    use tristan_spec::Catalog;

    use super::*;
    use crate::asg::Asg;
    use crate::lower::lower;
    use crate::options::Options;
    use tristan_ground::Threads;

    fn assumed(sessions: usize, level: &str) -> (bool, usize) {
        let workload = Workload::named("blindw-rw").expect("a known name");
        let turns = Turns::OneAfterTheOther;
        let history = Workload { txns: 6_000, keys: 500, sessions, turns, ..workload }.run();
        let options = Options::default();
        let asg = Asg::build(&history, Threads::default());
        let level = Catalog::default().find(level).expect(level);
        let mut ir = lower(&asg, &level, &options);
        let any = assume(&mut ir);
        let edges = ir.edges.iter().filter(|edge| edge.reason == Reason::Assumed);
        (any, edges.inspect(|edge| assert!(is_far(edge.from, edge.to))).count())
    }

    #[test]
    fn many_sessions_make_few_lines() {
        let (any, edges) = assumed(600, "strong-session-serializable");
        // Within the distance of 1024 units, a hundred sessions of ten go on beside each other.
        assert!(any && edges > 400, "{edges}");
        assert_eq!(assumed(24, "strong-session-serializable"), (false, 0));
        assert_eq!(assumed(600, "causal"), (false, 0));
    }
}

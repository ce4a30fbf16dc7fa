//! Session order: consecutive transactions of one session.
//!
//! Nothing is ordered after a transaction of unknown outcome, because it may take effect at
//! any later time; so the committed ones form a chain and the others hang off it.

use tristan_history::{History, Outcome};
use tristan_spec::Rel;

use super::Numbering;
use crate::ir::{Edge, Ir, Reason, Unit};

/// Adds an edge from each transaction's last committed predecessor in its session.
pub(crate) fn lower(history: &History, numbering: &Numbering, ir: &mut Ir) {
    ir.edges.reserve_exact(ir.units.len());
    for session in &history.sessions {
        let mut previous = None;
        for &txn in &session.txns {
            let Some(unit) = numbering.unit(txn) else { continue };
            if let Some(from) = previous {
                ir.edges.push(Edge { from, to: unit, rel: Rel::So, reason: Reason::Session });
            }
            if history.txn(txn).outcome == Outcome::Committed {
                previous = Some(unit);
            }
        }
    }
}

/// Keeps session order only among units that install versions, as an assumption.
pub(crate) fn among_writers(ir: &mut Ir) {
    let mut last_writer: Vec<Option<Unit>> = vec![None; ir.units.len()];
    let sessions: Vec<Edge> = ir.edges.extract_if(.., |edge| edge.rel == Rel::So).collect();
    for Edge { from, to, rel, .. } in sessions {
        let before =
            if ir.units[from.index()].writes { Some(from) } else { last_writer[from.index()] };
        last_writer[to.index()] = before;
        if let Some(from) = before.filter(|_| ir.units[to.index()].writes) {
            ir.edges.push(Edge { from, to, rel, reason: Reason::Assumed });
        }
    }
}

//! What would have been right: the same transactions, one after the other.
//!
//! Every level allows such an execution if it keeps the order of sessions and clocks. Of all these
//! orders, the one is shown in which the fewest operations return something else than the trace says.

use tristan_history::{History, Op, Outcome, TxnId};

use crate::schedule::{Step, may_begin};
use crate::server::{Seen, Server, Visibility, happens, recorded};

/// With more transactions there are too many orders to try.
const MOST_TXNS: usize = 7;

/// Transactions one after the other, and where the results differ from the trace.
#[derive(Clone, Debug)]
pub(crate) struct Right {
    pub(crate) order: Vec<TxnId>,
    /// The operations that would see something else, and what.
    pub(crate) other: Vec<(TxnId, usize, Seen)>,
}

/// The order that explains most, and among these the one most like the order in which transactions
/// end in a schedule. Returns `None` if all is explained, or if there are too many orders to try.
pub(crate) fn nearest(history: &History, schedule: &[Step]) -> Option<Right> {
    if history.txns.len() > MOST_TXNS {
        return None;
    }
    let ended = |step: &Step| match step {
        Step::End(txn) => Some(*txn),
        Step::Begin(_) | Step::Op(..) => None,
    };
    let ended: Vec<TxnId> = schedule.iter().filter_map(ended).collect();
    let mut orders = Vec::new();
    extend(history, &ended, &mut Vec::new(), &mut orders);
    let all = orders.into_iter().map(|order| replay(history, order));
    all.min_by_key(|right| right.other.len()).filter(|right| !right.other.is_empty())
}

/// All orders that sessions and clocks allow; those most like the usual one come first.
fn extend(
    history: &History,
    usual: &[TxnId],
    order: &mut Vec<TxnId>,
    orders: &mut Vec<Vec<TxnId>>,
) {
    if order.len() == usual.len() {
        orders.push(order.clone());
        return;
    }
    for &txn in usual {
        if !order.contains(&txn) && may_begin(history, txn, |other| order.contains(&other)) {
            order.push(txn);
            extend(history, usual, order, orders);
            order.pop();
        }
    }
}

fn replay(history: &History, order: Vec<TxnId>) -> Right {
    let mut server = Server::of(history, Visibility::Committed);
    let mut other = Vec::new();
    for &txn in &order {
        let outcome = history.txn(txn).outcome;
        server.begin(txn);
        for (number, op) in history.ops_of(txn).iter().enumerate() {
            let seen = server.act(history, txn, op).ok().flatten();
            if outcome != Outcome::Aborted {
                other.extend(differs(op, seen).map(|seen| (txn, number, seen)));
            }
        }
        server.end(txn, outcome);
    }
    Right { order, other }
}

/// What is seen, if the trace says otherwise.
fn differs(op: &Op, seen: Option<Seen>) -> Option<Seen> {
    let recorded = recorded(&op.kind).filter(|_| happens(op))?;
    seen.filter(|seen| *seen != recorded)
}

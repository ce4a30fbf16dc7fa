//! What the clock says about two transactions: `rt`, `cc` and `bc` of docs/semantics.md.
//!
//! ```text
//!        begin.call  begin.ret        end.call  end.ret
//!            ├───────────┤                ├─────────┤
//!             it begins here               it commits here, if it commits
//! ```

use tristan_history::{Outcome, Txn};
use tristan_spec::Rel;

/// Whether the clock orders two transactions if clocks agree to within `drift`.
pub(crate) fn orders(rel: Rel, first: &Txn, second: &Txn, drift: i64) -> bool {
    match (as_first(rel, first), as_second(rel, second)) {
        (Some(early), Some(late)) => i128::from(early) + i128::from(drift) < i128::from(late),
        _ => false,
    }
}

/// The instant that counts of the first transaction of a pair.
pub(crate) fn as_first(rel: Rel, txn: &Txn) -> Option<i64> {
    let committed_by = if txn.outcome == Outcome::Committed { txn.end().ret } else { None };
    match rel {
        Rel::Rt | Rel::CommitOrder => committed_by,
        Rel::BeginCommit => {
            [txn.begin().ret, txn.end().call, committed_by].into_iter().find_map(|at| at)
        }
        _ => None,
    }
}

/// The instant that counts of the second transaction of a pair.
pub(crate) fn as_second(rel: Rel, txn: &Txn) -> Option<i64> {
    match rel {
        Rel::Rt => txn.begin().call,
        Rel::CommitOrder | Rel::BeginCommit => {
            [txn.end().call, txn.begin().ret, txn.begin().call].into_iter().find_map(|at| at)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tristan_history::{SessionId, Span, Times};

    use super::*;

    fn txn(outcome: Outcome, begin: (i64, i64), end: (i64, i64)) -> Txn {
        let span = |(call, ret): (i64, i64)| Span {
            call: (call >= 0).then_some(call),
            ret: (ret >= 0).then_some(ret),
        };
        let mut txn = Txn::new(SessionId(0), outcome);
        *txn.times_mut() = Times { begin: span(begin), end: span(end) };
        txn
    }

    #[test]
    fn each_order_uses_the_instants_of_its_definition() {
        let early = txn(Outcome::Committed, (1, 2), (3, 4));
        let late = txn(Outcome::Committed, (5, 6), (7, 8));
        for (rel, most) in [(Rel::Rt, 0), (Rel::CommitOrder, 2), (Rel::BeginCommit, 4)] {
            assert!(orders(rel, &early, &late, most), "{rel:?}");
            assert!(!orders(rel, &early, &late, most + 1), "{rel:?}");
        }
    }

    #[test]
    fn where_an_instant_is_missing_the_next_best_one_counts() {
        let unknown = txn(Outcome::Unknown, (1, -1), (-1, 4));
        assert_eq!(as_first(Rel::Rt, &unknown), None, "its commit may come at any later time");
        assert_eq!(as_first(Rel::BeginCommit, &unknown), None);
        assert_eq!(as_second(Rel::CommitOrder, &unknown), Some(1));
        let called = txn(Outcome::Unknown, (1, -1), (3, -1));
        assert_eq!(as_first(Rel::BeginCommit, &called), Some(3));
        let ended = txn(Outcome::Committed, (1, -1), (-1, 4));
        assert_eq!(as_first(Rel::BeginCommit, &ended), Some(4));
    }
}

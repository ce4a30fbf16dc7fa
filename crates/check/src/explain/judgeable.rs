//! Whether a trace can show a violation at all.
//!
//! A level judges what transactions saw. If no transaction that may have committed observed
//! anything, then no read can be wrong and no order of versions is ever seen: every level accepts
//! whatever the database did. Such an accept says nothing, so it is not given. A single read is
//! enough to be judged, since it can return what was never written.
//!
//! A reader counts unless it aborted, because levels say nothing about the reads of aborted
//! transactions. The trace is looked at as it was recorded, before vendor semantics rewrite it.

use tristan_history::{History, KeyId, Op, OpKind, OpStatus, Outcome, TxnId};

use crate::asg::program::written;

/// Why no violation can show in the trace; `None` if one can.
pub(crate) fn nothing_to_judge(history: &History) -> Option<String> {
    let readers = || history.txn_ids().filter(|&txn| is_alive(history, txn));
    if readers().any(|txn| history.ops_of(txn).iter().any(observes)) {
        return None;
    }
    let why = match () {
        () if history.ops.is_empty() => "the trace has no operations",
        () if readers().next().is_none() => "no transaction of the trace can have committed",
        () => "no committed transaction read anything",
    };
    Some(why.to_owned())
}

fn is_alive(history: &History, txn: TxnId) -> bool {
    history.txn(txn).outcome != Outcome::Aborted
}

/// Whether an operation tells anything about the state: the number of rows that a write changed
/// does, too.
pub(super) fn observes(op: &Op) -> bool {
    let tells = match &op.kind {
        OpKind::Put { .. }
        | OpKind::Append { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => false,
        OpKind::Delete { rows, .. } | OpKind::PutIf { rows, .. } => rows.is_some(),
        _ => !op.kind.is_unseen(),
    };
    tells && op.status == OpStatus::Done
}

/// Whether an operation may write.
pub(super) fn writes(op: &Op) -> bool {
    written_key(op).is_some()
}

fn written_key(op: &Op) -> Option<KeyId> {
    match (&op.kind, op.status) {
        (_, OpStatus::Failed) => None,
        (OpKind::Append { key, .. }, _) => Some(*key),
        _ => written(op).map(|(key, _)| key),
    }
}

#[cfg(test)]
mod tests {
    use tristan_history::{HistoryBuilder, Outcome};

    use super::*;

    fn why(build: impl FnOnce(&mut HistoryBuilder)) -> Option<String> {
        let mut builder = HistoryBuilder::default();
        build(&mut builder);
        nothing_to_judge(&builder.finish())
    }

    #[test]
    fn a_trace_in_which_nothing_can_go_wrong_is_recognised() {
        assert_eq!(why(|_| {}).as_deref(), Some("the trace has no operations"));
        let found = why(|trace| {
            trace.begin("a").put("x", 1).end(Outcome::Committed);
            trace.begin("b").put("x", 2).end(Outcome::Committed);
        });
        assert_eq!(found.as_deref(), Some("no committed transaction read anything"));
        let found = why(|trace| {
            trace.begin("a").put("x", 1).end(Outcome::Committed);
            trace.begin("b").get("x", Some(1)).end(Outcome::Aborted);
        });
        assert_eq!(found.as_deref(), Some("no committed transaction read anything"));
    }

    #[test]
    fn one_read_can_be_judged() {
        let found = why(|trace| {
            trace.begin("a").get("x", None).end(Outcome::Committed);
        });
        assert_eq!(found, None, "it could have returned a value");
        for writer in [Outcome::Committed, Outcome::Aborted, Outcome::Unknown] {
            for reader in [Outcome::Committed, Outcome::Unknown] {
                let found = why(|trace| {
                    trace.begin("a").put("x", 1).end(writer);
                    trace.begin("b").get("x", None).end(reader);
                });
                assert_eq!(found, None, "{writer:?}, {reader:?}");
            }
        }
        let found = why(|trace| {
            trace.begin("a").put("x", 1).end(Outcome::Committed);
            trace.begin("b").scan("a".."z", &[]).end(Outcome::Committed);
        });
        assert_eq!(found, None, "a range read misses the key");
    }
}

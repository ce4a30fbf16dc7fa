//! Whether a trace can show a violation at all.
//!
//! Every level speaks about what one transaction sees of the writes of others. If no transaction
//! that may have committed observed a key that *another* transaction wrote, then no read has a
//! second source to be wrong about, no order of versions is ever seen, and every level accepts
//! whatever the database did. Such an accept says nothing, so it is not given.
//!
//! A writer counts whatever its outcome, since reading from an aborted transaction is a violation.
//! A reader counts unless it aborted, because levels say nothing about the reads of aborted
//! transactions. The trace is looked at as it was recorded, before vendor semantics rewrite it.

use tristan_history::{History, KeyId, Op, OpKind, OpStatus, Outcome, TxnId};

use crate::asg::program::written;

/// Why no violation can show in the trace; `None` if one can.
pub(crate) fn nothing_to_judge(history: &History) -> Option<String> {
    let writers = Writers::of(history);
    let readers = || history.txn_ids().filter(|&txn| is_alive(history, txn));
    let observes = |txn: TxnId| history.ops_of(txn).iter().any(observes);
    if readers().any(|txn| history.ops_of(txn).iter().any(|op| writers.shown_by(txn, op))) {
        return None;
    }
    let why = match () {
        () if history.ops.is_empty() => "the trace has no operations",
        () if readers().next().is_none() => "no transaction of the trace can have committed",
        () if !readers().any(observes) => "no committed transaction read anything",
        () if history.txns.len() == 1 => "the trace has one transaction only",
        () => "no committed transaction read a key that another transaction wrote",
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

/// Who wrote a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    One(TxnId),
    Several,
}

/// Who wrote which key.
struct Writers<'h> {
    history: &'h History,
    /// Per key.
    of: Vec<Option<Writer>>,
}

impl<'h> Writers<'h> {
    fn of(history: &'h History) -> Self {
        let mut of: Vec<Option<Writer>> = vec![None; history.keys.len()];
        for txn in history.txn_ids() {
            for key in history.ops_of(txn).iter().filter_map(written_key) {
                let writer = &mut of[key.index()];
                *writer = match *writer {
                    None => Some(Writer::One(txn)),
                    Some(Writer::One(other)) if other == txn => *writer,
                    _ => Some(Writer::Several),
                };
            }
        }
        Self { history, of }
    }

    /// Whether an operation of a transaction shows anything of a key that another one wrote.
    fn shown_by(&self, txn: TxnId, op: &Op) -> bool {
        if !observes(op) {
            return false;
        }
        match &op.kind {
            OpKind::Scan { range, .. } | OpKind::Iterate { range, .. } => {
                let order = self.history.header.key_order;
                let mut keys = (0..self.of.len()).map(KeyId::new);
                keys.any(|key| {
                    self.is_foreign(txn, key) && range.contains(order, self.history.key(key))
                })
            }
            kind => kind.key().is_some_and(|key| self.is_foreign(txn, key)),
        }
    }

    fn is_foreign(&self, txn: TxnId, key: KeyId) -> bool {
        self.of[key.index()].is_some_and(|writer| writer != Writer::One(txn))
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
            trace.begin("a").get("x", None).put("x", 1).end(Outcome::Committed);
        });
        assert_eq!(found.as_deref(), Some("the trace has one transaction only"));
        let found = why(|trace| {
            trace.begin("a").get("x", None).put("x", 1).end(Outcome::Committed);
            trace.begin("b").get("y", None).put("y", 1).end(Outcome::Committed);
        });
        let expected = "no committed transaction read a key that another transaction wrote";
        assert_eq!(found.as_deref(), Some(expected));
        let found = why(|trace| {
            trace.begin("a").put("x", 1).end(Outcome::Committed);
            trace.begin("b").get("x", Some(1)).end(Outcome::Aborted);
        });
        assert_eq!(found.as_deref(), Some("no committed transaction read anything"));
    }

    #[test]
    fn one_look_at_what_another_transaction_wrote_can_be_judged() {
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

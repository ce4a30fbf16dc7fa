//! What plain reads and writes cannot say about a history.

use super::numbers::Numbers;
use super::steps;
use crate::sentences::Sentences;
use tristan_history::{
    Hints, History, Initial, Observed, Op, OpKind, OpStatus, Outcome, OwnWrites, Span,
};

/// What a format has words for, apart from reads and writes.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    /// The database that was observed.
    pub(crate) database: bool,
    /// Reads and writes that failed.
    pub(crate) failures: bool,
}

/// One sentence per kind of thing that would be dropped or changed.
pub(crate) fn losses(history: &History, words: Words) -> Sentences<'_> {
    let mut lost = Sentences::about(history);
    about_numbers(history, &mut lost);
    about_the_trace(history, words, &mut lost);
    about_transactions(&mut lost);
    about_operations(history, words, &mut lost);
    lost
}

fn about_numbers(history: &History, lost: &mut Sentences<'_>) {
    let numbers = Numbers::of(history);
    lost.say(
        numbers.new_keys,
        "the original keys (replaced with numbers, which changes no verdict)",
    );
    lost.say(
        numbers.new_values,
        "the original values (replaced with numbers, which changes no verdict; every key starts with 0)",
    );
    let unknown = history.header.initial == Initial::Unknown;
    lost.say(unknown, "that the initial state is unknown (every key becomes absent)");
    let absent = numbers.from_nothing && !numbers.new_values;
    lost.say(absent, "that keys start absent (they start with 0, which changes no verdict)");
}

fn about_the_trace(history: &History, words: Words, lost: &mut Sentences<'_>) {
    let header = &history.header;
    lost.say(header.database.is_some() && !words.database, "the database");
    lost.remarks();
    lost.say(header.own_writes != OwnWrites::Must, "that reads need not return own writes");
    lost.say(history.hints != Hints::default(), "the hints");
}

fn about_transactions(lost: &mut Sentences<'_>) {
    lost.txns(
        "transactions of unknown outcome (they become committed if another transaction read their writes, \
         else aborted)",
        |txn| txn.outcome == Outcome::Unknown,
    );
    lost.txns("times of transactions", |txn| {
        txn.begin() != Span::default() || txn.end() != Span::default()
    });
    lost.txns("levels of transactions", |txn| txn.level.is_some());
    lost.txns("errors of transactions", |txn| txn.error.is_some());
}

fn about_operations(history: &History, words: Words, lost: &mut Sentences<'_>) {
    let undone = history.txn_ids().map(|id| steps::undone(history, id)).sum();
    lost.count(undone, "reads and writes that were rolled back to a savepoint");
    lost.ops("operations that failed", |op| op.status == OpStatus::Failed && !kept(op, words));
    lost.ops("operations that never returned (writes become certain)", |op| {
        op.status == OpStatus::Pending
    });
    lost.done("results that were not recorded", |kind| {
        let seen = match kind {
            OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => *seen,
            _ => return false,
        };
        seen == Observed::Unknown
    });
    lost.done("that a read and a write were one operation", |kind| {
        matches!(kind, OpKind::ReadModifyWrite { .. })
    });
    lost.done("deletes (they become writes of a value that stands for absent)", |kind| {
        matches!(kind, OpKind::Delete { .. })
    });
    lost.done("numbers of rows, and what they show", |kind| {
        matches!(kind, OpKind::PutIf { .. } | OpKind::Delete { rows: Some(_), .. })
    });
    lost.done("savepoints", |kind| {
        matches!(kind, OpKind::Savepoint { .. } | OpKind::RollbackTo { .. })
    });
    lost.done("range reads", |kind| matches!(kind, OpKind::Scan { .. } | OpKind::Iterate { .. }));
    lost.done("operations on lists", |kind| {
        matches!(kind, OpKind::Append { .. } | OpKind::ReadList { .. })
    });
    lost.done("locks taken by reads", |kind| matches!(kind, OpKind::Get { locking: true, .. }));
}

/// Whether a failed operation can be told.
fn kept(op: &Op, words: Words) -> bool {
    words.failures && matches!(op.kind, OpKind::Get { .. } | OpKind::Put { .. })
}

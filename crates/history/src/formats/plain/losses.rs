//! What plain reads and writes cannot say about a history.

use super::numbers::Numbers;
use super::steps;
use crate::{
    Hints, History, Initial, Observed, Op, OpKind, OpStatus, Outcome, OwnWrites, Span, Txn, TxnId,
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
pub(crate) fn losses(history: &History, words: Words) -> Vec<String> {
    let mut lost = Vec::new();
    about_numbers(history, &mut lost);
    about_the_trace(history, words, &mut lost);
    about_transactions(history, &mut lost);
    about_operations(history, words, &mut lost);
    lost
}

fn about_numbers(history: &History, lost: &mut Vec<String>) {
    let numbers = Numbers::of(history);
    let mut say = |lossy: bool, what: &str| {
        if lossy {
            lost.push(what.to_owned());
        }
    };
    say(numbers.new_keys, "keys as they are (they are numbered, which changes no verdict)");
    say(
        numbers.new_values,
        "values as they are (they are numbered, which changes no verdict; every key starts with 0)",
    );
    let unknown = history.header.initial == Initial::Unknown;
    say(unknown, "that the initial state is unknown (every key becomes absent)");
    let absent = numbers.from_nothing && !numbers.new_values;
    say(absent, "that keys start absent (they start with 0, which changes no verdict)");
}

fn about_the_trace(history: &History, words: Words, lost: &mut Vec<String>) {
    let header = &history.header;
    let mut say = |lossy: bool, what: &str| {
        if lossy {
            lost.push(what.to_owned());
        }
    };
    say(header.database.is_some() && !words.database, "the database");
    say(header.level.is_some(), "the claimed level");
    say(!header.assumptions.is_empty(), "the assumptions");
    say(header.own_writes != OwnWrites::Must, "that reads need not return own writes");
    say(!history.notes.is_empty(), "the notes");
    say(history.hints != Hints::default(), "the hints");
}

fn about_transactions(history: &History, lost: &mut Vec<String>) {
    let mut say = |what: &str, lossy: &dyn Fn(&Txn) -> bool| {
        count(history.txns.iter().filter(|txn| lossy(txn)).count(), what, lost);
    };
    say(
        "transactions of unknown outcome (they become committed if somebody read their writes, \
         else aborted)",
        &|txn| txn.outcome == Outcome::Unknown,
    );
    say("times of transactions", &|txn| txn.begin != Span::default() || txn.end != Span::default());
    say("levels of transactions", &|txn| txn.level.is_some());
    say("errors of transactions", &|txn| txn.error.is_some());
}

fn about_operations(history: &History, words: Words, lost: &mut Vec<String>) {
    let undone: usize = history.txn_ids().map(|id| undone(history, id)).sum();
    count(undone, "operations that were rolled back to a savepoint", lost);
    let mut say = |what: &str, lossy: &dyn Fn(&Op) -> bool| {
        count(history.ops.iter().filter(|op| lossy(op)).count(), what, lost);
    };
    say("operations that failed", &|op| op.status == OpStatus::Failed && !kept(op, words));
    say("operations that never returned (writes become certain)", &|op| {
        op.status == OpStatus::Pending
    });
    let mut say = |what: &str, lossy: &dyn Fn(&OpKind) -> bool| {
        let done = history.ops.iter().filter(|op| op.status == OpStatus::Done);
        count(done.filter(|op| lossy(&op.kind)).count(), what, lost);
    };
    say("results that were not recorded", &|kind| {
        let seen = match kind {
            OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => *seen,
            _ => return false,
        };
        seen == Observed::Unknown
    });
    say("that a read and a write were one operation", &|kind| {
        matches!(kind, OpKind::ReadModifyWrite { .. })
    });
    say("deletes (they become writes of what stands for absent)", &|kind| {
        matches!(kind, OpKind::Delete { .. })
    });
    say("numbers of rows, and what they show", &|kind| {
        matches!(kind, OpKind::PutIf { .. } | OpKind::Delete { rows: Some(_), .. })
    });
    say("savepoints", &|kind| matches!(kind, OpKind::Savepoint { .. } | OpKind::RollbackTo { .. }));
    say("range reads", &|kind| matches!(kind, OpKind::Scan { .. } | OpKind::Iterate { .. }));
    say("operations on lists", &|kind| {
        matches!(kind, OpKind::Append { .. } | OpKind::ReadList { .. })
    });
    say("locks taken by reads", &|kind| matches!(kind, OpKind::Get { locking: true, .. }));
}

/// Whether a failed operation can be told.
fn kept(op: &Op, words: Words) -> bool {
    words.failures && matches!(op.kind, OpKind::Get { .. } | OpKind::Put { .. })
}

fn undone(history: &History, id: TxnId) -> usize {
    steps::rolled_back(history.ops_of(id)).into_iter().filter(|undone| *undone).count()
}

fn count(number: usize, what: &str, lost: &mut Vec<String>) {
    if number > 0 {
        lost.push(format!("{what}: {number}"));
    }
}

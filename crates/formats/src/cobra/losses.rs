//! What Cobra's logs cannot say about a history.

use std::borrow::Cow;

use super::names::Names;
use super::plan::{Named, Plan};
use super::steps::shows_presence;
use crate::sentences::{Sentences, is_locking};
use tristan_history::{
    History, Initial, Observed, OpKind, OpStatus, Outcome, OwnWrites, SourceHint, Span, ValueId,
};

/// One sentence per kind of thing that would be dropped.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let plan = Plan::of(history);
    let mut lost = Sentences::about(history);
    about_the_trace(history, &mut lost);
    about_names(history, &mut lost);
    about_data(history, &plan, &mut lost);
    about_transactions(&mut lost);
    about_operations(&mut lost);
    about_sources(history, &plan, &mut lost);
    lost.finish()
}

fn about_the_trace(history: &History, lost: &mut Sentences<'_>) {
    let header = &history.header;
    lost.say(
        header.initial == Initial::Unknown,
        "that the initial state is unknown (it becomes what was read and never written)",
    );
    let own = header.own_writes != OwnWrites::Must;
    lost.say(own, "that reads need not see own writes (now they have to)");
    lost.say(header.database.is_some(), "the database");
    lost.remarks();
    lost.say(!history.hints.orders.is_empty(), "the hints on orders of versions");
    lost.say(!history.hints.stamps.is_empty(), "the hints on logical times");
}

fn about_names(history: &History, lost: &mut Sentences<'_>) {
    let names = Names::of(history);
    lost.count(names.renamed_sessions, "names of sessions (they become numbers)");
    lost.count(names.renamed_txns, "names of transactions (they become numbers)");
}

/// Logs keep nothing of values that no transaction writes.
fn about_data(history: &History, plan: &Plan, lost: &mut Sentences<'_>) {
    let keys = history.keys.iter().map(Cow::Borrowed);
    let mut written: Vec<ValueId> = plan.steps.iter().flatten().filter_map(written).collect();
    written.sort();
    written.dedup();
    let values = written.into_iter().map(|value| history.value(value));
    let hashed = keys.chain(values).filter(|datum| datum.natural().is_none()).count();
    lost.count(
        hashed,
        "keys and values other than natural numbers of 64 bits (they become hashes)",
    );
}

fn written(step: &Named) -> Option<ValueId> {
    match step {
        Named::Write { value, .. } => *value,
        Named::Read { .. } => None,
    }
}

fn about_transactions(lost: &mut Sentences<'_>) {
    lost.txns("times of transactions", |txn| {
        txn.begin() != Span::default() || txn.end() != Span::default()
    });
    lost.txns("levels of transactions", |txn| txn.level.is_some());
    lost.txns("errors that ended transactions", |txn| txn.error.is_some());
    lost.txns(
        "unknown outcomes (they become committed if another transaction saw a write, else aborted)",
        |txn| txn.outcome == Outcome::Unknown,
    );
}

fn about_operations(lost: &mut Sentences<'_>) {
    lost.ops("operations that failed", |op| op.status == OpStatus::Failed);
    lost.ops("operations that never returned (writes become certain)", |op| {
        op.status == OpStatus::Pending
    });
    lost.done("results that were not recorded", OpKind::is_unseen);
    lost.ops("row counts that show that a key was present", |op| {
        op.status != OpStatus::Failed && shows_presence(&op.kind)
    });
    lost.ops("operations on lists", |op| {
        matches!(op.kind, OpKind::Append { .. } | OpKind::ReadList { .. })
    });
    lost.ops("range reads (returned items become reads, other keys are lost)", |op| {
        matches!(op.kind, OpKind::Scan { .. } | OpKind::Iterate { .. })
    });
    lost.ops("savepoints and rollbacks (undone operations are omitted)", |op| {
        matches!(op.kind, OpKind::Savepoint { .. } | OpKind::RollbackTo { .. })
    });
    lost.ops("locks taken by reads", |op| is_locking(&op.kind));
}

fn about_sources(history: &History, plan: &Plan, lost: &mut Sentences<'_>) {
    if plan.anonymous {
        lost.count(hints_on_values(history), "hints about the sources of reads");
    }
    lost.count(plan.hinted, "that sources of reads were only hints (they become certain)");
    lost.count(
        plan.initial_or_not,
        "that reads may have seen a write of the initial value (they name the initial state)",
    );
    lost.count(plan.forgotten, "initial values of keys that were only ever found absent");
}

/// Hints on transactions that wrote a value; marks still name the initial state and deletes.
fn hints_on_values(history: &History) -> usize {
    let of_value = |hint: &&SourceHint| {
        let absent = matches!(
            history.op(hint.op).kind,
            OpKind::Get { seen: Observed::Absent, .. }
                | OpKind::ReadModifyWrite { seen: Observed::Absent, .. }
        );
        hint.from.is_some() && !absent
    };
    history.hints.sources.iter().filter(of_value).count()
}

//! What Cobra's logs cannot say about a history.

use super::codes::itself;
use super::names::Names;
use super::plan::{Named, Plan};
use super::steps::shows_presence;
use crate::{
    History, Initial, Observed, Op, OpKind, OpStatus, Outcome, OwnWrites, SourceHint, Span, Txn,
    ValueId,
};

/// One sentence per kind of thing that would be dropped.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let plan = Plan::of(history);
    let mut lost = Vec::new();
    about_the_trace(history, &mut lost);
    about_names(history, &mut lost);
    about_data(history, &plan, &mut lost);
    about_transactions(history, &mut lost);
    about_operations(history, &mut lost);
    about_sources(history, &plan, &mut lost);
    lost
}

fn about_the_trace(history: &History, lost: &mut Vec<String>) {
    let header = &history.header;
    let mut say = |lossy: bool, what: &str| {
        if lossy {
            lost.push(what.to_owned());
        }
    };
    say(
        header.initial == Initial::Unknown,
        "that the initial state is unknown (it becomes what was read and never written)",
    );
    say(header.own_writes != OwnWrites::Must, "that reads need not see own writes (now they must)");
    say(header.database.is_some(), "the database");
    say(header.level.is_some(), "the claimed level");
    say(!header.assumptions.is_empty(), "the assumptions");
    say(!history.notes.is_empty(), "the notes");
    say(!history.hints.orders.is_empty(), "the hints on orders of versions");
    say(!history.hints.stamps.is_empty(), "the hints on logical times");
}

fn about_names(history: &History, lost: &mut Vec<String>) {
    let names = Names::of(history);
    count(names.renamed_sessions, "names of sessions (they become numbers)", lost);
    count(names.renamed_txns, "names of transactions (they become numbers)", lost);
}

/// Of values that nobody writes, logs keep nothing at all.
fn about_data(history: &History, plan: &Plan, lost: &mut Vec<String>) {
    let keys = (0..history.keys.len()).map(|key| history.keys.get(key as u32));
    let mut written: Vec<ValueId> = plan.steps.iter().flatten().filter_map(written).collect();
    written.sort();
    written.dedup();
    let values = written.into_iter().map(|value| history.value(value));
    let hashed = keys.chain(values).filter(|datum| itself(datum).is_none()).count();
    count(
        hashed,
        "keys and values other than natural numbers of 64 bits (they become hashes)",
        lost,
    );
}

fn written(step: &Named) -> Option<ValueId> {
    match step {
        Named::Write { value, .. } => *value,
        Named::Read { .. } => None,
    }
}

fn about_transactions(history: &History, lost: &mut Vec<String>) {
    let mut say = |what: &str, lossy: &dyn Fn(&Txn) -> bool| {
        count(history.txns.iter().filter(|txn| lossy(txn)).count(), what, lost);
    };
    say("times of transactions", &|txn| txn.begin != Span::default() || txn.end != Span::default());
    say("levels of transactions", &|txn| txn.level.is_some());
    say("errors that ended transactions", &|txn| txn.error.is_some());
    say("unknown outcomes (committed if somebody saw a write, else aborted)", &|txn| {
        txn.outcome == Outcome::Unknown
    });
}

fn about_operations(history: &History, lost: &mut Vec<String>) {
    let mut say = |what: &str, lossy: &dyn Fn(&Op) -> bool| {
        count(history.ops.iter().filter(|op| lossy(op)).count(), what, lost);
    };
    say("operations that failed", &|op| op.status == OpStatus::Failed);
    say("operations that never returned (writes become certain)", &|op| {
        op.status == OpStatus::Pending
    });
    say("results that were not recorded", &|op| op.status == OpStatus::Done && unseen(&op.kind));
    say("row counts that show that a key was there", &|op| {
        op.status != OpStatus::Failed && shows_presence(&op.kind)
    });
    say("operations on lists", &|op| {
        matches!(op.kind, OpKind::Append { .. } | OpKind::ReadList { .. })
    });
    say("range reads (items become reads, other keys are forgotten)", &|op| {
        matches!(op.kind, OpKind::Scan { .. } | OpKind::Iterate { .. })
    });
    say("savepoints and rollbacks (what was undone is left out)", &|op| {
        matches!(op.kind, OpKind::Savepoint { .. } | OpKind::RollbackTo { .. })
    });
    say("locks taken by reads", &|op| {
        matches!(op.kind, OpKind::Get { locking: true, .. } | OpKind::Scan { locking: true, .. })
    });
}

fn about_sources(history: &History, plan: &Plan, lost: &mut Vec<String>) {
    if plan.anonymous {
        count(hints_on_values(history), "hints on who wrote what was read", lost);
    }
    count(plan.hinted, "that sources of reads were only hints (they become certain)", lost);
    count(
        plan.initial_or_not,
        "that reads may have seen a write of the initial value (they name the initial state)",
        lost,
    );
    count(plan.forgotten, "initial values of keys that were only ever found absent", lost);
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

fn unseen(kind: &OpKind) -> bool {
    matches!(
        kind,
        OpKind::Get { seen: Observed::Unknown, .. }
            | OpKind::ReadModifyWrite { seen: Observed::Unknown, .. }
            | OpKind::ReadList { elements: None, .. }
            | OpKind::Scan { items: None, .. }
            | OpKind::Iterate { items: None, .. }
    )
}

fn count(number: usize, what: &str, lost: &mut Vec<String>) {
    if number > 0 {
        lost.push(format!("{what}: {number}"));
    }
}

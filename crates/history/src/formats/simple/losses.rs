//! What the simple format cannot say about a history.

use super::reader::canonical_integer;
use crate::{Datum, Hints, History, Initial, Observed, Op, OpKind, OpStatus, Txn};

/// One sentence per kind of thing that would be dropped.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let mut lost = Vec::new();
    about_the_trace(history, &mut lost);
    about_transactions(history, &mut lost);
    about_operations(history, &mut lost);
    lost
}

fn about_the_trace(history: &History, lost: &mut Vec<String>) {
    let header = &history.header;
    let mut say = |lossy: bool, what: &str| {
        if lossy {
            lost.push(what.to_owned());
        }
    };
    say(header.initial == Initial::Unknown, "that the initial state is unknown (it becomes empty)");
    say(ambiguous_initial(history), "whether initial keys are texts, integers or bytes");
    say(initial_bytes(history), "that the initial value is bytes (it becomes a text)");
    say(header.database.is_some(), "the database");
    say(header.level.is_some(), "the claimed level");
    say(!header.assumptions.is_empty(), "the assumptions");
    say(!history.notes.is_empty(), "the notes");
    say(history.hints != Hints::default(), "the hints");
}

/// Object keys are texts, so `"7"` and `7` look alike; the reader takes the integer.
fn ambiguous_initial(history: &History) -> bool {
    let Initial::Given(map) = &history.header.initial else { return false };
    map.keys().any(|key| match history.key(*key) {
        Datum::Text(text) => canonical_integer(text).is_some(),
        Datum::Int(number) => i64::try_from(*number).is_err(),
        Datum::Bytes(_) => true,
    })
}

fn initial_bytes(history: &History) -> bool {
    match history.header.initial {
        Initial::Uniform(value) => matches!(history.value(value), Datum::Bytes(_)),
        _ => false,
    }
}

fn about_transactions(history: &History, lost: &mut Vec<String>) {
    let mut say = |what: &str, lossy: &dyn Fn(&Txn) -> bool| {
        count(history.txns.iter().filter(|txn| lossy(txn)).count(), what, lost);
    };
    say("return times of begin", &|txn| txn.begin.ret.is_some());
    say("call times of commit or abort", &|txn| txn.end.call.is_some());
    say("levels of transactions", &|txn| txn.level.is_some());
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
    say("locks taken by reads", &|op| {
        matches!(op.kind, OpKind::Get { locking: true, .. } | OpKind::Scan { locking: true, .. })
    });
}

fn unseen(kind: &OpKind) -> bool {
    matches!(
        kind,
        OpKind::Get { seen: Observed::Unknown, .. }
            | OpKind::ReadModifyWrite { seen: Observed::Unknown, .. }
            | OpKind::PutIf { rows: None, .. }
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

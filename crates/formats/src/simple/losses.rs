//! What the simple format cannot say about a history.

use super::reader::canonical_integer;
use super::writer::is_object;
use crate::sentences::{Sentences, is_locking};
use tristan_history::{Datum, Hints, History, Initial, OpKind, OpStatus};

/// One sentence per kind of thing that would be dropped.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let mut lost = Sentences::about(history);
    about_the_trace(history, &mut lost);
    about_transactions(&mut lost);
    about_operations(&mut lost);
    lost.finish()
}

fn about_the_trace(history: &History, lost: &mut Sentences<'_>) {
    let header = &history.header;
    let unknown = header.initial == Initial::Unknown;
    lost.say(unknown, "that the initial state is unknown (it becomes empty)");
    lost.say(ambiguous_initial(history), "whether initial keys are texts, integers or bytes");
    lost.say(
        initial_object(history),
        "that the initial value is bytes or an object (it becomes a string)",
    );
    lost.say(header.database.is_some(), "the database");
    lost.remarks();
    lost.say(history.hints != Hints::default(), "the hints");
}

/// Object keys are texts, so `"7"` and `7` look alike; the reader takes the integer.
fn ambiguous_initial(history: &History) -> bool {
    let Initial::Given(map) = &history.header.initial else { return false };
    map.keys().any(|key| match history.key(*key) {
        Datum::Text(text) => canonical_integer(text).is_some(),
        Datum::Int(number) => i64::try_from(*number).is_err(),
        Datum::Bytes(_) | Datum::Json(_) => true,
    })
}

fn initial_object(history: &History) -> bool {
    match history.header.initial {
        Initial::Uniform(value) => is_object(&history.value(value)),
        _ => false,
    }
}

fn about_transactions(lost: &mut Sentences<'_>) {
    lost.txns("return times of begin", |txn| txn.begin().ret.is_some());
    lost.txns("call times of commit or abort", |txn| txn.end().call.is_some());
    lost.txns("levels of transactions", |txn| txn.level.is_some());
}

fn about_operations(lost: &mut Sentences<'_>) {
    lost.ops("operations that failed", |op| op.status == OpStatus::Failed);
    lost.ops("operations that never returned (writes become certain)", |op| {
        op.status == OpStatus::Pending
    });
    lost.done("results that were not recorded", OpKind::is_unseen);
    lost.ops("locks taken by reads", |op| is_locking(&op.kind));
}

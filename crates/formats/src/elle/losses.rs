//! What Elle's format cannot say about a history.

use std::borrow::Cow;

use super::plan::{Plan, Times};
use super::sayable::{Sayable, list_keys};
use super::writer::numbered;
use crate::choice;
use crate::sentences::Sentences;
use tristan_history::{Datum, Hints, History, Initial, OpKind, Outcome};

/// One sentence per kind of thing that would be dropped.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let mut lost = Sentences::about(history);
    let plan = Plan::of(history);
    about_the_trace(history, &plan, &mut lost);
    about_transactions(&plan, &mut lost);
    let mut sayable = Sayable::of(history);
    history.txn_ids().for_each(|id| drop(sayable.of_txn(id)));
    sayable.lost.iter().for_each(|(what, number)| lost.count(*number, what.sentence()));
    lost.finish()
}

fn about_the_trace(history: &History, plan: &Plan, lost: &mut Sentences<'_>) {
    let header = &history.header;
    lost.say(
        header.initial == Initial::Unknown,
        "that the initial state is unknown (an initial value looks like a value that no transaction wrote)",
    );
    let added = !plan.initial.is_empty();
    lost.say(added, "the initial state (a transaction is added that writes it)");
    lost.say(header.database.is_some(), "the database");
    lost.remarks();
    lost.say(choice::OWN.unusual(header.own_writes).is_some(), "what reads return for own writes");
    lost.say(choice::ORDER.unusual(header.key_order).is_some(), "how keys are ordered");
    lost.say(
        is_mixed(history),
        "that some keys are lists and some are not (Elle checks one kind at a time)",
    );
    let is_json = |value: Cow<'_, Datum>| matches!(*value, Datum::Json(_));
    lost.say(
        history.values.iter().any(is_json),
        "that values are decimals, booleans or other JSON (they become strings)",
    );
    lost.say(history.hints != Hints::default(), "the hints");
    lost.say(numbered(history), "the names of sessions (they become numbers)");
}

/// Whether there are keys that are lists and keys that are not.
fn is_mixed(history: &History) -> bool {
    let lists = list_keys(history);
    let other = |kind: &OpKind| {
        !matches!(kind, OpKind::Append { .. } | OpKind::ReadList { .. }) && kind.key().is_some()
    };
    !lists.is_empty() && history.ops.iter().any(|op| other(&op.kind))
}

fn about_transactions(plan: &Plan, lost: &mut Sentences<'_>) {
    lost.say(plan.times == Times::Ordered, "the numbers that order events (the order is kept)");
    lost.say(plan.times == Times::Incomplete, "times, because some transactions have none");
    let overlapping = plan.times == Times::Overlapping;
    lost.say(overlapping, "times, because transactions of one session overlap or touch");
    lost.txns("return times of begin", |txn| txn.begin().ret.is_some());
    lost.txns("call times of commit or abort", |txn| txn.end().call.is_some());
    lost.txns("end times of transactions of unknown outcome", |txn| {
        txn.outcome == Outcome::Unknown && txn.end().ret.is_some()
    });
    lost.txns("names of transactions", |txn| !plan.indexed && txn.name.is_some());
    lost.txns("levels of transactions", |txn| txn.level.is_some());
    lost.txns("errors of transactions that committed", |txn| {
        txn.outcome == Outcome::Committed && txn.error.is_some()
    });
}

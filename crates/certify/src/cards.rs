//! The transactions as a report shows them, compared with the trace.

use tristan_history::{
    Datum, History, KeyId, Observed, Op, OpKind, OpStatus, Outcome, Presence, Span, TxnId, ValueId,
};
use tristan_verdict::{Deed, OpCard, Saw, Times, TxnCard};

use crate::error::CertifyError;
use crate::fates::is_indeterminate;
use crate::fields::{Open, expect, refuse};
use crate::savepoints::Undone;
use crate::wording;

/// Checks every card. Words that are not those of [`wording`] are noted as not checked.
pub(crate) fn check(
    history: &History,
    cards: &[TxnCard],
    open: &mut Open,
) -> Result<(), CertifyError> {
    if cards.is_empty() {
        return Ok(());
    }
    let undone = Undone::new(history);
    for (number, card) in cards.iter().enumerate() {
        check_card(history, &undone, &format!("transactions[{number}]"), card, open)?;
    }
    Ok(())
}

fn check_card(
    history: &History,
    undone: &Undone,
    path: &str,
    card: &TxnCard,
    open: &mut Open,
) -> Result<(), CertifyError> {
    let id = TxnId(card.id);
    let Some(txn) = history.txns.get(id.index()) else {
        return Err(CertifyError::NoSuchTxn { txn: card.id });
    };
    let field = |name: &str| format!("{path}.{name}");
    expect(&field("label"), &card.label, &label(history, id))?;
    expect(&field("session"), &card.session, &history.sessions[txn.session.index()].name)?;
    expect(&field("outcome"), &card.outcome.as_str(), &outcome(txn.outcome))?;
    let told = |found: &dyn std::fmt::Debug, expected: &dyn std::fmt::Debug| {
        format!("found {found:?}, expected {expected:?}")
    };
    if card.lines != txn.lines {
        return Err(refuse(field("lines"), told(&card.lines, &txn.lines)));
    }
    let pair = |span: Span| (span.call, span.ret);
    let times = txn.times.as_ref().map(|t| Times { begin: pair(t.begin), end: pair(t.end) });
    if card.times.is_some() && card.times != times {
        return Err(refuse(field("times"), told(&card.times, &times)));
    }
    if card.error.is_some() && card.error.as_deref() != txn.error.as_deref() {
        return Err(refuse(field("error"), told(&card.error, &txn.error)));
    }
    let ops = history.ops_of(id);
    expect(&field("ops (their number)"), &card.ops.len(), &ops.len())?;
    for (op, (card, operation)) in (0u32..).zip(card.ops.iter().zip(ops)) {
        let path = format!("{path}.ops[{op}]");
        let is_undone = undone.by(history, id, op).is_some();
        check_op(history, &path, card, operation, is_undone, open)?;
    }
    Ok(())
}

fn check_op(
    history: &History,
    path: &str,
    card: &OpCard,
    operation: &Op,
    is_undone: bool,
    open: &mut Open,
) -> Result<(), CertifyError> {
    expect(&format!("{path}.line"), &card.line, &operation.line)?;
    if wording::of(history, operation) != card.text {
        open.field(format!("{path}.text"));
    }
    let Some(deed) = &card.deed else { return Ok(()) };
    if !agrees(history, deed, operation) {
        return Err(refuse(format!("{path}.deed"), "the trace shows another operation"));
    }
    if let Deed::Read { saw: Some(saw), .. } | Deed::Write { saw: Some(saw), .. } = deed
        && !returned(history, saw, operation)
    {
        return Err(refuse(format!("{path}.deed"), "the trace shows another result"));
    }
    let void = match deed {
        Deed::Write { void, .. } => *void,
        Deed::Append { .. } => false,
        Deed::Read { .. } | Deed::Range { .. } => return Ok(()),
    };
    if is_indeterminate(operation) {
        open.field(format!("{path}.deed"));
    } else if void != (is_undone || had_no_effect(operation)) {
        let problem = "the trace does not show that the write had an effect, or had none";
        return Err(refuse(format!("{path}.deed"), problem));
    }
    Ok(())
}

fn had_no_effect(operation: &Op) -> bool {
    let none = |rows: &Option<u32>| *rows == Some(0);
    operation.status == OpStatus::Failed
        || match &operation.kind {
            OpKind::PutIf { rows, .. } | OpKind::Delete { rows, .. } => none(rows),
            _ => false,
        }
}

/// Whether this is what the operation returned about its key.
fn returned(history: &History, saw: &Saw, operation: &Op) -> bool {
    let is_value = |told: &Datum, value: ValueId| told == history.value(value).as_ref();
    let is_there = |there: bool| match saw {
        Saw::Present => there,
        Saw::Absent => !there,
        Saw::Value(_) | Saw::List(_) => false,
    };
    match (&operation.kind, saw) {
        _ if operation.status != OpStatus::Done => false,
        (
            OpKind::Get { seen: Observed::Value(value), .. }
            | OpKind::ReadModifyWrite { seen: Observed::Value(value), .. },
            Saw::Value(told),
        ) => is_value(told, *value),
        (
            OpKind::Get { seen: Observed::Absent, .. }
            | OpKind::ReadModifyWrite { seen: Observed::Absent, .. },
            Saw::Absent,
        ) => true,
        (OpKind::ReadList { elements: Some(elements), .. }, Saw::List(told)) => {
            told.len() == elements.len()
                && told.iter().zip(elements.iter()).all(|(told, element)| is_value(told, *element))
        }
        (OpKind::PutIf { when: Presence::Present, rows: Some(rows), .. }, _) => is_there(*rows > 0),
        (OpKind::PutIf { when: Presence::Absent, rows: Some(rows), .. }, _) => is_there(*rows == 0),
        (OpKind::Delete { rows: Some(rows), .. }, _) => is_there(*rows > 0),
        _ => false,
    }
}

/// Whether the deed is this operation, as data.
fn agrees(history: &History, deed: &Deed, operation: &Op) -> bool {
    let is_key = |told: &Datum, key: KeyId| told == history.key(key);
    let is_value = |told: &Datum, value: ValueId| told == history.value(value).as_ref();
    match (deed, &operation.kind) {
        (Deed::Read { key: told, .. }, OpKind::Get { key, .. } | OpKind::ReadList { key, .. }) => {
            is_key(told, *key)
        }
        (
            Deed::Write { key: told, value: Some(told_value), .. },
            OpKind::Put { key, value }
            | OpKind::PutIf { key, value, .. }
            | OpKind::ReadModifyWrite { key, value, .. },
        ) => is_key(told, *key) && is_value(told_value, *value),
        (Deed::Write { key: told, value: None, .. }, OpKind::Delete { key, .. }) => {
            is_key(told, *key)
        }
        // An append that had no effect is shown like a write that had none.
        (
            Deed::Append { key: told, value: told_value }
            | Deed::Write { key: told, value: Some(told_value), void: true, .. },
            OpKind::Append { key, element },
        ) => is_key(told, *key) && is_value(told_value, *element),
        (
            Deed::Range { low, high, reverse, to_end, items: told, more },
            OpKind::Scan { range, items, .. } | OpKind::Iterate { range, items, .. },
        ) => {
            let returned = items.as_deref().unwrap_or_default();
            let reached = match &operation.kind {
                OpKind::Iterate { reached_end, .. } => Some(*reached_end),
                _ => None,
            };
            (low, high, *reverse) == (&range.lo, &range.hi, range.reverse)
                && (*to_end == reached || (to_end.is_none() && items.is_none()))
                && told.len() + more == returned.len()
                && told.iter().zip(returned).all(|((told_key, told_value), &(key, value))| {
                    is_key(told_key, key) && is_value(told_value, value)
                })
        }
        _ => false,
    }
}

/// The name of the transaction, or `T` and its number counted from 1.
fn label(history: &History, id: TxnId) -> String {
    match history.txn(id).name.as_deref() {
        None => format!("T{}", id.0 + 1),
        Some(Datum::Int(number)) => format!("T{number}"),
        Some(name) => name.to_string(),
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Committed => "committed",
        Outcome::Aborted => "aborted",
        Outcome::Unknown => "unknown",
    }
}

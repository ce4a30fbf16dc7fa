//! What is left of a judged piece: a state, and the transactions that go on.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::window::{End, is_judged, is_open};
use crate::engine::Judged;
use crate::load::{Piece, Start};
use crate::model::{Call, Control, NEVER, Observed, Outcome, Txn};
use crate::options::AuditOptions;
use crate::sql::is_definition;
use crate::world::{Position, Record};

/// What is left of a piece.
pub(super) struct Cut {
    pub(super) start: Start,
    /// Transactions that were judged, but not for good.
    pub(super) carried: Vec<Rc<Txn>>,
}

/// Cuts behind a piece that was accepted. Returns `None` if a transaction would go on that makes tables, which are made
/// only once, or whose session chooses later where it looks up names, or its time zone.
pub(super) fn cut(judged: Judged, piece: &Piece, end: End, options: &AuditOptions) -> Option<Cut> {
    let Judged { pass, tables, .. } = judged;
    let place = |record: &Record| {
        (pass.search.number(record.serial), record.position() + Position::from(record.writes))
    };
    // The first state that has all that a transaction saw or did.
    let places: BTreeMap<u64, Position> = pass.search.records.iter().map(place).collect();
    let place = |txn: &Txn| places.get(&txn.number).copied();
    let open = |txn: &Txn| is_left_open(txn, piece, end, options);
    let closed = piece.txns.iter().filter(|txn| !open(txn));
    let position = closed.filter_map(|txn| place(txn)).max().unwrap_or(0);
    let goes_on = |txn: &Txn| open(txn) && place(txn).is_none_or(|place| place > position);
    let (carried, stay): (Vec<_>, Vec<_>) =
        piece.txns.iter().cloned().partition(|txn| goes_on(txn));
    let dialect = piece.header.dialect.as_deref();
    if carried.iter().any(|txn| txn.calls.iter().any(|call| defines(call, dialect))) {
        return None;
    }
    let chooses = |txn: &&Rc<Txn>| txn.calls.iter().any(may_choose);
    let choosing: Vec<&Rc<Txn>> = piece.txns.iter().filter(chooses).collect();
    let later = |txn: &Txn| {
        choosing.iter().any(|other| other.session == txn.session && other.begin >= txn.begin)
    };
    if carried.iter().any(|txn| later(txn)) {
        return None;
    }
    let mut schema = piece.start.schema.clone();
    let judged = stay.iter().filter(|txn| is_judged(txn, options));
    let undoes = pass.search.sql.undoes_settings();
    schema.extend(judged.flat_map(|txn| definitions(txn, dialect, undoes)).map(str::to_owned));
    let rows = tables?.into_state(position);
    Some(Cut { start: Start::new(pass.search.sql, rows, schema), carried })
}

/// Whether a transaction may still take effect after the piece. At a quiet moment, that is so only for one of unknown
/// outcome; at the levels that read before they take effect it is then taken not to have committed.
fn is_left_open(txn: &Txn, piece: &Piece, end: End, options: &AuditOptions) -> bool {
    match end {
        End::Busy(place) => is_open(txn, &piece.txns, place, options),
        End::Quiet(_) => options.level.is_serial() && txn.end == NEVER,
    }
}

/// The statements of a transaction that make or drop something, without those that were rolled back if the server
/// undoes definitions.
fn definitions<'a>(txn: &'a Txn, dialect: Option<&str>, undoes: bool) -> Vec<&'a str> {
    let (mut found, mut savepoints) = (Vec::new(), Vec::new());
    if undoes && txn.outcome == Outcome::Aborted {
        return found;
    }
    for call in txn.calls.iter().filter(|call| succeeded(call)) {
        match &call.control {
            Control::Savepoint(name) => savepoints.push((name, found.len())),
            Control::RollbackTo(name) if undoes => {
                if let Some(place) = savepoints.iter().rposition(|(one, _)| *one == name) {
                    found.truncate(savepoints[place].1);
                    savepoints.truncate(place + 1);
                }
            }
            _ if defines(call, dialect) => found.push(&*call.sql),
            _ => {}
        }
    }
    found
}

fn succeeded(call: &Call) -> bool {
    !matches!(call.observed, Observed::Error(_) | Observed::Skipped)
}

/// Whether a statement made or dropped something.
fn defines(call: &Call, dialect: Option<&str>) -> bool {
    succeeded(call) && may_define(&call.sql) && is_definition(&call.sql, dialect)
}

/// Whether a statement may choose where its session looks up names, or its time zone.
fn may_choose(call: &Call) -> bool {
    let other = || ["zone", "reset", "discard"].into_iter().any(|word| has(&call.sql, word));
    match &call.control {
        Control::Path(_) => succeeded(call),
        Control::Other => succeeded(call) && other(),
        _ => false,
    }
}

/// Whether a statement may make or drop something; quick, as it is asked of everything.
fn may_define(sql: &str) -> bool {
    let inserts =
        || sql.trim_start().get(..6).is_some_and(|first| first.eq_ignore_ascii_case("insert"));
    ["create", "drop", "alter", "refresh", "rename"].into_iter().any(|word| has(sql, word))
        || has(sql, "into") && !inserts()
}

/// Whether a text has a word in it, in whatever case.
fn has(sql: &str, word: &str) -> bool {
    sql.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

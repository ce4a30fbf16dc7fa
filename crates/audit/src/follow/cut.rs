//! What is left of a judged piece: a state, and the transactions that go on.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::window::{End, is_judged, is_open};
use crate::engine::Judged;
use crate::load::{Piece, Start};
use crate::model::{Call, NEVER, Observed, Txn};
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
/// only once.
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
    if carried.iter().any(|txn| definitions(txn, dialect).next().is_some()) {
        return None;
    }
    let mut schema = piece.start.schema.clone();
    let judged = stay.iter().filter(|txn| is_judged(txn, options));
    schema.extend(judged.flat_map(|txn| definitions(txn, dialect)).map(str::to_owned));
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

/// The statements of a transaction that make or drop something.
fn definitions<'a>(txn: &'a Txn, dialect: Option<&'a str>) -> impl Iterator<Item = &'a str> {
    let done = |call: &&Call| !matches!(call.observed, Observed::Error(_) | Observed::Skipped);
    let calls = txn.calls.iter().filter(done);
    let calls = calls.filter(|call| may_define(&call.sql));
    calls.map(|call| &*call.sql).filter(move |sql| is_definition(sql, dialect))
}

/// Whether a statement may make or drop something; quick, as it is asked of everything.
fn may_define(sql: &str) -> bool {
    let has = |word: &str| {
        sql.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    ["create", "drop", "alter", "refresh"].into_iter().any(has)
        || has("into")
            && sql.trim_start().get(..6).is_some_and(|first| first.eq_ignore_ascii_case("select"))
}

//! Reads the format, and finds out how keys start.

use std::io::BufRead;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::FxHashSet;

use super::collect::Collected;
use super::line::{self, is_columns};
use crate::TraceError;
use crate::error::short;
use crate::initial::comes_from_nowhere;
use crate::lines::Lines;
use tristan_history::{Datum, History, HistoryBuilder, Initial, Op, OpKind, TxnId};

/// Reads a whole trace.
pub(crate) fn read<R: BufRead>(mut lines: Lines<'_, R>) -> Result<History, TraceError> {
    let (mut collected, is_table) = (Collected::default(), AtomicBool::new(false));
    let parse = |text: &str, first: bool| {
        let text = text.trim();
        if first && is_columns(text) {
            is_table.store(true, Relaxed);
            return Ok(None);
        }
        let read = if is_table.load(Relaxed) { line::row } else { line::call };
        read(text).map(Some)
    };
    let cut_off = lines.each_parsed(parse, |number, line| match line {
        Some(line) => collected.line(number, line),
        None => Ok(()),
    })?;
    let back = collected.back.take();
    let mut history = collected.finish();
    if history.txns.is_empty() {
        return Err(lines.error("a file without operations", "an operation"));
    }
    history.warnings.extend(cut_off);
    history.warnings.extend(back.map(|(line, name)| {
        format!(
            "line {line}: transaction {} continues after its session began another one; \
             transactions are ordered by their first operations",
            short(&name)
        )
    }));
    Ok(if is_table.into_inner() { history } else { with_initial_state(history) })
}

/// Lets every key start with 0, unless a transaction fills them all first and every 0 that
/// was read was written by a transaction.
fn with_initial_state(history: History) -> History {
    let mut builder = HistoryBuilder::from(history);
    let zero = builder.value(0);
    let history = builder.history_mut();
    if !is_filled(history) || comes_from_nowhere(history, zero) {
        history.header.initial = Initial::Uniform(zero);
    }
    builder.finish()
}

/// Whether the first transaction is number 0 of session 0 and does nothing but write every key of
/// the trace once.
fn is_filled(history: &History) -> bool {
    let Some(first) = history.txns.first() else { return false };
    let session = &history.sessions[first.session.index()].name;
    let zero = Datum::Int(0);
    let mut keys = FxHashSet::default();
    let writes_new_key = |op: &Op| match op.kind {
        OpKind::Put { key, .. } => keys.insert(key),
        _ => false,
    };
    first.name.as_deref() == Some(&zero)
        && *session == zero
        && history.ops_of(TxnId(0)).iter().all(writes_new_key)
        && keys.len() == history.keys.len()
}

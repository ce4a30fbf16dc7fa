//! What is said about the whole trace, in the metadata of the schema.
//!
//! ```text
//!   tristan          the header line of the native format
//!   tristan.notes    [[how many rows come before, text], …]
//!   tristan.orders   [[key, [row, …]], …]     hints on orders of versions; rows count from 1
//! ```

use serde::de::DeserializeOwned;

use super::ipc::schema::Schema;
use crate::error::{ContentError, quote};
use crate::native;
use tristan_history::{Datum, History, HistoryBuilder, OrderHint, TxnId};

const HEADER: &str = "tristan";
const NOTES: &str = "tristan.notes";
const ORDERS: &str = "tristan.orders";

/// Reads header, notes and orders of versions; without a header there is a warning.
pub(super) fn read(schema: &Schema, builder: &mut HistoryBuilder) -> Result<(), ContentError> {
    match schema.says(HEADER) {
        Some(text) => {
            let header = native::read_header(text, builder)?;
            builder.history_mut().header = header;
        }
        None => {
            let warning = "no header: every key is assumed to be absent initially";
            builder.history_mut().warnings.push(warning.to_owned());
        }
    }
    let notes: Vec<(u32, String)> = list(schema, NOTES)?;
    builder.history_mut().notes = notes;
    let orders: Vec<(Datum, Vec<u32>)> = list(schema, ORDERS)?;
    for (key, rows) in orders {
        let key = builder.key(key);
        let writers = rows.into_iter().map(txn_in_row).collect::<Option<_>>();
        let writers = writers.ok_or_else(|| ContentError::new("row 0", "rows counted from 1"))?;
        builder.history_mut().hints.orders.push(OrderHint { key, writers, line: 0 });
    }
    Ok(())
}

/// The transaction in a row, counted from 1.
pub(super) fn txn_in_row(row: u32) -> Option<TxnId> {
    row.checked_sub(1).map(TxnId)
}

fn list<T: DeserializeOwned>(schema: &Schema, name: &str) -> Result<Vec<T>, ContentError> {
    let Some(text) = schema.says(name) else { return Ok(Vec::new()) };
    serde_json::from_str(text)
        .map_err(|_| ContentError::new(quote(text), format!("a list in JSON under {name}")))
}

/// The metadata of a history whose transactions stand in these rows, counted from 1.
pub(super) fn write(history: &History, order: &[TxnId], rows: &[u32]) -> Vec<(String, String)> {
    let mut header = Vec::new();
    // Memory takes every byte.
    let _ = native::write_header(history, &mut header);
    let header = String::from_utf8_lossy(header.trim_ascii()).into_owned();
    let mut metadata = vec![(HEADER.to_owned(), header)];
    let mut add = |name: &str, json: serde_json::Result<String>| {
        metadata.extend(json.ok().map(|json| (name.to_owned(), json)));
    };
    if !history.notes.is_empty() {
        add(NOTES, serde_json::to_string(&placed_notes(history, order)));
    }
    if !history.hints.orders.is_empty() {
        let row = |id: &TxnId| rows[id.index()];
        let pair = |hint: &OrderHint| {
            let writers: Vec<u32> = hint.writers.iter().map(row).collect();
            (history.key(hint.key).clone(), writers)
        };
        let orders: Vec<(Datum, Vec<u32>)> = history.hints.orders.iter().map(pair).collect();
        add(ORDERS, serde_json::to_string(&orders));
    }
    metadata
}

/// Notes with the number of rows that come before each.
fn placed_notes<'a>(history: &'a History, order: &[TxnId]) -> Vec<(u32, &'a str)> {
    let mut before = 0;
    let place = |(line, text): &'a (u32, String)| {
        while order.get(before).is_some_and(|id| history.txn(*id).lines.0 <= *line) {
            before += 1;
        }
        (before as u32, text.as_str())
    };
    history.notes.iter().map(place).collect()
}

//! What is left of a trace, with notes that say where it was.

use tristan_history::excerpt::Excerpt;
use tristan_history::{History, TxnId};

/// The history with a note before each transaction: its lines in the whole trace, and whether its
/// range reads were cut down.
pub(super) fn with_places(excerpt: Excerpt) -> History {
    let Excerpt { mut history, places } = excerpt;
    let note = |id: TxnId| {
        let (first, last) = history.txn(id).lines;
        let place = match first == last {
            true => format!("line {first}"),
            false => format!("lines {first} to {last}"),
        };
        let narrowed = match places[id.index()].narrowed {
            true => "; its range reads are cut down to the keys that matter",
            false => "",
        };
        Some((first.checked_sub(1)?, format!("{} was on {place}{narrowed}", history.label(id))))
    };
    history.notes = history.txn_ids().filter_map(note).collect();
    history.notes.sort_by_key(|(line, _)| *line);
    history
}

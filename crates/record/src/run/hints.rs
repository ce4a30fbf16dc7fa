//! What the database knows about the order of versions, as hints at the end of the trace.

use std::collections::{BTreeMap, HashMap};

use tristan_history::Datum;

use super::Run;
use super::patience::patiently;
use crate::Recorder;

/// A transaction that committed and wrote something.
pub(super) struct Tagged {
    /// The database's name for it.
    pub(super) tag: String,
    /// The trace's name for it.
    pub(super) txn: u64,
    /// The keys it wrote.
    pub(super) keys: Vec<i64>,
}

/// Writes down in which order keys were written, if the database says so.
pub(super) fn write(run: &Run<'_>, recorder: &Recorder, tagged: Vec<Tagged>) {
    let tags: Vec<String> = tagged.iter().map(|one| one.tag.clone()).collect();
    if tags.is_empty() {
        return;
    }
    match patiently(|| run.patient, || run.database.commit_order(&tags)) {
        Ok(order) => write_order(recorder, &tagged, &order),
        Err(failure) => recorder.note(&format!("the order of commits is not known: {failure}")),
    }
}

fn write_order(recorder: &Recorder, tagged: &[Tagged], order: &[String]) {
    let by_tag: HashMap<&str, &Tagged> = tagged.iter().map(|one| (one.tag.as_str(), one)).collect();
    let mut writers: BTreeMap<i64, Vec<u64>> = BTreeMap::new();
    for one in order.iter().filter_map(|tag| by_tag.get(tag.as_str())) {
        for &key in &one.keys {
            writers.entry(key).or_default().push(one.txn);
        }
    }
    for (key, txns) in writers.iter().filter(|(_, txns)| txns.len() > 1) {
        recorder.order(&Datum::from(*key), txns);
    }
}

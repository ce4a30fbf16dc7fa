//! Commit timestamps that a log gives apart from the transactions: they can often only be asked for
//! when everything is over.

use std::io::BufRead;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::source::LogSource;
use crate::error::Error;

/// `{"stamp":17,"txn":4}`
#[derive(Deserialize)]
struct Stamp {
    stamp: u64,
    txn: u64,
}

/// The stamps of all transactions that have one on a line of its own.
pub(super) fn collect(source: &dyn LogSource) -> Result<FxHashMap<u64, u64>, Error> {
    let mut stamps = FxHashMap::default();
    let mut lines = source.open().map_err(|error| Error::io(source.name(), error))?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line).map_err(|error| Error::io(source.name(), error))? == 0
        {
            return Ok(stamps);
        }
        if line.starts_with(b"{\"stamp\"") {
            // What is no stamp is reported when the line is read in its turn.
            if let Ok(Stamp { stamp, txn }) = serde_json::from_slice(&line) {
                stamps.insert(txn, stamp);
            }
        }
    }
}

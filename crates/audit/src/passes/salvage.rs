//! Which tables a log leaves no way to follow.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::load::{Loaded, Loader, Source};
use crate::options::AuditOptions;
use crate::watched_budget::WatchedBudget;

/// What is left of a log without the statements that are not supported.
pub(crate) enum Salvage {
    /// Everything that has nothing to do with these tables, which cannot be followed for these reasons.
    Without(BTreeMap<String, String>),
    /// Nothing: this transaction may have changed any table.
    Nothing { txn: u64, reason: String },
    /// A limit was reached.
    Late,
}

/// Finds all tables that cannot be followed. A table that is lost may take others with it, so the log is read
/// until no table is added.
pub(crate) fn salvage(
    source: Source<'_>,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
) -> Result<Salvage, Error> {
    let mut options = options.clone();
    loop {
        let (mut loader, mut sql) = Loader::open(source, &options)?;
        while let Some(loaded) = loader.next(&mut sql)? {
            if budget.is_up() {
                return Ok(Salvage::Late);
            }
            match loaded {
                Loaded::Unsupported { txn, reason } if sql.hopeless => {
                    return Ok(Salvage::Nothing { txn: txn.number, reason: reason.to_string() });
                }
                _ => {}
            }
        }
        if sql.lost.is_empty() {
            return Ok(Salvage::Without(options.unfollowed));
        }
        options.unfollowed.append(&mut sql.lost);
    }
}

//! Which tables a log leaves no way to follow.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::load::{Loaded, Loader};
use crate::log::LogSource;
use crate::options::AuditOptions;
use crate::watched_budget::WatchedBudget;

/// All tables that cannot be followed, and why. Returns `None` if a statement that is not supported may have
/// changed any table.
///
/// A table that is lost may take others with it, so the log is read until no table is added.
pub(crate) fn unfollowed(
    source: &dyn LogSource,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
) -> Result<Option<BTreeMap<String, String>>, Error> {
    let mut options = options.clone();
    loop {
        let (mut loader, mut sql) = Loader::open(source, &options)?;
        while let Some(loaded) = loader.next(&mut sql)? {
            let hopeless = matches!(loaded, Loaded::Unsupported { .. }) && sql.hopeless;
            if hopeless || budget.is_up() {
                return Ok(None);
            }
        }
        if sql.lost.is_empty() {
            return Ok(Some(options.unfollowed));
        }
        options.unfollowed.append(&mut sql.lost);
    }
}

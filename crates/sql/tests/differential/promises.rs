//! What is said of a statement whatever rows there are, compared with what it showed and did.

use tristan_sql::{Catalog, Effect, Prepared, Row, StatementOutcome, TableId};

use crate::differential::server::Reply;

/// A promise that a statement broke, if it broke one: it showed rows that it cannot show, or stored a value
/// that it was not said to store.
pub(super) fn broken(
    prepared: &Prepared,
    catalog: &Catalog,
    outcome: &StatementOutcome,
    reply: &Reply,
) -> Option<String> {
    if let Reply::Done { rows, .. } = reply
        && let Some(row) = rows.iter().find(|row| prepared.ruled_out(catalog, &[], row).is_some())
    {
        return Some(format!("the server showed {row:?}, which is said to be impossible"));
    }
    if let Reply::Done { rows, .. } = reply
        && let Some(wrong) = prepared.misshapen(&[], rows)
    {
        return Some(format!("the rows of the server are said to be impossible: {wrong:?}"));
    }
    let stored = prepared.stored(catalog, &[])?;
    let cascades = prepared.reach(catalog, &[]).cascades;
    let expects = |table: TableId, row: &Row, old: Option<&Row>| {
        cascades.contains(&table)
            || row.iter().enumerate().all(|(column, value)| {
                old.is_some_and(|old| old[column] == *value)
                    || stored.iter().any(|one| {
                        (one.table, one.column) == (table, column)
                            && one.value.as_ref().is_none_or(|known| known == value)
                    })
            })
    };
    let unexpected = outcome.effects.iter().find(|effect| match effect {
        Effect::Insert { table, row, .. } => !expects(*table, row, None),
        Effect::Update { table, old, new, .. } => !expects(*table, new, Some(old)),
        Effect::Delete { .. } | Effect::Truncate { .. } => false,
    })?;
    Some(format!("{unexpected:?} has a value that it is not said to store: {stored:?}"))
}

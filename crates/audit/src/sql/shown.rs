//! What a transaction is shown of its own changes.
//!
//! Most servers show a plain query its snapshot and what the transaction itself wrote. So does InnoDB, but there a row is
//! a record of the primary key, of which the newest version is shown that the transaction may see:
//!
//! - a row that the transaction wrote hides the row of the snapshot with the same primary key, even if that one was
//!   deleted by others and the transaction inserted a new one;
//! - an update that leaves a row as it is writes no version, so the row of the snapshot stays in sight, even if the row
//!   that was updated is newer.

use std::borrow::Cow;

use tristan_sql::Catalog;

use super::machine::Sql;
use crate::level::{AuditLevel, Frame, Kind};
use crate::statement::Statement;
use crate::world::{Hidden, Own, Row, TableId, Value, pick};

/// What a statement is shown of the changes of its transaction.
#[derive(Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) own: Cow<'a, Own>,
    /// The rows of the snapshot that these hide.
    pub(crate) hidden: Hidden,
    /// Whether nothing else may be shown.
    pub(crate) certain: bool,
}

impl Sql {
    /// What a statement is shown of the changes of its transaction.
    pub(crate) fn shown<'a>(
        &self,
        own: &'a Own,
        statement: &Statement,
        level: AuditLevel,
    ) -> Shown<'a> {
        let by_record = level == AuditLevel::MariaDbRepeatableRead
            && self.locks_row_by_row()
            && statement.kind() == Kind::Read
            && level.frame(Kind::Read) == Frame::Snapshot;
        let mut shown = Shown { own: Cow::Borrowed(own), hidden: Hidden::default(), certain: true };
        if !by_record || own.is_empty() {
            return shown;
        }
        let changed = own.changed();
        for (table, row) in changed.rows() {
            shown.certain &= hide(&statement.plan.catalog, &mut shown.hidden, table, row);
        }
        shown.certain &= !own.has_replaced_by_same() && !self.may_have_changed(own, statement);
        shown.own = Cow::Owned(changed);
        shown
    }
}

impl Sql {
    /// Whether a row that seems to be as it was may be another one in a blurred column.
    fn may_have_changed(&self, own: &Own, statement: &Statement) -> bool {
        let table = |id: TableId| statement.plan.catalog.by_id(id);
        own.unchanged_tables().any(|id| table(id).is_none_or(|table| table.is_blurred()))
    }
}

/// Hides the rows with the same primary key as this one. Returns whether it is known which these are.
fn hide(catalog: &Catalog, hidden: &mut Hidden, table: TableId, row: &Row) -> bool {
    let Some(definition) = catalog.by_id(table) else { return false };
    let Some(key) = definition.keys().iter().find(|key| key.is_primary()) else { return false };
    // Texts that differ may be the same key.
    let is_text = |&column: &usize| matches!(row.get(column), Some(Value::Text(_)));
    let has_text = key.columns().iter().any(is_text);
    match pick(row, key.columns()) {
        Some(values) if !has_text => {
            hidden.hide(table, key.columns(), values);
            true
        }
        _ => false,
    }
}

//! What foreign keys do when the row that they refer to changes: CASCADE, SET NULL, SET DEFAULT.
//!
//! Layer `run`; knows effects and the constraints of tables.
//!
//! A statement first does its own work. Then its effects are looked at one after the other, and every row that
//! refers to one that is gone, or has another key now, is deleted or updated. That is one more effect, which is
//! looked at in its turn, until none is left:
//!
//! ```text
//!   DELETE a1   DELETE b7   DELETE b8   UPDATE c3
//!   by itself   b7 → a1     b8 → a1     c3 → b7 SET NULL
//! ```
//!
//! PostgreSQL works in this way. InnoDB does the same row by row, while the statement still runs; the rows end
//! up the same unless the statement itself changes a row that it also reaches in this way, or looks for its rows in
//! a table that changes so. Then what it counts depends on the order of rows, and it is not supported.

use std::sync::Arc;

use crate::catalog::{Action, ForeignKey, Table};
use crate::error::{ExecutionError, Result, unsupported};
use crate::outcome::Effect;
use crate::plan::Plan;
use crate::rows::{Found, RowId, TableId};
use crate::value::{Row, Value};

use super::reach::Outline;
use super::source::to_row;
use super::state::Run;

/// More effects than this come from tables that refer to each other without end.
const MOST: usize = 1 << 20;

impl Run<'_> {
    /// Carries out the actions of foreign keys for everything that the statement did.
    pub(super) fn cascade(&mut self) -> Result<()> {
        let own = self.now.len();
        let mut place = 0;
        while let Some(effect) = self.now.effect(place).cloned() {
            place += 1;
            match effect {
                Effect::Delete { table, old, .. } => self.follow(table, &old, None, own)?,
                Effect::Update { table, old, new, .. } => {
                    self.follow(table, &old, Some(&new), own)?;
                }
                Effect::Insert { .. } | Effect::Truncate { .. } => {}
            }
            if self.now.len() > MOST {
                return unsupported("foreign keys whose actions do not end");
            }
        }
        Ok(())
    }

    /// The same for a statement. No table in which InnoDB looks for its rows may change while it still does so.
    pub(super) fn cascade_of(&mut self, plan: &Plan) -> Result<()> {
        let own = self.now.len();
        self.cascade()?;
        if self.dialect.is_strictly_typed() || self.now.len() == own {
            return Ok(());
        }
        let looked_at = searched(plan);
        let mut reached = (own..self.now.len()).filter_map(|place| self.now.effect(place));
        match reached.any(|effect| looked_at.contains(&effect.table())) {
            true => unsupported(
                "a foreign key that acts on a table in which the statement looks for rows",
            ),
            false => Ok(()),
        }
    }

    /// One row is gone, or is another one now.
    fn follow(&mut self, parent: TableId, old: &Row, new: Option<&Row>, own: usize) -> Result<()> {
        let referrers: Vec<(Arc<Table>, ForeignKey)> = self
            .catalog
            .referrers(parent)
            .filter_map(|(table, key)| Some((self.catalog.by_id(table.id())?.clone(), key.clone())))
            .collect();
        for (table, key) in referrers {
            let action = if new.is_some() { key.on_update } else { key.on_delete };
            let changed = |column: &usize| new.is_none_or(|new| new[*column] != old[*column]);
            if !action.acts() || !key.referred.iter().any(changed) {
                continue;
            }
            if new.is_some() && table.id() == parent && own > 1 {
                return unsupported("several rows of a table that refers to itself get other keys");
            }
            for (id, row) in self.referring(&table, &key, old)? {
                self.act(&table, &key, action, id, row, new)?;
            }
        }
        Ok(())
    }

    /// The rows that refer to a row, with everything that was done so far.
    fn referring(&mut self, table: &Table, key: &ForeignKey, parent: &Row) -> Result<Found> {
        let mut values = Vec::with_capacity(key.columns.len());
        for (column, referred) in key.columns.iter().zip(&key.referred) {
            if parent[*referred].is_null() {
                return Ok(Vec::new());
            }
            let collation = self.catalog.collation_of(&table.columns()[*column]);
            self.doubt_text(&parent[*referred], collation);
            values.push(parent[*referred].canonical(collation));
        }
        let mut rows = self.holders(table.id(), &key.columns, &values);
        let same = |row: &Row| {
            key.columns.iter().zip(&values).all(|(column, value)| {
                let collation = self.catalog.collation_of(&table.columns()[*column]);
                row[*column].canonical(collation) == *value
            })
        };
        rows.retain(|(_, row)| same(row));
        let changed = |id: &RowId| self.now.changed(table.id(), *id).is_some();
        let reached = rows.iter().any(|(id, _)| changed(id));
        self.now.show(table.id(), &mut rows, &same);
        let reached = reached || rows.iter().any(|(id, _)| changed(id));
        if reached && !self.dialect.is_strictly_typed() {
            return unsupported(
                "a foreign key that reaches a row which the statement changes, too",
            );
        }
        Ok(rows)
    }

    fn act(
        &mut self,
        table: &Table,
        key: &ForeignKey,
        action: Action,
        id: RowId,
        old: Row,
        parent: Option<&Row>,
    ) -> Result<()> {
        if self.dialect.is_strictly_typed() && self.has_triggers(table) {
            return unsupported("a foreign key whose action fires triggers");
        }
        let mut row: Vec<Value> = old.to_vec();
        for (column, referred) in key.columns.iter().zip(&key.referred) {
            row[*column] = match (action, parent) {
                (Action::Cascade, None) => {
                    self.now.record(Effect::Delete { table: table.id(), id, old });
                    return Ok(());
                }
                (Action::Cascade, Some(new)) => new[*referred].clone(),
                (Action::SetDefault, _) => self.default_value(table, *column)?,
                (Action::SetNull | Action::Refuse, _) => Value::Null,
            };
        }
        self.generate(table, &mut row)?;
        let valid = self
            .check_row(table, &row)
            .and_then(|()| self.check_changed_keys(table, id, &old, &row));
        match valid {
            Ok(()) => {}
            // Servers look at some of these and not at others, in orders of their own.
            Err(ExecutionError::Server(error)) => {
                return unsupported(format!("an error in the action of a foreign key ({error})"));
            }
            Err(error) => return Err(error),
        }
        self.now.record(Effect::Update { table: table.id(), id, old, new: to_row(row) });
        Ok(())
    }
}

/// The tables in which a statement looks for its rows. What happens to the rows of a table is followed if it is the only
/// one.
fn searched(plan: &Plan) -> Vec<TableId> {
    let locate = match plan {
        Plan::Update(update) => &update.locate,
        Plan::Delete(delete) => &delete.locate,
        Plan::With { changes, last } => {
            let parts = changes.iter().map(|(_, plan)| plan).chain([&**last]);
            return parts.flat_map(searched).collect();
        }
        _ => return Vec::new(),
    };
    let outline = Outline::of_search(&mut locate.clone());
    let alone = locate.single_table();
    outline.looked_at().filter(|table| Some(*table) != alone).collect()
}

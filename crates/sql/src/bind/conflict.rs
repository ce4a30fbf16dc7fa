//! What an INSERT does about keys that are already there.
//!
//! Layer `bind`; knows the keys of tables.

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ErrorClass, Result, ServerError, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{ConflictAction, OnConflict};

use super::binder::Binder;
use super::blurred::refuse_blurred_keys;
use super::scope::{Relation, Scope};

impl Binder<'_> {
    pub(super) fn conflict(
        &mut self,
        insert: &ast::Insert,
        table: &Table,
        shown: &str,
    ) -> Result<OnConflict> {
        let strict = self.dialect.is_strictly_typed();
        refuse_blurred_keys(insert, table)?;
        match &insert.on {
            // MySQL then deletes rows that it would update otherwise, which shows in the count.
            None if insert.replace_into && !strict && self.is_followed(table) => {
                unsupported("REPLACE of rows that foreign keys follow")
            }
            None if insert.replace_into && !strict => Ok(OnConflict::Replace),
            // Rows that a foreign key does not allow are left out, too.
            None if insert.ignore && table.nature.refers_elsewhere => {
                unsupported("INSERT IGNORE into a table that refers to one that is not known")
            }
            None if insert.ignore && !strict => Ok(OnConflict::Ignore),
            None => Ok(OnConflict::Fail),
            Some(ast::OnInsert::OnConflict(on)) if strict => self.on_conflict(on, table, shown),
            Some(_) if insert.ignore && !strict => {
                unsupported("INSERT IGNORE … ON DUPLICATE KEY UPDATE")
            }
            Some(ast::OnInsert::DuplicateKeyUpdate(assignments)) if !strict => {
                self.scopes.push(conflict_scope(table, shown, insert.insert_alias.as_ref())?);
                let assignments = self.assignments(table, assignments);
                self.scopes.pop();
                let keys = unique_keys(table).collect();
                let action =
                    ConflictAction::Update { assignments: assignments?, filter: None, once: false };
                Ok(OnConflict::On { keys, action })
            }
            Some(_) => fail(ErrorClass::Syntax, "this kind of ON"),
        }
    }

    fn on_conflict(
        &mut self,
        on: &ast::OnConflict,
        table: &Table,
        shown: &str,
    ) -> Result<OnConflict> {
        let keys = match &on.conflict_target {
            _ if table.keys().iter().any(|key| key.deferrable) => {
                return unsupported("ON CONFLICT next to a DEFERRABLE key");
            }
            None => unique_keys(table).collect(),
            Some(ast::ConflictTarget::Columns(names)) => self.keys_over(table, names)?,
            Some(ast::ConflictTarget::OnConstraint(name)) => {
                let name = last_name(name)?;
                let named = |key: &usize| table.keys()[*key].name.eq_ignore_ascii_case(&name);
                match unique_keys(table).find(named) {
                    Some(key) => vec![key],
                    None => {
                        let detail = format!("constraint {name} does not exist");
                        return fail(ErrorClass::UndefinedObject, detail);
                    }
                }
            }
        };
        let action = match &on.action {
            ast::OnConflictAction::DoNothing => ConflictAction::Nothing,
            ast::OnConflictAction::DoUpdate(update) => {
                if on.conflict_target.is_none() {
                    return fail(ErrorClass::Syntax, "ON CONFLICT DO UPDATE needs columns");
                }
                self.scopes.push(conflict_scope(table, shown, None)?);
                let bound = self.do_update(table, update);
                self.scopes.pop();
                bound?
            }
        };
        Ok(OnConflict::On { keys, action })
    }

    /// Whether something happens to other rows when one of this table changes.
    fn is_followed(&self, table: &Table) -> bool {
        let mut referrers = self.catalog.referrers(table.id());
        referrers.any(|(_, key)| key.acts())
    }

    /// The unique keys over exactly these columns and expressions.
    fn keys_over(&mut self, table: &Table, names: &[ast::Ident]) -> Result<Vec<usize>> {
        let wanted = self.conflict_target(table, names)?;
        let keys = unique_keys(table).filter(|key| wanted.is(&table.keys()[*key]));
        let keys: Vec<usize> = keys.collect();
        if !keys.is_empty() {
            return Ok(keys);
        }
        if wanted.is_beyond_columns() {
            // The server may find out that two expressions mean the same, or that a condition implies another.
            return unsupported("ON CONFLICT with an expression or a condition that no index has");
        }
        let detail = "ON CONFLICT without a key of these columns".to_owned();
        self.defer(ServerError { class: ErrorClass::NoConstraint, detail });
        Ok(keys)
    }

    fn do_update(&mut self, table: &Table, update: &ast::DoUpdate) -> Result<ConflictAction> {
        let assignments = self.assignments(table, &update.assignments)?;
        let filter = match &update.selection {
            Some(selection) => {
                let bound = self.expr(selection)?;
                Some(self.condition(bound)?)
            }
            None => None,
        };
        Ok(ConflictAction::Update { assignments, filter, once: true })
    }
}

fn unique_keys(table: &Table) -> impl Iterator<Item = usize> + '_ {
    table.keys().iter().enumerate().filter(|(_, key)| key.is_unique()).map(|(index, _)| index)
}

/// The row that is there, and behind it the row that was to be inserted.
fn conflict_scope(table: &Table, shown: &str, alias: Option<&ast::InsertAliases>) -> Result<Scope> {
    let proposed = match alias {
        None => "excluded".to_owned(),
        Some(ast::InsertAliases { row_alias, col_aliases: None }) => last_name(row_alias)?,
        Some(_) => return unsupported("INSERT … AS new(columns)"),
    };
    let width = table.columns().len();
    let mut second = Relation::of_table(table, &proposed, width);
    // A bare name means the row that is there.
    second.columns.iter_mut().for_each(|column| column.merged = true);
    Ok(Scope { relations: vec![Relation::of_table(table, shown, 0), second], aliases: Vec::new() })
}

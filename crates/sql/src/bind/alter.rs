//! ALTER TABLE.
//!
//! Layer `bind`; knows drafts of tables.
//!
//! ```text
//!   names, defaults, what is allowed from now on    the table keeps its number; no row is looked at
//!   a new key or condition                          the table keeps its number; all rows are checked
//!   columns that come, go or get another type       a new table with a new number; all rows move there
//! ```
//!
//! A table whose rows get another shape is another table: statements that were bound before go on to mean the
//! old one, and the rows that move are the work of the ALTER itself, like those of a DELETE and an INSERT. So
//! no statement ever meets a row of the other shape.

use sqlparser::ast::{self, AlterColumnOperation, AlterTableOperation, TableConstraint};

use crate::catalog::{Catalog, DefaultValue, Key, Table, table_name};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::{converts_to, last_name};
use crate::plan::{Expr, Plan, Rebuild, walk_columns};
use crate::special::Special;
use crate::types::Type;

use super::binder::Binder;
use super::draft::{Draft, is_sequence};
use super::writes::column_of;

/// Changes a table. Returns what is to be done with its rows.
pub(super) fn alter_table(catalog: &mut Catalog, alter: &ast::AlterTable) -> Result<Option<Plan>> {
    let name = table_name(&alter.name)?;
    let Some(before) = catalog.named(&name)?.cloned() else {
        // Views and sequences have owners, too.
        let owned = |one: &AlterTableOperation| matches!(one, AlterTableOperation::OwnerTo { .. });
        return match alter.if_exists || alter.operations.iter().all(owned) {
            true => Ok(None),
            false => fail(ErrorClass::UndefinedTable, format!("table {name} does not exist")),
        };
    };
    let mut alteration = Alteration::of(&before);
    for operation in &alter.operations {
        alteration.alter(catalog, operation)?;
    }
    alteration.finish(catalog, &before)
}

/// `RENAME TABLE a TO b, c TO a`, from left to right.
pub(super) fn rename_tables(catalog: &mut Catalog, renames: &[ast::RenameTable]) -> Result<()> {
    for rename in renames {
        let name = table_name(&rename.old_name)?;
        let Some(before) = catalog.named(&name)?.cloned() else {
            return match catalog.view(&name) {
                Some(_) => unsupported("another name for a view"),
                None => fail(ErrorClass::UndefinedTable, format!("table {name} does not exist")),
            };
        };
        let mut alteration = Alteration::of(&before);
        alteration.rename(catalog, &ast::RenameTableNameKind::To(rename.new_name.clone()))?;
        alteration.finish(catalog, &before)?;
    }
    Ok(())
}

/// Where the value of a column comes from when rows move.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    Kept(usize),
    /// An expression over the old row.
    Converted(Expr),
    New,
}

/// A table that is being changed.
pub(super) struct Alteration<'a> {
    pub(super) draft: Draft<'a>,
    pub(super) origins: Vec<Origin>,
    /// Whether rows have to be looked at.
    pub(super) checks: bool,
}

impl<'a> Alteration<'a> {
    fn of(before: &Table) -> Self {
        let origins = (0..before.columns.len()).map(Origin::Kept).collect();
        Self { draft: Draft::of(before.clone()), origins, checks: false }
    }

    fn alter(&mut self, catalog: &Catalog, operation: &'a AlterTableOperation) -> Result<()> {
        use AlterTableOperation as Op;
        match operation {
            Op::AddConstraint { constraint, not_valid } => {
                self.add_constraint(catalog, constraint, *not_valid)
            }
            Op::RenameColumn { .. } | Op::DropColumn { .. } | Op::AlterColumn { .. }
                if !self.draft.table.triggers.is_empty() =>
            {
                unsupported("another shape of a column of a table with triggers")
            }
            Op::OwnerTo { .. } | Op::SetLogged | Op::SetUnlogged => Ok(()),
            Op::ValidateConstraint { name } => {
                let named = |one: &&mut crate::catalog::Check| same(&one.name, name);
                if let Some(check) = self.draft.table.checks.iter_mut().find(named) {
                    check.valid = true;
                    self.checks = true;
                }
                Ok(())
            }
            Op::DropForeignKey { name, .. } => {
                self.draft.table.foreign.retain(|key| !same(&key.name, name));
                Ok(())
            }
            Op::AlterColumn { column_name, op } => {
                self.alter_column(catalog, &column_name.value, op)
            }
            Op::AddColumn { if_not_exists, column_def, column_position, .. } => {
                self.add_column(catalog, column_def, *if_not_exists, column_position.as_ref())
            }
            Op::ModifyColumn { col_name, data_type, options, column_position } => {
                let place = column_position.as_ref();
                self.redefine(catalog, (col_name, col_name), data_type, options, place)
            }
            Op::ChangeColumn { old_name, new_name, data_type, options, column_position } => {
                let place = column_position.as_ref();
                self.redefine(catalog, (old_name, new_name), data_type, options, place)
            }
            Op::RenameColumn { old_column_name, new_column_name }
                if converts_to(&old_column_name.value, &new_column_name.value).is_some() =>
            {
                self.convert(catalog, &old_column_name.value, &new_column_name.value)
            }
            // With CASCADE, views that use the column go away. They are never used again in any case.
            Op::DropColumn { column_names, if_exists, .. } => {
                column_names.iter().try_for_each(|name| self.drop_column(catalog, name, *if_exists))
            }
            Op::EnableTrigger { name } => self.switch(&name.value, true),
            Op::DisableTrigger { name } => self.switch(&name.value, false),
            Op::RenameColumn { old_column_name, new_column_name } => {
                let column = column_of(&self.draft.table, &old_column_name.value)?;
                self.draft.table.columns[column].name.clone_from(&new_column_name.value);
                Ok(())
            }
            Op::RenameTable { table_name } => self.rename(catalog, table_name),
            Op::RenameConstraint { old_name, new_name } => {
                self.rename_constraint(old_name, new_name)
            }
            Op::DropConstraint { name, if_exists, .. } => self.drop_constraint(name, *if_exists),
            Op::DropPrimaryKey { .. } => {
                self.draft.table.keys.retain(|key| !key.primary);
                Ok(())
            }
            Op::DropIndex { name } => self.drop_constraint(name, false),
            Op::AutoIncrement { value, .. } => self.draft.count_from(catalog, &value.value),
            other => unsupported(format!("ALTER TABLE … {}", first_words(&other.to_string()))),
        }
    }

    /// `ENABLE TRIGGER name` and `DISABLE TRIGGER name`; `ALL` and `USER` stand for all of them.
    fn switch(&mut self, name: &str, enabled: bool) -> Result<()> {
        let all = ["ALL", "USER"].iter().any(|word| word.eq_ignore_ascii_case(name));
        let known = self.draft.table.triggers.iter().any(|trigger| trigger.name == name);
        if !all && !known {
            return unsupported(format!("the trigger {name}"));
        }
        let triggers = &mut self.draft.table.triggers;
        for trigger in triggers.iter_mut().filter(|trigger| all || trigger.name == name) {
            trigger.enabled = enabled;
        }
        Ok(())
    }

    fn add_constraint(
        &mut self,
        catalog: &Catalog,
        constraint: &'a TableConstraint,
        not_valid: bool,
    ) -> Result<()> {
        match constraint {
            TableConstraint::PrimaryKeyUsingIndex(key) | TableConstraint::UniqueUsingIndex(key) => {
                let primary = matches!(constraint, TableConstraint::PrimaryKeyUsingIndex(_));
                let keys = &mut self.draft.table.keys;
                let plain = |one: &Key| one.exprs.is_empty() && same(&one.name, &key.index_name);
                let Some(place) = keys.iter().position(plain) else {
                    return unsupported("a constraint over an index that the log does not show");
                };
                if let Some(name) = &key.name {
                    keys[place].name.clone_from(&name.value);
                }
                keys[place].primary = primary;
                let columns = keys[place].columns.clone();
                for column in columns.into_iter().filter(|_| primary) {
                    self.draft.table.columns[column].not_null = true;
                }
                self.checks |= primary;
                Ok(())
            }
            TableConstraint::ForeignKey(_) => self.draft.constraint(catalog, constraint),
            _ => {
                self.draft.constraint(catalog, constraint)?;
                if !catalog.dialect().is_strictly_typed() && has_long_key(&self.draft.table) {
                    return unsupported("a key of long texts that is added to a table with rows");
                }
                if let (true, Some((_, _, valid))) = (not_valid, self.draft.checks.last_mut()) {
                    *valid = false;
                }
                self.checks = true;
                Ok(())
            }
        }
    }

    fn alter_column(
        &mut self,
        catalog: &Catalog,
        name: &str,
        operation: &'a AlterColumnOperation,
    ) -> Result<()> {
        let index = column_of(&self.draft.table, name)?;
        let column = &mut self.draft.table.columns[index];
        match operation {
            AlterColumnOperation::SetNotNull => {
                column.not_null = true;
                self.checks = true;
            }
            AlterColumnOperation::DropNotNull => column.not_null = false,
            AlterColumnOperation::DropDefault => column.default = DefaultValue::Nothing,
            AlterColumnOperation::SetDefault { value } if is_sequence(value) => {
                self.draft.count_with(catalog, index, value)?;
            }
            AlterColumnOperation::SetDefault { value } => self.draft.defaults.push((index, value)),
            AlterColumnOperation::AddGenerated { generated_as, sequence_options } => {
                let always = matches!(generated_as, Some(ast::GeneratedAs::Always));
                let options = sequence_options.as_deref().unwrap_or_default();
                self.draft.count(catalog, index, always, options)?;
            }
            AlterColumnOperation::SetDataType { data_type, using, .. } => {
                return self.retype(catalog, index, data_type, using.as_ref());
            }
        }
        Ok(())
    }

    /// Another type for a column. Conditions over it would have to be bound again, as they were written.
    fn retype(
        &mut self,
        catalog: &Catalog,
        index: usize,
        written: &ast::DataType,
        using: Option<&ast::Expr>,
    ) -> Result<()> {
        let Origin::Kept(old) = self.origins[index] else {
            return unsupported("two types for one column");
        };
        let kept = self.origins.iter().enumerate();
        let moved =
            kept.filter(|(place, origin)| !matches!(origin, Origin::Kept(old) if old == place));
        if self.bound_exprs().any(|expr| uses(&expr, index)) || moved.count() > 0 && using.is_some()
        {
            return unsupported("another type for a column that conditions use");
        }
        if !self.draft.checks.is_empty() {
            return unsupported("another type together with a new condition");
        }
        let to = catalog.read_type(written)?;
        let from = self.draft.table.columns[index].ty;
        let mut binder = Binder::new(catalog, &[], &[]);
        let value = match using {
            Some(using) => binder.table_expr(&self.draft.table, using)?,
            None => (Expr::column(old), from),
        };
        let value = binder.assign(value, to)?;
        let column = &mut self.draft.table.columns[index];
        if let DefaultValue::Expr(default) = &column.default {
            column.default = DefaultValue::Expr(binder.assign((default.clone(), from), to)?);
        }
        column.ty = to;
        column.domain = None;
        self.origins[index] = Origin::Converted(value);
        self.checks = true;
        Ok(())
    }

    /// The expressions of the table that are bound to its columns.
    pub(super) fn bound_exprs(&self) -> impl Iterator<Item = Expr> {
        let table = &self.draft.table;
        let checks = table.checks.iter().map(|check| &check.expr);
        let filters = table.keys.iter().flat_map(Key::bound);
        let generated = table.columns.iter().filter_map(|column| match &column.default {
            DefaultValue::Generated(expr) | DefaultValue::Virtual(expr) => Some(expr),
            _ => None,
        });
        checks.chain(filters).chain(generated).cloned()
    }

    /// A column goes, and with it the keys, conditions and references that it is part of.
    fn drop_column(&mut self, catalog: &Catalog, name: &ast::Ident, if_exists: bool) -> Result<()> {
        let Some(index) = self.draft.table.column(&name.value) else {
            return match if_exists {
                true => Ok(()),
                false => column_of(&self.draft.table, &name.value).map(drop),
            };
        };
        let table = &mut self.draft.table;
        let shared =
            table.keys.iter().any(|key| key.columns.contains(&index) && key.columns.len() > 1);
        if shared && !catalog.dialect().is_strictly_typed() {
            return unsupported("DROP COLUMN of a part of a key");
        }
        let generated = |default: &DefaultValue| matches!(default, DefaultValue::Generated(expr) | DefaultValue::Virtual(expr) if uses(expr, index));
        if table.columns.iter().any(|column| generated(&column.default)) {
            return unsupported("DROP COLUMN that another column is computed from");
        }
        if catalog.referrers(table.id).any(|(_, key)| key.referred.contains(&index)) {
            return unsupported("DROP COLUMN that foreign keys refer to");
        }
        table.keys.retain(|key| {
            let filtered = key.bound().any(|expr| uses(expr, index));
            !key.columns.contains(&index) && !filtered
        });
        table.checks.retain(|check| !uses(&check.expr, index));
        table.foreign.retain(|key| !key.columns.contains(&index));
        table.columns.remove(index);
        self.origins.remove(index);
        self.draft.defaults.retain(|(column, _)| *column != index);
        self.draft.generated.retain(|(column, ..)| *column != index);
        self.draft.implied.retain(|column| *column != index);
        self.draft.renumber(&|column| column - usize::from(column > index));
        Ok(())
    }

    fn rename(&mut self, catalog: &Catalog, to: &ast::RenameTableNameKind) -> Result<()> {
        let (ast::RenameTableNameKind::As(to) | ast::RenameTableNameKind::To(to)) = to;
        let last = last_name(to)?;
        let schema = self.draft.table.name.rsplit_once('.').map(|(schema, _)| schema);
        let name = match schema {
            _ if to.0.len() > 1 => table_name(to)?,
            Some(schema) => format!("{schema}.{last}"),
            None => last,
        };
        if catalog.is_taken(&name) {
            return fail(ErrorClass::DuplicateTable, format!("{name} already exists"));
        }
        self.draft.table.name = name;
        Ok(())
    }

    fn rename_constraint(&mut self, old: &ast::Ident, new: &ast::Ident) -> Result<()> {
        let table = &mut self.draft.table;
        let keys = table.keys.iter_mut().map(|key| &mut key.name);
        let checks = table.checks.iter_mut().map(|check| &mut check.name);
        let mut names = keys.chain(checks).chain(table.foreign.iter_mut().map(|key| &mut key.name));
        match names.find(|name| same(name, old)) {
            Some(name) => name.clone_from(&new.value),
            None => return unsupported("a constraint that the log does not show"),
        }
        Ok(())
    }

    /// A key or a condition goes. The columns of a primary key still cannot be NULL.
    fn drop_constraint(&mut self, name: &ast::Ident, if_exists: bool) -> Result<()> {
        let table = &mut self.draft.table;
        let count = |table: &Table| table.keys.len() + table.checks.len() + table.foreign.len();
        let before = count(table);
        table.keys.retain(|key| !same(&key.name, name));
        table.checks.retain(|check| !same(&check.name, name));
        table.foreign.retain(|key| !same(&key.name, name));
        match count(table) < before || if_exists && table.foreign.is_empty() {
            true => Ok(()),
            // The server may have chosen another name than we believe.
            false => unsupported(format!("DROP CONSTRAINT {name}, which the log does not name")),
        }
    }

    fn finish(self, catalog: &mut Catalog, before: &Table) -> Result<Option<Plan>> {
        let Self { mut draft, origins, checks } = self;
        let kept = |(place, origin): (usize, &Origin)| matches!(origin, Origin::Kept(old) if *old == place);
        let moves = origins.len() != before.columns.len() || !origins.iter().enumerate().all(kept);
        if moves && !catalog.is_same(&draft.table.name, &before.name) {
            return unsupported("ALTER TABLE with another name and other columns");
        }
        if moves && before.nature.partitions.is_some() {
            return unsupported("ALTER TABLE with other columns for a table with partitions");
        }
        if moves {
            draft.table.id = catalog.next_id();
            let own = draft.table.foreign.iter_mut().filter(|key| key.parent == before.id);
            own.for_each(|key| key.parent = draft.table.id);
        }
        let foreign = draft.has_foreign();
        let sequences = std::mem::take(&mut draft.sequences);
        sequences.into_iter().for_each(|sequence| catalog.put_sequence(sequence));
        let table = draft.finish(catalog)?;
        let id = table.id;
        catalog.change(before, table);
        catalog.note_foreign_keys(foreign);
        if moves {
            follow(catalog, before, id, &origins);
        }
        let value = |origin: &Origin| match origin {
            Origin::Kept(column) => Some(Expr::column(*column)),
            Origin::Converted(value) => Some(value.clone()),
            Origin::New => None,
        };
        let rebuild = match moves {
            true => {
                Rebuild { from: before.id, to: id, values: origins.iter().map(value).collect() }
            }
            false => Rebuild::check(id),
        };
        Ok((moves || checks).then(|| Plan::Rebuild(Box::new(rebuild))))
    }
}

/// Foreign keys of other tables refer to the table as it is now.
fn follow(catalog: &mut Catalog, before: &Table, id: crate::rows::TableId, origins: &[Origin]) {
    let place = |column: usize| {
        let same = |origin: &Origin| matches!(origin, Origin::Kept(old) if *old == column);
        origins.iter().position(same).unwrap_or(column)
    };
    let referring: Vec<Table> =
        catalog.referrers(before.id).map(|(table, _)| table.clone()).collect();
    for table in referring {
        let mut changed = table.clone();
        for key in changed.foreign.iter_mut().filter(|key| key.parent == before.id) {
            key.parent = id;
            key.referred.iter_mut().for_each(|column| *column = place(*column));
        }
        catalog.change(&table, changed);
    }
}

fn same(name: &str, written: &ast::Ident) -> bool {
    name.eq_ignore_ascii_case(&written.value)
}

/// Whether an expression over a table uses a column.
pub(super) fn uses(expr: &Expr, column: usize) -> bool {
    let mut found = false;
    walk_columns(&mut expr.clone(), &mut |depth, index| found |= depth == 0 && index == column);
    found
}

/// Whether a unique key contains texts or bytes of any length, of which MariaDB keeps hashes. It may not find two
/// equal ones when the key is added.
pub(super) fn has_long_key(table: &Table) -> bool {
    // As many bytes as a key can have.
    const MOST: u32 = 3072;
    let length = |column: &usize| match table.columns[*column].ty {
        Type::Text { limit: None, .. } => MOST + 1,
        Type::Text { limit: Some(limit), .. } => limit.saturating_mul(4),
        // A BLOB of this length is not told apart from a VARBINARY.
        Type::Special(Special::Bytes { limit: Some(limit), padded: false }) if limit < 255 => limit,
        Type::Special(Special::Bytes { padded: false, .. }) => MOST + 1,
        _ => 0,
    };
    let long = |key: &Key| key.columns.iter().map(length).fold(0, u32::saturating_add) > MOST;
    table.keys.iter().any(|key| key.unique && long(key))
}

/// What an operation is called.
fn first_words(operation: &str) -> String {
    operation.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

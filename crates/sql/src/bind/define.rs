//! Definitions: CREATE TABLE, ALTER TABLE, CREATE INDEX, DROP TABLE.
//!
//! Layer `bind`; the only part of it that changes the catalog. DEFAULTs and CHECKs are bound here, once.

use sqlparser::ast::{
    self, AlterColumnOperation, AlterTableOperation, ColumnOption, TableConstraint,
};

use crate::catalog::{Catalog, Column, DefaultValue, Key, Table, read_type, table_name};
use crate::dialect::Dialect;
use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{NodeIds, number_expr};
use crate::types::Type;
use crate::value::Collation;

use super::binder::Binder;
use super::collations::{of_charset, table_collation};
use super::loose_json::json_check;
use super::writes::column_of;

/// Carries out a statement that changes tables.
pub(crate) fn define(catalog: &mut Catalog, statement: &ast::Statement) -> Result<()> {
    match statement {
        ast::Statement::CreateTable(create) => create_table(catalog, create),
        ast::Statement::CreateIndex(index) => create_index(catalog, index),
        ast::Statement::AlterTable(alter) => alter_table(catalog, alter),
        ast::Statement::Drop { object_type: ast::ObjectType::Table, if_exists, names, .. } => {
            for name in names {
                let name = table_name(name)?;
                catalog.named(&name)?;
                if !catalog.remove(&name) && !if_exists {
                    return fail(
                        ErrorClass::UndefinedTable,
                        format!("table {name} does not exist"),
                    );
                }
            }
            Ok(())
        }
        ast::Statement::Drop { object_type, .. } => unsupported(format!("DROP {object_type}")),
        other => Err(ExecutionError::Unsupported(format!("the definition {other}"))),
    }
}

fn create_index(catalog: &mut Catalog, index: &ast::CreateIndex) -> Result<()> {
    if index.predicate.is_some() {
        return unsupported("a partial index");
    }
    if index.nulls_distinct == Some(false) {
        return unsupported("NULLS NOT DISTINCT");
    }
    let name = table_name(&index.table_name)?;
    let Some(table) = catalog.named(&name)? else {
        return fail(ErrorClass::UndefinedTable, format!("table {name} does not exist"));
    };
    let mut table = (**table).clone();
    let mut columns = Vec::new();
    for column in &index.columns {
        let ast::Expr::Identifier(ident) = &column.column.expr else {
            return unsupported("an index on an expression");
        };
        columns.push(column_of(&table, &ident.value)?);
    }
    let name = index.name.as_ref().map(last_name).transpose()?.unwrap_or_default();
    table.keys.push(Key { name, columns, unique: index.unique, primary: false });
    catalog.change(table);
    Ok(())
}

/// Changes what a table demands of its rows. What changes the rows themselves is not supported.
fn alter_table(catalog: &mut Catalog, alter: &ast::AlterTable) -> Result<()> {
    let name = table_name(&alter.name)?;
    let Some(table) = catalog.named(&name)? else {
        // Views and sequences have owners, too.
        let owned = |one: &AlterTableOperation| matches!(one, AlterTableOperation::OwnerTo { .. });
        return match alter.if_exists || alter.operations.iter().all(owned) {
            true => Ok(()),
            false => fail(ErrorClass::UndefinedTable, format!("table {name} does not exist")),
        };
    };
    let mut draft = Draft::of((**table).clone());
    for operation in &alter.operations {
        draft.alter(operation)?;
    }
    let foreign = draft.foreign;
    catalog.change(draft.finish(catalog)?);
    catalog.note_foreign_keys(foreign);
    Ok(())
}

/// Adds the table that a statement describes; does nothing if it is there and the statement says IF NOT
/// EXISTS.
fn create_table(catalog: &mut Catalog, create: &ast::CreateTable) -> Result<()> {
    let name = table_name(&create.name)?;
    if create.temporary {
        // Every session has its own.
        return unsupported("a temporary table");
    }
    if catalog.named(&name)?.is_some() {
        if create.if_not_exists {
            return Ok(());
        }
        return fail(ErrorClass::DuplicateTable, format!("table {name} already exists"));
    }
    if create.query.is_some()
        || create.like.is_some()
        || create.inherits.is_some()
        || create.partition_by.is_some()
    {
        return unsupported("CREATE TABLE from a query or another table");
    }
    let mut draft = Draft::of(Table {
        id: catalog.next_id(),
        name,
        columns: Vec::new(),
        keys: Vec::new(),
        checks: Vec::new(),
    });
    for column in &create.columns {
        draft.column(catalog, column)?;
    }
    if let Some(collation) = table_collation(catalog.dialect(), &create.table_options) {
        draft.collate(collation);
    }
    for constraint in &create.constraints {
        draft.constraint(constraint)?;
    }
    let foreign = draft.foreign;
    catalog.add(draft.finish(catalog)?);
    catalog.note_foreign_keys(foreign);
    Ok(())
}

/// A table whose expressions are not bound yet.
struct Draft<'a> {
    table: Table,
    defaults: Vec<(usize, &'a ast::Expr)>,
    checks: Vec<&'a ast::Expr>,
    /// Columns that cannot be NULL only because they are in the primary key.
    implied: Vec<usize>,
    /// How many keys are declared before the primary key.
    before_primary: usize,
    /// Whether there is a foreign key.
    foreign: bool,
}

impl<'a> Draft<'a> {
    fn of(table: Table) -> Self {
        Self {
            table,
            defaults: Vec::new(),
            checks: Vec::new(),
            implied: Vec::new(),
            before_primary: 0,
            foreign: false,
        }
    }

    fn alter(&mut self, operation: &'a AlterTableOperation) -> Result<()> {
        match operation {
            // The expressions of a table are numbered when it is made.
            AlterTableOperation::AddConstraint { constraint, .. }
                if !matches!(constraint, TableConstraint::Check(_)) =>
            {
                self.constraint(constraint)
            }
            AlterTableOperation::OwnerTo { .. }
            | AlterTableOperation::ValidateConstraint { .. }
            | AlterTableOperation::DropForeignKey { .. } => Ok(()),
            AlterTableOperation::AlterColumn { column_name, op } => {
                self.alter_column(&column_name.value, op)
            }
            other => unsupported(format!("ALTER TABLE … {}", first_words(&other.to_string()))),
        }
    }

    fn alter_column(&mut self, name: &str, operation: &AlterColumnOperation) -> Result<()> {
        let index = column_of(&self.table, name)?;
        let column = &mut self.table.columns[index];
        match operation {
            AlterColumnOperation::SetNotNull => column.not_null = true,
            AlterColumnOperation::DropNotNull => column.not_null = false,
            AlterColumnOperation::DropDefault => column.default = DefaultValue::Nothing,
            AlterColumnOperation::SetDefault { value } if is_sequence(value) => {
                column.default = DefaultValue::Sequence { always: false };
            }
            AlterColumnOperation::AddGenerated { generated_as, .. } => {
                let always = matches!(generated_as, Some(ast::GeneratedAs::Always));
                column.default = DefaultValue::Sequence { always };
            }
            other => return unsupported(format!("ALTER COLUMN … {other}")),
        }
        Ok(())
    }

    /// A foreign key that only refuses what it does not allow. It is not checked.
    fn foreign_key(&mut self, key: &ast::ForeignKeyConstraint) -> Result<()> {
        let acts = |action: &&ast::ReferentialAction| {
            !matches!(action, ast::ReferentialAction::NoAction | ast::ReferentialAction::Restrict)
        };
        if let Some(action) = key.on_delete.as_ref().filter(acts) {
            return unsupported(format!("a foreign key with ON DELETE {action}"));
        }
        if let Some(action) = key.on_update.as_ref().filter(acts) {
            return unsupported(format!("a foreign key with ON UPDATE {action}"));
        }
        self.foreign = true;
        Ok(())
    }

    fn column(&mut self, catalog: &Catalog, written: &'a ast::ColumnDef) -> Result<()> {
        let name = written.name.value.clone();
        if self.table.column(&name).is_some() {
            return fail(ErrorClass::DuplicateColumn, format!("{name} is defined twice"));
        }
        let index = self.table.columns.len();
        let (ty, serial) = match serial(&written.data_type) {
            Some(ty) => (ty, true),
            None => (read_type(catalog.dialect(), &written.data_type)?, false),
        };
        let default =
            if serial { DefaultValue::Sequence { always: false } } else { DefaultValue::Nothing };
        self.table.columns.push(Column { name, ty, not_null: serial, default });
        if written.data_type == ast::DataType::JSON {
            self.table.checks.push(json_check(index));
        }
        for option in &written.options {
            self.column_option(catalog.dialect(), index, &option.option)?;
        }
        Ok(())
    }

    /// Columns that say nothing themselves compare in this way.
    fn collate(&mut self, collation: Collation) {
        for column in &mut self.table.columns {
            if let Type::Text { collation: own @ None, .. } = &mut column.ty {
                *own = Some(collation);
            }
        }
    }

    fn column_option(
        &mut self,
        dialect: Dialect,
        index: usize,
        option: &'a ColumnOption,
    ) -> Result<()> {
        let column = &mut self.table.columns[index];
        match option {
            ColumnOption::Null | ColumnOption::Comment(_) => {}
            ColumnOption::CharacterSet(name) => {
                if let Type::Text { collation: own @ None, .. } = &mut column.ty {
                    *own = Some(of_charset(dialect, &name.to_string()));
                }
            }
            ColumnOption::NotNull => column.not_null = true,
            ColumnOption::Default(value) => self.defaults.push((index, value)),
            ColumnOption::PrimaryKey(primary) => {
                checked_at_once(primary.characteristics.as_ref())?;
                self.key(None, vec![index], true, true);
            }
            ColumnOption::Unique(unique) => {
                plain_unique(unique)?;
                self.key(None, vec![index], true, false);
            }
            ColumnOption::Check(check) => self.checks.push(&check.expr),
            ColumnOption::ForeignKey(key) => self.foreign_key(key)?,
            ColumnOption::Collation(name) => {
                let collation = dialect.column_collation(&name.to_string());
                match &mut column.ty {
                    Type::Text { collation: own, .. } => *own = collation,
                    _ => return unsupported(format!("the collation {name}")),
                }
            }
            ColumnOption::Generated { generated_as, generation_expr: None, .. } => {
                let always = matches!(generated_as, ast::GeneratedAs::Always);
                column.default = DefaultValue::Sequence { always };
                column.not_null = true;
            }
            ColumnOption::DialectSpecific(tokens) => {
                let words: String = tokens
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" ")
                    .to_uppercase();
                match words.as_str() {
                    "AUTO_INCREMENT" => {
                        column.default = DefaultValue::Sequence { always: false };
                        column.not_null = true;
                    }
                    _ => return unsupported(format!("the column option {words}")),
                }
            }
            other => return unsupported(format!("the column option {other}")),
        }
        Ok(())
    }

    fn constraint(&mut self, constraint: &'a TableConstraint) -> Result<()> {
        match constraint {
            TableConstraint::PrimaryKey(primary) => {
                checked_at_once(primary.characteristics.as_ref())?;
                let columns = self.columns(&primary.columns)?;
                self.key(primary.name.as_ref(), columns, true, true);
            }
            TableConstraint::Unique(unique) => {
                plain_unique(unique)?;
                let columns = self.columns(&unique.columns)?;
                let name = unique.name.as_ref().or(unique.index_name.as_ref());
                self.key(name, columns, true, false);
            }
            TableConstraint::Index(index) => {
                let columns = self.columns(&index.columns)?;
                self.key(index.name.as_ref(), columns, false, false);
            }
            TableConstraint::Check(check) => self.checks.push(&check.expr),
            TableConstraint::ForeignKey(key) => self.foreign_key(key)?,
            other => return unsupported(format!("the constraint {other}")),
        }
        Ok(())
    }

    fn columns(&self, written: &[ast::IndexColumn]) -> Result<Vec<usize>> {
        let column = |one: &ast::IndexColumn| match &one.column.expr {
            ast::Expr::Identifier(ident) => column_of(&self.table, &ident.value),
            other => unsupported(format!("a key over {other}")),
        };
        written.iter().map(column).collect()
    }

    fn key(&mut self, name: Option<&ast::Ident>, columns: Vec<usize>, unique: bool, primary: bool) {
        if primary {
            let nullable = |column: &&usize| !self.table.columns[**column].not_null;
            self.implied = columns.iter().filter(nullable).copied().collect();
            self.before_primary = self.table.keys.len();
            columns.iter().for_each(|column| self.table.columns[*column].not_null = true);
        }
        let name = match name {
            Some(name) => name.value.clone(),
            None if primary => format!("{}_pkey", self.table.short_name()),
            None => {
                let names: Vec<&str> = columns
                    .iter()
                    .map(|column| self.table.columns[*column].name.as_str())
                    .collect();
                format!("{}_{}_key", self.table.short_name(), names.join("_"))
            }
        };
        let key = Key { name, columns, unique, primary };
        if primary { self.table.keys.insert(0, key) } else { self.table.keys.push(key) }
    }

    /// MySQL looks at keys without NULLs first.
    fn sort_keys(&mut self) {
        let columns = &self.table.columns;
        let mut keys: Vec<(usize, Key)> = self.table.keys.drain(..).enumerate().collect();
        keys.sort_by_key(|(place, key)| {
            // The primary key is the first one; a key that was declared before it does not know of it.
            let unaware = *place <= self.before_primary;
            let may_be_null = |column: &usize| {
                !columns[*column].not_null || (unaware && self.implied.contains(column))
            };
            (!key.primary, !key.unique, key.columns.iter().any(may_be_null))
        });
        self.table.keys = keys.into_iter().map(|(_, key)| key).collect();
    }

    /// Binds what refers to the table itself.
    fn finish(mut self, catalog: &Catalog) -> Result<Table> {
        let mut ids = NodeIds::of_table(self.table.id);
        for (index, default) in &self.defaults {
            let to = self.table.columns[*index].ty;
            let (mut expr, _) = Binder::new(catalog, &[], &[]).lone_expr(default, Some(to))?;
            number_expr(&mut ids, &mut expr);
            self.table.columns[*index].default = DefaultValue::Expr(expr);
        }
        if !catalog.dialect().is_strictly_typed() {
            self.sort_keys();
        }
        for check in &self.checks {
            let (mut expr, _) = Binder::new(catalog, &[], &[]).table_expr(&self.table, check)?;
            number_expr(&mut ids, &mut expr);
            self.table.checks.push(expr);
        }
        Ok(self.table)
    }
}

/// Keys are compared row by row, not at the end of a statement or a transaction.
fn checked_at_once(characteristics: Option<&ast::ConstraintCharacteristics>) -> Result<()> {
    match characteristics.is_some_and(|some| some.deferrable == Some(true)) {
        true => unsupported("a DEFERRABLE key"),
        false => Ok(()),
    }
}

fn plain_unique(unique: &ast::UniqueConstraint) -> Result<()> {
    if unique.nulls_distinct == ast::NullsDistinctOption::NotDistinct {
        return unsupported("NULLS NOT DISTINCT");
    }
    checked_at_once(unique.characteristics.as_ref())
}

/// Whether a default is the next number of a sequence.
fn is_sequence(value: &ast::Expr) -> bool {
    match value {
        ast::Expr::Function(function) => {
            last_name(&function.name).is_ok_and(|name| name.eq_ignore_ascii_case("nextval"))
        }
        _ => false,
    }
}

/// What an operation is called.
fn first_words(operation: &str) -> String {
    operation.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Types that are a whole number and a sequence.
fn serial(written: &ast::DataType) -> Option<Type> {
    let ast::DataType::Custom(name, _) = written else { return None };
    match name.to_string().to_lowercase().as_str() {
        "serial" | "serial4" => Some(Type::INT4),
        "bigserial" | "serial8" => Some(Type::INT8),
        "smallserial" | "serial2" => Some(Type::INT2),
        _ => None,
    }
}

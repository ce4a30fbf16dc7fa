//! A table while it is defined: columns and constraints as they are written, until all of them are known.
//!
//! Layer `bind`. DEFAULTs and CHECKs are bound when the draft is finished, once; they may use any column.

use sqlparser::ast::{self, ColumnOption, TableConstraint};

use crate::catalog::{
    Action, Catalog, Check, Column, DefaultValue, ForeignKey, Key, Table, table_name,
};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{Expr, walk_columns};
use crate::sequence::Sequence;
use crate::types::Type;
use crate::value::Value;

use super::binder::Binder;
use super::collations::of_charset;
use super::loose_json::json_check;
use super::writes::column_of;

/// A table whose expressions are not bound yet.
pub(super) struct Draft<'a> {
    pub(super) table: Table,
    pub(super) defaults: Vec<(usize, &'a ast::Expr)>,
    /// Conditions, with their names if they have some; whether the rows that are there meet them.
    pub(super) checks: Vec<(Option<String>, &'a ast::Expr, bool)>,
    /// Columns that cannot be NULL only because they are in the primary key.
    pub(super) implied: Vec<usize>,
    /// How many keys are declared before the primary key.
    before_primary: usize,
    /// Columns that are computed from others, and whether only when a row is read.
    pub(super) generated: Vec<(usize, &'a ast::Expr, bool)>,
    /// Whether a foreign key was added.
    foreign: bool,
    /// The sequences of its columns that are new or changed.
    pub(super) sequences: Vec<Sequence>,
}

impl<'a> Draft<'a> {
    pub(super) fn of(table: Table) -> Self {
        Self {
            table,
            defaults: Vec::new(),
            checks: Vec::new(),
            implied: Vec::new(),
            before_primary: 0,
            generated: Vec::new(),
            foreign: false,
            sequences: Vec::new(),
        }
    }

    pub(super) fn has_foreign(&self) -> bool {
        self.foreign
    }

    pub(super) fn column(&mut self, catalog: &Catalog, written: &'a ast::ColumnDef) -> Result<()> {
        self.named_column(catalog, written.name.value.clone(), written)
    }

    /// A column with another name than is written.
    pub(super) fn named_column(
        &mut self,
        catalog: &Catalog,
        name: String,
        written: &'a ast::ColumnDef,
    ) -> Result<()> {
        if self.table.column(&name).is_some() {
            return fail(ErrorClass::DuplicateColumn, format!("{name} is defined twice"));
        }
        let index = self.table.columns.len();
        let domain = catalog.domain(&written.data_type)?;
        let (ty, serial) = match serial(&written.data_type) {
            Some(ty) => (ty, true),
            None => match &domain {
                Some(domain) => (domain.base, false),
                None => (catalog.read_type(&written.data_type)?, false),
            },
        };
        let default =
            domain.as_ref().map_or(DefaultValue::Nothing, |domain| domain.default.clone());
        let column =
            Column { name, ty, not_null: serial, default, renewed: false, domain, blurred: false };
        self.table.columns.push(column);
        if serial {
            self.count(catalog, index, false, &[])?;
        }
        if written.data_type == ast::DataType::JSON && !catalog.dialect().is_strictly_typed() {
            let check = Check { name: String::new(), expr: json_check(index), valid: true };
            self.table.checks.push(check);
        }
        for option in &written.options {
            let name = option.name.as_ref().map(|name| name.value.clone());
            self.column_option(catalog, index, name, &option.option)?;
        }
        Ok(())
    }

    /// Columns that say nothing themselves compare as the table says.
    pub(super) fn collate(&mut self) {
        let Some(collation) = self.table.collation else { return };
        for column in &mut self.table.columns {
            if let Some(own @ None) = column.ty.own_collation() {
                *own = Some(collation);
            }
        }
    }

    pub(super) fn column_option(
        &mut self,
        catalog: &Catalog,
        index: usize,
        name: Option<String>,
        option: &'a ColumnOption,
    ) -> Result<()> {
        let dialect = catalog.dialect();
        let column = &mut self.table.columns[index];
        match option {
            ColumnOption::Null | ColumnOption::Comment(_) => {}
            ColumnOption::CharacterSet(name) => {
                if let Some(own @ None) = column.ty.own_collation() {
                    *own = Some(of_charset(dialect, &name.to_string()));
                }
            }
            ColumnOption::NotNull => column.not_null = true,
            ColumnOption::Default(value) if is_sequence(value) => {
                self.count_with(catalog, index, value)?;
            }
            ColumnOption::Default(value) => self.defaults.push((index, value)),
            ColumnOption::PrimaryKey(primary) => {
                self.key(name, vec![index], true, true);
                self.characterize(primary.characteristics.as_ref(), true);
            }
            ColumnOption::Unique(unique) => {
                self.key(name, vec![index], true, false);
                self.nulls(unique);
                self.characterize(unique.characteristics.as_ref(), false);
            }
            ColumnOption::Check(check) => self.checks.push((name, &check.expr, true)),
            ColumnOption::ForeignKey(key) => self.foreign_key(catalog, name, vec![index], key)?,
            ColumnOption::Collation(name) => {
                let collation = dialect.column_collation(&name.to_string());
                match column.ty.own_collation() {
                    Some(own) => *own = collation,
                    None => return unsupported(format!("the collation {name}")),
                }
            }
            ColumnOption::Generated {
                generation_expr: Some(expr),
                generation_expr_mode: mode,
                ..
            } => match mode {
                Some(ast::GeneratedExpressionMode::Stored) => {
                    self.generated.push((index, expr, false));
                }
                _ if dialect.is_strictly_typed() => return unsupported("a virtual column"),
                _ => self.generated.push((index, expr, true)),
            },
            ColumnOption::Generated {
                generated_as,
                generation_expr: None,
                sequence_options,
                ..
            } => {
                let always = matches!(generated_as, ast::GeneratedAs::Always);
                column.not_null = true;
                let options = sequence_options.as_deref().unwrap_or_default();
                self.count(catalog, index, always, options)?;
            }
            ColumnOption::OnUpdate(expr) if is_now(expr) => column.renewed = true,
            ColumnOption::DialectSpecific(tokens) => {
                let words: String = tokens
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" ")
                    .to_uppercase();
                match words.as_str() {
                    "AUTO_INCREMENT" => {
                        column.not_null = true;
                        self.count(catalog, index, false, &[])?;
                    }
                    _ => return unsupported(format!("the column option {words}")),
                }
            }
            other => return unsupported(format!("the column option {other}")),
        }
        Ok(())
    }

    pub(super) fn constraint(
        &mut self,
        catalog: &Catalog,
        constraint: &'a TableConstraint,
    ) -> Result<()> {
        let named = |name: &Option<ast::Ident>| name.as_ref().map(|name| name.value.clone());
        match constraint {
            TableConstraint::PrimaryKey(primary) => {
                let columns = self.columns(&primary.columns)?;
                self.key(named(&primary.name), columns, true, true);
                self.characterize(primary.characteristics.as_ref(), true);
            }
            TableConstraint::Unique(unique) => {
                let columns = self.columns(&unique.columns)?;
                let name = named(&unique.name).or(named(&unique.index_name));
                self.key(name, columns, true, false);
                self.nulls(unique);
                self.characterize(unique.characteristics.as_ref(), false);
            }
            TableConstraint::Index(index) => {
                let whole = |one: &ast::IndexColumn| match prefixed(&one.column.expr) {
                    Some(name) => column_of(&self.table, &name),
                    None => self.column_in_key(one),
                };
                let columns = index.columns.iter().map(whole).collect::<Result<_>>()?;
                self.key(named(&index.name), columns, false, false);
            }
            TableConstraint::Check(check) => {
                self.checks.push((named(&check.name), &check.expr, true));
            }
            TableConstraint::ForeignKey(key) => {
                let columns = key.columns.iter().map(|name| column_of(&self.table, &name.value));
                let columns = columns.collect::<Result<Vec<_>>>()?;
                self.foreign_key(catalog, named(&key.name), columns, key)?;
            }
            other => return unsupported(format!("the constraint {other}")),
        }
        Ok(())
    }

    fn columns(&self, written: &[ast::IndexColumn]) -> Result<Vec<usize>> {
        written.iter().map(|one| self.column_in_key(one)).collect()
    }

    fn column_in_key(&self, one: &ast::IndexColumn) -> Result<usize> {
        match &one.column.expr {
            ast::Expr::Identifier(ident) => column_of(&self.table, &ident.value),
            other => unsupported(format!("a key over {other}")),
        }
    }

    /// NULLS NOT DISTINCT of the key that came last.
    fn nulls(&mut self, unique: &ast::UniqueConstraint) {
        if let Some(key) = self.table.keys.last_mut() {
            key.nulls_equal = unique.nulls_distinct == ast::NullsDistinctOption::NotDistinct;
        }
    }

    /// DEFERRABLE of the key that came last.
    fn characterize(&mut self, how: Option<&ast::ConstraintCharacteristics>, primary: bool) {
        let keys = &mut self.table.keys;
        let key = if primary { keys.first_mut() } else { keys.last_mut() };
        if let Some(key) = key
            && how.is_some_and(|how| {
                how.deferrable == Some(true)
                    || how.initially == Some(ast::DeferrableInitial::Deferred)
            })
        {
            (key.unique, key.primary, key.deferrable) = (false, false, true);
        }
    }

    fn key(&mut self, name: Option<String>, columns: Vec<usize>, unique: bool, primary: bool) {
        if primary {
            let nullable = |column: &&usize| !self.table.columns[**column].not_null;
            self.implied = columns.iter().filter(nullable).copied().collect();
            self.before_primary = self.table.keys.len();
            columns.iter().for_each(|column| self.table.columns[*column].not_null = true);
        }
        let name = name.unwrap_or_else(|| match primary {
            true => self.free_name("", "pkey"),
            false => self.free_name(&self.names(&columns), "key"),
        });
        let key = Key { primary, ..Key::over(name, columns, unique) };
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

    /// The names of some columns, as the server puts them into the name of a constraint.
    fn names(&self, columns: &[usize]) -> String {
        let name = |column: &usize| self.table.columns[*column].name.as_str();
        columns.iter().map(name).collect::<Vec<_>>().join("_")
    }

    /// The name that PostgreSQL chooses for a constraint: a number is added while there is one of this name.
    fn free_name(&self, columns: &str, kind: &str) -> String {
        let parts = [self.table.short_name(), columns, kind];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let base = parts.join("_");
        let names = || {
            let keys = self.table.keys.iter().map(|key| &key.name);
            let checks = self.table.checks.iter().map(|check| &check.name);
            keys.chain(checks).chain(self.table.foreign.iter().map(|key| &key.name))
        };
        let mut name = base.clone();
        let mut number = 0;
        while names().any(|taken| taken.eq_ignore_ascii_case(&name)) {
            number += 1;
            name = format!("{base}{number}");
        }
        name
    }

    /// The name that PostgreSQL chooses for a primary key.
    pub(super) fn primary_name(&self) -> String {
        self.free_name("", "pkey")
    }

    /// A reference to another table. What it refers to has to be known only if something is to be done when
    /// that changes.
    pub(super) fn foreign_key(
        &mut self,
        catalog: &Catalog,
        name: Option<String>,
        columns: Vec<usize>,
        key: &ast::ForeignKeyConstraint,
    ) -> Result<()> {
        self.foreign = true;
        let (on_delete, on_update) =
            (action(key.on_delete.as_ref()), action(key.on_update.as_ref()));
        let acts = on_delete.acts() || on_update.acts();
        let written = table_name(&key.foreign_table)?;
        let own = catalog.means(&written, &self.table.name);
        let parent = match catalog.named(&written) {
            _ if own => self.table.clone(),
            Ok(Some(parent)) => (**parent).clone(),
            _ if acts => {
                return unsupported("a foreign key with actions to a table that is not known");
            }
            _ => {
                self.table.nature.refers_elsewhere = true;
                return Ok(());
            }
        };
        let referred = match key.referred_columns.as_slice() {
            [] => match parent.keys.iter().find(|key| key.primary) {
                Some(primary) => primary.columns.clone(),
                None => return unsupported("a foreign key to a table without a primary key"),
            },
            some => {
                let columns = some.iter().map(|name| column_of(&parent, &name.value));
                columns.collect::<Result<Vec<_>>>()?
            }
        };
        if referred.len() != columns.len() {
            return unsupported("a foreign key with another number of columns than it refers to");
        }
        let name = name.unwrap_or_else(|| self.free_name(&self.names(&columns), "fkey"));
        self.table.foreign.push(ForeignKey {
            name,
            columns,
            parent: parent.id,
            referred,
            on_delete,
            on_update,
        });
        Ok(())
    }

    /// Binds what refers to the table itself.
    pub(super) fn finish(mut self, catalog: &Catalog) -> Result<Table> {
        for (index, default) in &self.defaults {
            let to = self.table.columns[*index].ty;
            let (expr, _) = Binder::new(catalog, &[], &[]).lone_expr(default, Some(to))?;
            self.table.columns[*index].default = DefaultValue::Expr(expr);
        }
        for column in &mut self.table.columns {
            // An ENUM that has to have a value is its first label, if nothing else is said.
            if let (true, DefaultValue::Nothing, Some(label)) =
                (column.not_null, &column.default, column.ty.first_label())
            {
                column.default = DefaultValue::Expr(Expr::Const(Value::text(label)));
            }
        }
        for (index, expr, is_virtual) in std::mem::take(&mut self.generated) {
            let to = self.table.columns[index].ty;
            let mut binder = Binder::new(catalog, &[], &[]);
            let bound = binder.table_expr(&self.table, expr)?;
            let expr = binder.assign(bound, to)?;
            self.table.columns[index].default = match is_virtual {
                true => DefaultValue::Virtual(expr),
                false => DefaultValue::Generated(expr),
            };
        }
        if !catalog.dialect().is_strictly_typed() {
            self.sort_keys();
        }
        for (name, check, valid) in std::mem::take(&mut self.checks) {
            let (mut expr, _) = Binder::new(catalog, &[], &[]).table_expr(&self.table, check)?;
            let name = name.unwrap_or_else(|| {
                let mut used = Vec::new();
                walk_columns(&mut expr, &mut |_, index| {
                    if !used.contains(&index) {
                        used.push(index);
                    }
                });
                let columns = if used.len() == 1 { self.names(&used) } else { String::new() };
                self.free_name(&columns, "check")
            });
            self.table.checks.push(Check { name, expr, valid });
        }
        self.table.number();
        Ok(self.table)
    }
}

/// The column of `body(20)`, the first letters of a column. An index that is not unique only makes things faster, so
/// it may as well be over all of it.
pub(super) fn prefixed(key: &ast::Expr) -> Option<String> {
    let ast::Expr::Function(function) = key else { return None };
    let number = |arg: &ast::FunctionArg| {
        matches!(arg, ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::Value(value)))
            if matches!(value.value, ast::Value::Number(..)))
    };
    match &function.args {
        ast::FunctionArguments::List(list) if list.args.len() == 1 && number(&list.args[0]) => {
            last_name(&function.name).ok()
        }
        _ => None,
    }
}

/// What a foreign key does.
fn action(written: Option<&ast::ReferentialAction>) -> Action {
    match written {
        None | Some(ast::ReferentialAction::NoAction | ast::ReferentialAction::Restrict) => {
            Action::Refuse
        }
        Some(ast::ReferentialAction::Cascade) => Action::Cascade,
        Some(ast::ReferentialAction::SetNull) => Action::SetNull,
        Some(ast::ReferentialAction::SetDefault) => Action::SetDefault,
    }
}

/// Whether a default is the next number of a sequence.
pub(super) fn is_sequence(value: &ast::Expr) -> bool {
    match value {
        ast::Expr::Function(function) => {
            last_name(&function.name).is_ok_and(|name| name.eq_ignore_ascii_case("nextval"))
        }
        _ => false,
    }
}

/// Whether a value is the current time, in whole seconds.
fn is_now(value: &ast::Expr) -> bool {
    let text = value.to_string().to_lowercase();
    ["current_timestamp", "now", "localtime", "localtimestamp"]
        .contains(&text.strip_suffix("()").unwrap_or(&text))
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

//! ALTER TABLE of MySQL: columns that come between others, and columns that are defined again.
//!
//! Layer `bind`; knows drafts of tables.

use sqlparser::ast;

use crate::catalog::{Catalog, Column, DefaultValue, Timing, Trigger, read_type};
use crate::error::{Result, unsupported};
use crate::parse::{converts_to, unless_there};
use crate::plan::Expr;
use crate::types::Type;

use super::alter::{Alteration, Origin, uses};
use super::binder::Binder;
use super::collations::of_charset;
use super::writes::column_of;

/// Where a column goes.
type Position<'a> = Option<&'a ast::MySQLColumnPosition>;

impl<'a> Alteration<'a> {
    pub(super) fn add_column(
        &mut self,
        catalog: &Catalog,
        written: &'a ast::ColumnDef,
        if_not_exists: bool,
        position: Position<'_>,
    ) -> Result<()> {
        let marked = unless_there(&written.name.value);
        let name = marked.unwrap_or(&written.name.value).to_owned();
        let known = self.draft.table.column(&name).is_some();
        if known && (if_not_exists || marked.is_some()) {
            return Ok(());
        }
        self.draft.named_column(catalog, name, written)?;
        self.draft.collate();
        let fires = |trigger: &Trigger| trigger.timing == Timing::Before && trigger.per_row;
        let generated = |one: &ast::ColumnOptionDef| {
            matches!(one.option, ast::ColumnOption::Generated { generation_expr: Some(_), .. })
        };
        if self.draft.table.triggers.iter().any(fires) && written.options.iter().any(generated) {
            return unsupported("a generated column of a table with BEFORE triggers");
        }
        self.origins.push(Origin::New);
        self.put(self.origins.len() - 1, position)
    }

    /// `MODIFY a …`, `CHANGE a b …`: nothing of what was said about the column remains, except its keys.
    pub(super) fn redefine(
        &mut self,
        catalog: &Catalog,
        (old, new): (&ast::Ident, &ast::Ident),
        written: &ast::DataType,
        options: &'a [ast::ColumnOption],
        position: Position<'_>,
    ) -> Result<()> {
        let index = column_of(&self.draft.table, &old.value)?;
        let Origin::Kept(place) = self.origins[index] else {
            return unsupported("two definitions of one column");
        };
        let before = self.draft.table.columns[index].clone();
        let computed =
            matches!(before.default, DefaultValue::Generated(_) | DefaultValue::Virtual(_));
        if computed || self.bound_exprs().any(|expr| uses(&expr, index)) {
            return unsupported("another definition of a column that conditions use");
        }
        let table = &mut self.draft.table;
        if table.column(&new.value).is_some_and(|other| other != index) {
            return unsupported("a name that another column has");
        }
        let primary = table.keys.iter().any(|key| key.primary && key.columns.contains(&index));
        let says = |option: &ast::ColumnOption| matches!(option, ast::ColumnOption::NotNull);
        if primary && !options.iter().any(says) {
            return unsupported("another definition of a primary key that does not say NOT NULL");
        }
        table.columns[index] = Column {
            name: new.value.clone(),
            ty: read_type(catalog.dialect(), written)?,
            not_null: primary,
            default: DefaultValue::Nothing,
            renewed: false,
            domain: None,
            blurred: false,
        };
        if *written == ast::DataType::JSON {
            return unsupported("another definition of a column, as JSON");
        }
        self.draft.defaults.retain(|(column, _)| *column != index);
        for option in options {
            if matches!(option, ast::ColumnOption::Generated { .. }) {
                return unsupported("a column that is computed from now on");
            }
            self.draft.column_option(catalog, index, None, option)?;
        }
        self.draft.collate();
        self.retyped(catalog, index, place, before.ty)?;
        self.checks = true;
        self.put(index, position)
    }

    /// A column has another type now, or the same.
    fn retyped(&mut self, catalog: &Catalog, index: usize, place: usize, from: Type) -> Result<()> {
        let table = &self.draft.table;
        let to = table.columns[index].ty;
        if from == to {
            return Ok(());
        }
        let refers = table.foreign.iter().any(|key| key.columns.contains(&index));
        let referred = catalog.referrers(table.id).any(|(_, key)| key.referred.contains(&index));
        if refers || referred {
            return unsupported("another type for a column of a foreign key");
        }
        if !converts_as_stored(from, to) {
            return unsupported("a column that becomes a very different type");
        }
        let value = Binder::new(catalog, &[], &[]).assign((Expr::column(place), from), to)?;
        self.origins[index] = Origin::Converted(value);
        Ok(())
    }

    /// `CONVERT TO CHARACTER SET …`: the texts remain, and compare in another way.
    pub(super) fn convert(&mut self, catalog: &Catalog, mark: &str, to: &str) -> Result<()> {
        let Some((charset, named)) = converts_to(mark, to) else {
            return unsupported("CONVERT TO without a character set");
        };
        let dialect = catalog.dialect();
        let new = match named {
            "" => of_charset(dialect, charset),
            named => dialect.collation_named(named),
        };
        if !charset.to_lowercase().starts_with("utf8") {
            return unsupported("CONVERT TO a character set that lacks letters");
        }
        self.draft.table.collation = Some(new);
        for index in 0..self.draft.table.columns.len() {
            let column = &mut self.draft.table.columns[index];
            let before = column.ty;
            if let Some(collation) = column.ty.own_collation() {
                *collation = Some(new);
            }
            if before == column.ty {
                continue;
            }
            let Origin::Kept(place) = self.origins[index] else {
                return unsupported("CONVERT TO together with other columns");
            };
            if self.bound_exprs().any(|expr| uses(&expr, index)) {
                return unsupported("another collation for a column that conditions use");
            }
            self.retyped(catalog, index, place, before)?;
        }
        self.checks = true;
        Ok(())
    }

    /// Puts a column in its place.
    fn put(&mut self, index: usize, position: Position<'_>) -> Result<()> {
        let to = match position {
            None => return Ok(()),
            Some(ast::MySQLColumnPosition::First) => 0,
            Some(ast::MySQLColumnPosition::After(name)) => {
                let before = column_of(&self.draft.table, &name.value)?;
                if before == index {
                    return unsupported("a column after itself");
                }
                before + usize::from(before < index)
            }
        };
        let mut order: Vec<usize> = (0..self.origins.len()).collect();
        order.remove(index);
        order.insert(to, index);
        self.reorder(&order);
        Ok(())
    }

    /// Puts the columns in an order, given by their numbers before.
    fn reorder(&mut self, order: &[usize]) {
        let place = |old: usize| order.iter().position(|one| *one == old).unwrap_or(old);
        let table = &mut self.draft.table;
        table.columns = order.iter().map(|old| table.columns[*old].clone()).collect();
        self.origins = order.iter().map(|old| self.origins[*old].clone()).collect();
        self.draft.renumber(&place);
    }
}
/// Whether a column that gets another type holds what an INSERT of its values would store.
fn converts_as_stored(from: Type, to: Type) -> bool {
    matches!(
        (from, to),
        (Type::Int(_) | Type::Decimal(_), Type::Int(_) | Type::Decimal(_) | Type::Text { .. })
            | (Type::Text { .. }, Type::Text { .. })
            | (Type::Date | Type::Timestamp(_), Type::Timestamp(_))
    )
}

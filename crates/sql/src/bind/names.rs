//! What a name means: a column, a variable, or a name that the query gave itself.
//!
//! Layer `bind`; knows scopes.

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::Expr;

use crate::catalog::HIDDEN;

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// A name, alone or behind the name of a table.
    pub(super) fn name(&mut self, relation: Option<&str>, name: &str) -> Result<Typed> {
        if relation.is_none()
            && !self.dialect.is_strictly_typed()
            && let Some(local) = self.local(name)
        {
            return Ok(local);
        }
        self.refuse_other_case(relation)?;
        for (depth, scope) in self.scopes.iter().rev().enumerate() {
            if let Some((index, ty)) = scope.find(relation, name)? {
                if relation.is_none() && self.local(name).is_some() && !self.is_hidden(name) {
                    return fail(
                        ErrorClass::AmbiguousColumn,
                        format!("{name} is a column and a variable"),
                    );
                }
                return Ok((Expr::Column { depth, index }, ty));
            }
            if relation.is_none()
                && depth == 0
                && let Some((_, alias)) =
                    scope.aliases.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name))
            {
                let alias = alias.clone();
                return self.without_aliases(|binder| binder.expr(&alias));
            }
        }
        if relation.is_none()
            && self.dialect.is_strictly_typed()
            && let Some(row) = self.whole_row(name)?
        {
            return Ok(row);
        }
        self.refuse_row(relation, name)?;
        // A column of a record is a variable with two names.
        let local = match relation {
            None => self.local(name),
            Some(relation) => self.local(&format!("{relation}.{name}")),
        };
        if let Some(local) = local {
            return Ok(local);
        }
        let record = format!("{name}.");
        let starts = |local: &str| {
            local.get(..record.len()).is_some_and(|start| start.eq_ignore_ascii_case(&record))
        };
        if !self.locals.is_empty() && is_special(name) {
            return unsupported(format!("the variable {name}"));
        }
        if relation.is_none() && self.locals.iter().any(|(local, _)| starts(local)) {
            return unsupported("a whole record as a value");
        }
        if !relation.is_none_or(|wanted| self.is_relation(wanted))
            && self.dialect.is_strictly_typed()
        {
            // The name of a routine or a block may stand before that of a variable.
            if !self.locals.is_empty() {
                return unsupported("a name with the name of a routine before it");
            }
            return fail(
                ErrorClass::UndefinedTable,
                format!("table {} does not exist", relation.unwrap_or_default()),
            );
        }
        if self.dialect.is_strictly_typed() && is_of_the_system(name) {
            return unsupported(format!("the system column {name}"));
        }
        fail(ErrorClass::UndefinedColumn, format!("column {name} does not exist"))
    }

    /// In PostgreSQL, the name of a table that is not the name of a column stands for the whole row, and
    /// `t.f` for the function `f` of the row.
    fn refuse_row(&self, relation: Option<&str>, name: &str) -> Result<()> {
        if !self.dialect.is_strictly_typed() {
            return Ok(());
        }
        match relation {
            None if self.is_relation(name) => {
                unsupported(format!("a whole row as a value ({name} is a table here)"))
            }
            Some(relation) if self.is_relation(relation) && self.takes_rows(name) => {
                unsupported(format!("the function {name} of a whole row ({relation}.{name})"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the names of tables have a case is a setting of MySQL and MariaDB.
    fn refuse_other_case(&self, relation: Option<&str>) -> Result<()> {
        let Some(wanted) = relation.filter(|_| !self.dialect.is_strictly_typed()) else {
            return Ok(());
        };
        let mut relations = self.scopes.iter().flat_map(|scope| &scope.relations);
        let exact = relations.clone().any(|one| one.name == wanted);
        match relations.find(|one| !exact && one.name.eq_ignore_ascii_case(wanted)) {
            Some(other) => unsupported(format!("the name {wanted} for the table {}", other.name)),
            None => Ok(()),
        }
    }

    /// Whether a table of the queries around has this name.
    fn is_relation(&self, name: &str) -> bool {
        let mut relations = self.scopes.iter().flat_map(|scope| &scope.relations);
        relations.any(|one| one.name.eq_ignore_ascii_case(name))
    }

    /// Whether a function with this name may take a row.
    fn takes_rows(&self, name: &str) -> bool {
        let known = [
            "array_agg",
            "count",
            "json_agg",
            "jsonb_agg",
            "pg_column_size",
            "pg_typeof",
            "row_to_json",
            "to_json",
            "to_jsonb",
        ];
        known.iter().any(|one| one.eq_ignore_ascii_case(name))
            || self.catalog.routine(name).is_some()
    }

    /// Whether a variable is a parameter of a function in SQL, which the name of a column hides.
    fn is_hidden(&self, name: &str) -> bool {
        let local = self.locals.iter().rfind(|(local, _)| is_named(local, name));
        local.is_some_and(|(local, _)| local.starts_with(HIDDEN))
    }

    fn local(&self, name: &str) -> Option<Typed> {
        let index = self.locals.iter().rposition(|(local, _)| is_named(local, name))?;
        Some((Expr::Local(index), self.locals[index].1))
    }

    fn without_aliases<T>(&mut self, bind: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let kept = std::mem::take(&mut self.scope()?.aliases);
        let bound = bind(self);
        self.scope()?.aliases = kept;
        bound
    }
}

/// Whether every table of PostgreSQL has a column with this name, which only the server fills.
fn is_of_the_system(name: &str) -> bool {
    ["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"].contains(&name.to_lowercase().as_str())
}

/// Whether a routine of PostgreSQL may have a variable of this name without declaring it.
fn is_special(name: &str) -> bool {
    let name = name.to_lowercase();
    name.starts_with("tg_") || matches!(name.as_str(), "sqlerrm" | "sqlstate")
}

fn is_named(local: &str, name: &str) -> bool {
    local.strip_prefix(HIDDEN).unwrap_or(local).eq_ignore_ascii_case(name)
}

//! What a name means: a column, a variable, or a name that the query gave itself.
//!
//! Layer `bind`; knows scopes.

use crate::error::{ErrorClass, Result, fail};
use crate::plan::Expr;

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
        for (depth, scope) in self.scopes.iter().rev().enumerate() {
            if let Some((index, ty)) = scope.find(relation, name)? {
                if relation.is_none() && self.local(name).is_some() {
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
        // A column of a record is a variable with two names.
        let local = match relation {
            None => self.local(name),
            Some(relation) => self.local(&format!("{relation}.{name}")),
        };
        if let Some(local) = local {
            return Ok(local);
        }
        let known = relation.is_none_or(|wanted| {
            self.scopes
                .iter()
                .flat_map(|scope| &scope.relations)
                .any(|one| one.name.eq_ignore_ascii_case(wanted))
        });
        if !known && self.dialect.is_strictly_typed() {
            return fail(
                ErrorClass::UndefinedTable,
                format!("table {} does not exist", relation.unwrap_or_default()),
            );
        }
        fail(ErrorClass::UndefinedColumn, format!("column {name} does not exist"))
    }

    fn local(&self, name: &str) -> Option<Typed> {
        let index = self.locals.iter().rposition(|(local, _)| local.eq_ignore_ascii_case(name))?;
        Some((Expr::Local(index), self.locals[index].1))
    }

    fn without_aliases<T>(&mut self, bind: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let kept = std::mem::take(&mut self.scope()?.aliases);
        let bound = bind(self);
        self.scope()?.aliases = kept;
        bound
    }
}

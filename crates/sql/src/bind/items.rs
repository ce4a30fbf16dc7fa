//! What a SELECT shows.

use sqlparser::ast;

use crate::error::{Class, Result, fail, unsupported};
use crate::plan::Expr;

use super::select::Item;
use super::{Binder, Typed, last_name};

impl Binder<'_> {
    pub(super) fn items(&mut self, projection: &[ast::SelectItem]) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        for item in projection {
            match item {
                ast::SelectItem::UnnamedExpr(expr) => {
                    let (bound, ty) = self.item(expr)?;
                    items.push(Item { expr: bound, ty, name: implied_name(expr), named: false });
                }
                ast::SelectItem::ExprWithAlias { expr, alias } => {
                    let (bound, ty) = self.item(expr)?;
                    items.push(Item { expr: bound, ty, name: alias.value.clone(), named: true });
                }
                ast::SelectItem::Wildcard(options) if is_plain(options) => {
                    self.star(None, &mut items)?;
                }
                ast::SelectItem::QualifiedWildcard(
                    ast::SelectItemQualifiedWildcardKind::ObjectName(name),
                    options,
                ) if is_plain(options) => {
                    let name = last_name(name)?;
                    self.star(Some(&name), &mut items)?;
                }
                other => return unsupported(format!("SELECT {other}")),
            }
        }
        Ok(items)
    }

    fn item(&mut self, expr: &ast::Expr) -> Result<Typed> {
        let open = std::mem::take(&mut self.leaves_types_open);
        let bound = self.expr(expr);
        self.leaves_types_open = open;
        let bound = bound?;
        let (expr, ty) = if open { bound } else { self.settle(bound) };
        Ok((self.fold(expr), ty))
    }

    fn star(&mut self, wanted: Option<&str>, items: &mut Vec<Item>) -> Result<()> {
        let scope = self.scope()?;
        let relations = scope.relations.iter();
        let chosen: Vec<_> = relations
            .filter(|one| wanted.is_none_or(|name| one.name.eq_ignore_ascii_case(name)))
            .collect();
        if chosen.is_empty() {
            return fail(Class::UndefinedTable, "* of nothing");
        }
        // Columns that were joined by their names come first.
        let shared = |name: &str| {
            scope
                .relations
                .iter()
                .flat_map(|one| &one.columns)
                .any(|one| one.merged && one.name.eq_ignore_ascii_case(name))
        };
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for relation in chosen {
            for (index, column) in relation.columns.iter().enumerate() {
                if column.merged && wanted.is_none() {
                    continue;
                }
                let expr = Expr::column(relation.at + index);
                let item = Item { expr, ty: column.ty, name: column.name.clone(), named: false };
                let goes_first = wanted.is_none() && shared(&column.name);
                if goes_first { first.push(item) } else { rest.push(item) }
            }
        }
        items.extend(first);
        items.extend(rest);
        Ok(())
    }
}

fn implied_name(expr: &ast::Expr) -> String {
    match expr {
        ast::Expr::Identifier(ident) => ident.value.clone(),
        ast::Expr::CompoundIdentifier(parts) => {
            parts.last().map(|part| part.value.clone()).unwrap_or_default()
        }
        ast::Expr::Function(function) => {
            last_name(&function.name).unwrap_or_default().to_lowercase()
        }
        ast::Expr::Nested(inner) => implied_name(inner),
        ast::Expr::Cast { expr, .. } => implied_name(expr),
        other => other.to_string(),
    }
}

fn is_plain(options: &ast::WildcardAdditionalOptions) -> bool {
    options.opt_ilike.is_none()
        && options.opt_exclude.is_none()
        && options.opt_except.is_none()
        && options.opt_replace.is_none()
        && options.opt_rename.is_none()
        && options.opt_alias.is_none()
}

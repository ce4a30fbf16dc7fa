//! What a SELECT shows.
//!
//! Layer `bind`; knows scopes, for `*`.

use std::cmp::Reverse;

use sqlparser::ast;

use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::Expr;
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::blurred::is_name;
use super::scope::ScopeColumn;

/// What a SELECT shows: an expression, its type and its name.
pub(super) struct Item {
    pub(super) expr: Expr,
    pub(super) ty: Type,
    pub(super) name: String,
    /// Was the name given with AS?
    pub(super) named: bool,
}

impl Binder<'_> {
    pub(super) fn items(&mut self, projection: &[ast::SelectItem]) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        let masking = std::mem::take(&mut self.masking);
        for item in projection {
            match item {
                ast::SelectItem::UnnamedExpr(expr) => {
                    let (bound, ty) = self.shown_item(expr, masking.then_some(items.len()))?;
                    let name = implied_name(expr, self.dialect.is_strictly_typed());
                    items.push(Item { expr: bound, ty, name, named: false });
                }
                ast::SelectItem::ExprWithAlias { expr, alias } => {
                    let (bound, ty) = self.shown_item(expr, masking.then_some(items.len()))?;
                    items.push(Item { expr: bound, ty, name: alias.value.clone(), named: true });
                }
                ast::SelectItem::Wildcard(options) if is_plain(options) => {
                    self.star(None, &mut items, masking)?;
                }
                ast::SelectItem::QualifiedWildcard(
                    ast::SelectItemQualifiedWildcardKind::ObjectName(name),
                    options,
                ) if is_plain(options) => {
                    let name = last_name(name)?;
                    self.star(Some(&name), &mut items, masking)?;
                }
                other => return unsupported(format!("SELECT {other}")),
            }
        }
        Ok(items)
    }

    /// An item; a bare blurred column is masked if the query allows it.
    fn shown_item(&mut self, expr: &ast::Expr, place: Option<usize>) -> Result<Typed> {
        match (self.item(expr), place) {
            (Err(ExecutionError::Blurred(column)), Some(place)) if is_name(expr) => {
                self.masks.get_or_insert_default().push((place, column));
                Ok((Expr::null(), Type::INT8))
            }
            (bound, _) => bound,
        }
    }

    fn item(&mut self, expr: &ast::Expr) -> Result<Typed> {
        let open = std::mem::take(&mut self.leaves_types_open);
        let bound = self.raw(expr);
        self.leaves_types_open = open;
        let bound = bound?;
        let (expr, ty) = if open { bound } else { self.settle(bound) };
        Ok((self.fold(expr), ty))
    }

    fn star(&mut self, wanted: Option<&str>, items: &mut Vec<Item>, masking: bool) -> Result<()> {
        let mut masked = Vec::new();
        let scope = self.scope()?;
        let relations = scope.relations.iter().enumerate();
        let chosen: Vec<_> = relations
            .filter(|(_, one)| wanted.is_none_or(|name| one.name.eq_ignore_ascii_case(name)))
            .collect();
        if chosen.is_empty() {
            return fail(ErrorClass::UndefinedTable, "* of nothing");
        }
        for (number, relation) in chosen {
            // Columns that were joined by their names come first, those of the last join before others.
            let leads = |column: &ScopeColumn| match column.leads {
                Some((first, join, place)) if wanted.is_none() => {
                    Some((first, Reverse(join), place))
                }
                _ => None,
            };
            let all = scope.relations.iter().flat_map(|one| one.columns.iter().zip(one.at..));
            let mut first: Vec<_> = all
                .filter_map(|(column, index)| Some((leads(column)?, (column, index))))
                .filter(|((first, ..), _)| *first == number)
                .collect();
            first.sort_by_key(|(rank, _)| *rank);
            // The number of a row has no name.
            let hidden = |column: &ScopeColumn| {
                column.name.is_empty()
                    || wanted.is_none() && (column.merged || leads(column).is_some())
            };
            let rest = relation.columns.iter().zip(relation.at..).filter(|(one, _)| !hidden(one));
            for (column, index) in first.into_iter().map(|(_, column)| column).chain(rest) {
                let name = column.name.clone();
                let (expr, ty) = match &column.blurred {
                    Some(blurred) if masking => {
                        masked.push((items.len(), blurred.clone()));
                        (Expr::null(), Type::INT8)
                    }
                    _ => {
                        column.refuse_blurred()?;
                        (Expr::column(index), column.ty)
                    }
                };
                items.push(Item { expr, ty, name, named: false });
            }
        }
        if !masked.is_empty() {
            self.masks.get_or_insert_default().extend(masked);
        }
        Ok(())
    }
}

fn implied_name(expr: &ast::Expr, strict: bool) -> String {
    match expr {
        other if strict && let Some(name) = function_name(other) => name.to_owned(),
        ast::Expr::Identifier(ident) => ident.value.clone(),
        ast::Expr::CompoundIdentifier(parts) => {
            parts.last().map(|part| part.value.clone()).unwrap_or_default()
        }
        ast::Expr::Function(function) => {
            last_name(&function.name).unwrap_or_default().to_lowercase()
        }
        ast::Expr::Nested(inner) => implied_name(inner, strict),
        ast::Expr::Cast { expr, .. } => implied_name(expr, strict),
        other => other.to_string(),
    }
}

/// The function that PostgreSQL names a column after, although it is not written like one.
fn function_name(expr: &ast::Expr) -> Option<&'static str> {
    use ast::Expr as E;
    Some(match expr {
        E::Extract { .. } => "extract",
        E::AtTimeZone { .. } => "timezone",
        E::Position { .. } => "position",
        E::Overlay { .. } => "overlay",
        E::Floor { .. } => "floor",
        E::Substring { shorthand: true, .. } => "substr",
        E::Substring { .. } => "substring",
        E::Trim { trim_where: Some(ast::TrimWhereField::Leading), .. } => "ltrim",
        E::Trim { trim_where: Some(ast::TrimWhereField::Trailing), .. } => "rtrim",
        E::Trim { .. } => "btrim",
        _ => return None,
    })
}

fn is_plain(options: &ast::WildcardAdditionalOptions) -> bool {
    options.opt_ilike.is_none()
        && options.opt_exclude.is_none()
        && options.opt_except.is_none()
        && options.opt_replace.is_none()
        && options.opt_rename.is_none()
        && options.opt_alias.is_none()
}

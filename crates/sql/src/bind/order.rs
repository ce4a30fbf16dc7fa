//! ORDER BY.
//!
//! Layer `bind`; knows what is shown.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Expr, SortKey};
use crate::special::Special;
use crate::types::{Element, Type};

use super::binder::Binder;
use super::chars::refuse_several_lengths;
use super::items::Item;
use super::specials::as_number;

impl Binder<'_> {
    /// ORDER BY: columns of the result, and expressions that are computed only for it.
    pub(super) fn order(
        &mut self,
        order: &[ast::OrderByExpr],
        items: &[Item],
        distinct: bool,
    ) -> Result<(Vec<SortKey>, Vec<Expr>)> {
        let mut keys = Vec::new();
        let mut hidden = Vec::new();
        for one in order {
            let (index, ty) = match self.output_index(&one.expr, items)? {
                Some(index) => (index, items[index].ty),
                // Not the column that DISTINCT shows, even if that is all it collates.
                None if distinct && matches!(one.expr, ast::Expr::Collate { .. }) => {
                    return unsupported("ORDER BY … COLLATE of what DISTINCT shows");
                }
                None => {
                    let bound = self.collated(&one.expr)?;
                    let (expr, ty) = self.settle(bound);
                    let expr = self.fold(expr);
                    match items.iter().position(|item| item.expr == expr) {
                        Some(index) => (index, ty),
                        None if distinct && self.dialect.is_strictly_typed() => {
                            return fail(
                                ErrorClass::InvalidColumnReference,
                                "ORDER BY something that DISTINCT dropped",
                            );
                        }
                        None if distinct => {
                            return unsupported("ORDER BY something that DISTINCT dropped");
                        }
                        None => {
                            hidden.push(expr);
                            (items.len() + hidden.len() - 1, ty)
                        }
                    }
                }
            };
            let (index, ty) = match ty {
                // They are shown as texts and sorted as numbers.
                Type::Special(Special::One(..) | Special::Many(..)) if !distinct => {
                    let shown = items.get(index).map(|item| &item.expr);
                    let expr = shown.unwrap_or_else(|| &hidden[index - items.len()]).clone();
                    let (place, ty) = as_number((expr, ty))?;
                    hidden.push(place);
                    (items.len() + hidden.len() - 1, ty)
                }
                _ => (index, ty),
            };
            keys.push(self.sort_key(index, ty, one)?);
        }
        Ok((keys, hidden))
    }

    /// Splits the columns of DISTINCT ON from the end of an order, in front of which they must stand.
    pub(super) fn first_of(
        &self,
        sort: &mut Vec<SortKey>,
        count: usize,
        items: &[Item],
        hidden: &[Expr],
    ) -> Result<Option<Vec<SortKey>>> {
        if count == 0 {
            return Ok(None);
        }
        let on = sort.split_off(sort.len() - count);
        let expr = |key: &SortKey| match items.get(key.index) {
            Some(item) => &item.expr,
            None => &hidden[key.index - items.len()],
        };
        let is_on = |key: &SortKey| on.iter().any(|one| expr(one) == expr(key));
        let in_front = sort.iter().take_while(|key| is_on(key)).count();
        let all = on.iter().all(|one| sort[..in_front].iter().any(|key| expr(key) == expr(one)));
        // Others may follow only when all of them are there.
        if in_front < sort.len() && (!all || sort[in_front..].iter().any(is_on)) {
            return fail(
                ErrorClass::InvalidColumnReference,
                "DISTINCT ON something other than the beginning of ORDER BY",
            );
        }
        Ok(Some(on))
    }

    pub(super) fn sort_key(
        &self,
        index: usize,
        ty: Type,
        one: &ast::OrderByExpr,
    ) -> Result<SortKey> {
        if one.with_fill.is_some() {
            return unsupported("ORDER BY … WITH FILL");
        }
        refuse_several_lengths(ty)?;
        if matches!(ty, Type::Record | Type::Json | Type::Array(Element::Text | Element::Varchar)) {
            return unsupported("the order of JSON, or of arrays of texts");
        }
        if matches!(ty, Type::Special(Special::One(..) | Special::Many(..) | Special::Inet6)) {
            return unsupported("the order of an ENUM or a SET in this place");
        }
        if ty == Type::Uuid && !self.dialect.is_strictly_typed() {
            return unsupported("the order of UUIDs");
        }
        let descending = match one.options.sort {
            Some(ast::OrderBySort::Desc) => true,
            None | Some(ast::OrderBySort::Asc) => false,
            Some(_) => return unsupported(format!("ORDER BY {one}")),
        };
        let nulls_first = match one.options.nulls_first {
            Some(_) if !self.dialect.is_strictly_typed() => {
                return fail(ErrorClass::Syntax, "NULLS FIRST");
            }
            Some(first) => first,
            None => self.dialect.nulls_come_first() != descending,
        };
        Ok(SortKey {
            index,
            descending,
            nulls_first,
            collation: ty.collation(self.catalog.collation()),
        })
    }

    /// The column of the result that ORDER BY means by a number or a name.
    fn output_index(&mut self, expr: &ast::Expr, items: &[Item]) -> Result<Option<usize>> {
        self.refuse_constant(expr)?;
        if let Some(position) = position(expr) {
            return match position.checked_sub(1).filter(|index| *index < items.len()) {
                Some(index) => Ok(Some(index)),
                None => fail(
                    ErrorClass::InvalidColumnReference,
                    "the column to order by does not exist",
                ),
            };
        }
        let ast::Expr::Identifier(ident) = expr else { return Ok(None) };
        let mut found: Option<usize> = None;
        for (index, item) in items.iter().enumerate() {
            if !item.name.eq_ignore_ascii_case(&ident.value) {
                continue;
            }
            if let Some(before) = found
                && items[before].expr != item.expr
            {
                return fail(
                    ErrorClass::AmbiguousColumn,
                    format!("column reference {} is ambiguous", ident.value),
                );
            }
            found = found.or(Some(index));
        }
        Ok(found)
    }

    /// PostgreSQL takes a literal in GROUP BY or ORDER BY only for the number of a column.
    pub(super) fn refuse_constant(&self, expr: &ast::Expr) -> Result<()> {
        let literal = matches!(expr, ast::Expr::Value(value) if !matches!(value.value, ast::Value::Placeholder(_)));
        if self.dialect.is_strictly_typed() && literal && position(expr).is_none() {
            return fail(ErrorClass::Syntax, "a literal in GROUP BY or ORDER BY");
        }
        Ok(())
    }
}

/// The columns of DISTINCT ON, as if they were ordered by.
pub(super) fn distinct_on(distinct: Option<&ast::Distinct>) -> Vec<ast::OrderByExpr> {
    let Some(ast::Distinct::On(exprs)) = distinct else { return Vec::new() };
    let options = ast::OrderByOptions { sort: None, nulls_first: None };
    let one = |expr: &ast::Expr| ast::OrderByExpr {
        expr: expr.clone(),
        options: options.clone(),
        with_fill: None,
    };
    exprs.iter().map(one).collect()
}

/// The number that stands for a column of the result.
pub(super) fn position(expr: &ast::Expr) -> Option<usize> {
    match expr {
        ast::Expr::Value(ast::ValueWithSpan { value: ast::Value::Number(number, _), .. }) => {
            number.parse().ok()
        }
        _ => None,
    }
}

//! Tests: IS, BETWEEN, IN, LIKE.
//!
//! Layer `bind`; knows how two sides are compared.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::symmetric_bound;
use crate::plan::{Arith, CastMode, CompareOp, Expr, walk_columns};
use crate::types::Type;
use crate::value::{Collation, Value};

use super::binder::{Binder, Typed};
use super::casts::plain;
use super::chars::{as_shown, converted};
use super::operators::{compare, distinct};
use super::specials::as_text;

impl Binder<'_> {
    pub(super) fn is_null(&mut self, inner: &ast::Expr, negated: bool) -> Result<Typed> {
        if self.dialect.is_strictly_typed()
            && let Some(parts) = self.row_parts(inner)
        {
            return self.row_is_null(&parts, negated);
        }
        let (expr, ty) = self.raw(inner)?;
        if ty == Type::Record {
            return unsupported("whether a whole row is NULL");
        }
        Ok((Expr::IsNull { negated, expr: Box::new(expr) }, self.boolean()))
    }

    /// A row is NULL if all of its parts are, and not NULL if none of them is.
    fn row_is_null(&mut self, parts: &[ast::Expr], negated: bool) -> Result<Typed> {
        let mut all: Option<Expr> = None;
        for part in parts {
            let (one, _) = self.is_null(part, negated)?;
            all = Some(match all {
                Some(before) => before.and(one),
                None => one,
            });
        }
        match all {
            Some(all) => Ok((all, Type::Bool)),
            None => unsupported("an empty row"),
        }
    }

    /// `BETWEEN SYMMETRIC`: between the bounds in either order.
    fn between_either(
        &mut self,
        expr: &ast::Expr,
        negated: bool,
        low: &ast::Expr,
        high: &ast::Expr,
    ) -> Result<Typed> {
        let (one, _) = self.between(expr, false, low, high)?;
        let (other, _) = self.between(expr, false, high, low)?;
        let either = Expr::Or(Box::new(one), Box::new(other));
        Ok((if negated { either.not() } else { either }, self.boolean()))
    }

    /// `num_nulls(…)` and `num_nonnulls(…)`.
    pub(super) fn count_nulls(&self, args: Vec<Typed>, negated: bool) -> Result<Typed> {
        let mut sum: Option<Typed> = None;
        for (arg, _) in args {
            let is_null = Expr::IsNull { negated, expr: Box::new(arg) };
            let number = |number| Expr::Const(Value::Int(number));
            let branches = vec![(is_null, number(1))];
            let one = (Expr::Case { branches, otherwise: Box::new(number(0)) }, Type::INT4);
            sum = Some(match sum {
                Some(before) => self.strict_arith(Arith::Add, before, one)?,
                None => one,
            });
        }
        sum.map_or_else(|| unsupported("num_nulls() of nothing"), Ok)
    }

    pub(super) fn is_truth(
        &mut self,
        inner: &ast::Expr,
        truth: Option<bool>,
        negated: bool,
    ) -> Result<Typed> {
        let bound = self.expr(inner)?;
        let expr = Box::new(self.condition(bound)?);
        Ok((Expr::IsTruth { truth, negated, expr }, self.boolean()))
    }

    pub(super) fn is_distinct(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        negated: bool,
    ) -> Result<Typed> {
        if !self.dialect.is_strictly_typed() {
            return fail(ErrorClass::Syntax, "IS DISTINCT FROM");
        }
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        let (left, right, collation) = self.comparable(left, right)?;
        Ok((distinct(negated, collation, left, right), Type::Bool))
    }

    pub(super) fn between(
        &mut self,
        expr: &ast::Expr,
        negated: bool,
        low: &ast::Expr,
        high: &ast::Expr,
    ) -> Result<Typed> {
        if let Some(low) = symmetric_bound(low) {
            return self.between_either(expr, negated, &low, high);
        }
        let value = self.expr(expr)?;
        let (low, high) = (self.expr(low)?, self.expr(high)?);
        [&value, &low, &high].into_iter().try_for_each(|side| self.refuse_extracted(side))?;
        let (left, low, collation) = self.comparable(value.clone(), low)?;
        let above = compare(CompareOp::GreaterEq, collation, left, low);
        let (left, high, collation) = self.comparable(value, high)?;
        let both = above.and(compare(CompareOp::LessEq, collation, left, high));
        Ok((if negated { both.not() } else { both }, self.boolean()))
    }

    pub(super) fn in_list(
        &mut self,
        expr: &ast::Expr,
        list: &[ast::Expr],
        negated: bool,
    ) -> Result<Typed> {
        if let ast::Expr::Tuple(_) = expr {
            return self.tuple_in_list(expr, list, negated);
        }
        let value = self.raw(expr)?;
        let items = list.iter().map(|item| self.raw(item)).collect::<Result<Vec<_>>>()?;
        items.iter().chain([&value]).try_for_each(|side| self.refuse_extracted(side))?;
        if self.dialect.is_strictly_typed() {
            return self.strictly_in(&value, items, negated);
        }
        let list = self.members(&value, items, None)?;
        Ok((Expr::In { negated, list }, self.boolean()))
    }

    fn members(
        &self,
        value: &Typed,
        items: Vec<Typed>,
        common: Option<Type>,
    ) -> Result<Vec<(Expr, Expr, Collation)>> {
        let mut members = Vec::new();
        for item in items {
            let left = self.in_side(value.clone(), common)?;
            let right = self.in_side(item, common)?;
            let (left, right) = self.equal_sides(CompareOp::Eq, left, right)?;
            members.push(self.comparable(left, right)?);
        }
        Ok(members)
    }

    /// PostgreSQL makes one array of several members without columns, if they have a type in common. All
    /// others are compared one by one, which shows in what can be computed early.
    fn strictly_in(&self, value: &Typed, items: Vec<Typed>, negated: bool) -> Result<Typed> {
        let (with_columns, without): (Vec<Typed>, Vec<Typed>) =
            items.iter().cloned().partition(|(item, _)| has_columns(item));
        let types: Vec<Type> =
            std::iter::once(value.1).chain(without.iter().map(|item| item.1)).collect();
        let (mut tests, rest) = match self.strict_common(&types) {
            Ok(common) if without.len() > 1 => {
                let list = self.members(value, without, Some(common))?;
                (vec![Expr::In { negated, list }], with_columns)
            }
            _ => (Vec::new(), items),
        };
        let op = if negated { CompareOp::NotEq } else { CompareOp::Eq };
        for (left, right, collation) in self.members(value, rest, None)? {
            tests.push(compare(op, collation, left, right));
        }
        let all = tests.into_iter().reduce(|before, one| match negated {
            true => before.and(one),
            false => Expr::Or(Box::new(before), Box::new(one)),
        });
        match all {
            Some(all) => Ok((all, self.boolean())),
            None => unsupported("IN ()"),
        }
    }

    fn in_side(&self, (expr, ty): Typed, common: Option<Type>) -> Result<Typed> {
        match (ty, common) {
            (Type::Unknown, Some(common)) => {
                let common = plain(common);
                Ok((self.resolve(expr, common)?, common))
            }
            // The array is one of CHARs, whatever texts are in it.
            (_, Some(Type::Char(_))) => {
                Ok((converted((expr, ty), Type::Char(None), CastMode::Implicit), Type::Char(None)))
            }
            _ => Ok((expr, ty)),
        }
    }

    fn tuple_in_list(
        &mut self,
        expr: &ast::Expr,
        list: &[ast::Expr],
        negated: bool,
    ) -> Result<Typed> {
        let mut any: Option<Expr> = None;
        for item in list {
            let (one, _) = self.binary(expr, &ast::BinaryOperator::Eq, item)?;
            any = Some(match any {
                Some(before) => Expr::Or(Box::new(before), Box::new(one)),
                None => one,
            });
        }
        let Some(any) = any else { return unsupported("IN ()") };
        Ok((if negated { any.not() } else { any }, self.boolean()))
    }

    pub(super) fn like(
        &mut self,
        negated: bool,
        expr: &ast::Expr,
        pattern: &ast::Expr,
        escape: Option<&ast::Expr>,
        folds: bool,
    ) -> Result<Typed> {
        let escape = match escape {
            None => Some('\\'),
            Some(ast::Expr::Value(value)) => {
                let text = value.value.clone().into_string().unwrap_or_default();
                let mut letters = text.chars();
                let first = letters.next();
                if letters.next().is_some() {
                    return fail(ErrorClass::InvalidEscape, "ESCAPE requires a single character");
                }
                first
            }
            Some(other) => return unsupported(format!("ESCAPE {other}")),
        };
        let (left, right) = self.collated_pair(expr, pattern)?;
        let (left, right) = (as_text(left)?, as_text(right)?);
        let strict = self.dialect.is_strictly_typed();
        let fits = |ty: Type| ty == Type::Unknown || ty.is_text();
        if strict && [left.1, right.1].contains(&Type::Bytea) {
            return unsupported("LIKE of bytes");
        }
        if strict && !(fits(left.1) && fits(right.1)) {
            return fail(ErrorClass::UndefinedFunction, "LIKE of something that is not a string");
        }
        let collation = match folds {
            true => Collation::Caseless,
            false => self.collation_of(left.1, right.1)?,
        };
        let text = |side: Typed| match side.1 {
            Type::Text { .. } => Ok(side.0),
            Type::Unknown => self.resolve(side.0, Type::TEXT),
            _ => Ok(converted(side, Type::TEXT, CastMode::Implicit)),
        };
        // A pattern sees the padding of a CHAR, and has none itself.
        let expr = match left.1 {
            Type::Char(_) => as_shown(left),
            _ => text(left)?,
        };
        let (expr, pattern) = (Box::new(expr), Box::new(text(right)?));
        Ok((Expr::Like { negated, collation, expr, pattern, escape }, self.boolean()))
    }
}

/// Whether an expression uses columns of its own query.
pub(super) fn has_columns(expr: &Expr) -> bool {
    let mut found = false;
    walk_columns(&mut expr.clone(), &mut |depth, _| found |= depth == 0);
    found
}

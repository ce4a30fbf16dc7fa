//! Tests: IS, BETWEEN, IN, LIKE.

use sqlparser::ast;

use crate::error::{Class, Result, fail, unsupported};
use crate::plan::{CastMode, CompareOp, Expr};
use crate::types::Type;
use crate::value::Collation;

use super::operators::{compare, distinct};
use super::{Binder, Typed};

impl Binder<'_> {
    pub(super) fn is_null(&mut self, inner: &ast::Expr, negated: bool) -> Result<Typed> {
        let (expr, _) = self.expr(inner)?;
        Ok((Expr::IsNull { negated, expr: Box::new(expr) }, self.boolean()))
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
            return fail(Class::Syntax, "IS DISTINCT FROM");
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
        let value = self.expr(expr)?;
        let (low, high) = (self.expr(low)?, self.expr(high)?);
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
        let value = self.expr(expr)?;
        let items = list.iter().map(|item| self.expr(item)).collect::<Result<Vec<_>>>()?;
        let common = self.list_type(&value, &items)?;
        let mut bound = Vec::new();
        for item in items {
            let left = self.in_side(value.clone(), common)?;
            let right = self.in_side(item, common)?;
            let (left, right, collation) = self.comparable(left, right)?;
            bound.push((left, right, collation));
        }
        Ok((Expr::In { negated, list: bound }, self.boolean()))
    }

    /// PostgreSQL compares all members in one type if there is one.
    fn list_type(&self, value: &Typed, items: &[Typed]) -> Result<Option<Type>> {
        if !self.dialect.is_strictly_typed() {
            return Ok(None);
        }
        let types: Vec<Type> =
            std::iter::once(value.1).chain(items.iter().map(|item| item.1)).collect();
        Ok(self.strict_common(&types).ok())
    }

    fn in_side(&self, (expr, ty): Typed, common: Option<Type>) -> Result<Typed> {
        match (ty, common) {
            (Type::Unknown, Some(common)) => {
                let common = match common {
                    Type::Decimal(_) => Type::NUMERIC,
                    Type::Text { .. } | Type::Char(_) => Type::TEXT,
                    other => other,
                };
                Ok((self.resolve(expr, common)?, common))
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
                    return fail(Class::InvalidEscape, "ESCAPE wants one character");
                }
                first
            }
            Some(other) => return unsupported(format!("ESCAPE {other}")),
        };
        let (left, right) = (self.expr(expr)?, self.expr(pattern)?);
        let strict = self.dialect.is_strictly_typed();
        let fits = |ty: Type| ty == Type::Unknown || ty.is_text();
        if strict && !(fits(left.1) && fits(right.1)) {
            return fail(Class::UndefinedFunction, "LIKE of something that is no text");
        }
        let collation = match folds {
            true => Collation::Folded { padded: false },
            false => left.1.collation(self.dialect),
        };
        let text = |side: Typed| match side.1 {
            Type::Text { .. } => Ok(side.0),
            Type::Unknown => self.resolve(side.0, Type::TEXT),
            _ => Ok(side.0.cast(Type::TEXT, CastMode::Implicit)),
        };
        let (expr, pattern) = (Box::new(text(left)?), Box::new(text(right)?));
        Ok((Expr::Like { negated, collation, expr, pattern, escape }, self.boolean()))
    }
}

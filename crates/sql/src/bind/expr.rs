//! Expressions, one kind after the other.
//!
//! Layer `bind`; hands over to the file for its kind of expression.

use sqlparser::ast::{self, UnaryOperator};

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Arith, CastMode, CompareOp, Expr, Function, IntervalFunction};
use crate::types::{IntType, Type};
use crate::value::Value;

use super::binder::{Binder, Typed};
use super::chars::converted;
use super::loose::number_in;
use super::operators::{compare, is_null_literal};
use super::specials::{refuse_mixed, refuse_special};

impl Binder<'_> {
    /// Binds an expression.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Result<Typed> {
        self.raw(expr).and_then(refuse_special)
    }

    pub(super) fn any_expr(&mut self, expr: &ast::Expr) -> Result<Typed> {
        use ast::Expr as E;
        match expr {
            E::Identifier(ident) => self.identifier(ident),
            E::CompoundIdentifier(parts) => match parts.as_slice() {
                [.., table, column] => self.name(Some(&table.value), &column.value),
                _ => unsupported(format!("the name {expr}")),
            },
            E::Value(value) => self.literal(&value.value),
            E::TypedString(typed) => self.typed_string(typed),
            E::Nested(inner) => self.raw(inner),
            E::UnaryOp { op, expr } => self.unary(*op, expr),
            E::BinaryOp { left, op, right } => self.binary(left, op, right),
            E::IsNull(inner) => self.is_null(inner, false),
            E::IsNotNull(inner) => self.is_null(inner, true),
            E::IsTrue(inner) => self.is_truth(inner, Some(true), false),
            E::IsNotTrue(inner) => self.is_truth(inner, Some(true), true),
            E::IsFalse(inner) => self.is_truth(inner, Some(false), false),
            E::IsNotFalse(inner) => self.is_truth(inner, Some(false), true),
            E::IsUnknown(inner) => self.is_truth(inner, None, false),
            E::IsNotUnknown(inner) => self.is_truth(inner, None, true),
            E::IsDistinctFrom(left, right) => self.is_distinct(left, right, false),
            E::IsNotDistinctFrom(left, right) => self.is_distinct(left, right, true),
            E::Like { expr: left, .. }
            | E::RLike { expr: left, .. }
            | E::InList { expr: left, .. }
            | E::InSubquery { expr: left, .. }
            | E::Between { expr: left, .. }
                if matches!(**left, E::Between { .. } | E::Like { .. } | E::RLike { .. })
                    && !self.dialect.is_strictly_typed() =>
            {
                // What stands behind AND and LIKE is more to MySQL than to the parser.
                unsupported("a condition behind BETWEEN or LIKE, without parentheses")
            }
            E::Between { expr, negated, low, high } => self.between(expr, *negated, low, high),
            E::InList { expr, list, negated } => self.in_list(expr, list, *negated),
            E::InSubquery { expr, subquery, negated } => self.in_subquery(expr, subquery, *negated),
            E::Exists { subquery, negated } => self.exists(subquery, *negated),
            E::Subquery(query) => self.scalar(query),
            E::AnyOp { left, compare_op, right, .. } => {
                self.quantified(left, compare_op, right, false)
            }
            E::AllOp { left, compare_op, right } => self.quantified(left, compare_op, right, true),
            E::Array(array) => self.array(&array.elem),
            E::CompoundFieldAccess { root, access_chain } => self.subscript(root, access_chain),
            E::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())
            }
            E::Cast {
                expr,
                data_type,
                kind: ast::CastKind::Cast | ast::CastKind::DoubleColon,
                ..
            } => self.cast(expr, data_type),
            E::Convert { expr, data_type: Some(data_type), charset: None, .. } => {
                self.cast(expr, data_type)
            }
            E::Like { negated, any: false, expr, pattern, escape_char } => {
                self.like(*negated, expr, pattern, escape_char.as_deref(), false)
            }
            E::ILike { negated, any: false, expr, pattern, escape_char }
                if self.dialect.is_strictly_typed() =>
            {
                self.like(*negated, expr, pattern, escape_char.as_deref(), true)
            }
            E::Interval(interval) if self.dialect.is_strictly_typed() => {
                self.interval_literal(interval)
            }
            E::RLike { negated, expr, pattern, .. } if !self.dialect.is_strictly_typed() => {
                self.regexp(*negated, expr, pattern)
            }
            E::Function(function) => self.function(function),
            E::AtTimeZone { timestamp, time_zone } => self.at_time_zone(timestamp, time_zone),
            E::SimilarTo { negated, expr, pattern, escape_char: None } => {
                self.similar_to(*negated, expr, pattern)
            }
            E::Floor { .. }
            | E::Ceil { .. }
            | E::Substring { .. }
            | E::Trim { .. }
            | E::Overlay { .. }
            | E::Position { .. }
            | E::Extract { .. } => self.special_function(expr),
            other => unsupported(format!("the expression {other}")),
        }
    }

    fn identifier(&mut self, ident: &ast::Ident) -> Result<Typed> {
        if ident.quote_style.is_none() {
            if ident.value.starts_with("@@") {
                return unsupported("a variable of the server");
            }
            if let Some(variable) = ident.value.strip_prefix('@') {
                return Ok((Expr::Session(variable.to_lowercase()), Type::Unknown));
            }
            if ident.value.eq_ignore_ascii_case("default") {
                return unsupported("DEFAULT inside an expression");
            }
        }
        // A text in double quotes is a name for PostgreSQL and a text for MySQL.
        if ident.quote_style == Some('"') && !self.dialect.is_strictly_typed() {
            return self.literal(&ast::Value::DoubleQuotedString(ident.value.clone()));
        }
        self.name(None, &ident.value)
    }

    fn typed_string(&mut self, typed: &ast::TypedString) -> Result<Typed> {
        let to = self.catalog.read_type(&typed.data_type)?;
        let Some(text) = typed.value.value.clone().into_string() else {
            return unsupported(format!("the literal {typed}"));
        };
        Ok((self.resolve(Expr::Const(Value::text(&text)), to)?, to))
    }

    fn unary(&mut self, op: UnaryOperator, inner: &ast::Expr) -> Result<Typed> {
        // The parser reads it the other way round.
        if op == UnaryOperator::Minus
            && matches!(inner, ast::Expr::BinaryOp { op: ast::BinaryOperator::PGExp, .. })
        {
            return unsupported("minus before a power, without parentheses");
        }
        let bound = self.expr(inner)?;
        match op {
            UnaryOperator::Not => Ok((self.condition(bound)?.not(), self.boolean())),
            UnaryOperator::BangNot if !self.dialect.is_strictly_typed() => {
                Ok((self.condition(bound)?.not(), self.boolean()))
            }
            UnaryOperator::Plus => Ok(bound),
            UnaryOperator::Minus if self.dialect.is_strictly_typed() && is_number(inner) => {
                self.negative(bound).map(smallest)
            }
            UnaryOperator::Minus => self.negative(bound),
            UnaryOperator::BitwiseNot => self.bit_not(bound),
            UnaryOperator::PGAbs => self.numeric(Function::Abs, vec![bound]),
            UnaryOperator::PGSquareRoot if bound.1 != Type::Double => {
                unsupported("|/ of something that is not DOUBLE PRECISION")
            }
            UnaryOperator::PGSquareRoot => self.strict_function("sqrt", vec![bound]),
            other => unsupported(format!("the operator {other}")),
        }
    }

    fn negative(&self, bound: Typed) -> Result<Typed> {
        if self.dialect.is_strictly_typed() {
            return match bound {
                (_, Type::Unknown) => {
                    fail(ErrorClass::AmbiguousFunction, "minus something without a type")
                }
                (expr, Type::Interval) => {
                    let function = Function::Interval(IntervalFunction::Negative);
                    let result = Type::Interval;
                    Ok((Expr::Call { function, result, args: vec![expr] }, result))
                }
                (expr, ty) if ty.is_number() => Ok((Expr::Neg(ty, Box::new(expr)), ty)),
                _ => fail(ErrorClass::UndefinedFunction, "minus something that is not a number"),
            };
        }
        self.refuse_unsure(&bound.0)?;
        let number = number_in(&bound);
        let (expr, ty) = bound;
        let result = match number {
            Type::Int(_) => Type::INT8,
            other => other,
        };
        let expr = if number == ty { expr } else { expr.cast(number, CastMode::Implicit) };
        // -9223372036854775808 is one number here.
        if let Expr::Const(Value::Large(large)) = expr
            && large == 1 << 63
        {
            return Ok((Expr::Const(Value::Int(i64::MIN)), Type::INT8));
        }
        if let Expr::Const(Value::Int(value)) = expr {
            return Ok((Expr::Const(Value::Int(-value)), Type::INT8));
        }
        Ok((Expr::Neg(result, Box::new(expr)), result))
    }

    fn bit_not(&self, (expr, ty): Typed) -> Result<Typed> {
        let result = if self.dialect.is_strictly_typed() {
            match ty {
                Type::Int(_) => ty,
                Type::Unknown => {
                    return fail(ErrorClass::AmbiguousFunction, "~ of something without a type");
                }
                _ => {
                    return fail(
                        ErrorClass::UndefinedFunction,
                        "~ of something that is not a whole number",
                    );
                }
            }
        } else {
            Type::Int(IntType { bytes: 8, unsigned: true })
        };
        let expr = if result == ty { expr } else { expr.cast(result, CastMode::Implicit) };
        Ok((Expr::Call { function: Function::BitNot, result, args: vec![expr] }, result))
    }

    pub(super) fn case(
        &mut self,
        operand: Option<&ast::Expr>,
        conditions: &[ast::CaseWhen],
        otherwise: Option<&ast::Expr>,
    ) -> Result<Typed> {
        let operand = match operand {
            Some(operand) => {
                let bound = self.expr(operand)?;
                Some(self.settle(bound))
            }
            None => None,
        };
        let mut tests = Vec::new();
        let mut results = Vec::new();
        for when in conditions {
            let condition = self.expr(&when.condition)?;
            tests.push(match &operand {
                Some(operand) => {
                    self.refuse_extracted(operand)?;
                    self.refuse_extracted(&condition)?;
                    let (left, right, collation) = self.comparable(operand.clone(), condition)?;
                    compare(CompareOp::Eq, collation, left, right)
                }
                None => self.condition(condition)?,
            });
            results.push(self.expr(&when.result)?);
        }
        results.push(match otherwise {
            Some(otherwise) => self.expr(otherwise)?,
            None => (Expr::null(), Type::Unknown),
        });
        // PostgreSQL looks at ELSE first when it looks for the common type.
        let mut types: Vec<Type> = results.iter().map(|result| result.1).collect();
        types.rotate_right(1);
        let common = self.common(&types)?;
        let mut results = results
            .into_iter()
            .map(|result| self.to_common(result, common))
            .collect::<Result<Vec<_>>>()?;
        let otherwise = Box::new(results.pop().unwrap_or_else(Expr::null));
        let branches = tests.into_iter().zip(results).collect();
        Ok((Expr::Case { branches, otherwise }, common))
    }

    /// The type in which several expressions meet.
    pub(super) fn common(&self, types: &[Type]) -> Result<Type> {
        if self.dialect.is_strictly_typed() {
            self.strict_common(types)
        } else {
            refuse_mixed(types)?;
            Ok(self.loose_common(types))
        }
    }

    /// Converts to the type in which several expressions meet.
    pub(super) fn to_common(&self, (expr, ty): Typed, common: Type) -> Result<Expr> {
        self.refuse_as_text(&expr, ty, common)?;
        match ty {
            _ if ty == common || is_null_literal(&expr) => Ok(expr),
            Type::Unknown => self.resolve(expr, common),
            Type::Int(_) if matches!(common, Type::Int(_)) => Ok(expr),
            Type::Decimal(_) if common == Type::NUMERIC => Ok(expr),
            _ if ty.is_text() && common.is_text() && !matches!(ty, Type::Char(_)) => Ok(expr),
            _ => Ok(converted((expr, ty), common, CastMode::Implicit)),
        }
    }

    /// `a % b` as a function.
    pub(super) fn modulo(&self, left: Typed, right: Typed) -> Result<Typed> {
        if self.dialect.is_strictly_typed() {
            self.strict_arith(Arith::Mod, left, right)
        } else {
            self.loose_arith(Arith::Mod, left, right)
        }
    }
}

/// Whether an expression is a number as it is written.
fn is_number(expr: &ast::Expr) -> bool {
    match expr {
        ast::Expr::Nested(inner) | ast::Expr::UnaryOp { op: UnaryOperator::Minus, expr: inner } => {
            is_number(inner)
        }
        ast::Expr::Value(value) => matches!(value.value, ast::Value::Number(..)),
        _ => false,
    }
}

/// PostgreSQL reads the minus before a number with it, so the smallest numbers of two types are of those
/// types although the numbers without the minus are not.
fn smallest((expr, ty): Typed) -> Typed {
    let Expr::Neg(_, inner) = &expr else { return (expr, ty) };
    match &**inner {
        Expr::Const(Value::Int(value)) if *value == -i64::from(i32::MIN) => {
            (Expr::Const(Value::Int(-*value)), Type::INT4)
        }
        Expr::Const(Value::Int(value)) if *value == i64::from(i32::MIN) => {
            (Expr::Const(Value::Int(-*value)), Type::INT8)
        }
        Expr::Const(Value::Decimal(value)) if value.to_string() == "9223372036854775808" => {
            (Expr::Const(Value::Int(i64::MIN)), Type::INT8)
        }
        _ => (expr, ty),
    }
}

//! Operators: which ones there are, and what both dialects share.
//!
//! Layer `bind`; leaves to `strict` and `loose` how types meet.

use sqlparser::ast::{self, BinaryOperator as Op};

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Arith, BytesFunction, CastMode, CompareOp, Expr, Function};
use crate::types::Type;
use crate::value::{Collation, Value};

use super::binder::{Binder, Typed};
use super::chars::converted;

impl Binder<'_> {
    pub(super) fn binary(&mut self, left: &ast::Expr, op: &Op, right: &ast::Expr) -> Result<Typed> {
        if let Some(op) = compare_op(op) {
            if let Some(done) = self.is_new(left, op, right) {
                return Ok(done);
            }
            return self.comparison(left, op, right);
        }
        if *op == Op::Overlaps && self.dialect.is_strictly_typed() {
            return self.overlaps(left, right);
        }
        if matches!(op, Op::Plus | Op::Minus)
            && !self.dialect.is_strictly_typed()
            && let Some(moved) = self.moved(left, op, right)?
        {
            return Ok(moved);
        }
        let strict = self.dialect.is_strictly_typed();
        if strict && is_prefixed(left) && !matches!(op, Op::And | Op::Or) {
            return unsupported("an operator after @, |/ or ~, without parentheses");
        }
        let logical = matches!(op, Op::And | Op::Or | Op::Xor | Op::Spaceship);
        let (l, r) = match strict || logical {
            true => (self.expr(left)?, self.expr(right)?),
            false => (self.operand(left)?, self.operand(right)?),
        };
        if strict && let Some(done) = self.json_operator(op, &l, &r)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.network_operator(op, &l, &r)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.range_operator(op, &l, &r)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.array_operator(op, &l, &r)? {
            return Ok(done);
        }
        if strict && *op == Op::StringConcat && (l.1 == Type::Bytea || r.1 == Type::Bytea) {
            let function = Function::Bytes(BytesFunction::Append);
            return self.called(function, &[Type::Bytea; 2], Type::Bytea, vec![l, r]);
        }
        match op {
            Op::And => Ok((self.condition(l)?.and(self.condition(r)?), self.boolean())),
            Op::Or => {
                let parts = (Box::new(self.condition(l)?), Box::new(self.condition(r)?));
                Ok((Expr::Or(parts.0, parts.1), self.boolean()))
            }
            Op::Xor if !strict => {
                let parts = (Box::new(self.condition(l)?), Box::new(self.condition(r)?));
                Ok((Expr::Xor(parts.0, parts.1), self.boolean()))
            }
            Op::Plus => self.arith(Arith::Add, l, r),
            Op::Minus => self.arith(Arith::Sub, l, r),
            Op::Multiply => self.arith(Arith::Mul, l, r),
            Op::Divide => self.arith(Arith::Div, l, r),
            Op::Modulo => self.arith(Arith::Mod, l, r),
            Op::MyIntegerDivide if !strict => self.arith(Arith::IntDiv, l, r),
            Op::BitwiseAnd => self.arith(Arith::BitAnd, l, r),
            Op::BitwiseOr => self.arith(Arith::BitOr, l, r),
            Op::BitwiseXor if !strict => self.arith(Arith::BitXor, l, r),
            Op::PGBitwiseXor => self.arith(Arith::BitXor, l, r),
            Op::PGBitwiseShiftLeft => self.arith(Arith::ShiftLeft, l, r),
            Op::PGBitwiseShiftRight => self.arith(Arith::ShiftRight, l, r),
            Op::StringConcat if strict => self.append(l, r),
            Op::PGExp if strict => self.strict_function("power", vec![l, r]),
            Op::PGStartsWith if strict => self.strict_function("starts_with", vec![l, r]),
            Op::PGRegexMatch => self.matches(l, r, false, false),
            Op::PGRegexIMatch => self.matches(l, r, false, true),
            Op::PGRegexNotMatch => self.matches(l, r, true, false),
            Op::PGRegexNotIMatch => self.matches(l, r, true, true),
            Op::Spaceship if !strict => {
                self.refuse_extracted(&l)?;
                self.refuse_extracted(&r)?;
                let (left, right, collation) = self.comparable(l, r)?;
                Ok((distinct(true, collation, left, right), self.boolean()))
            }
            other => unsupported(format!("the operator {other}")),
        }
    }

    /// How texts of two types compare. Servers refuse to compare columns with different collations, unless one
    /// of them is compared byte by byte in MySQL.
    pub(super) fn collation_of(&self, a: Type, b: Type) -> Result<Collation> {
        let stated = |ty: Type| match ty {
            Type::Text { collation, .. } => collation,
            _ => None,
        };
        match (stated(a), stated(b)) {
            (Some(a), Some(b)) if a == b => Ok(a),
            (Some(a), Some(b)) if !self.dialect.is_strictly_typed() => {
                let wins = |wanted| a == wanted || b == wanted;
                [Collation::Bytes, Collation::PaddedBytes]
                    .into_iter()
                    .find(|wanted| wins(*wanted))
                    .map_or_else(
                        || unsupported("a comparison of columns with different collations"),
                        Ok,
                    )
            }
            (Some(_), Some(_)) => unsupported("a comparison of columns with different collations"),
            (Some(own), None) | (None, Some(own)) => Ok(own),
            (None, None) => Ok(self.catalog.collation()),
        }
    }

    /// Both sides as one type that can be compared, and how.
    pub(super) fn comparable(&self, left: Typed, right: Typed) -> Result<(Expr, Expr, Collation)> {
        if self.dialect.is_strictly_typed() {
            self.strictly_comparable(left, right)
        } else {
            self.loosely_comparable(left, right)
        }
    }

    fn arith(&self, op: Arith, left: Typed, right: Typed) -> Result<Typed> {
        if self.dialect.is_strictly_typed() {
            self.strict_arith(op, left, right)
        } else {
            self.loose_arith(op, left, right)
        }
    }

    fn comparison(&mut self, left: &ast::Expr, op: CompareOp, right: &ast::Expr) -> Result<Typed> {
        let chained = |side: &ast::Expr| matches!(side, ast::Expr::BinaryOp { op, .. } if compare_op(op).is_some());
        if self.dialect.is_strictly_typed() && (chained(left) || chained(right)) {
            return fail(ErrorClass::Syntax, "comparisons do not chain");
        }
        if let (Some(left), Some(right)) = (self.row_parts(left), self.row_parts(right)) {
            return self.compare_tuples(&left, op, &right);
        }
        let (left, right) = self.collated_pair(left, right)?;
        let (left, right) = self.equal_sides(op, left, right)?;
        let (left, right) = self.json_compared(left, right)?;
        let (left, right, collation) = self.comparable(left, right)?;
        Ok((compare(op, collation, left, right), self.boolean()))
    }

    fn compare_tuples(
        &mut self,
        left: &[ast::Expr],
        op: CompareOp,
        right: &[ast::Expr],
    ) -> Result<Typed> {
        if left.len() != right.len() {
            return fail(ErrorClass::ColumnCount, "rows of different length");
        }
        if !matches!(op, CompareOp::Eq | CompareOp::NotEq) {
            return self.order_rows(left, op, right);
        }
        let mut all: Option<Expr> = None;
        for (left, right) in left.iter().zip(right) {
            let (left, right) = (self.expr(left)?, self.expr(right)?);
            let (left, right, collation) = self.comparable(left, right)?;
            let one = compare(CompareOp::Eq, collation, left, right);
            all = Some(match all {
                Some(before) => before.and(one),
                None => one,
            });
        }
        let Some(all) = all else { return unsupported("an empty row") };
        Ok((if op == CompareOp::Eq { all } else { all.not() }, self.boolean()))
    }

    fn append(&self, left: Typed, right: Typed) -> Result<Typed> {
        if !left.1.is_text()
            && !right.1.is_text()
            && (left.1 != Type::Unknown || right.1 != Type::Unknown)
        {
            let one_unknown = left.1 == Type::Unknown || right.1 == Type::Unknown;
            if !one_unknown {
                return fail(ErrorClass::UndefinedFunction, "|| of values that are not strings");
            }
        }
        let mut args = Vec::new();
        for side in [left, right] {
            args.push(self.as_text(side)?);
        }
        Ok((Expr::Call { function: Function::Append, result: Type::TEXT, args }, Type::TEXT))
    }

    /// An expression as a text, in PostgreSQL.
    pub(super) fn as_text(&self, (expr, ty): Typed) -> Result<Expr> {
        match ty {
            Type::Unknown => self.resolve(expr, Type::TEXT),
            Type::Text { .. } => Ok(expr),
            _ => Ok(converted((expr, ty), Type::TEXT, CastMode::Explicit)),
        }
    }

    /// The type of a comparison.
    pub(super) fn boolean(&self) -> Type {
        if self.dialect.is_strictly_typed() { Type::Bool } else { Type::INT4 }
    }

    /// An expression where true or false is wanted.
    pub(super) fn condition(&self, typed: Typed) -> Result<Expr> {
        self.refuse_extracted(&typed)?;
        let (expr, ty) = typed;
        match ty {
            _ if !self.dialect.is_strictly_typed() => Ok(expr),
            Type::Bool => Ok(expr),
            Type::Unknown => self.resolve(expr, Type::Bool),
            _ => fail(ErrorClass::TypeMismatch, "a condition must be boolean"),
        }
    }

    /// `moment + INTERVAL …` of MySQL; `None` if it is something else.
    fn moved(&mut self, left: &ast::Expr, op: &Op, right: &ast::Expr) -> Result<Option<Typed>> {
        let (moment, interval) = match (left, right) {
            (moment, ast::Expr::Interval(interval)) => (moment, interval),
            (ast::Expr::Interval(interval), moment) if *op == Op::Plus => (moment, interval),
            _ => return Ok(None),
        };
        self.loosely_moved(moment, interval, *op == Op::Minus).map(Some)
    }
}

/// Whether an operator stands before an expression that PostgreSQL applies to all that follows, and the parser
/// only to what is next.
fn is_prefixed(expr: &ast::Expr) -> bool {
    use ast::UnaryOperator as U;
    matches!(expr, ast::Expr::UnaryOp { op: U::PGAbs | U::PGSquareRoot | U::BitwiseNot, .. })
}

pub(super) fn compare_op(op: &Op) -> Option<CompareOp> {
    Some(match op {
        Op::Eq => CompareOp::Eq,
        Op::NotEq => CompareOp::NotEq,
        Op::Lt => CompareOp::Less,
        Op::LtEq => CompareOp::LessEq,
        Op::Gt => CompareOp::Greater,
        Op::GtEq => CompareOp::GreaterEq,
        _ => return None,
    })
}

pub(super) fn compare(op: CompareOp, collation: Collation, left: Expr, right: Expr) -> Expr {
    Expr::Compare { op, collation, left: Box::new(left), right: Box::new(right) }
}

pub(super) fn distinct(negated: bool, collation: Collation, left: Expr, right: Expr) -> Expr {
    Expr::Distinct { negated, collation, left: Box::new(left), right: Box::new(right) }
}

/// Whether it is NULL, written as such.
pub(super) fn is_null_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(Value::Null))
}

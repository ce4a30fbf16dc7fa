//! Conversions that a statement asks for, or that storing a value needs.
//!
//! Layer `bind`; knows which type can become which.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{CastMode, Expr, Function, number_expr};
use crate::types::{IntType, Type};
use crate::value::Value;

use super::aggregates::divides;
use super::binder::{Binder, Typed};
use super::chars::converted;
use super::operators::is_null_literal;
use super::specials::{as_number, as_text, storable};

impl Binder<'_> {
    pub(super) fn cast(&mut self, inner: &ast::Expr, data_type: &ast::DataType) -> Result<Typed> {
        let to = self.cast_target(data_type)?;
        if !self.dialect.is_strictly_typed() {
            let bound = self.raw(inner)?;
            let bound_is_text = bound.1.is_text();
            let (expr, _) = match to {
                Type::Special(_) => return unsupported(format!("a cast to {data_type}")),
                Type::Int(_) => as_number(bound)?,
                _ => as_text(bound)?,
            };
            if to.is_text() && !bound_is_text && (divides(&expr) || self.is_longer(&expr)) {
                return unsupported("a quotient as a text");
            }
            return Ok((expr.cast(to, CastMode::Explicit), to));
        }
        let (expr, ty) = self.expr(inner)?;
        if ty == Type::Unknown {
            return Ok(match expr {
                Expr::Const(Value::Null) => (expr, to),
                // A parameter has no limits of its own, so what is too long is cut off.
                Expr::Param { index, .. } if to.is_text() => {
                    (Expr::Param { index, to: plain(to) }.cast(to, CastMode::Explicit), to)
                }
                Expr::Param { index, .. } => (Expr::Param { index, to }, to),
                other => (other.cast(to, CastMode::Explicit), to),
            });
        }
        let (expr, ty) = self.across_zone(&expr, ty, to).unwrap_or((expr, ty));
        self.know_zone(&expr, element(ty), element(to))?;
        if matches!(ty, Type::Char(_)) && !ignores_spaces(to) {
            return unsupported(format!("a cast of a CHAR with its spaces to {data_type}"));
        }
        if !castable(ty, to) && [ty, to].iter().any(|ty| is_newer(*ty)) {
            return unsupported(format!("a cast from {ty:?} to {to:?}"));
        }
        if !castable(ty, to) {
            return fail(ErrorClass::CannotCast, format!("cannot cast {ty:?} to {to:?}"));
        }
        Ok((converted((expr, ty), to, CastMode::Explicit), to))
    }

    /// Whether a conversion needs the time zone of the session, which must be UTC then. It does not matter which
    /// time zone the time of the server is in: it is not known in any.
    fn know_zone(&self, expr: &Expr, from: Type, to: Type) -> Result<bool> {
        let local = |ty: Type| ty.is_time() || matches!(ty, Type::TimeOfDay(_));
        let crosses = from.is_instant() && local(to) || local(from) && to.is_instant();
        let open = matches!(expr, Expr::Open { .. });
        if crosses && !open {
            self.in_utc("times with and without a time zone")?;
        }
        Ok(!(crosses && open))
    }

    /// MySQL's casts know fewer types, and INT has all 64 bits there.
    fn cast_target(&self, data_type: &ast::DataType) -> Result<Type> {
        let to = self.catalog.read_type(data_type)?;
        if self.dialect.is_strictly_typed() {
            return Ok(to);
        }
        match (to, data_type) {
            (Type::Int(int), _) => Ok(Type::Int(IntType { bytes: 8, ..int })),
            (Type::Text { .. }, ast::DataType::Char(None) | ast::DataType::Varchar(None)) => {
                Ok(Type::TEXT)
            }
            _ => Ok(to),
        }
    }

    /// Puts an expression into a column or variable of a type.
    pub(super) fn assign(&self, (expr, ty): Typed, to: Type) -> Result<Expr> {
        storable(ty, to)?;
        self.refuse_unsure(&expr)?;
        self.refuse_stored(&expr, ty, to)?;
        let text = ty.is_text() || matches!(ty, Type::Unknown | Type::Uuid);
        if !self.dialect.is_strictly_typed() && to == Type::Uuid && !text {
            return unsupported("a UUID from something that is not a text");
        }
        if !self.dialect.is_strictly_typed() || is_null_literal(&expr) {
            return Ok(expr.cast(to, CastMode::Assign));
        }
        let (expr, ty) = self.across_zone(&expr, ty, to).unwrap_or((expr, ty));
        match ty {
            Type::Unknown => match expr {
                Expr::Param { index, .. } => Ok(Expr::Param { index, to }),
                other => Ok(self.resolve(other, plain(to))?.cast(to, CastMode::Assign)),
            },
            _ if ty == to => Ok(expr),
            _ if !self.know_zone(&expr, ty, to)? => Ok(expr.cast(to, CastMode::Assign)),
            _ if assignable(ty, to) => Ok(converted((expr, ty), to, CastMode::Assign)),
            _ if matches!((ty, to), (Type::Array(_), Type::Array(_)))
                && assignable(element(ty), element(to)) =>
            {
                self.know_zone(&expr, element(ty), element(to))?;
                Ok(expr.cast(to, CastMode::Assign))
            }
            _ if ty != to && (ty.is_partly_known() || to.is_partly_known()) => {
                unsupported(format!("a conversion from {ty:?} to {to:?}"))
            }
            _ => fail(ErrorClass::TypeMismatch, format!("cannot assign {ty:?} to {to:?}")),
        }
    }

    /// Puts an expression into a variable of PL/pgSQL: what has no conversion goes by its text.
    pub(crate) fn assign_to_variable(&mut self, expr: &ast::Expr, to: Type) -> Result<Typed> {
        let (bound, ty) = self.expr(expr)?;
        let by_text = self.dialect.is_strictly_typed()
            && ty != Type::Unknown
            && ty != to
            && !assignable(ty, to);
        let mut bound = match by_text {
            true => {
                let text = converted((bound, ty), Type::TEXT, CastMode::Explicit);
                let text = if ty == Type::Bool { initial(text) } else { text };
                text.cast(to, CastMode::Explicit)
            }
            false => self.assign((bound, ty), to)?,
        };
        number_expr(&mut self.ids, &mut bound);
        Ok((bound, to))
    }
}

/// The first letter: `true` is shown as `t`.
fn initial(text: Expr) -> Expr {
    let args = vec![text, Expr::Const(Value::Int(1))];
    Expr::Call { function: Function::Left, result: Type::TEXT, args }
}

/// The type without its limits.
pub(super) fn plain(ty: Type) -> Type {
    match ty {
        Type::Text { limit: None, .. } => Type::TEXT,
        Type::Text { .. } => Type::VARCHAR,
        Type::Char(_) => Type::Char(None),
        Type::Decimal(_) => Type::NUMERIC,
        Type::Timestamp(_) => Type::TIMESTAMP,
        Type::TimeOfDay(_) => Type::TIME_OF_DAY,
        Type::Instant(_) => Type::INSTANT,
        other => other,
    }
}

/// Whether PostgreSQL converts when a value is stored, if one of the types is not known in full.
fn assignable_newer(from: Type, to: Type) -> Option<bool> {
    match (from, to) {
        (Type::Timestamp(_) | Type::Instant(_), Type::TimeOfDay(_))
        | (Type::TimeOfDay(_), Type::TimeOfDay(_) | Type::Interval)
        | (Type::Interval, Type::TimeOfDay(_) | Type::Interval)
        | (Type::Network { .. }, Type::Network { .. })
        | (Type::Json, Type::JsonText)
        | (Type::JsonText, Type::Json) => Some(true),
        _ if to.is_text() => None,
        _ if from.is_partly_known() || to.is_partly_known() => Some(false),
        _ => None,
    }
}

/// Whether PostgreSQL converts when a value is stored.
fn assignable(from: Type, to: Type) -> bool {
    let moment = |ty: Type| ty.is_time() || ty.is_instant();
    if let Some(known) = assignable_newer(from, to) {
        return known;
    }
    (from.is_number() && to.is_number()) || to.is_text() || (moment(from) && moment(to))
}

/// The type of the elements of an array, or the type itself.
fn element(ty: Type) -> Type {
    match ty {
        Type::Array(element) => element.ty(),
        other => other,
    }
}

/// Whether not all casts from a type and to it are known here.
fn is_newer(ty: Type) -> bool {
    matches!(ty, Type::Instant(_) | Type::Uuid | Type::Json | Type::Array(_))
        || ty.is_partly_known()
}

/// Whether PostgreSQL converts when a statement asks.
fn castable(from: Type, to: Type) -> bool {
    let bool_and_int = |a, b| a == Type::Bool && b == Type::INT4;
    assignable(from, to)
        || from == to
        || from.is_text()
        || bool_and_int(from, to)
        || (from == Type::Json && (to.is_number() || to == Type::Bool))
        || matches!((from, to), (Type::Array(a), Type::Array(b)) if castable(a.ty(), b.ty()))
        || bool_and_int(to, from)
}

/// Whether spaces at the end of a CHAR make no difference to a cast: what is not a text is read from all of it.
fn ignores_spaces(to: Type) -> bool {
    let plain = matches!(to, Type::Char(_) | Type::Bool) || to.is_text() || to.is_number();
    plain || to.is_time() || to.is_instant()
}

//! Types as PostgreSQL settles them: before anything runs, and with an error if they do not fit.
//!
//! Layer `bind`; knows types and plans.

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Arith, CastMode, Expr};
use crate::types::Type;
use crate::value::Collation;

use super::binder::{Binder, Typed};
use super::casts::plain;
use super::chars::compared;

impl Binder<'_> {
    pub(super) fn strictly_comparable(
        &self,
        left: Typed,
        right: Typed,
    ) -> Result<(Expr, Expr, Collation)> {
        let (left, right) = self.resolve_pair(left, right)?;
        let (left, right) = self.in_one_zone(left, right)?;
        let fits = match (left.1, right.1) {
            (Type::Bool, Type::Bool)
            | (Type::Uuid, Type::Uuid)
            | (Type::Json, Type::Json)
            | (Type::TimeOfDay(_), Type::TimeOfDay(_))
            | (Type::Interval, Type::Interval)
            | (Type::Bytea, Type::Bytea)
            | (Type::Instant(_), Type::Instant(_)) => true,
            (Type::Array(a), Type::Array(b)) => a == b,
            (Type::Network { .. }, Type::Network { .. }) => true,
            (Type::Enum(a), Type::Enum(b)) => a == b,
            (Type::Range(a), Type::Range(b)) => a == b,
            (a, b) => {
                (a.is_number() && b.is_number())
                    || (a.is_text() && b.is_text())
                    || (a.is_time() && b.is_time())
            }
        };
        if !fits && [left.1, right.1].iter().any(|ty| ty.is_partly_known()) {
            return unsupported(format!("a comparison of {:?} and {:?}", left.1, right.1));
        }
        if !fits {
            return fail(
                ErrorClass::UndefinedFunction,
                format!("{:?} and {:?} are not compared", left.1, right.1),
            );
        }
        let collation = self.collation_of(left.1, right.1)?;
        let (left, right) = match left.1.is_text() {
            true => compared(left, right),
            false => (left.0, right.0),
        };
        Ok((left, right, collation))
    }

    /// Makes moments of both sides if one of them is one.
    fn in_one_zone(&self, left: Typed, right: Typed) -> Result<(Typed, Typed)> {
        let moment =
            |(expr, _): Typed| (expr.cast(Type::INSTANT, CastMode::Implicit), Type::INSTANT);
        let (a, b) = (left.1, right.1);
        if !(a.is_instant() && b.is_time() || a.is_time() && b.is_instant()) {
            return Ok((left, right));
        }
        if let Some(crossed) = self.across_zone(&left.0, a, Type::INSTANT) {
            return Ok((crossed, right));
        }
        if let Some(crossed) = self.across_zone(&right.0, b, Type::INSTANT) {
            return Ok((left, crossed));
        }
        self.in_utc("times with and without a time zone")?;
        Ok(if a.is_instant() { (left, moment(right)) } else { (moment(left), right) })
    }

    /// Refuses what depends on the time zone of the session, unless that is known to be UTC.
    pub(super) fn in_utc(&self, what: &str) -> Result<()> {
        match self.catalog.is_in_utc() {
            true => Ok(()),
            false => unsupported(format!(
                "{what}, as the time zone of the session is not known to be UTC"
            )),
        }
    }

    /// Gives a side without a type the type of the other one; two such sides are texts.
    pub(super) fn resolve_pair(&self, left: Typed, right: Typed) -> Result<(Typed, Typed)> {
        Ok(match (left.1, right.1) {
            (Type::Unknown, Type::Unknown) => {
                let text = |side: Typed| Ok((self.resolve(side.0, Type::TEXT)?, Type::TEXT));
                (text(left)?, text(right)?)
            }
            (Type::Unknown, ty) => ((self.resolve(left.0, plain(ty))?, plain(ty)), right),
            (ty, Type::Unknown) => {
                let resolved = (self.resolve(right.0, plain(ty))?, plain(ty));
                (left, resolved)
            }
            _ => (left, right),
        })
    }

    pub(super) fn strict_arith(&self, op: Arith, left: Typed, right: Typed) -> Result<Typed> {
        if left.1 == Type::Unknown && right.1 == Type::Unknown {
            return fail(ErrorClass::AmbiguousFunction, "an operator between values without types");
        }
        if let Some(spans) = self.interval_arith(op, &left, &right)? {
            return Ok(spans);
        }
        if let Some(days) = self.date_arith(op, &left, &right)? {
            return Ok(days);
        }
        let ((left, a), (right, b)) = self.resolve_pair(left, right)?;
        let whole = matches!((a, b), (Type::Int(_), Type::Int(_)));
        let bits = matches!(
            op,
            Arith::BitAnd | Arith::BitOr | Arith::BitXor | Arith::ShiftLeft | Arith::ShiftRight
        );
        let inexact = |ty| matches!(ty, Type::Real | Type::Double);
        if !a.is_number()
            || !b.is_number()
            || (bits && !whole)
            || (op == Arith::Mod && (inexact(a) || inexact(b)))
        {
            return fail(
                ErrorClass::UndefinedFunction,
                format!("no operator {op:?} for {a:?} and {b:?}"),
            );
        }
        let result = match op {
            Arith::ShiftLeft | Arith::ShiftRight => a,
            _ => common_number(a, b),
        };
        let side = |expr: Expr, ty: Type| match (ty, result) {
            (Type::Int(_), Type::Int(_)) | (Type::Decimal(_), Type::Decimal(_)) => expr,
            (from, to) if from == to => expr,
            _ => expr.cast(result, CastMode::Implicit),
        };
        let (left, right) = (side(left, a), side(right, b));
        Ok((Expr::Arith { op, result, left: Box::new(left), right: Box::new(right) }, result))
    }

    /// `date + 3`, `date - 3`, `date - date`.
    fn date_arith(&self, op: Arith, left: &Typed, right: &Typed) -> Result<Option<Typed>> {
        let build = |left: &Typed, right: &Typed, result| {
            let expr = Expr::Arith {
                op,
                result,
                left: Box::new(left.0.clone()),
                right: Box::new(right.0.clone()),
            };
            Ok(Some((expr, result)))
        };
        match (op, left.1, right.1) {
            // Days are integers; no larger type becomes one by itself.
            (Arith::Add | Arith::Sub, Type::Date, Type::INT8)
            | (Arith::Add, Type::INT8, Type::Date) => {
                fail(ErrorClass::UndefinedFunction, "no operator for a date and a bigint")
            }
            (Arith::Add | Arith::Sub, Type::Date, Type::Int(_)) => build(left, right, Type::Date),
            (Arith::Add, Type::Int(_), Type::Date) => build(right, left, Type::Date),
            (Arith::Sub, Type::Date, Type::Date) => build(left, right, Type::INT4),
            (_, a, b) if [a, b].iter().any(|ty| ty.is_time() || ty.is_instant()) => {
                unsupported("this arithmetic with dates")
            }
            _ => Ok(None),
        }
    }

    /// The one type of several expressions, as in CASE, COALESCE, UNION and VALUES.
    pub(super) fn strict_common(&self, types: &[Type]) -> Result<Type> {
        let mut common = Type::Unknown;
        for ty in types.iter().copied().filter(|ty| *ty != Type::Unknown) {
            common = match (common, ty) {
                (Type::Unknown, ty) => ty,
                (a, b) if a == b => a,
                (a, b) if a.is_number() && b.is_number() => match common_number(a, b) {
                    // The preferred one wins here, not the one that keeps most digits.
                    Type::Double if a != Type::Double && b != Type::Double => Type::Real,
                    other => other,
                },
                // All texts become one another, so the first one wins.
                (a, b) if a.is_text() && b.is_text() => plain(a),
                (Type::Array(_), Type::Array(_)) => {
                    return unsupported("arrays of different types in one expression");
                }
                (a, b) if a.is_time() && b.is_time() => Type::TIMESTAMP,
                (Type::Instant(_), Type::Instant(_)) => Type::INSTANT,
                (Type::TimeOfDay(_), Type::TimeOfDay(_)) => Type::TIME_OF_DAY,
                (a, b) if a.is_partly_known() || b.is_partly_known() => {
                    return unsupported(format!("{a:?} and {b:?} in one expression"));
                }
                (a, b) if (a.is_instant() && b.is_time()) || (a.is_time() && b.is_instant()) => {
                    self.in_utc("times with and without a time zone")?;
                    Type::INSTANT
                }
                (a, b) => {
                    return fail(
                        ErrorClass::TypeMismatch,
                        format!("{a:?} and {b:?} have no common type"),
                    );
                }
            };
        }
        // A literal has no limits, so the limits of the others are not those of all.
        let limited = !types.contains(&Type::Unknown);
        self.outside_routines(match common {
            Type::Unknown => Type::TEXT,
            common if limited => common,
            common => plain(common),
        })
    }

    /// Refuses CHARs of several lengths in a routine, whose variables take values without their types.
    pub(super) fn outside_routines(&self, ty: Type) -> Result<Type> {
        match ty {
            Type::Char(None) if !self.locals.is_empty() => {
                unsupported("CHARs of several lengths in a routine")
            }
            _ => Ok(ty),
        }
    }
}

/// The type in which two numbers meet.
pub(super) fn common_number(a: Type, b: Type) -> Type {
    match (a, b) {
        (Type::Int(a), Type::Int(b)) => Type::Int(if a.bytes >= b.bytes { a } else { b }),
        (Type::Real, Type::Real) => Type::Real,
        (Type::Real | Type::Double, _) | (_, Type::Real | Type::Double) => Type::Double,
        _ => Type::NUMERIC,
    }
}

//! Functions of numbers.
//!
//! Layer `bind`; knows types and plans.

use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{CastMode, Expr, Function};
use crate::types::{Digits, Type};
use crate::value::Value;

use super::binder::{Binder, Typed};
use super::loose::number_in;

impl Binder<'_> {
    /// Functions of one number, and of a number and digits.
    pub(super) fn numeric(&self, function: Function, args: Vec<Typed>) -> Result<Typed> {
        let two = args.len() == 2;
        let mut args = args.into_iter();
        let Some((first, ty)) = args.next() else {
            return fail(ErrorClass::UndefinedFunction, "no argument");
        };
        let places = args.next();
        let (argument, result) = if self.dialect.is_strictly_typed() {
            strict_numeric(function, ty, two)?
        } else {
            let number = number_in(&(first.clone(), ty));
            (number, loose_numeric(self.dialect, function, number, places.as_ref()))
        };
        let mut bound = vec![match ty {
            _ if ty == argument => first,
            Type::Unknown => self.resolve(first, argument)?,
            _ => first.cast(argument, CastMode::Implicit),
        }];
        if let Some((places, ty)) = places {
            if !matches!(ty, Type::Int(_)) {
                return unsupported("a number of digits that is not an integer");
            }
            bound.push(places);
        }
        Ok((Expr::Call { function, result, args: bound }, result))
    }
}

/// The type of the argument and of the result.
fn strict_numeric(function: Function, ty: Type, two: bool) -> Result<(Type, Type)> {
    let double = (Type::Double, Type::Double);
    Ok(match (function, ty) {
        (Function::Abs, Type::Int(_) | Type::Real | Type::Double) => (ty, ty),
        (Function::Round | Function::Truncate, Type::Unknown) if two => {
            (Type::NUMERIC, Type::NUMERIC)
        }
        (Function::Truncate, Type::Unknown) => {
            return fail(ErrorClass::AmbiguousFunction, "TRUNC of a value without a type");
        }
        (_, Type::Unknown) => double,
        (Function::Round | Function::Truncate, Type::Decimal(_) | Type::Int(_)) if two => {
            (Type::NUMERIC, Type::NUMERIC)
        }
        (Function::Round | Function::Truncate, Type::Real | Type::Double) if two => {
            return fail(ErrorClass::UndefinedFunction, "this takes an exact number");
        }
        (_, Type::Int(_) | Type::Real | Type::Double) => double,
        (_, Type::Decimal(_)) => (Type::NUMERIC, Type::NUMERIC),
        _ => return fail(ErrorClass::UndefinedFunction, "expected a number"),
    })
}

fn loose_numeric(
    dialect: Dialect,
    function: Function,
    number: Type,
    places: Option<&Typed>,
) -> Type {
    let Type::Decimal(Some(Digits { precision, scale })) = number else {
        return match (function, number) {
            (Function::Sign, _) => Type::INT8,
            (Function::Abs, Type::Int(int)) if !int.unsigned => Type::INT8,
            _ => number,
        };
    };
    match (function, places) {
        (Function::Sign, _) => Type::INT8,
        (Function::Abs, _) => number,
        (Function::Floor | Function::Ceil, _) if precision - scale < 18 => Type::INT8,
        (Function::Floor | Function::Ceil, _) => Type::decimal(precision - scale + 1, 0),
        (_, Some((Expr::Const(Value::Int(places)), _))) => {
            let places = u32::try_from(*places).unwrap_or(0);
            let places =
                if dialect.rounding_adds_digits() { places.min(38) } else { places.min(scale) };
            Type::decimal(precision - scale + 1 + places, places)
        }
        (_, Some(_)) => number,
        (_, None) => Type::decimal(precision - scale + 1, 0),
    }
}

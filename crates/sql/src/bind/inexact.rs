//! `round(sin(x)::numeric, 8)`: functions whose last digit depends on the C library, where it is not shown.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::catalog::Catalog;
use crate::error::Result;
use crate::parse::last_name;
use crate::plan::{CastMode, Expr, Function, Inexact, NumberFunction};
use crate::types::Type;
use crate::value::Value;

use super::binder::{Binder, Typed};
use super::functions::plain_args;

impl Binder<'_> {
    /// `round()` of such a function; `None` if it is something else.
    pub(super) fn rounded_function(
        &mut self,
        name: &str,
        call: &ast::Function,
    ) -> Result<Option<Typed>> {
        if name != "round" || call.filter.is_some() {
            return Ok(None);
        }
        let args = plain_args(call)?;
        let (inner, places) = match args.as_slice() {
            [ast::Expr::Function(inner)] => (inner, None),
            [ast::Expr::Cast { expr, data_type, .. }, rest @ ..] if rest.len() < 2 => {
                let ast::Expr::Function(inner) = &**expr else { return Ok(None) };
                if self.catalog.read_type(data_type)? != Type::NUMERIC {
                    return Ok(None);
                }
                (inner, Some(rest.first()))
            }
            _ => return Ok(None),
        };
        let Some(of) = named(self.catalog, inner)? else { return Ok(None) };
        let places = match places {
            None => None,
            Some(None) => Some(Value::Int(0)),
            Some(Some(places)) => match self.expr(places)? {
                (Expr::Const(places @ Value::Int(0..=12)), _) => Some(places),
                _ => return Ok(None),
            },
        };
        let mut bound = Vec::new();
        for arg in plain_args(inner)? {
            let (expr, ty) = self.expr(&arg)?;
            // Some of them are exact functions of exact numbers.
            let double = matches!(ty, Type::Double | Type::Int(_));
            if !double && (!matches!(ty, Type::Decimal(_)) || of.is_also_exact()) {
                return Ok(None);
            }
            bound.push(expr.cast(Type::Double, CastMode::Implicit));
        }
        if bound.len() != if of == Inexact::Atan2 { 2 } else { 1 } {
            return Ok(None);
        }
        let (exact, result) = match places {
            Some(places) => {
                bound.push(Expr::Const(places));
                (true, Type::NUMERIC)
            }
            None => (false, Type::Double),
        };
        let function = Function::Number(NumberFunction::Rounded { of, exact });
        Ok(Some((Expr::Call { function, result, args: bound }, result)))
    }
}

fn named(catalog: &Catalog, call: &ast::Function) -> Result<Option<Inexact>> {
    let name = last_name(&call.name)?.to_lowercase();
    if catalog.routine(&name).is_some() || call.filter.is_some() || call.over.is_some() {
        return Ok(None);
    }
    Ok(Some(match name.as_str() {
        "sin" => Inexact::Sin,
        "cos" => Inexact::Cos,
        "tan" => Inexact::Tan,
        "asin" => Inexact::Asin,
        "acos" => Inexact::Acos,
        "atan" => Inexact::Atan,
        "atan2" => Inexact::Atan2,
        "sinh" => Inexact::Sinh,
        "cosh" => Inexact::Cosh,
        "tanh" => Inexact::Tanh,
        "cbrt" => Inexact::Cbrt,
        "exp" => Inexact::Exp,
        "ln" => Inexact::Ln,
        "log" | "log10" => Inexact::Log10,
        _ => return Ok(None),
    }))
}

impl Inexact {
    /// Whether there is another function of this name for exact numbers.
    fn is_also_exact(self) -> bool {
        matches!(self, Self::Exp | Self::Ln | Self::Log10)
    }
}

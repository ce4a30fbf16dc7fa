//! `EXP`, `LN`, `LOG`, `LOG2` and `LOG10` of MySQL.
//!
//! C libraries differ in the last digit of their results. So a result is known only if it is exact (`LOG10(100)`), or
//! if it is rounded at once, and not close to the middle between two results: `ROUND(LN(n), 8)`.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::Result;
use crate::parse::last_name;
use crate::plan::{Expr, Logarithm, LooseFunction, LooseNumber};
use crate::types::Type;
use crate::value::Value;

use super::binder::{Binder, Typed};
use super::functions::plain_args;
use super::loose_functions::Takes;
use super::order::position;

/// The most digits behind the point to which results are rounded here.
const MOST_DIGITS: usize = 10;

impl Binder<'_> {
    /// Such a function by its name, if it is one.
    pub(super) fn logarithm(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        let Some(kind) = named(name, args.len()).filter(|kind| *kind != Logarithm::Pi) else {
            return Ok(None);
        };
        let function = LooseFunction::Number(LooseNumber::Logarithm(kind));
        self.loosely(function, &[Takes::Double], Type::Double, args.to_vec()).map(Some)
    }

    /// `ROUND(LN(n), 8)`; `None` if it is something else.
    pub(super) fn rounded_logarithm(&mut self, args: &[ast::Expr]) -> Result<Option<Typed>> {
        let [ast::Expr::Function(inner), digits] = args else { return Ok(None) };
        let Some(digits) = position(digits).filter(|digits| *digits <= MOST_DIGITS) else {
            return Ok(None);
        };
        if inner.over.is_some() {
            return Ok(None);
        }
        let name = last_name(&inner.name)?.to_lowercase();
        let inner = plain_args(inner)?;
        let Some(kind) = named(&name, inner.len()) else { return Ok(None) };
        let mut bound = inner.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>>>()?;
        #[allow(clippy::cast_precision_loss, reason = "there are few digits")]
        let digits = Value::Double(digits as f64);
        bound.push((Expr::Const(digits), Type::Double));
        let function = LooseFunction::Number(LooseNumber::RoundedLogarithm(kind));
        self.loosely(function, &[Takes::Double], Type::Double, bound).map(Some)
    }
}

fn named(name: &str, args: usize) -> Option<Logarithm> {
    Some(match (name, args) {
        ("exp", 1) => Logarithm::Exp,
        ("ln" | "log", 1) => Logarithm::Natural,
        ("log", 2) => Logarithm::OfBase,
        ("log2", 1) => Logarithm::Binary,
        ("log10", 1) => Logarithm::Decimal,
        ("pi", 0) => Logarithm::Pi,
        _ => return None,
    })
}

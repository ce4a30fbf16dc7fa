//! Columns of numbers that MariaDB looks up by numbers with more digits.
//!
//! ```text
//!   k DECIMAL(5,0), KEY (k)
//!   SELECT k FROM t WHERE k = 2.2            2: the server cuts the digits off, and does not compare again
//! ```
//!
//! Whether it happens depends on the plan, so such comparisons are refused.
//!
//! Layer `bind`.

use crate::error::{Result, unsupported};
use crate::plan::Expr;
use crate::types::Type;
use crate::value::{Decimal, Value, leading_number_text};

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// Refuses what a query returns.
    pub(super) fn refuse_cut_key(&self, (side, ty): &Typed, found: Type) -> Result<()> {
        let longer = matches!(side, Expr::Column { .. })
            && digits_of(*ty).is_some_and(|digits| digits_of(found).unwrap_or(0) > digits);
        match longer && !self.dialect.is_strictly_typed() {
            true => unsupported("a column compared with longer fractions of a subquery"),
            false => Ok(()),
        }
    }

    /// Refuses a constant, which equals no value of the column.
    pub(super) fn refuse_cut_constant(&self, left: &Typed, right: &Typed) -> Result<()> {
        let cut = |(column, ty): &Typed, constant: &Expr| {
            matches!(column, Expr::Column { .. })
                && digits_of(*ty).is_some_and(|digits| has_more_digits(constant, digits))
        };
        match (cut(left, &right.0) || cut(right, &left.0)) && !self.dialect.is_strictly_typed() {
            true => unsupported("a column compared with a constant that has more digits"),
            false => Ok(()),
        }
    }
}

/// How many digits exact numbers have behind the point.
fn digits_of(ty: Type) -> Option<u32> {
    match ty {
        Type::Int(_) => Some(0),
        Type::Decimal(digits) => digits.map(|digits| digits.scale),
        _ => None,
    }
}

fn has_more_digits(constant: &Expr, digits: u32) -> bool {
    let number = match constant {
        Expr::Neg(_, inner) => return has_more_digits(inner, digits),
        Expr::Const(Value::Decimal(number)) => Some(number.clone()),
        Expr::Const(Value::Double(number)) => Decimal::parse(&number.to_string()),
        Expr::Const(Value::Text(text)) => Decimal::parse(leading_number_text(text)),
        _ => None,
    };
    number.is_some_and(|number| number.round(digits).compare(&number).is_ne())
}

//! INSERT IGNORE of a row that is not valid: MySQL makes it valid, with a warning.
//!
//! ```text
//!   500 in a TINYINT            127
//!   'abcdef' in a VARCHAR(3)    'abc'
//!   NULL, or nothing, in a column that has to have a value and has no default    0 or ''
//! ```
//!
//! Layer `run`; knows the constraints of tables.

use crate::catalog::{DefaultValue, Table};
use crate::error::{ExecutionError, Result, unsupported};
use crate::plan::Fill;
use crate::text::to_text;
use crate::types::{Digits, IntType, Type};
use crate::value::{Decimal, Value, leading_number_text, round_to_even};

use super::state::Run;

impl Run<'_> {
    /// The row that is stored instead of one that is not valid.
    pub(super) fn forced(
        &mut self,
        table: &Table,
        fills: &[Fill],
        given: &[Option<Value>],
    ) -> Result<Vec<Value>> {
        let mut row = Vec::with_capacity(fills.len());
        for (column, fill) in fills.iter().enumerate() {
            let value = match fill {
                Fill::Given(place) => given.get(*place).cloned().flatten(),
                Fill::Default => None,
            };
            let described = &table.columns()[column];
            let stored = match value {
                Some(value) => match self.given_value(table, column, value.clone()) {
                    Err(ExecutionError::Server(_)) => forced_value(&value, described.ty())?,
                    done => done?,
                },
                None if described.default == DefaultValue::Nothing => Value::Null,
                None => self.default_value(table, column)?,
            };
            let missing = stored.is_null() && described.is_not_null();
            row.push(if missing { implied(described.ty())? } else { stored });
        }
        let valid = self.generate(table, &mut row).and_then(|()| self.check_row(table, &row));
        match valid {
            Ok(()) => Ok(row),
            Err(ExecutionError::Server(_)) => {
                unsupported("INSERT IGNORE of a row that does not meet a condition")
            }
            Err(error) => Err(error),
        }
    }
}

/// What a column holds that has to have a value and was given none.
pub(super) fn implied(ty: Type) -> Result<Value> {
    match ty {
        Type::Int(_) => Ok(Value::Int(0)),
        Type::Decimal(Some(Digits { scale, .. })) => {
            Ok(Value::Decimal(Decimal::from_integer(0).round(scale)))
        }
        Type::Real | Type::Double => Ok(Value::Double(0.0)),
        Type::Text { .. } => Ok(Value::text("")),
        _ => unsupported("a column of this type that has to have a value and is given none"),
    }
}

/// The value next to one that does not fit its column.
fn forced_value(value: &Value, to: Type) -> Result<Value> {
    match to {
        Type::Int(int) => forced_int(value, int),
        Type::Decimal(Some(digits)) => forced_decimal(value, digits),
        Type::Text { limit: Some(limit), trims, .. } => {
            let text: String =
                to_text(value, Type::Unknown, false).chars().take(limit as usize).collect();
            Ok(Value::text(if trims { text.trim_end_matches(' ') } else { &text }))
        }
        _ => unsupported("INSERT IGNORE of a value that does not fit this type"),
    }
}

fn forced_int(value: &Value, int: IntType) -> Result<Value> {
    let whole = match value {
        Value::Text(text) => {
            let number = leading_number_text(text);
            match number.parse::<i128>() {
                Ok(whole) => Some(whole),
                Err(_) if number.is_empty() => Some(0),
                Err(_) => None,
            }
        }
        Value::Decimal(decimal) => decimal.to_integer(),
        #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
        Value::Double(double) if double.abs() < 1e30 => Some(round_to_even(*double) as i128),
        Value::Int(_) | Value::Large(_) => value.as_integer(),
        _ => None,
    };
    let (low, high) = int.range();
    match whole.and_then(|whole| Value::from_integer(whole.clamp(low, high))) {
        Some(value) => Ok(value),
        None => unsupported("INSERT IGNORE of this value into a whole number"),
    }
}

fn forced_decimal(value: &Value, digits: Digits) -> Result<Value> {
    let (whole, scale) = ((digits.precision - digits.scale) as usize, digits.scale as usize);
    let Some(number) = value.as_decimal() else {
        return unsupported("INSERT IGNORE of this value into an exact number");
    };
    let nines = |count: usize| if count == 0 { "0".to_owned() } else { "9".repeat(count) };
    let sign = if number.to_f64() < 0.0 { "-" } else { "" };
    let point = if scale == 0 { String::new() } else { format!(".{}", "9".repeat(scale)) };
    match Decimal::parse(&format!("{sign}{}{point}", nines(whole))) {
        Some(most) => Ok(Value::Decimal(most)),
        None => unsupported("INSERT IGNORE of this number"),
    }
}

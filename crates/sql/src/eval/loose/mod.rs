//! What the functions that only MySQL and MariaDB have do to values, one family per file.
//!
//! Whatever a function does with arguments of odd types or outside of sane ranges is refused, unless a comparison
//! with the server has shown it. No argument is NULL, except where [`LooseFunction::takes_nulls`] says so.
//!
//! Layer `eval`; knows values and the names of functions.

mod format;
mod hashes;
mod interval;
mod json;
mod logarithms;
mod moments;
mod numbers;
mod patterns;
mod read;
mod texts;
mod week;

pub(crate) use read::parts_in as date_parts;

use crate::error::{Result, unsupported};
use crate::plan::LooseFunction;
use crate::types::Type;
use crate::value::Value;

use super::environment::Environment;

pub(super) fn loose_call(
    env: &mut impl Environment,
    function: LooseFunction,
    result: Type,
    args: &[Value],
) -> Result<Value> {
    if !function.takes_nulls() && args.iter().any(Value::is_null) {
        return Ok(Value::Null);
    }
    match function {
        LooseFunction::Text(function) => texts::text_call(env, function, args),
        LooseFunction::Number(function) => numbers::number_call(function, args),
        LooseFunction::Moment(function) => moments::moment_call(function, result, args),
        LooseFunction::Fitting => fitting(&args[0], result),
        LooseFunction::Json(function) => json::json_call(function, args),
    }
}

/// A value of a type, which a whole number need not fill: literals have four bytes.
fn fitting(value: &Value, ty: Type) -> Result<Value> {
    let fits = match (value, ty) {
        (Value::Int(number), Type::Int(_)) => i32::try_from(*number).is_ok(),
        (Value::Text(text), Type::Text { limit: Some(limit), .. }) => {
            text.chars().count() <= limit as usize
        }
        (Value::Date(_), Type::Date) | (Value::Timestamp(_), Type::Timestamp(_)) => true,
        _ => false,
    };
    match fits {
        true => Ok(value.clone()),
        false => unsupported("a value that does not fit a column of a recursive query"),
    }
}

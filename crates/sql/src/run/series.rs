//! `generate_series()`.
//!
//! Layer `run`; evaluates its arguments.

use crate::error::{Result, unsupported};
use crate::plan::Expr;
use crate::types::Type;
use crate::value::Value;

use super::frame::Frame;
use super::state::Run;

/// More rows are refused.
const MOST_ROWS: usize = 100_000;

impl Run<'_> {
    /// The numbers of a series: from, to, and how far apart. There are none if one of them is NULL.
    pub(super) fn series(
        &mut self,
        args: &[Expr],
        ty: Type,
        frame: &Frame<'_>,
    ) -> Result<Vec<Value>> {
        let mut bounds = Vec::new();
        for arg in args {
            bounds.push(self.eval(arg, frame)?.as_integer());
        }
        let Some(bounds) = bounds.into_iter().collect::<Option<Vec<_>>>() else {
            return Ok(Vec::new());
        };
        let (Some(from), Some(to)) = (bounds.first(), bounds.get(1)) else {
            return unsupported("generate_series() without bounds");
        };
        let step = bounds.get(2).copied().unwrap_or(1);
        let Type::Int(int) = ty else { return unsupported("this generate_series()") };
        let (low, high) = int.range();
        let mut numbers = Vec::new();
        let mut next = *from;
        if step == 0 {
            return unsupported("generate_series() with a step of zero");
        }
        // It ends where the next number does not fit the type.
        while (low..=high).contains(&next) && if step > 0 { next <= *to } else { next >= *to } {
            if numbers.len() >= MOST_ROWS {
                return unsupported("generate_series() with this many rows");
            }
            numbers.extend(Value::from_integer(next));
            next += step;
        }
        Ok(numbers)
    }
}

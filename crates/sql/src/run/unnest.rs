//! The elements of arrays as rows.
//!
//! Layer `run`; knows expressions.

use crate::error::{Result, unsupported};
use crate::plan::Expr;
use crate::value::Value;

use super::frame::Frame;
use super::state::Run;

impl Run<'_> {
    /// The elements of several arrays side by side, those of the shorter ones filled up with NULL.
    pub(super) fn unnest(
        &mut self,
        arrays: &[Expr],
        places: bool,
        frame: &Frame<'_>,
    ) -> Result<Vec<Vec<Value>>> {
        let mut columns = Vec::new();
        for array in arrays {
            columns.push(match self.eval(array, frame)? {
                Value::Array(values) => values.to_vec(),
                Value::Null => Vec::new(),
                _ => return unsupported("unnest of something that is not an array"),
            });
        }
        let length = columns.iter().map(Vec::len).max().unwrap_or(0);
        let row = |place: usize| {
            let element = |column: &Vec<Value>| column.get(place).cloned().unwrap_or(Value::Null);
            let number = Value::Int(i64::try_from(place + 1).unwrap_or(i64::MAX));
            columns.iter().map(element).chain(places.then_some(number)).collect()
        };
        Ok((0..length).map(row).collect())
    }
}

//! Functions and operators of PostgreSQL's ranges.
//!
//! Layer `eval`; knows values and the names of functions.

use std::sync::Arc;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::RangeFunction;
use crate::value::{End, NoRange, Range, RangeOf, Value, exact_end};

pub(super) fn range_call(function: RangeFunction, args: &[Value]) -> Result<Value> {
    use RangeFunction as R;
    let truth = |truth: bool| Ok(Value::Bool(truth));
    match (function, args) {
        (R::Make(of), [lower, upper, bounds @ ..]) => make(of, lower, upper, bounds.first()),
        (R::Has, [Value::Range(range), value]) => truth(range.has(value)),
        (R::Contains, [Value::Range(a), Value::Range(b)]) => truth(a.contains(b)),
        (R::Overlaps, [Value::Range(a), Value::Range(b)]) => truth(a.overlaps(b)),
        (R::Precedes, [Value::Range(a), Value::Range(b)]) => truth(a.precedes(b)),
        (R::EndsWithin, [Value::Range(a), Value::Range(b)]) => truth(a.ends_within(b)),
        (R::BeginsWithin, [Value::Range(a), Value::Range(b)]) => truth(a.begins_within(b)),
        (R::Adjacent, [Value::Range(a), Value::Range(b)]) => truth(a.is_adjacent(b)),
        (R::Intersection, [Value::Range(a), Value::Range(b)]) => Ok(value(a.intersection(b))),
        (R::Merge, [Value::Range(a), Value::Range(b)]) => Ok(value(a.merged(b))),
        (R::Union, [Value::Range(a), Value::Range(b)]) => made(a.union(b)),
        (R::Without(of), [Value::Range(a), Value::Range(b)]) => made(a.without(of, b)),
        (function, [Value::Range(range)]) => about(function, range),
        _ => unsupported("this function of ranges"),
    }
}

/// What a function of one range gives.
fn about(function: RangeFunction, range: &Range) -> Result<Value> {
    use RangeFunction as R;
    let at = |end: &End| end.value.clone().unwrap_or(Value::Null);
    Ok(match (function, range.ends()) {
        (R::IsEmpty, ends) => Value::Bool(ends.is_none()),
        (R::Lower | R::Upper, None) => Value::Null,
        (R::Lower, Some((lower, _))) => at(lower),
        (R::Upper, Some((_, upper))) => at(upper),
        (_, None) => Value::Bool(false),
        (R::LowerIncluded, Some((lower, _))) => Value::Bool(lower.included),
        (R::UpperIncluded, Some((_, upper))) => Value::Bool(upper.included),
        (R::LowerInfinite, Some((lower, _))) => Value::Bool(lower.value.is_none()),
        (R::UpperInfinite, Some((_, upper))) => Value::Bool(upper.value.is_none()),
        _ => return unsupported("this function of a range"),
    })
}

fn make(of: RangeOf, lower: &Value, upper: &Value, bounds: Option<&Value>) -> Result<Value> {
    let (first, last) = match bounds {
        None => (true, false),
        Some(Value::Text(bounds)) => match &**bounds {
            "[)" => (true, false),
            "[]" => (true, true),
            "()" => (false, false),
            "(]" => (false, true),
            _ => return fail(ErrorClass::Syntax, "invalid bounds of a range"),
        },
        Some(_) => return fail(ErrorClass::InvalidRange, "the bounds of a range are NULL"),
    };
    let exact = |value: &Value| match of {
        RangeOf::Numeric => exact_end(value),
        _ => value.clone(),
    };
    made(Range::new(of, End::at(&exact(lower), first), End::at(&exact(upper), last)))
}

/// A range that was made, or the error that the server answers with.
pub(super) fn made(range: Result<Range, NoRange>) -> Result<Value> {
    match range {
        Ok(range) => Ok(value(range)),
        Err(NoRange::Reversed) => {
            fail(ErrorClass::InvalidRange, "the lower end of a range is behind the upper one")
        }
        Err(NoRange::Gap) => fail(ErrorClass::InvalidRange, "the result would not be contiguous"),
        Err(NoRange::TooLarge) => fail(ErrorClass::OutOfRange, "an end that does not fit"),
    }
}

fn value(range: Range) -> Value {
    Value::Range(Arc::new(range))
}

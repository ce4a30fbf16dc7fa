//! Aggregates that put values together, statistics, and aggregates over sorted values.
//!
//! Layer `run`; some of the aggregates.

use std::sync::Arc;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::eval::root_at_scale;
use crate::plan::{Aggregate, Collect, Expr, OrderedSet, Statistic};
use crate::value::{Decimal, Json, Value, quoted_json};

use super::frame::Frame;
use super::source::Wide;
use super::state::Run;

impl Run<'_> {
    /// All values in their order, of which the server chooses what is not asked for. Without rows it is NULL.
    pub(super) fn collect(
        &mut self,
        what: Collect,
        aggregate: &Aggregate,
        members: &[usize],
        rows: &Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Value> {
        let values = self.sorted_values(aggregate, members, rows, outer, true, |args| {
            what != Collect::JsonObject || has_twins(args)
        })?;
        if values.is_empty() {
            return Ok(Value::Null);
        }
        match what {
            Collect::Array => Ok(Value::Array(firsts(values).collect())),
            Collect::Json => {
                let elements = firsts(values).map(json).collect::<Result<_>>()?;
                Ok(Value::Json(Arc::new(Json::Array(elements))))
            }
            Collect::JsonText => {
                let texts = firsts(values).map(json_text).collect::<Result<Vec<_>>>()?;
                Ok(Value::text(&format!("[{}]", texts.join(", "))))
            }
            Collect::JsonObject => {
                let members = pairs(values)?.into_iter().map(|(name, one)| Ok((name, json(one)?)));
                Ok(Value::Json(Arc::new(Json::object(members.collect::<Result<Vec<_>>>()?))))
            }
            Collect::JsonTextObject => {
                let member = |(name, one): (Arc<str>, Value)| {
                    Ok(format!("{} : {}", quoted_json(&name), json_text(one)?))
                };
                let members = pairs(values)?.into_iter().map(member).collect::<Result<Vec<_>>>()?;
                Ok(Value::text(&format!("{{ {} }}", members.join(", "))))
            }
        }
    }

    pub(super) fn ordered_set(
        &mut self,
        what: OrderedSet,
        aggregate: &Aggregate,
        members: &[usize],
        rows: &Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Value> {
        let mut values = Vec::new();
        for member in members {
            let frame = Frame { row: &rows[*member], outer };
            if self.admits(aggregate, &frame)? {
                let value = self.eval(&aggregate.order[0], &frame)?;
                values.extend((!value.is_null()).then(|| vec![value]));
            }
        }
        let ends = self.sort(&mut values, &aggregate.keys);
        let Some(last) = values.len().checked_sub(1) else { return Ok(Value::Null) };
        let fraction = match aggregate.args.first() {
            Some(Expr::Const(Value::Double(fraction))) => *fraction,
            _ => 0.0,
        };
        match what {
            OrderedSet::Mode => {
                let starts = std::iter::once(&0).chain(&ends);
                let groups = starts.zip(&ends).map(|(start, end)| (end - start, *start));
                // Of values that are equally frequent, the first one.
                let longest = groups.clone().map(|(length, _)| length).max();
                let first = groups.clone().find(|(length, _)| Some(*length) == longest);
                let Some((length, start)) = first else { return Ok(Value::Null) };
                let alike = &values[start..start + length];
                if alike.iter().any(|one| *one != alike[0]) {
                    return unsupported("mode() of equal values that look different");
                }
                Ok(alike[0][0].clone())
            }
            OrderedSet::Discrete => {
                let place = at_or_behind(fraction, values.len());
                let value = &values[place.min(last)];
                let group = ends.iter().position(|end| *end > place.min(last)).unwrap_or(0);
                let start = if group == 0 { 0 } else { ends[group - 1] };
                if values[start..ends[group]].iter().any(|one| one != value) {
                    return unsupported("percentile_disc() of equal values that look different");
                }
                Ok(value[0].clone())
            }
            OrderedSet::Continuous => between(&values, fraction, last),
        }
    }
}

/// The first place at which at least this fraction of the rows has been seen.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the server does the same, and the number is not negative"
)]
fn at_or_behind(fraction: f64, count: usize) -> usize {
    ((fraction * count as f64).ceil() as usize).max(1) - 1
}

#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the server does the same, and the number is not negative"
)]
fn between(values: &Wide, fraction: f64, last: usize) -> Result<Value> {
    let place = fraction * last as f64;
    let (first, second) = (place.floor(), place.ceil());
    let number = |place: f64| match values.get(place as usize).and_then(|row| row[0].to_f64()) {
        Some(number) => Ok(number),
        None => unsupported("percentile_cont() of values that are not numbers"),
    };
    let (low, high) = (number(first)?, number(second)?);
    if first == second {
        return Ok(Value::Double(low));
    }
    let proportion = place - first;
    let apart = low + proportion * (high - low);
    match apart == proportion.mul_add(high - low, low) {
        true => Ok(Value::Double(apart)),
        false => unsupported("percentile_cont() that depends on how it is rounded"),
    }
}

fn firsts(values: Wide) -> impl Iterator<Item = Value> {
    values.into_iter().map(|mut row| row.swap_remove(0))
}

fn json(value: Value) -> Result<Json> {
    match value {
        Value::Null => Ok(Json::Null),
        Value::Json(json) => Ok((*json).clone()),
        _ => unsupported("an aggregate of something that is not JSON"),
    }
}

fn json_text(value: Value) -> Result<String> {
    match value {
        Value::Null => Ok("null".to_owned()),
        Value::Text(text) => Ok(text.to_string()),
        _ => unsupported("an aggregate of something that is not JSON"),
    }
}

fn pairs(values: Wide) -> Result<Vec<(Arc<str>, Value)>> {
    let pair = |mut row: Vec<Value>| match (row.pop(), row.pop()) {
        (Some(value), Some(Value::Text(name))) => Ok((name, value)),
        (_, Some(Value::Null)) => fail(ErrorClass::InvalidArgument, "a member without a name"),
        _ => unsupported("members with these names"),
    };
    values.into_iter().map(pair).collect()
}

/// Whether two members have the same name, so that their order matters.
fn has_twins(values: &Wide) -> bool {
    let mut names: Vec<_> = values.iter().map(|row| row[0].clone()).collect();
    names.sort_by(|a, b| match (a, b) {
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    });
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// A statistic of values of which none is NULL.
pub(super) fn statistic(what: Statistic, values: &[Value]) -> Result<Value> {
    match what {
        Statistic::Spread { root, sample } => spread(values, root, sample),
        Statistic::BitAnd => Ok(bits(values, |a, b| a & b)),
        Statistic::BitOr => Ok(bits(values, |a, b| a | b)),
        Statistic::BitXor => Ok(bits(values, |a, b| a ^ b)),
    }
}

fn bits(values: &[Value], join: fn(i128, i128) -> i128) -> Value {
    let whole = values.iter().filter_map(Value::as_integer).reduce(join);
    whole.and_then(Value::from_integer).unwrap_or(Value::Null)
}

/// From the sum of the numbers and of their squares, both exact, as PostgreSQL does.
fn spread(values: &[Value], root: bool, sample: bool) -> Result<Value> {
    let count = Decimal::from_integer(i128::try_from(values.len()).unwrap_or(i128::MAX));
    let one = Decimal::from_integer(1);
    let divisor = count.mul(&if sample { count.sub(&one) } else { count.clone() });
    if divisor.is_zero() {
        return Ok(Value::Null);
    }
    let (mut sum, mut squares) = (Decimal::from_integer(0), Decimal::from_integer(0));
    for value in values {
        let Some(number) = value.as_decimal() else {
            return unsupported("a variance of numbers that are not exact");
        };
        sum = sum.add(&number);
        squares = squares.add(&number.mul(&number));
    }
    let numerator = count.mul(&squares).sub(&sum.mul(&sum));
    if numerator.sign() <= 0 {
        return Ok(Value::Decimal(Decimal::from_integer(0)));
    }
    let variance = numerator.divide_significantly(&divisor);
    match root {
        true => root_at_scale(&variance, variance.scale()),
        false => Ok(Value::Decimal(variance)),
    }
}

//! Intervals times and over numbers, step by step as PostgreSQL computes them.
//!
//! What is left of a month goes into days, and what is left of a day into microseconds. The steps are of floating
//! point numbers; a compiler may join a product and a sum into one operation, which rounds once instead of twice.
//! Where that would show, the result is refused.
//!
//! Layer `eval`; knows values only.

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::value::Interval;

const SECONDS_PER_DAY: f64 = 86_400.0;

/// `interval * factor`; `None` if it is too large.
pub(super) fn times(span: &Interval, factor: f64) -> Result<Option<Interval>> {
    let apart = scaled(span, |part| part * factor, |time, rest| time * factor + rest);
    let joined = scaled(span, |part| part * factor, |time, rest| time.mul_add(factor, rest));
    same(apart, joined)
}

/// `interval / divisor`; `None` if it is too large.
pub(super) fn over(span: &Interval, divisor: f64) -> Result<Option<Interval>> {
    if divisor == 0.0 {
        return fail(ErrorClass::DivisionByZero, "division by zero");
    }
    Ok(scaled(span, |part| part / divisor, |time, rest| time / divisor + rest))
}

fn same(apart: Option<Interval>, joined: Option<Interval>) -> Result<Option<Interval>> {
    match apart == joined {
        true => Ok(apart),
        false => unsupported("a product of an interval that depends on how it is rounded"),
    }
}

fn scaled(
    span: &Interval,
    scale: impl Fn(f64) -> f64,
    with_rest: impl Fn(f64, f64) -> f64,
) -> Option<Interval> {
    let (months, days) = (scale(f64::from(span.months)), scale(f64::from(span.days)));
    let (whole_months, mut whole_days) = (whole(months)?, whole(days)?);
    let days_of_month = rounded((months - f64::from(whole_months)) * 30.0);
    let rest = days - f64::from(whole_days) + days_of_month - days_of_month.trunc();
    let mut seconds = rounded(rest * SECONDS_PER_DAY);
    if seconds.abs() >= SECONDS_PER_DAY {
        let more = (seconds / SECONDS_PER_DAY).trunc();
        whole_days = whole_days.checked_add(whole(more)?)?;
        seconds -= more * SECONDS_PER_DAY;
    }
    whole_days = whole_days.checked_add(whole(days_of_month)?)?;
    #[allow(clippy::cast_precision_loss, reason = "this is what the server does")]
    let micros = with_rest(span.micros as f64, seconds * 1e6).round_ties_even();
    #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
    let micros = (micros.abs() < 9.2e18).then_some(micros as i64)?;
    Some(Interval { months: whole_months, days: whole_days, micros })
}

#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
fn whole(number: f64) -> Option<i32> {
    (number.abs() < 2_147_483_647.0).then_some(number as i32)
}

/// To microseconds.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round_ties_even() / 1e6
}

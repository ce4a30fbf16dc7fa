//! The value of an expression for a row.

use std::cmp::Ordering;

use crate::error::{Class, Result, Stop, fail, unsupported};
use crate::plan::{CastMode, Expr};
use crate::types::Type;
use crate::value::{Collation, Like, Value, add_interval, leading_number_text};

use super::logic::{and, or, truth, value_of};
use super::{Frame, Run, convert};

impl Run<'_> {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, expr: &Expr, frame: &Frame<'_>) -> Result<Value> {
        match expr {
            Expr::Const(value) => Ok(value.clone()),
            Expr::Column { depth, index } => column(frame, *depth, *index),
            Expr::Param { index, to } => self.param(*index, *to),
            Expr::Local(index) => Ok(self.locals.get(*index).cloned().unwrap_or(Value::Null)),
            Expr::Session(name) => Ok(self.session.get(name).cloned().unwrap_or(Value::Null)),
            Expr::Compare { op, collation, left, right } => {
                let (left, right) = (self.eval(left, frame)?, self.eval(right, frame)?);
                Ok(match compare(&left, &right, *collation)? {
                    Some(order) => self.dialect.boolean(op.holds(order)),
                    None => Value::Null,
                })
            }
            Expr::And(..) | Expr::Or(..) | Expr::Xor(..) | Expr::Not(_) | Expr::IsTruth { .. } => {
                let truth = self.logical(expr, frame)?;
                Ok(value_of(self.dialect, truth))
            }
            Expr::Arith { op, result, left, right } => {
                let (left, right) = (self.eval(left, frame)?, self.eval(right, frame)?);
                self.arith(*op, *result, &left, &right)
            }
            Expr::Neg(ty, inner) => {
                let value = self.eval(inner, frame)?;
                self.negative(*ty, &value)
            }
            Expr::Distinct { negated, collation, left, right } => {
                let (left, right) = (self.eval(left, frame)?, self.eval(right, frame)?);
                let distinct = match (left.is_null(), right.is_null()) {
                    (true, true) => false,
                    (false, false) => compare(&left, &right, *collation)? != Some(Ordering::Equal),
                    _ => true,
                };
                Ok(self.dialect.boolean(distinct != *negated))
            }
            Expr::IsNull { negated, expr } => {
                let value = self.eval(expr, frame)?;
                Ok(self.dialect.boolean(value.is_null() != *negated))
            }
            Expr::In { negated, list, .. } => self.in_list(*negated, list, frame),
            Expr::Like { negated, collation, expr, pattern, escape } => {
                let (text, pattern) = (self.eval(expr, frame)?, self.eval(pattern, frame)?);
                self.like(*negated, *collation, &text, &pattern, *escape)
            }
            Expr::Case { branches, otherwise } => {
                for (test, result) in branches {
                    if truth(&self.eval(test, frame)?) == Some(true) {
                        return self.eval(result, frame);
                    }
                }
                self.eval(otherwise, frame)
            }
            Expr::Coalesce(args) => {
                for arg in args {
                    let value = self.eval(arg, frame)?;
                    if !value.is_null() {
                        return Ok(value);
                    }
                }
                Ok(Value::Null)
            }
            Expr::Cast { to, mode, expr } => {
                let value = self.eval(expr, frame)?;
                self.cast(&value, *to, *mode)
            }
            Expr::Call { function, result, args } => {
                let args =
                    args.iter().map(|arg| self.eval(arg, frame)).collect::<Result<Vec<_>>>()?;
                self.call(*function, *result, &args)
            }
            Expr::Routine { name, args } => {
                let args =
                    args.iter().map(|arg| self.eval(arg, frame)).collect::<Result<Vec<_>>>()?;
                self.call_function(name, args)
            }
            Expr::Move { months, days, micros, expr } => {
                let value = self.eval(expr, frame)?;
                moved(&value, *months, *days, *micros)
            }
            Expr::Open { what } => Ok(self.open(what)),
            Expr::Exists { .. } | Expr::Scalar { .. } | Expr::Quantified { .. } => {
                self.subquery(expr, frame)
            }
            Expr::Aggregate(_) => unsupported("an aggregate here"),
        }
    }

    /// The truth of an expression.
    pub(crate) fn truth(&mut self, expr: &Expr, frame: &Frame<'_>) -> Result<Option<bool>> {
        match expr {
            Expr::And(..) | Expr::Or(..) | Expr::Xor(..) | Expr::Not(_) | Expr::IsTruth { .. } => {
                self.logical(expr, frame)
            }
            other => Ok(truth(&self.eval(other, frame)?)),
        }
    }

    fn logical(&mut self, expr: &Expr, frame: &Frame<'_>) -> Result<Option<bool>> {
        match expr {
            Expr::And(left, right) => match self.truth(left, frame)? {
                Some(false) => Ok(Some(false)),
                left => Ok(and(left, self.truth(right, frame)?)),
            },
            Expr::Or(left, right) => match self.truth(left, frame)? {
                Some(true) => Ok(Some(true)),
                left => Ok(or(left, self.truth(right, frame)?)),
            },
            Expr::Xor(left, right) => {
                let (left, right) = (self.truth(left, frame)?, self.truth(right, frame)?);
                Ok(left.zip(right).map(|(left, right)| left != right))
            }
            Expr::Not(inner) => Ok(self.truth(inner, frame)?.map(|truth| !truth)),
            Expr::IsTruth { truth, negated, expr } => {
                Ok(Some((self.truth(expr, frame)? == *truth) != *negated))
            }
            other => Ok(truth(&self.eval(other, frame)?)),
        }
    }

    fn param(&self, index: usize, to: Type) -> Result<Value> {
        match self.params.get(index) {
            Some(value) => convert(self.dialect, value, Type::Unknown, to, CastMode::Assign),
            None => unsupported(format!("a statement whose parameter {} is missing", index + 1)),
        }
    }

    pub(crate) fn cast(&mut self, value: &Value, to: Type, mode: CastMode) -> Result<Value> {
        // Where rows are changed, MySQL does not take half a number for a number.
        if self.writes
            && !self.dialect.is_strictly_typed()
            && mode != CastMode::Assign
            && (to == Type::Double || matches!(to, Type::Int(_) | Type::Decimal(_)))
            && let Value::Text(text) = value
        {
            let rest = text.trim_start()[leading_number_text(text).len()..].trim_end();
            if (!rest.is_empty() || text.trim().is_empty()) && self.warning_fails() {
                return fail(Class::InvalidText, format!("{text} is not a number"));
            }
        }
        let converted = convert(self.dialect, value, Type::Unknown, to, mode)?;
        let cut = mode == CastMode::Explicit
            && !self.dialect.is_strictly_typed()
            && is_cut(value, &converted);
        if cut && self.warning_fails() {
            return fail(Class::FieldOutOfRange, "a number with too many digits");
        }
        Ok(converted)
    }

    fn in_list(
        &mut self,
        negated: bool,
        list: &[(Expr, Expr, Collation)],
        frame: &Frame<'_>,
    ) -> Result<Value> {
        let mut result = Some(false);
        for (left, right, collation) in list {
            let (left, right) = (self.eval(left, frame)?, self.eval(right, frame)?);
            let equal = compare(&left, &right, *collation)?.map(Ordering::is_eq);
            result = or(result, equal);
            if result == Some(true) {
                break;
            }
        }
        Ok(value_of(self.dialect, result.map(|truth| truth != negated)))
    }

    fn like(
        &self,
        negated: bool,
        collation: Collation,
        text: &Value,
        pattern: &Value,
        escape: Option<char>,
    ) -> Result<Value> {
        let (Value::Text(text), Value::Text(pattern)) = (text, pattern) else {
            return Ok(Value::Null);
        };
        let folds = collation != Collation::Bytes;
        let like = match Like::new(pattern, escape, folds) {
            Some(like) => like,
            None if self.dialect.is_strictly_typed() => {
                return fail(Class::InvalidEscape, "a pattern that ends with its escape");
            }
            None => return unsupported("a pattern that ends with its escape"),
        };
        Ok(self.dialect.boolean(like.matches(text) != negated))
    }

    /// Whether a row fulfils all conditions. Servers evaluate them in an order of their own, so an error
    /// in one may or may not show if another one fails.
    pub(crate) fn keeps(&mut self, conditions: &[Expr], frame: &Frame<'_>) -> Result<bool> {
        let mut dropped = false;
        for condition in conditions {
            if dropped && !super::choose::may_fail(condition) {
                continue;
            }
            match self.truth(condition, frame) {
                Ok(Some(true)) => {}
                Ok(_) => dropped = true,
                Err(Stop::Failure(_)) if conditions.len() > 1 => {
                    return self.keeps_in_some_order(conditions, frame);
                }
                Err(stop) if !dropped => return Err(stop),
                Err(_) => {}
            }
        }
        Ok(!dropped)
    }

    /// The same if a condition ends in an error: it shows unless a condition that fails comes first. The
    /// order is the same for all rows.
    fn keeps_in_some_order(&mut self, conditions: &[Expr], frame: &Frame<'_>) -> Result<bool> {
        let mut failing = Vec::new();
        let mut first_error = None;
        for (index, condition) in conditions.iter().enumerate() {
            match self.truth(condition, frame) {
                Ok(Some(true)) => {}
                Ok(_) => failing.push(index),
                Err(Stop::Failure(failure)) => first_error = first_error.or(Some((index, failure))),
                Err(stop) => return Err(stop),
            }
        }
        match first_error {
            None => Ok(failing.is_empty()),
            Some((_, failure)) if failing.is_empty() => Err(Stop::Failure(failure)),
            Some((index, failure)) => {
                let place = (conditions.as_ptr() as usize, index, failing);
                let hidden = match self.hidden.get(&place) {
                    Some(hidden) => *hidden,
                    None => {
                        let hidden = self.choices.choose(2) == 0;
                        self.hidden.insert(place, hidden);
                        hidden
                    }
                };
                if hidden { Ok(false) } else { Err(Stop::Failure(failure)) }
            }
        }
    }
}

fn column(frame: &Frame<'_>, depth: usize, index: usize) -> Result<Value> {
    let mut frame = frame;
    for _ in 0..depth {
        match frame.outer {
            Some(outer) => frame = outer,
            None => return unsupported("a column that the query does not have"),
        }
    }
    match frame.row.get(index) {
        Some(value) => Ok(value.clone()),
        None => unsupported("a column that does not exist"),
    }
}

/// Which value comes first; nothing if one is NULL.
pub(super) fn compare(
    left: &Value,
    right: &Value,
    collation: Collation,
) -> Result<Option<Ordering>> {
    if left.is_null() || right.is_null() {
        return Ok(None);
    }
    match left.compare(right, collation) {
        Some(order) => Ok(Some(order)),
        None => unsupported("a comparison of these values"),
    }
}

fn moved(value: &Value, months: i64, days: i64, micros: i64) -> Result<Value> {
    let start = match value {
        Value::Null => return Ok(Value::Null),
        Value::Date(days) => i64::from(*days) * 86_400_000_000,
        Value::Timestamp(micros) => *micros,
        _ => return unsupported("an interval added to something that is not a date"),
    };
    match add_interval(start, months, days, micros) {
        Some(moment) => Ok(Value::Timestamp(moment)),
        None => unsupported("a date outside the years 1 to 9999"),
    }
}

/// Whether a conversion to an exact number made the largest that there is of one that is larger.
fn is_cut(before: &Value, after: &Value) -> bool {
    let (Some(before), Value::Decimal(after)) = (before.as_decimal(), after) else { return false };
    before.round(after.scale()).compare(after) != Ordering::Equal
}

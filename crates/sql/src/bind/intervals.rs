//! Intervals and times of day in PostgreSQL: literals, operators, functions.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, arguments, fail, unsupported};
use crate::plan::{Arith, CastMode, Expr, Function, IntervalFunction};
use crate::types::Type;
use crate::value::{Interval, Value};

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// `INTERVAL '1 day'`, `INTERVAL '90' SECOND`.
    pub(super) fn interval_literal(&mut self, interval: &ast::Interval) -> Result<Typed> {
        let plain = interval.leading_precision.is_none()
            && interval.last_field.is_none()
            && interval.fractional_seconds_precision.is_none();
        let text = match &*interval.value {
            ast::Expr::Value(value) => value.value.clone().into_string(),
            _ => None,
        };
        let unit = interval.leading_field.as_ref().map(|field| field.to_string().to_lowercase());
        let read = text.filter(|_| plain).and_then(|text| Interval::parse(&text, unit.as_deref()));
        match read {
            Some(read) => Ok((Expr::Const(Value::Interval(read)), Type::Interval)),
            None => unsupported(format!("the interval {interval}")),
        }
    }

    /// Arithmetic with intervals, times of day and moments; `None` if it is something else.
    pub(super) fn interval_arith(
        &self,
        op: Arith,
        left: &Typed,
        right: &Typed,
    ) -> Result<Option<Typed>> {
        use IntervalFunction as I;
        use Type::{Date, Instant, Interval as Span, TimeOfDay, Timestamp, Unknown};
        let done = |function, args: [&Typed; 2], result| {
            let args = args.into_iter().map(|arg| arg.0.clone()).collect();
            Ok(Some(spanned(function, result, args)))
        };
        let resolved = |side: &Typed, ty| Ok((self.resolve(side.0.clone(), ty)?, ty));
        match (op, left.1, right.1) {
            (Arith::Add, Span, Date | Timestamp(_) | Instant(_) | TimeOfDay(_)) => {
                self.interval_arith(op, right, left)
            }
            (
                Arith::Add | Arith::Sub,
                ty @ (Date | Timestamp(_) | Instant(_) | TimeOfDay(_)),
                Span,
            ) => {
                self.know_days(ty, &right.0)?;
                let function = if op == Arith::Add { I::Add } else { I::Subtract };
                let result = match ty {
                    Instant(_) => Type::INSTANT,
                    TimeOfDay(_) => Type::TIME_OF_DAY,
                    _ => Type::TIMESTAMP,
                };
                done(function, [left, right], result)
            }
            (Arith::Add, Span, Span) => done(I::Add, [left, right], Span),
            (Arith::Sub, Span, Span) => done(I::Subtract, [left, right], Span),
            (Arith::Add | Arith::Sub, Span, Unknown) => {
                self.interval_arith(op, left, &resolved(right, Span)?)
            }
            (Arith::Add | Arith::Sub, Unknown, Span) if op == Arith::Add => {
                self.interval_arith(op, &resolved(left, Span)?, right)
            }
            (Arith::Sub, ty @ (Timestamp(_) | Instant(_)), Unknown) => {
                self.interval_arith(op, left, &resolved(right, super::casts::plain(ty))?)
            }
            (Arith::Sub, Timestamp(_), Timestamp(_) | Date)
            | (Arith::Sub, Date, Timestamp(_))
            | (Arith::Sub, Instant(_), Instant(_))
            | (Arith::Sub, TimeOfDay(_), TimeOfDay(_)) => done(I::Between, [left, right], Span),
            (Arith::Sub, Instant(_), Timestamp(_) | Date)
            | (Arith::Sub, Timestamp(_) | Date, Instant(_)) => {
                self.in_utc("times with and without a time zone")?;
                done(I::Between, [left, right], Span)
            }
            (Arith::Add, Date, TimeOfDay(_)) => done(I::At, [left, right], Type::TIMESTAMP),
            (Arith::Add, TimeOfDay(_), Date) => done(I::At, [right, left], Type::TIMESTAMP),
            (Arith::Mul, number, Span) if number.is_number() => {
                self.interval_arith(op, right, left)
            }
            (Arith::Mul | Arith::Div, Span, number) if number.is_number() => {
                let function = if op == Arith::Mul { I::Times } else { I::Over };
                let number = right.0.clone().cast(Type::Double, CastMode::Implicit);
                Ok(Some(spanned(function, Span, vec![left.0.clone(), number])))
            }
            (_, a, b) if a.is_partly_known() || b.is_partly_known() => {
                unsupported(format!("the operator {op:?} of {a:?} and {b:?}"))
            }
            _ => Ok(None),
        }
    }

    /// Where clocks are put forward and back, a day is not always 24 hours long.
    fn know_days(&self, ty: Type, span: &Expr) -> Result<()> {
        let short = matches!(span, Expr::Const(Value::Interval(span)) if span.months == 0 && span.days == 0);
        match ty.is_instant() && !short {
            true => self.in_utc("days and months added to a time with a time zone"),
            false => Ok(()),
        }
    }

    /// A function by its name; `None` if it is not one of intervals.
    pub(super) fn interval_function(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        use IntervalFunction as I;
        const SPAN: Type = Type::Interval;
        let args = args.to_vec();
        let call = |function, params: &[Type], result, args| {
            self.called(Function::Interval(function), params, result, args).map(Some)
        };
        match (name, args.len()) {
            ("justify_days", 1) => call(I::JustifyDays, &[SPAN], SPAN, args),
            ("justify_hours", 1) => call(I::JustifyHours, &[SPAN], SPAN, args),
            ("justify_interval", 1) => call(I::Justify, &[SPAN], SPAN, args),
            ("make_time", 3) => {
                call(I::MakeTime, &[Type::INT4, Type::INT4, Type::Double], Type::TIME_OF_DAY, args)
            }
            ("make_interval", 7) => {
                let params = [Type::INT4; 6].into_iter().chain([Type::Double]).collect::<Vec<_>>();
                call(I::Make, &params, SPAN, args)
            }
            ("age", 2) => self.age(args).map(Some),
            ("date_bin", 3) => self.date_bin(args).map(Some),
            ("age" | "make_interval" | "date_bin" | "make_time", count) => {
                unsupported(format!("the function {name} with {}", arguments(count)))
            }
            _ => Ok(None),
        }
    }

    /// Dates become moments of the time zone of the session, unless both are times without one.
    fn age(&self, args: Vec<Typed>) -> Result<Typed> {
        let local = args.iter().all(|arg| matches!(arg.1, Type::Timestamp(_) | Type::Unknown))
            && args.iter().any(|arg| arg.1 != Type::Unknown);
        let to = if local { Type::TIMESTAMP } else { Type::INSTANT };
        if !local {
            self.in_utc("age() of dates or of times with a time zone")?;
        }
        let args = args.into_iter().map(|arg| self.moment(arg, to)).collect::<Result<_>>()?;
        Ok(spanned(IntervalFunction::Age, Type::Interval, args))
    }

    fn date_bin(&self, args: Vec<Typed>) -> Result<Typed> {
        let mut args = args.into_iter();
        let (Some(width), Some(moment), Some(origin)) = (args.next(), args.next(), args.next())
        else {
            return unsupported("date_bin() without arguments");
        };
        let to = match (moment.1, origin.1) {
            (Type::Timestamp(_), Type::Timestamp(_) | Type::Unknown) => Type::TIMESTAMP,
            (Type::Instant(_), Type::Instant(_)) => Type::INSTANT,
            _ => return unsupported("date_bin() of these types"),
        };
        let width = self.argument(width, Type::Interval)?;
        let args = vec![width, self.moment(moment, to)?, self.moment(origin, to)?];
        Ok(spanned(IntervalFunction::Bin, to, args))
    }

    /// A day or a moment as a moment of a type.
    fn moment(&self, (expr, ty): Typed, to: Type) -> Result<Expr> {
        match ty {
            Type::Unknown => self.resolve(expr, to),
            _ if ty.is_time() || ty.is_instant() => Ok(expr.cast(to, CastMode::Implicit)),
            _ => unsupported("a function of something that is not a date"),
        }
    }

    /// `make_interval(days => 3, hours => 4)`.
    pub(super) fn make_interval(&mut self, list: &ast::FunctionArgumentList) -> Result<Typed> {
        const NAMES: [&str; 7] = ["years", "months", "weeks", "days", "hours", "mins", "secs"];
        let zero = || (Expr::Const(Value::Int(0)), Type::INT4);
        let mut args: Vec<Typed> = NAMES.iter().map(|_| zero()).collect();
        for (place, arg) in list.args.iter().enumerate() {
            let (place, expr) = match arg {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => (place, expr),
                ast::FunctionArg::Named { name, arg: ast::FunctionArgExpr::Expr(expr), .. } => {
                    (named(&NAMES, &name.value)?, expr)
                }
                ast::FunctionArg::ExprNamed {
                    name: ast::Expr::Identifier(name),
                    arg: ast::FunctionArgExpr::Expr(expr),
                    ..
                } => (named(&NAMES, &name.value)?, expr),
                other => return unsupported(format!("the argument {other}")),
            };
            let Some(slot) = args.get_mut(place) else {
                return unsupported("make_interval() with this many arguments");
            };
            *slot = self.expr(expr)?;
        }
        match self.interval_function("make_interval", &args)? {
            Some(made) => Ok(made),
            None => unsupported("this make_interval()"),
        }
    }

    /// `(a, b) OVERLAPS (c, d)`, where an end may be a length.
    pub(super) fn overlaps(&mut self, left: &ast::Expr, right: &ast::Expr) -> Result<Typed> {
        let mut args = Vec::new();
        for side in [left, right] {
            let ast::Expr::Tuple(parts) = side else {
                return unsupported("OVERLAPS of something other than two pairs");
            };
            let [start, end] = parts.as_slice() else {
                return unsupported("OVERLAPS of something other than two pairs");
            };
            let (start, end) = (self.expr(start)?, self.expr(end)?);
            let end = match end.1 {
                Type::Interval => match self.interval_arith(Arith::Add, &start, &end)? {
                    Some(end) => end,
                    None => return unsupported("OVERLAPS of these types"),
                },
                _ => end,
            };
            args.extend([start, end]);
        }
        let is = |test: fn(Type) -> bool| args.iter().all(|arg| test(arg.1));
        let to = if is(Type::is_time) {
            Type::TIMESTAMP
        } else if is(Type::is_instant) {
            Type::INSTANT
        } else {
            return unsupported("OVERLAPS of these types");
        };
        let args = args.into_iter().map(|arg| self.moment(arg, to)).collect::<Result<_>>()?;
        Ok(spanned(IntervalFunction::Overlaps, Type::Bool, args))
    }
}

/// The place of an argument that is given by its name.
fn named(names: &[&str], name: &str) -> Result<usize> {
    match names.iter().position(|one| name.eq_ignore_ascii_case(one)) {
        Some(place) => Ok(place),
        None => fail(ErrorClass::UndefinedFunction, format!("no argument {name}")),
    }
}

fn spanned(function: IntervalFunction, result: Type, args: Vec<Expr>) -> Typed {
    (Expr::Call { function: Function::Interval(function), result, args }, result)
}

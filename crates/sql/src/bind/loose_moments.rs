//! Functions of dates and times in MySQL and MariaDB, and intervals.
//!
//! The types say how many digits of a second a result has: a text or a number made from a time needs to know.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::eval::date_parts;
use crate::plan::{Expr, LooseFunction, LooseMoment, Unit};
use crate::types::Type;
use crate::value::Value;

use super::binder::{Binder, Typed};
use super::loose_functions::{Takes, or_zero};

/// A time without fractions of a second.
const MOMENT: Type = Type::Timestamp(0);

impl Binder<'_> {
    pub(super) fn loose_moment_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        use LooseMoment as M;
        use Takes::{Any, Text, Whole};
        const INT: Type = Type::INT8;
        let call = |function, takes: &[Takes], result, args: Vec<Typed>| {
            self.loosely(LooseFunction::Moment(function), takes, result, args)
        };
        // What has a moment in front must have one.
        let of_moment = |function, takes: &[Takes], result, args: Vec<Typed>| {
            self.needs_moment(&args[..1])?;
            call(function, takes, result, args)
        };
        match (name, args.len()) {
            ("hour", 1) => self.part_of(Unit::Hour, args),
            ("minute", 1) => self.part_of(Unit::Minute, args),
            ("second", 1) => self.part_of(Unit::Second, args),
            ("microsecond", 1) => self.part_of(Unit::Microsecond, args),
            ("year", 1) => self.part_of(Unit::Year, args),
            ("month", 1) => self.part_of(Unit::Month, args),
            ("day" | "dayofmonth", 1) => self.part_of(Unit::Day, args),
            ("quarter", 1) => of_moment(M::Quarter, &[Any], INT, args),
            ("dayofweek", 1) => of_moment(M::DayOfWeek, &[Any], INT, args),
            ("weekday", 1) => of_moment(M::WeekDay, &[Any], INT, args),
            ("dayofyear", 1) => of_moment(M::DayOfYear, &[Any], INT, args),
            ("to_days", 1) => of_moment(M::ToDays, &[Any], INT, args),
            ("weekofyear", 1) => self.week(M::Week, args, 3),
            ("week", 1 | 2) => self.week(M::Week, args, 0),
            ("yearweek", 1 | 2) => self.week(M::YearWeek, args, 0),
            ("dayname", 1) => of_moment(M::DayName, &[Any], Type::TEXT, args),
            ("monthname", 1) => of_moment(M::MonthName, &[Any], Type::TEXT, args),
            ("date_format", 2) => of_moment(M::Format, &[Any, Text], Type::TEXT, args),
            ("str_to_date", 2) => self.str_to_date(args),
            ("date", 1) => of_moment(M::Day, &[Any], Type::Date, args),
            ("last_day", 1) => of_moment(M::LastDay, &[Any], Type::Date, args),
            ("makedate", 2) => call(M::MakeDate, &[Whole], Type::Date, args),
            ("from_days", 1) => call(M::FromDays, &[Whole], Type::Date, args),
            ("sec_to_time", 1) => call(M::SecToTime, &[Whole], Type::Time(0), args),
            ("time_to_sec", 1) => call(M::TimeToSec, &[Any], INT, args),
            ("time", 1) => {
                let digits = self.second_digits(&args[..1])?;
                call(M::TimeOfDay, &[Any], Type::Time(digits), args)
            }
            ("timestamp", 1 | 2) => {
                self.needs_moment(&args[..1])?;
                let digits = self.second_digits(&args)?;
                call(M::Moment, &[Any], Type::Timestamp(digits), args)
            }
            ("timediff", 2) => {
                let digits = self.second_digits(&args)?;
                call(M::TimeDiff, &[Any], Type::Time(digits), args)
            }
            ("addtime" | "subtime", 2) => {
                let function = if name == "addtime" { M::AddTime } else { M::SubTime };
                let digits = self.second_digits(&args)?;
                let result = match args[0].1 {
                    Type::Timestamp(_) => Type::Timestamp(digits),
                    Type::Time(_) => Type::Time(digits),
                    _ => return unsupported("ADDTIME of a day or a text"),
                };
                call(function, &[Any], result, args)
            }
            ("adddate" | "subdate", 2) => {
                let function = match name {
                    "adddate" => M::Add(Unit::Day),
                    _ => M::Subtract(Unit::Day),
                };
                self.moved_by(function, Unit::Day, args)
            }
            ("unix_timestamp", 1) if matches!(args[0].1, Type::Date | MOMENT) => {
                self.in_utc("UNIX_TIMESTAMP")?;
                call(M::ToEpoch, &[Any], INT, args)
            }
            ("from_unixtime", 1) => {
                self.in_utc("FROM_UNIXTIME")?;
                call(M::FromEpoch, &[Whole], MOMENT, args)
            }
            ("from_unixtime", 2) => {
                let mut args = args.into_iter();
                let moment =
                    self.loose_moment_function("from_unixtime", args.by_ref().take(1).collect())?;
                let args = std::iter::once(moment).chain(args).collect();
                self.loose_moment_function("date_format", args)
            }
            ("convert_tz", 3) => {
                self.needs_moment(&args[..1])?;
                let digits = self.second_digits(&args[..1])?;
                call(M::ChangeOffset, &[Any, Text], Type::Timestamp(digits), args)
            }
            _ => self.loose_json_function(name, args),
        }
    }

    fn needs_moment(&self, args: &[Typed]) -> Result<()> {
        let known = |ty: Type| ty.is_time() || ty.is_text() || ty == Type::Unknown;
        match args.iter().all(|arg| known(arg.1)) {
            true => Ok(()),
            false => unsupported("a part of something that is not a date"),
        }
    }

    /// How many digits of a second a result has that is made of moments and times. Of a text, only constants show
    /// it.
    fn second_digits(&self, args: &[Typed]) -> Result<u8> {
        let mut most = 0;
        for (expr, ty) in args {
            most = most.max(match (ty, expr) {
                (Type::Timestamp(digits) | Type::Time(digits), _) => *digits,
                (Type::Date | Type::Unknown, _) => 0,
                (_, Expr::Const(Value::Text(text))) => match text.split_once('.') {
                    Some((_, fraction)) => u8::try_from(fraction.len()).unwrap_or(6).min(6),
                    None => 0,
                },
                _ => return unsupported("a time made from something that is not a time"),
            });
        }
        Ok(most)
    }

    /// `WEEK(moment, mode)`; without a mode, it is the server's default.
    fn week(&self, function: LooseMoment, args: Vec<Typed>, mode: i64) -> Result<Typed> {
        self.needs_moment(&args[..1])?;
        let mut args = args;
        if args.len() == 1 {
            args.push((Expr::Const(Value::Int(mode)), Type::INT8));
        }
        if let Some(mode) = args.pop() {
            args.push(or_zero(mode));
        }
        let takes = [Takes::Any, Takes::Whole];
        self.loosely(LooseFunction::Moment(function), &takes, Type::INT8, args)
    }

    /// The format decides on the type, so it must be known.
    fn str_to_date(&self, args: Vec<Typed>) -> Result<Typed> {
        let parts = match &args[1].0 {
            Expr::Const(Value::Text(pattern)) => date_parts(pattern),
            _ => None,
        };
        let result = match parts {
            Some(parts) if !parts.day => return unsupported("STR_TO_DATE without a day"),
            Some(parts) if parts.fraction => Type::TIMESTAMP,
            Some(parts) if parts.time => MOMENT,
            Some(_) => Type::Date,
            None => return unsupported("STR_TO_DATE with this format"),
        };
        let function = LooseFunction::Moment(LooseMoment::Read);
        self.loosely(function, &[Takes::Text], result, args)
    }

    /// Functions with an interval or a unit among their arguments; `None` for others.
    pub(super) fn unit_function(
        &mut self,
        name: &str,
        args: &[ast::Expr],
    ) -> Result<Option<Typed>> {
        use LooseMoment as M;
        Ok(Some(match (name, args) {
            ("date_add" | "adddate", [moment, ast::Expr::Interval(interval)]) => {
                self.loosely_moved(moment, interval, false)?
            }
            ("date_sub" | "subdate", [moment, ast::Expr::Interval(interval)]) => {
                self.loosely_moved(moment, interval, true)?
            }
            ("timestampadd", [unit, number, moment]) => {
                let unit = unit_named(&unit.to_string())?;
                let args = vec![self.expr(moment)?, self.expr(number)?];
                self.moved_by(M::Add(unit), unit, args)?
            }
            ("timestampdiff", [unit, from, to]) => {
                let unit = unit_named(&unit.to_string())?;
                let args = vec![self.expr(from)?, self.expr(to)?];
                self.needs_moment(&args)?;
                let function = LooseFunction::Moment(M::Difference(unit));
                self.loosely(function, &[Takes::Any], Type::INT8, args)?
            }
            _ => return Ok(None),
        }))
    }

    /// `moment + INTERVAL number unit`.
    pub(super) fn loosely_moved(
        &mut self,
        moment: &ast::Expr,
        interval: &ast::Interval,
        backward: bool,
    ) -> Result<Typed> {
        let Some(unit) = &interval.leading_field else { return unsupported("this interval") };
        let unit = unit_named(&unit.to_string())?;
        let function = if backward { LooseMoment::Subtract(unit) } else { LooseMoment::Add(unit) };
        let args = vec![self.expr(moment)?, self.expr(&interval.value)?];
        self.moved_by(function, unit, args)
    }

    /// A day remains a day if it is moved by days; a text remains a text.
    fn moved_by(&self, function: LooseMoment, unit: Unit, args: Vec<Typed>) -> Result<Typed> {
        let number = &args[1];
        let constant = matches!(number.0, Expr::Const(Value::Text(_)));
        if !matches!(number.1, Type::Int(_) | Type::Unknown) && !constant {
            return unsupported("an interval that is not a whole number");
        }
        // A text can have fractions of a second, and the result has digits for them.
        let fractions = unit.has_microseconds() || (constant && unit == Unit::Second);
        let result = match args[0].1 {
            ty if ty.is_text() && fractions => {
                return unsupported("a text with fractions of a second");
            }
            Type::Date if unit.is_of_days() => Type::Date,
            Type::Date if fractions => Type::TIMESTAMP,
            Type::Date => MOMENT,
            Type::Timestamp(_) if fractions => Type::TIMESTAMP,
            Type::Timestamp(digits) => Type::Timestamp(digits),
            ty if ty.is_text() => self.text_of(&args[..1])?,
            _ => return unsupported("an interval added to something that is not a date"),
        };
        self.loosely(LooseFunction::Moment(function), &[Takes::Any], result, args)
    }

    /// `EXTRACT(unit FROM moment)`.
    pub(super) fn loose_extract(
        &mut self,
        field: &ast::DateTimeField,
        moment: &ast::Expr,
    ) -> Result<Typed> {
        let unit = unit_named(&field.to_string())?;
        let args = vec![self.expr(moment)?];
        self.part_of(unit, args)
    }

    /// A part of a moment, or of a time. Where hours and less are asked for, a text is read as a time: `2024-01-31`
    /// is 20 minutes and 24 seconds.
    fn part_of(&self, unit: Unit, args: Vec<Typed>) -> Result<Typed> {
        let single = matches!(unit, Unit::Hour | Unit::Minute | Unit::Second | Unit::Microsecond);
        match args[0].1 {
            Type::Time(_) if single => {}
            ty if ty.is_text() && !unit.is_of_days() => {
                return unsupported("the hour of a text");
            }
            _ => self.needs_moment(&args)?,
        }
        let function = LooseFunction::Moment(LooseMoment::Extract(unit));
        self.loosely(function, &[Takes::Any], Type::INT8, args)
    }
}

fn unit_named(name: &str) -> Result<Unit> {
    match Unit::named(name) {
        Some(unit) => Ok(unit),
        None => unsupported(format!("the unit {name}")),
    }
}

//! Functions of dates and times in PostgreSQL.
//!
//! Where one depends on the time zone of the session, that zone must be known to be UTC.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, arguments, fail, unsupported};
use crate::plan::{CastMode, DateFunction, Expr, Function, NumberFunction};
use crate::types::Type;
use crate::value::{Value, Zone};

use super::binder::{Binder, Typed};

impl Binder<'_> {
    pub(super) fn date_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        use DateFunction as D;
        const TEXT: Type = Type::TEXT;
        const INT: Type = Type::INT4;
        let call = |function, params: &[Type], result, args| {
            self.called(Function::Date(function), params, result, args)
        };
        match (name, args.len()) {
            ("date_trunc", 2 | 3) => self.date_trunc(args),
            ("date_part", 2) => self.part(D::Part, args),
            ("timezone", 2) => {
                let mut args = args;
                let moment = args.remove(1);
                self.at_zone(moment, args.remove(0))
            }
            ("make_date", 3) => call(D::MakeDate, &[INT, INT, INT], Type::Date, args),
            ("make_timestamp", 6) => {
                let params = [INT, INT, INT, INT, INT, Type::Double];
                call(D::MakeTimestamp, &params, Type::TIMESTAMP, args)
            }
            ("to_timestamp", 1) => call(D::FromEpoch, &[Type::Double], Type::INSTANT, args),
            ("to_timestamp", 2) => {
                self.in_utc("to_timestamp() of a text")?;
                call(D::ReadInstant, &[TEXT, TEXT], Type::INSTANT, args)
            }
            ("to_date", 2) => call(D::ReadDate, &[TEXT, TEXT], Type::Date, args),
            ("to_char", 2) => self.to_char(args),
            ("isfinite", 1) => match args[0].1 {
                ty if ty.is_time() || ty.is_instant() => {
                    let args = args.into_iter().map(|arg| arg.0).collect();
                    Ok(dated(D::IsFinite, Type::Bool, args))
                }
                _ => unsupported("isfinite() of something that is not a date"),
            },
            _ => unsupported(format!("the function {name} with {}", arguments(args.len()))),
        }
    }

    /// A DATE becomes a moment in the time zone of the session.
    fn date_trunc(&self, args: Vec<Typed>) -> Result<Typed> {
        let mut args = args.into_iter();
        let (Some(unit), Some((moment, ty)), zone) = (args.next(), args.next(), args.next()) else {
            return unsupported("date_trunc() with fewer arguments");
        };
        let unit = self.argument(unit, Type::TEXT)?;
        let (moment, result) = match (ty, &zone) {
            (Type::Timestamp(_), None) => (moment, Type::TIMESTAMP),
            (Type::Instant(_), None) if self.foreign_zone().is_some() => {
                let zone = self.foreign_zone().unwrap_or(Zone::UTC);
                let function = DateFunction::TruncateIn(zone);
                return Ok(dated(function, Type::INSTANT, vec![unit, moment]));
            }
            (Type::Instant(_), None) => {
                self.in_utc("date_trunc() of a time with a time zone")?;
                (moment, Type::INSTANT)
            }
            (Type::Instant(_), Some(_)) => (moment, Type::INSTANT),
            (Type::Date, None) | (Type::Date | Type::Timestamp(_), Some(_)) => {
                self.in_utc("date_trunc() of a date")?;
                (moment.cast(Type::INSTANT, CastMode::Implicit), Type::INSTANT)
            }
            _ => return unsupported("date_trunc() of something that is not a date"),
        };
        let zone = zone.map(|zone| self.argument(zone, Type::TEXT)).transpose()?;
        let args = [unit, moment].into_iter().chain(zone).collect();
        Ok(dated(DateFunction::Truncate, result, args))
    }

    /// `EXTRACT(field FROM moment)`.
    pub(super) fn extract_field(
        &mut self,
        field: &ast::DateTimeField,
        expr: &ast::Expr,
    ) -> Result<Typed> {
        let name = field.to_string().to_lowercase();
        let name = Expr::Const(Value::text(name.trim_matches(['\'', '"'])));
        let moment = self.expr(expr)?;
        self.part(DateFunction::Extract, vec![(name, Type::TEXT), moment])
    }

    fn part(&self, function: DateFunction, args: Vec<Typed>) -> Result<Typed> {
        let mut args = args.into_iter();
        let (Some(field), Some((moment, ty))) = (args.next(), args.next()) else {
            return unsupported("date_part() without arguments");
        };
        let field = self.argument(field, Type::TEXT)?;
        let (moment, result) = match function {
            DateFunction::Extract => (moment, Type::NUMERIC),
            _ if matches!(ty, Type::Interval | Type::TimeOfDay(_)) => (moment, Type::Double),
            // Made of the first moment of the day.
            _ if ty == Type::Date => {
                (moment.cast(Type::TIMESTAMP, CastMode::Implicit), Type::Double)
            }
            _ => (moment, Type::Double),
        };
        if ty.is_instant()
            && !is_epoch(&field)
            && let Some(zone) = self.foreign_zone()
        {
            let local = dated(DateFunction::InZone(zone), Type::TIMESTAMP, vec![moment]).0;
            return Ok(dated(function, result, vec![field, local]));
        }
        match ty {
            Type::Instant(_) if !is_epoch(&field) => {
                self.in_utc("a part of a time with a time zone")?;
            }
            _ if ty.is_time() || ty.is_instant() => {}
            Type::Interval | Type::TimeOfDay(_) => {}
            _ => return unsupported("a part of something that is not a DATE or TIMESTAMP"),
        }
        Ok(dated(function, result, vec![field, moment]))
    }

    pub(super) fn at_time_zone(&mut self, moment: &ast::Expr, zone: &ast::Expr) -> Result<Typed> {
        let (moment, zone) = (self.expr(moment)?, self.expr(zone)?);
        self.at_zone(moment, zone)
    }

    fn at_zone(&self, (moment, ty): Typed, zone: Typed) -> Result<Typed> {
        let (moment, result) = match ty {
            Type::Instant(_) => (moment, Type::TIMESTAMP),
            Type::Timestamp(_) => (moment, Type::INSTANT),
            Type::Date => {
                self.in_utc("AT TIME ZONE of a date")?;
                (moment.cast(Type::INSTANT, CastMode::Implicit), Type::TIMESTAMP)
            }
            _ => return unsupported("AT TIME ZONE of something that is not a time"),
        };
        if zone.1 == Type::Interval {
            return Ok(dated(DateFunction::AtZone, result, vec![moment, zone.0]));
        }
        if zone.1 != Type::Unknown && !zone.1.is_text() {
            return unsupported("a time zone that is not a string");
        }
        let zone = self.argument(zone, Type::TEXT)?;
        Ok(dated(DateFunction::AtZone, result, vec![moment, zone]))
    }

    /// A DATE is formatted as a moment in the time zone of the session, which shows only in the hour.
    fn to_char(&self, args: Vec<Typed>) -> Result<Typed> {
        let mut args = args.into_iter();
        let (Some((moment, ty)), Some(format)) = (args.next(), args.next()) else {
            return unsupported("to_char() without arguments");
        };
        if matches!(ty, Type::Int(_) | Type::Decimal(_)) {
            let format = self.argument(format, Type::TEXT)?;
            let (function, result) = (Function::Number(NumberFunction::Format), Type::TEXT);
            return Ok((Expr::Call { function, result, args: vec![moment, format] }, result));
        }
        let moment = match ty {
            Type::Timestamp(_) => moment,
            Type::Date if self.catalog.is_in_utc() => {
                moment.cast(Type::TIMESTAMP, CastMode::Implicit)
            }
            Type::Date => moment,
            Type::Instant(_) if self.foreign_zone().is_some() => {
                let zone = self.foreign_zone().unwrap_or(Zone::UTC);
                dated(DateFunction::InZone(zone), Type::TIMESTAMP, vec![moment]).0
            }
            Type::Instant(_) => {
                self.in_utc("to_char() of a time with a time zone")?;
                moment
            }
            _ if ty.is_text() || ty == Type::Bool => {
                return fail(ErrorClass::UndefinedFunction, "to_char() of this type");
            }
            _ => return unsupported("to_char() of something that is not a date"),
        };
        let format = self.argument(format, Type::TEXT)?;
        Ok(dated(DateFunction::Format, Type::TEXT, vec![moment, format]))
    }
}

impl Binder<'_> {
    /// The time zone of the session, if it is known and is not UTC.
    pub(super) fn foreign_zone(&self) -> Option<Zone> {
        self.catalog.zone().filter(|zone| *zone != Zone::UTC)
    }

    /// A value that crosses from a moment to the clocks of the session, or back; `None` if it does not, or if the
    /// session is in UTC.
    pub(super) fn across_zone(&self, expr: &Expr, from: Type, to: Type) -> Option<Typed> {
        let zone = self.foreign_zone()?;
        let function = DateFunction::InZone(zone);
        let local = |ty: Type| ty.is_time() || matches!(ty, Type::TimeOfDay(_));
        if matches!(expr, Expr::Open { .. }) {
            return None;
        }
        if from.is_instant() && local(to) {
            return Some(dated(function, Type::TIMESTAMP, vec![expr.clone()]));
        }
        if from.is_time() && to.is_instant() {
            let local = expr.clone().cast(Type::TIMESTAMP, CastMode::Implicit);
            return Some(dated(function, Type::INSTANT, vec![local]));
        }
        None
    }
}

fn dated(function: DateFunction, result: Type, args: Vec<Expr>) -> Typed {
    (Expr::Call { function: Function::Date(function), result, args }, result)
}

/// Whether a field means the same in all time zones.
fn is_epoch(field: &Expr) -> bool {
    matches!(field, Expr::Const(Value::Text(name)) if name.eq_ignore_ascii_case("epoch"))
}

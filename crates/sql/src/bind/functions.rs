//! Functions of the server.
//!
//! Layer `bind`; knows the names of functions, and of routines in the catalog.

use sqlparser::ast;

use crate::choices::Open;
use crate::dialect::Dialect;
use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{AggregateFunction, CastMode, CompareOp, Expr, Function};
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::chars::{self, converted, refuse_several_lengths};
use super::collect::collecting;
use super::json_aggregates::json_aggregate;
use super::loose::is_null;
use super::operators::compare;
use super::strict::common_number;

/// The arguments of a function that takes nothing special.
pub(super) fn plain_args(function: &ast::Function) -> Result<Vec<ast::Expr>> {
    let special = function.over.is_some()
        || !function.within_group.is_empty()
        || function.null_treatment.is_some()
        || !matches!(function.parameters, ast::FunctionArguments::None);
    if special {
        return unsupported(format!("{} with a window or an order", function.name));
    }
    match &function.args {
        ast::FunctionArguments::None => Ok(Vec::new()),
        ast::FunctionArguments::Subquery(_) => unsupported(format!("the function {function}")),
        ast::FunctionArguments::List(list) => {
            if !list.clauses.is_empty() {
                return unsupported(format!("the function {function}"));
            }
            unnamed_args(list)
        }
    }
}

/// Arguments that are expressions without names.
pub(super) fn unnamed_args(list: &ast::FunctionArgumentList) -> Result<Vec<ast::Expr>> {
    let plain = |arg: &ast::FunctionArg| match arg {
        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Ok(expr.clone()),
        other => unsupported(format!("the argument {other}")),
    };
    list.args.iter().map(plain).collect()
}

impl Binder<'_> {
    pub(super) fn function(&mut self, function: &ast::Function) -> Result<Typed> {
        let name = last_name(&function.name)?.to_lowercase();
        if let Some(over) = &function.over {
            return self.window_call(&name, function, over);
        }
        if self.dialect == Dialect::MariaDb
            && let Some(other) = json_aggregate(&name, function)
        {
            return self.expr(&other);
        }
        if let Some(aggregate) = aggregate_named(&name, self.dialect.is_strictly_typed()) {
            return self.aggregate(aggregate, function);
        }
        if name == "make_interval"
            && self.dialect.is_strictly_typed()
            && let ast::FunctionArguments::List(list) = &function.args
        {
            return self.make_interval(list);
        }
        if self.dialect.is_strictly_typed()
            && let Some(row) = self.row_as_json(&name, function)?
        {
            return Ok(row);
        }
        if self.dialect.is_strictly_typed()
            && name == "array"
            && let ast::FunctionArguments::Subquery(query) = &function.args
        {
            return self.array_of(query);
        }
        if self.catalog.has_routine(&name)
            && let ast::FunctionArguments::List(list) = &function.args
            && list.clauses.is_empty()
            && function.filter.is_none()
            && let Some(value) = self.routine_value(&name, &list.args)?
        {
            return Ok(value);
        }
        if self.dialect.is_strictly_typed()
            && let Some(known) = self.rounded_function(&name, function)?
        {
            return Ok(known);
        }
        if self.dialect.is_strictly_typed() && name == "row" {
            return self.row_value(&plain_args(function)?);
        }
        let args = plain_args(function)?;
        if let Some(done) = self.sequence_call(&name, &args)? {
            return Ok(done);
        }
        if function.filter.is_some() {
            return fail(ErrorClass::Grouping, "FILTER of a function that is not an aggregate");
        }
        let loose = !self.dialect.is_strictly_typed();
        if name == "values" || (name == "value" && loose) {
            return self.proposed(&args);
        }
        if loose
            && name == "round"
            && let Some(done) = self.rounded_logarithm(&args)?
        {
            return Ok(done);
        }
        if loose && let Some(done) = self.unit_function(&name, &args)? {
            return Ok(done);
        }
        if loose && let Some(done) = self.loose_json_maker(&name, &args)? {
            return Ok(done);
        }
        if name == "grouping" && self.dialect.is_strictly_typed() {
            return self.grouping_call(&args);
        }
        let args =
            args.iter().map(|arg| self.argument_of(&name, arg)).collect::<Result<Vec<_>>>()?;
        if loose && let Some(done) = self.logarithm(&name, &args)? {
            return Ok(done);
        }
        if loose && let Some(done) = self.function_of_bytes(&name, &args)? {
            return Ok(done);
        }
        match self.named_function(&name, args) {
            Err(ExecutionError::Unsupported(_)) if self.catalog.was_dropped(&name) => {
                fail(ErrorClass::UndefinedFunction, format!("function {name} does not exist"))
            }
            value => value,
        }
    }

    /// `VALUES(column)` of ON DUPLICATE KEY UPDATE.
    fn proposed(&mut self, args: &[ast::Expr]) -> Result<Typed> {
        match args {
            [ast::Expr::Identifier(column)] => self.name(Some("excluded"), &column.value),
            [ast::Expr::CompoundIdentifier(parts)] => match parts.last() {
                Some(column) => self.name(Some("excluded"), &column.value),
                None => unsupported("VALUES()"),
            },
            _ => unsupported("VALUES() of something that is not a column"),
        }
    }

    fn named_function(&mut self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        let strict = self.dialect.is_strictly_typed();
        if strict && let Some(done) = self.array_function(name, &args)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.json_function(name, &args)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.network_function(name, &args)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.range_function(name, &args)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.enum_function(name, &args)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.bytes_function(name, &args)? {
            return Ok(done);
        }
        if strict && let Some(done) = self.interval_function(name, &args)? {
            return Ok(done);
        }
        match (name, args.len()) {
            ("coalesce", 1..) => self.coalesce(args),
            ("ifnull" | "nvl", 2) if !strict => self.coalesce(args),
            ("nullif", 2) => self.null_if(args),
            ("greatest", 1..) => self.extreme(Function::Greatest, args),
            ("least", 1..) => self.extreme(Function::Least, args),
            ("if", 3) if !strict => self.if_function(args),
            ("mod", 2) => {
                let mut args = args.into_iter();
                match (args.next(), args.next()) {
                    (Some(left), Some(right)) => self.modulo(left, right),
                    _ => fail(ErrorClass::UndefinedFunction, "MOD takes two arguments"),
                }
            }
            ("num_nulls", 1..) if strict => self.count_nulls(args, false),
            ("num_nonnulls", 1..) if strict => self.count_nulls(args, true),
            ("pg_typeof", 1) if strict => self.type_of(args),
            ("abs", 1) => self.numeric(Function::Abs, args),
            ("sign", 1) => self.numeric(Function::Sign, args),
            ("floor", 1) => self.numeric(Function::Floor, args),
            ("ceil" | "ceiling", 1) => self.numeric(Function::Ceil, args),
            ("round", 1 | 2) => self.numeric(Function::Round, args),
            ("trunc", 1 | 2) if strict => self.numeric(Function::Truncate, args),
            ("truncate", 2) if !strict => self.numeric(Function::Truncate, args),
            ("now" | "current_timestamp" | "localtimestamp", 0) => Ok(self.now(name)),
            ("transaction_timestamp", 0) if strict => Ok(self.now(name)),
            ("statement_timestamp", 0) if strict => {
                Ok((Expr::Open { what: Open::StatementStart }, Type::INSTANT))
            }
            ("clock_timestamp", 0) if strict => {
                Ok((Expr::Open { what: Open::Clock }, Type::INSTANT))
            }
            ("utc_timestamp" | "localtime", 0) if !strict => Ok(self.now(name)),
            ("utc_date", 0) if !strict => Ok((Expr::Open { what: Open::Today }, Type::Date)),
            ("row_count", 0) if !strict => Ok((Expr::Open { what: Open::RowCount }, Type::INT8)),
            ("found_rows", 0) if !strict => Ok((Expr::Open { what: Open::FoundRows }, Type::INT8)),
            ("uuid", 0) if !strict => Ok((Expr::Open { what: Open::UuidText }, Type::TEXT)),
            ("gen_random_uuid", 0) if strict => Ok((Expr::Open { what: Open::Uuid }, Type::Uuid)),
            ("current_date", 0) => Ok((Expr::Open { what: Open::Today }, Type::Date)),
            ("curdate", 0) if !strict => Ok((Expr::Open { what: Open::Today }, Type::Date)),
            ("random" | "rand", 0) => Ok((Expr::Open { what: Open::Random }, Type::Double)),
            ("last_insert_id", 0) if !strict => {
                Ok((Expr::Open { what: Open::LastInsertId }, Type::INT8))
            }
            ("json_valid", 1) if !strict && !self.is_mariadb() => self.json_valid(args),
            ("datediff", 2) if !strict => self.date_diff(args),
            _ => self.text_function(name, args),
        }
    }

    /// The time at which the transaction began is not ours to know.
    fn now(&self, name: &str) -> Typed {
        if self.dialect.is_strictly_typed() && name != "localtimestamp" {
            return (Expr::Open { what: Open::Instant }, Type::INSTANT);
        }
        (Expr::Open { what: Open::Now }, Type::TIMESTAMP)
    }

    fn coalesce(&self, args: Vec<Typed>) -> Result<Typed> {
        let types: Vec<Type> = args.iter().map(|arg| arg.1).collect();
        let common = self.common(&types)?;
        let args =
            args.into_iter().map(|arg| self.to_common(arg, common)).collect::<Result<_>>()?;
        Ok((Expr::Coalesce(args), common))
    }

    fn extreme(&self, function: Function, args: Vec<Typed>) -> Result<Typed> {
        let types: Vec<Type> = args.iter().map(|arg| arg.1).collect();
        let mut common = self.common(&types)?;
        refuse_several_lengths(common)?;
        let has = |test: fn(Type) -> bool| types.iter().any(|ty| test(*ty));
        if !self.dialect.is_strictly_typed() && has(Type::is_time) && !common.is_time() {
            return unsupported("GREATEST or LEAST of dates and something else");
        }
        if !self.dialect.is_strictly_typed()
            && types.iter().any(|ty| ty.is_number())
            && common.is_text()
        {
            common = Type::Double;
        }
        // As in arithmetic, NULL as it is written is a number with a point.
        let null = args.iter().any(|arg| is_null(&arg.0, arg.1));
        if !self.dialect.is_strictly_typed() && null && common.is_number() {
            common = Type::Double;
        }
        let args =
            args.into_iter().map(|arg| self.to_common(arg, common)).collect::<Result<_>>()?;
        Ok((Expr::Call { function, result: common, args }, common))
    }

    fn if_function(&self, args: Vec<Typed>) -> Result<Typed> {
        let mut args = args.into_iter();
        let (Some(test), Some(yes), Some(no)) = (args.next(), args.next(), args.next()) else {
            return fail(ErrorClass::UndefinedFunction, "IF takes three arguments");
        };
        let common = self.common(&[yes.1, no.1])?;
        let branches = vec![(self.condition(test)?, self.to_common(yes, common)?)];
        let otherwise = Box::new(self.to_common(no, common)?);
        Ok((Expr::Case { branches, otherwise }, common))
    }

    fn null_if(&self, args: Vec<Typed>) -> Result<Typed> {
        let mut args = args.into_iter();
        let (Some(left), Some(right)) = (args.next(), args.next()) else {
            return fail(ErrorClass::UndefinedFunction, "NULLIF takes two arguments");
        };
        let (shown, ty) = match left.1 {
            Type::Unknown if self.dialect.is_strictly_typed() => {
                let (resolved, _) = self.resolve_pair(left.clone(), right.clone())?;
                resolved
            }
            // PostgreSQL shows the value in the form in which it was compared.
            ty if ty.is_text() && right.1.is_text() && self.dialect.is_strictly_typed() => {
                match (ty, chars::compared_as(ty, right.1)) {
                    (Type::Char(_), Type::Char(_)) => (left.0.clone(), ty),
                    (_, common) => (
                        converted(left.clone(), common, CastMode::Implicit),
                        self.outside_routines(common)?,
                    ),
                }
            }
            ty if self.dialect.is_strictly_typed() => match compared_as(ty, right.1) {
                Some(common) => (left.0.clone().cast(common, CastMode::Implicit), common),
                None => (left.0.clone(), ty),
            },
            ty => (left.0.clone(), ty),
        };
        self.refuse_extracted(&left)?;
        self.refuse_extracted(&right)?;
        let (left, right, collation) = self.comparable(left, right)?;
        let branches = vec![(compare(CompareOp::Eq, collation, left, right), Expr::null())];
        Ok((Expr::Case { branches, otherwise: Box::new(shown) }, ty))
    }

    pub(super) fn date_diff(&self, args: Vec<Typed>) -> Result<Typed> {
        let day = |arg: Typed| match arg.1 {
            ty if ty.is_time() => Ok(arg.0),
            _ => self.loose_function("date", vec![arg]).map(|day| day.0),
        };
        let args = args.into_iter().map(day).collect::<Result<_>>()?;
        Ok((Expr::Call { function: Function::DateDiff, result: Type::INT8, args }, Type::INT8))
    }

    /// Functions with a grammar of their own.
    pub(super) fn special_function(&mut self, expr: &ast::Expr) -> Result<Typed> {
        use ast::Expr as E;
        match expr {
            E::Floor {
                expr,
                field: ast::CeilFloorKind::DateTimeField(ast::DateTimeField::NoDateTime),
            } => {
                let arg = self.expr(expr)?;
                self.numeric(Function::Floor, vec![arg])
            }
            E::Ceil {
                expr,
                field: ast::CeilFloorKind::DateTimeField(ast::DateTimeField::NoDateTime),
            } => {
                let arg = self.expr(expr)?;
                self.numeric(Function::Ceil, vec![arg])
            }
            E::Substring { expr, substring_from: Some(from), substring_for, .. } => {
                let mut args = vec![self.expr(expr)?, self.expr(from)?];
                if let Some(length) = substring_for {
                    args.push(self.expr(length)?);
                }
                match self.bytes_function("substring", &args)? {
                    Some(part) if self.dialect.is_strictly_typed() => Ok(part),
                    _ => self.text_function("substring", args),
                }
            }
            E::Trim { trim_where, trim_what: None, expr, trim_characters: None } => {
                let name = match trim_where {
                    Some(ast::TrimWhereField::Leading) => "ltrim",
                    Some(ast::TrimWhereField::Trailing) => "rtrim",
                    _ => "trim",
                };
                let args = vec![self.expr(expr)?];
                self.text_function(name, args)
            }
            E::Trim { trim_where, trim_what, expr, trim_characters }
                if self.dialect.is_strictly_typed() =>
            {
                self.trim(
                    trim_where.as_ref(),
                    trim_what.as_deref(),
                    expr,
                    trim_characters.as_deref(),
                )
            }
            E::Trim { trim_where, trim_what, expr, trim_characters: None } => {
                self.loose_trim(trim_where.as_ref(), trim_what.as_deref(), expr)
            }
            E::Position { expr, r#in } if !self.dialect.is_strictly_typed() => {
                let args = vec![self.expr(expr)?, self.expr(r#in)?];
                self.loose_function("locate", args)
            }
            E::Position { expr, r#in } if self.dialect.is_strictly_typed() => {
                let args = vec![self.expr(r#in)?, self.expr(expr)?];
                self.strict_function("strpos", args)
            }
            E::Overlay { expr, overlay_what, overlay_from, overlay_for }
                if self.dialect.is_strictly_typed() =>
            {
                let parts =
                    [Some(expr), Some(overlay_what), Some(overlay_from), overlay_for.as_ref()];
                let args = parts.into_iter().flatten().map(|part| self.expr(part));
                let args = args.collect::<Result<_>>()?;
                self.strict_function("overlay", args)
            }
            E::Extract { field, expr, .. } if self.dialect.is_strictly_typed() => {
                self.extract_field(field, expr)
            }
            E::Extract { field, expr, .. } => self.loose_extract(field, expr),
            other => unsupported(format!("the expression {other}")),
        }
    }
}

/// What a number becomes to be compared with another one, if it becomes something else.
fn compared_as(left: Type, right: Type) -> Option<Type> {
    if !left.is_number() || !right.is_number() {
        return None;
    }
    match (left, right) {
        (Type::Int(_), Type::Int(_)) | (Type::Real | Type::Double, _) => None,
        (Type::Decimal(_), Type::Decimal(_) | Type::Int(_)) => None,
        _ => Some(common_number(left, right)),
    }
}

/// The aggregate with this name.
pub(super) fn aggregate_named(name: &str, strict: bool) -> Option<AggregateFunction> {
    Some(match name {
        "count" => AggregateFunction::Count,
        "sum" => AggregateFunction::Sum,
        "avg" => AggregateFunction::Avg,
        "min" => AggregateFunction::Min,
        "max" => AggregateFunction::Max,
        "bool_and" | "every" if strict => AggregateFunction::BoolAnd,
        "bool_or" if strict => AggregateFunction::BoolOr,
        "string_agg" if strict => AggregateFunction::StringAgg,
        _ if strict => return collecting(name),
        "group_concat" => AggregateFunction::StringAgg,
        _ => return None,
    })
}

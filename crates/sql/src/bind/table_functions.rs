//! Functions of PostgreSQL that give several rows, in FROM and in the list of what is shown.
//!
//! Each is a function that gives an array for every column, and `unnest` of these arrays:
//!
//! ```text
//!   jsonb_each(doc)   ──►   unnest(names of doc, values of doc) AS (key, value)
//! ```
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::plan::{CastMode, Expr, Function, IntervalFunction, JsonFunction, PatternFunction};
use crate::types::{Element, Type};
use crate::value::Value;

use super::binder::{Binder, Typed};
use super::scope::ScopeColumn;

/// The columns of a function that gives rows: their names and types, and the arrays of their values.
pub(super) struct TableFunction {
    pub(super) columns: Vec<ScopeColumn>,
    pub(super) arrays: Vec<Expr>,
    /// Has it one column without a name of its own, which takes that of the function?
    pub(super) single: bool,
}

impl TableFunction {
    fn single(name: &str, ty: Type, array: Expr) -> Self {
        Self { columns: vec![ScopeColumn::new(name, ty)], arrays: vec![array], single: true }
    }
}

impl Binder<'_> {
    /// A function that gives rows, by its name; `None` if it is not known here.
    pub(super) fn rows_of(&self, name: &str, args: &[Typed]) -> Result<Option<TableFunction>> {
        use JsonFunction as J;
        const TEXT: Type = Type::TEXT;
        let json = |function| {
            let call =
                self.called(Function::Json(function), &[Type::Json], Type::Json, args.to_vec());
            call.map(|(array, _)| array)
        };
        let single = |name: &str, ty, array| Ok(Some(TableFunction::single(name, ty, array)));
        let each = |text: bool| {
            let value = if text { TEXT } else { Type::Json };
            let columns = vec![ScopeColumn::new("key", TEXT), ScopeColumn::new("value", value)];
            let arrays = vec![json(J::Names)?, json(J::Members { text })?];
            Ok(Some(TableFunction { columns, arrays, single: false }))
        };
        match (name, args.len()) {
            ("unnest", 1) => match args[0] {
                (ref array, Type::Array(element)) => single(name, element.ty(), array.clone()),
                _ => unsupported("unnest of something that is not an array"),
            },
            ("jsonb_array_elements", 1) => {
                single("value", Type::Json, json(J::Elements { text: false })?)
            }
            ("jsonb_array_elements_text", 1) => {
                single("value", TEXT, json(J::Elements { text: true })?)
            }
            ("jsonb_object_keys", 1) => single(name, TEXT, json(J::Names)?),
            ("jsonb_each", 1) => each(false),
            ("jsonb_each_text", 1) => each(true),
            ("regexp_matches", 2 | 3) => {
                let array = self.pattern_call(PatternFunction::AllGroups, args)?;
                single(name, Type::Array(Element::Text), array)
            }
            ("regexp_split_to_table", 2 | 3) => {
                single(name, TEXT, self.pattern_call(PatternFunction::Split, args)?)
            }
            ("string_to_table", 2 | 3) => match self.array_function("string_to_array", args)? {
                Some((array, _)) => single(name, TEXT, array),
                None => Ok(None),
            },
            ("generate_series", 3)
                if args[2].1 == Type::Interval
                    || args[2].1 == Type::Unknown && !args[0].1.is_number() =>
            {
                let (array, ty) = self.moments(args)?;
                single(name, ty, array)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn pattern_call(&self, function: PatternFunction, args: &[Typed]) -> Result<Expr> {
        let (params, result) = ([Type::TEXT; 3], Type::Array(Element::Text));
        let function = Function::Pattern(function);
        self.called(function, &params, result, args.to_vec()).map(|(array, _)| array)
    }

    /// `generate_series(moment, moment, interval)`. Dates become moments of the time zone of the session.
    fn moments(&self, args: &[Typed]) -> Result<Typed> {
        let local = args[..2].iter().all(|arg| matches!(arg.1, Type::Timestamp(_)));
        if !args[..2].iter().all(|arg| arg.1.is_time() || arg.1.is_instant()) {
            return unsupported("generate_series() of these types");
        }
        if !local {
            self.in_utc("generate_series() of dates or of times with a time zone")?;
        }
        let ty = if local { Type::TIMESTAMP } else { Type::INSTANT };
        let bounds = args[..2].iter().map(|arg| arg.0.clone().cast(ty, CastMode::Implicit));
        let step = self.argument(args[2].clone(), Type::Interval)?;
        let args = bounds.chain([step]).collect();
        let function = Function::Interval(IntervalFunction::Series);
        Ok((Expr::Call { function, result: ty, args }, ty))
    }

    /// `jsonb_to_recordset(json) AS x (a integer, b text)`, `jsonb_to_record(json) AS x (…)`.
    pub(super) fn json_records(
        &self,
        name: &str,
        args: &[Typed],
        alias: Option<&ast::TableAlias>,
    ) -> Result<Option<TableFunction>> {
        let several = match name {
            "jsonb_to_recordset" => true,
            "jsonb_to_record" => false,
            _ => return Ok(None),
        };
        let ([json], Some(alias)) = (args, alias) else {
            return unsupported(format!("{name} without columns"));
        };
        let mut columns = Vec::new();
        for column in &alias.columns {
            let Some(ty) = &column.data_type else {
                return unsupported("a column of a record without a type");
            };
            columns.push((column.name.value.clone(), self.catalog.read_type(ty)?));
        }
        self.records(json.clone(), several, &columns).map(Some)
    }

    /// `jsonb_populate_record(NULL::table, json)`, `jsonb_populate_recordset(NULL::table, json)`.
    pub(super) fn populated(
        &mut self,
        name: &str,
        args: &[ast::Expr],
    ) -> Result<Option<TableFunction>> {
        let several = match name {
            "jsonb_populate_recordset" => true,
            "jsonb_populate_record" => false,
            _ => return Ok(None),
        };
        let [ast::Expr::Cast { expr: base, data_type: ast::DataType::Custom(table, _), .. }, json] =
            args
        else {
            return unsupported(format!("{name} of something other than NULL::table"));
        };
        let null = matches!(&**base, ast::Expr::Value(value) if value.value == ast::Value::Null);
        if !null {
            return unsupported(format!("{name} of something other than NULL::table"));
        }
        let table = self.table(table)?;
        let columns: Vec<(String, Type)> =
            table.columns().iter().map(|one| (one.name().to_owned(), one.ty())).collect();
        let json = self.expr(json)?;
        self.records(json, several, &columns).map(Some)
    }

    fn records(
        &self,
        json: Typed,
        several: bool,
        columns: &[(String, Type)],
    ) -> Result<TableFunction> {
        let call = |function, args| Expr::Call {
            function: Function::Json(function),
            result: Type::Json,
            args,
        };
        let json = self.argument(json, Type::Json)?;
        let rows = if several { json } else { call(JsonFunction::Array, vec![json]) };
        let mut arrays = Vec::new();
        for (name, ty) in columns {
            let element = match Element::of(*ty) {
                None | Some(Element::Json | Element::Instant) => {
                    return unsupported(format!("a column of a record of the type {ty:?}"));
                }
                Some(element) => element,
            };
            let args = vec![rows.clone(), Expr::Const(Value::text(name))];
            let texts = call(JsonFunction::Column, args);
            arrays.push(texts.cast(Type::Array(element), CastMode::Explicit));
        }
        let columns = columns.iter().map(|(name, ty)| ScopeColumn::new(name, *ty)).collect();
        Ok(TableFunction { columns, arrays, single: false })
    }
}

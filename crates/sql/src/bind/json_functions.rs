//! Functions that build, change and take apart PostgreSQL's JSON.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, arguments, fail, unsupported};
use crate::plan::{CastMode, Expr, Function, JsonFunction};
use crate::types::{Element, Type};
use crate::value::Value;

use super::binder::{Binder, Typed};

const PATH: Type = Type::Array(Element::Text);

impl Binder<'_> {
    /// A function by its name; `None` if it is not one of JSON.
    pub(super) fn json_maker(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        use JsonFunction as J;
        const JSON: Type = Type::Json;
        let args = args.to_vec();
        let call = |function, params: &[Type], result, args| {
            self.called(Function::Json(function), params, result, args).map(Some)
        };
        match (name, args.len()) {
            ("to_jsonb" | "to_json", 1) if args[0].1 == Type::Unknown => {
                unsupported(format!("{name} of a value without a type"))
            }
            ("to_jsonb", 1) => Ok(Some((self.as_json(args[0].clone())?, JSON))),
            ("to_json", 1) => Ok(Some((self.as_json_text(args[0].clone())?, Type::JsonText))),
            ("jsonb_build_array", _) => {
                let args = args.into_iter().map(|arg| self.as_json(arg)).collect::<Result<_>>()?;
                Ok(Some(made(J::Array, args)))
            }
            ("json_build_array", _) => {
                let args = args.into_iter().map(|arg| self.as_json_text(arg));
                Ok(Some(made(J::ArrayText, args.collect::<Result<_>>()?)))
            }
            ("jsonb_build_object", _) => self.json_members(J::Object, args).map(Some),
            ("json_build_object", _) => self.json_members(J::ObjectText, args).map(Some),
            ("jsonb_set", 3 | 4) => call(J::Set, &[JSON, PATH, JSON, Type::Bool], JSON, args),
            ("jsonb_insert", 3 | 4) => call(J::Insert, &[JSON, PATH, JSON, Type::Bool], JSON, args),
            ("jsonb_strip_nulls", 1) => call(J::StripNulls, &[JSON], JSON, args),
            ("jsonb_pretty", 1) => call(J::Pretty, &[JSON], Type::TEXT, args),
            ("jsonb_path_query_array", 2) => {
                call(J::PathAll, &[JSON, Type::TEXT], JSON, path(args)?)
            }
            ("jsonb_path_query_first", 2) => {
                call(J::PathFirst, &[JSON, Type::TEXT], JSON, path(args)?)
            }
            ("jsonb_path_exists", 2) => {
                call(J::PathExists, &[JSON, Type::TEXT], Type::Bool, path(args)?)
            }
            ("to_jsonb" | "to_json" | "jsonb_set" | "jsonb_insert", count) => {
                unsupported(format!("{name} with {}", arguments(count)))
            }
            _ => Ok(None),
        }
    }

    /// Names and values, one after the other.
    fn json_members(&self, function: JsonFunction, args: Vec<Typed>) -> Result<Typed> {
        if !args.len().is_multiple_of(2) {
            return fail(ErrorClass::InvalidArgument, "a member without a value");
        }
        let mut bound = Vec::new();
        for (place, arg) in args.into_iter().enumerate() {
            bound.push(match (place % 2, function) {
                (0, _) => self.member_name(arg)?,
                (_, JsonFunction::Object) => self.as_json(arg)?,
                _ => self.as_json_text(arg)?,
            });
        }
        Ok(made(function, bound))
    }

    /// The name of a member is the text of a value.
    pub(super) fn member_name(&self, arg: Typed) -> Result<Expr> {
        match arg.1 {
            Type::Text { .. } | Type::Unknown | Type::Int(_) => self.as_text(arg),
            other => unsupported(format!("members with names of the type {other:?}")),
        }
    }

    /// A value as `jsonb`; NULL stays NULL.
    pub(super) fn as_json(&self, arg: Typed) -> Result<Expr> {
        match arg {
            (expr, Type::Json) => Ok(expr),
            (expr, Type::JsonText) => Ok(expr.cast(Type::Json, CastMode::Implicit)),
            other => self.told(JsonFunction::Of, other),
        }
    }

    /// A value as the text of JSON; NULL stays NULL.
    pub(super) fn as_json_text(&self, arg: Typed) -> Result<Expr> {
        match arg {
            (expr, Type::JsonText) => Ok(expr),
            other => self.told(JsonFunction::TextOf, other),
        }
    }

    fn told(&self, function: JsonFunction, (expr, ty): Typed) -> Result<Expr> {
        let element = match ty {
            Type::Array(element) => element.ty(),
            other => other,
        };
        let expr = match element {
            Type::Unknown => self.resolve(expr, Type::TEXT)?,
            Type::Instant(_) => {
                self.in_utc("a time with a time zone as JSON")?;
                expr
            }
            Type::Enum(_) if element == ty => expr.cast(Type::TEXT, CastMode::Implicit),
            Type::Real
            | Type::Char(_)
            | Type::Enum(_)
            | Type::Range(_)
            | Type::Record
            | Type::Network { .. } => {
                return unsupported(format!("JSON of a value of the type {ty:?}"));
            }
            _ => expr,
        };
        Ok(made(function, vec![expr]).0)
    }

    /// `to_jsonb(t)`, `row_to_json(t)`, where `t` is the only table; `None` if it is something else.
    pub(super) fn row_as_json(
        &mut self,
        name: &str,
        call: &ast::Function,
    ) -> Result<Option<Typed>> {
        let function = match name {
            "row_to_json" | "to_json" => JsonFunction::RowText,
            "to_jsonb" => JsonFunction::Object,
            _ => return Ok(None),
        };
        let ast::FunctionArguments::List(list) = &call.args else { return Ok(None) };
        let [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::Identifier(table)))] =
            list.args.as_slice()
        else {
            return Ok(None);
        };
        self.row_members(function, table)
    }

    /// The members of a whole row, if a name stands for one.
    pub(super) fn row_members(
        &mut self,
        function: JsonFunction,
        table: &ast::Ident,
    ) -> Result<Option<Typed>> {
        let Some(columns) = self.row_of(&table.value)? else { return Ok(None) };
        let mut args = Vec::new();
        for (name, column) in columns {
            args.push(Expr::Const(Value::text(&name)));
            args.push(match function {
                JsonFunction::RowText => self.as_json_text(column)?,
                _ => self.as_json(column)?,
            });
        }
        Ok(Some(made(function, args)))
    }

    /// The columns of the only table of the query, if this is its name and not that of a column. Beside other
    /// tables, a row could be missing, which is not the same as one that is all NULL.
    pub(super) fn row_of(&mut self, name: &str) -> Result<Option<Vec<(String, Typed)>>> {
        let scope = self.scope()?;
        let [relation] = scope.relations.as_slice() else { return Ok(None) };
        if !relation.name.eq_ignore_ascii_case(name) || scope.find(None, name)?.is_some() {
            return Ok(None);
        }
        relation.columns.iter().try_for_each(super::scope::ScopeColumn::refuse_blurred)?;
        let columns = relation.columns.iter().enumerate().filter(|(_, one)| !one.name.is_empty());
        let column = |(place, one): (usize, &super::scope::ScopeColumn)| {
            (one.name.clone(), (Expr::column(relation.at + place), one.ty))
        };
        Ok(Some(columns.map(column).collect()))
    }
}

/// A path is a literal: a text with a type would be an error.
fn path(args: Vec<Typed>) -> Result<Vec<Typed>> {
    match args.last() {
        Some((_, Type::Unknown)) => Ok(args),
        _ => unsupported("a JSON path that is not a literal"),
    }
}

fn made(function: JsonFunction, args: Vec<Expr>) -> Typed {
    use JsonFunction as J;
    let text = matches!(function, J::TextOf | J::ObjectText | J::ArrayText | J::RowText);
    let result = if text { Type::JsonText } else { Type::Json };
    (Expr::Call { function: Function::Json(function), result, args }, result)
}

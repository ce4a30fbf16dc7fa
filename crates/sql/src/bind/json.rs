//! The operators and functions of PostgreSQL's `jsonb`.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast::{self, BinaryOperator as Op};

use crate::error::{ErrorClass, Result, arguments, fail, unsupported};
use crate::plan::{Expr, Function, JsonFunction};
use crate::types::{Element, Type};

use super::binder::{Binder, Typed};

const PATH: Type = Type::Array(Element::Text);

impl Binder<'_> {
    /// An operator of JSON; `None` if it is something else.
    pub(super) fn json_operator(
        &self,
        op: &Op,
        left: &Typed,
        right: &Typed,
    ) -> Result<Option<Typed>> {
        if left.1 != Type::Json && right.1 != Type::Json {
            return Ok(None);
        }
        let json = |side: &Typed| self.json_side(side, Type::Json);
        let text = |result: bool| if result { Type::TEXT } else { Type::Json };
        let (function, result, args) = match op {
            Op::Arrow | Op::LongArrow => {
                let shown = *op == Op::LongArrow;
                (
                    Function::JsonMember { text: shown },
                    text(shown),
                    [json(left)?, self.json_step(right)?],
                )
            }
            Op::HashArrow | Op::HashLongArrow => {
                let shown = *op == Op::HashLongArrow;
                let path = self.json_side(right, PATH)?;
                (Function::JsonPath { text: shown }, text(shown), [json(left)?, path])
            }
            Op::AtArrow => (Function::JsonContains, Type::Bool, [json(left)?, json(right)?]),
            Op::ArrowAt => (Function::JsonContains, Type::Bool, [json(right)?, json(left)?]),
            Op::Question => {
                (Function::JsonHas, Type::Bool, [json(left)?, self.json_side(right, Type::TEXT)?])
            }
            Op::StringConcat if right.1 != Type::TEXT && left.1 != Type::TEXT => {
                (Function::JsonAppend, Type::Json, [json(left)?, json(right)?])
            }
            Op::QuestionPipe | Op::QuestionAnd => {
                let function = JsonFunction::HasAny { all: *op == Op::QuestionAnd };
                let names = self.json_side(right, PATH)?;
                (Function::Json(function), Type::Bool, [json(left)?, names])
            }
            Op::HashMinus => {
                let path = self.json_side(right, PATH)?;
                (Function::Json(JsonFunction::RemovePath), Type::Json, [json(left)?, path])
            }
            Op::Minus if right.1 == PATH => {
                let names = right.0.clone();
                (Function::Json(JsonFunction::RemoveNames), Type::Json, [json(left)?, names])
            }
            Op::AtQuestion if right.1 == Type::Unknown => {
                let path = self.json_side(right, Type::TEXT)?;
                (Function::Json(JsonFunction::PathExists), Type::Bool, [json(left)?, path])
            }
            Op::AtAt if right.1 == Type::Unknown => {
                let path = self.json_side(right, Type::TEXT)?;
                (Function::Json(JsonFunction::PathMatch), Type::Bool, [json(left)?, path])
            }
            Op::Minus => (Function::JsonRemove, Type::Json, [json(left)?, self.json_step(right)?]),
            other => return unsupported(format!("the operator {other} of JSON")),
        };
        Ok(Some((Expr::Call { function, result, args: args.to_vec() }, result)))
    }

    /// A name or a number.
    fn json_step(&self, side: &Typed) -> Result<Expr> {
        match side.1 {
            Type::Int(int) if int.bytes <= 4 => Ok(side.0.clone()),
            Type::Int(_) => fail(ErrorClass::UndefinedFunction, "a step of JSON that is a BIGINT"),
            _ => self.json_side(side, Type::TEXT),
        }
    }

    fn json_side(&self, (expr, ty): &Typed, wanted: Type) -> Result<Expr> {
        match ty {
            Type::Unknown => self.resolve(expr.clone(), wanted),
            ty if *ty == wanted || (wanted == Type::TEXT && matches!(ty, Type::Text { .. })) => {
                Ok(expr.clone())
            }
            _ => unsupported("an operator of JSON and something else"),
        }
    }

    /// `json['a'][1]`: what is at the end of a path, whose steps are texts.
    pub(super) fn json_subscripts(
        &mut self,
        json: Expr,
        chain: &[ast::AccessExpr],
    ) -> Result<Typed> {
        let mut steps = Vec::new();
        for step in chain {
            let ast::AccessExpr::Subscript(ast::Subscript::Index { index }) = step else {
                return unsupported("a part of JSON");
            };
            let step = self.expr(index)?;
            steps.push(match step.1 {
                Type::Int(_) => self.as_text(step)?,
                _ => self.json_side(&step, Type::TEXT)?,
            });
        }
        let path = Expr::Call { function: Function::MakeArray, result: PATH, args: steps };
        let (function, result) = (Function::JsonPath { text: false }, Type::Json);
        Ok((Expr::Call { function, result, args: vec![json, path] }, result))
    }

    /// `JSON_VALID(text)` of MySQL and MariaDB.
    pub(super) fn json_valid(&self, args: Vec<Typed>) -> Result<Typed> {
        match args.into_iter().next() {
            Some((expr, Type::Text { .. })) => {
                let (function, result) = (Function::JsonValid, Type::INT4);
                Ok((Expr::Call { function, result, args: vec![expr] }, result))
            }
            _ => unsupported("JSON_VALID of something that is not a text"),
        }
    }

    /// `jsonb_typeof(json)`, `jsonb_array_length(json)`; `None` for others.
    pub(super) fn json_function(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        let (function, result) = match name {
            "jsonb_typeof" => (Function::JsonTypeOf, Type::TEXT),
            "jsonb_array_length" => (Function::JsonArrayLength, Type::INT4),
            _ => return self.json_maker(name, args),
        };
        let [arg] = args else {
            return unsupported(format!("{name} with {}", arguments(args.len())));
        };
        let args = vec![self.json_side(arg, Type::Json)?];
        Ok(Some((Expr::Call { function, result, args }, result)))
    }
}

//! `JSON_ARRAYAGG` and `JSON_OBJECTAGG` of MariaDB, written with `GROUP_CONCAT`, which they are made of in the server, too.
//!
//! ```text
//!   JSON_ARRAYAGG(v ORDER BY w)   CONCAT('[', GROUP_CONCAT(json v ORDER BY w SEPARATOR ','), ']')
//!   JSON_OBJECTAGG(k, v)          CONCAT('{', GROUP_CONCAT(CONCAT(JSON_QUOTE(CONCAT(k)), ':', json v) SEPARATOR ', '), '}')
//!   json v                        what JSON_ARRAY(v) has between its brackets
//! ```
//!
//! Layer `bind`; knows the syntax tree only.

use sqlparser::ast;

use crate::parse::call;

/// Such an aggregate in other words; `None` if it is none, or not a plain one.
pub(super) fn json_aggregate(name: &str, call: &ast::Function) -> Option<ast::Expr> {
    let ast::FunctionArguments::List(list) = &call.args else { return None };
    let plain = call.filter.is_none()
        && call.over.is_none()
        && call.null_treatment.is_none()
        && call.within_group.is_empty()
        && list.duplicate_treatment.is_none();
    let arg = |place: usize| match list.args.get(place) {
        Some(ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr))) => Some(expr.clone()),
        _ => None,
    };
    let ordered =
        list.clauses.iter().all(|one| matches!(one, ast::FunctionArgumentClause::OrderBy(_)));
    match (name, list.args.len()) {
        ("json_arrayagg", 1) if plain && ordered => {
            let all = joined(as_json(arg(0)?), ",", list.clauses.clone());
            Some(function("concat", vec![text("["), all, text("]")]))
        }
        ("json_objectagg", 2) if plain && list.clauses.is_empty() => {
            let name = function("json_quote", vec![function("concat", vec![arg(0)?])]);
            let pair = function("concat", vec![name, text(":"), as_json(arg(1)?)]);
            let all = joined(pair, ", ", Vec::new());
            Some(function("concat", vec![text("{"), all, text("}")]))
        }
        _ => None,
    }
}

fn as_json(value: ast::Expr) -> ast::Expr {
    let array = function("json_array", vec![value]);
    let length = ast::Expr::BinaryOp {
        left: Box::new(function("char_length", vec![array.clone()])),
        op: ast::BinaryOperator::Minus,
        right: Box::new(number("2")),
    };
    function("substr", vec![array, number("2"), length])
}

fn joined(
    part: ast::Expr,
    between: &str,
    mut clauses: Vec<ast::FunctionArgumentClause>,
) -> ast::Expr {
    let between = ast::Value::SingleQuotedString(between.to_owned());
    clauses.push(ast::FunctionArgumentClause::Separator(between.into()));
    call("group_concat", vec![part], clauses)
}

fn text(text: &str) -> ast::Expr {
    ast::Expr::value(ast::Value::SingleQuotedString(text.to_owned()))
}

fn number(digits: &str) -> ast::Expr {
    ast::Expr::value(ast::Value::Number(digits.to_owned(), false))
}

fn function(name: &str, args: Vec<ast::Expr>) -> ast::Expr {
    call(name, args, Vec::new())
}

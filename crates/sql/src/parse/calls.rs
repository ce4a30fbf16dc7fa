//! Calls of functions that no statement has in this form.
//!
//! Beside the layers; knows the syntax tree only.

use sqlparser::ast;

/// A call of a function, with clauses behind its arguments.
pub(crate) fn call(
    name: &str,
    args: Vec<ast::Expr>,
    clauses: Vec<ast::FunctionArgumentClause>,
) -> ast::Expr {
    let args = args.into_iter();
    let args = args.map(|arg| ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(arg)));
    ast::Expr::Function(ast::Function {
        name: ast::ObjectName::from(vec![ast::Ident::new(name)]),
        uses_odbc_syntax: false,
        parameters: ast::FunctionArguments::None,
        args: ast::FunctionArguments::List(ast::FunctionArgumentList {
            duplicate_treatment: None,
            args: args.collect(),
            clauses,
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}

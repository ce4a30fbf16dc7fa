//! Functions and procedures of the user, as they were read.
//!
//! Layer `catalog`; knows the steps and types.

use sqlparser::ast;

use crate::types::Type;

use super::step::Step;

/// What the names of parameters begin with that columns hide, as in functions in the language SQL.
pub(crate) const HIDDEN: char = '\u{2}';

/// A stored function or procedure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Routine {
    pub(crate) name: String,
    /// The schema that its definition names; when it is in the catalog, the one that it is in, if that is known.
    pub(crate) schema: Option<String>,
    pub(crate) params: Vec<Parameter>,
    /// The type of a function's result; `None` for a procedure, and for a function without a result.
    pub(crate) returns: Option<Type>,
    /// What the rows of a function are that returns several.
    pub(crate) rows: Option<RowType>,
    pub(crate) is_function: bool,
    /// Whether it is in the language SQL.
    pub(crate) is_plain_sql: bool,
    /// Whether it is a function that only triggers call.
    pub(crate) is_trigger: bool,
    pub(crate) body: Vec<Step>,
}

impl Routine {
    /// Steps without a name.
    pub(crate) fn block(body: Vec<Step>) -> Self {
        Self {
            name: String::new(),
            schema: None,
            params: Vec::new(),
            returns: None,
            rows: None,
            is_function: false,
            is_plain_sql: false,
            is_trigger: false,
            body,
        }
    }
}

/// A parameter of a routine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) mode: Mode,
    /// What it is if a call does not give it.
    pub(crate) default: Option<ast::Expr>,
}

/// The rows of a function that returns several.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RowType {
    /// `RETURNS TABLE (…)`.
    Columns(Vec<(String, Type)>),
    /// `RETURNS SETOF integer`.
    Single(Type),
    /// `RETURNS SETOF` the name of a table.
    Table(String),
}

/// Which way a parameter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    In,
    Out,
    InOut,
}

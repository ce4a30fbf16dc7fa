//! The steps of a routine.
//!
//! Layer `catalog`; knows types and the syntax tree of SQL. Names inside a step are bound when it runs.

use sqlparser::ast;

use crate::types::Type;

/// One step of the body of a routine.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "routines are short")]
pub(crate) enum Step {
    /// A new variable.
    Declare {
        names: Vec<String>,
        ty: Type,
        value: Option<ast::Expr>,
    },
    /// `x := …`, `SET x = …`; a name that begins with `@` belongs to the session.
    Assign {
        name: String,
        value: ast::Expr,
    },
    /// A statement, and what becomes of its rows.
    Sql {
        statement: Box<ast::Statement>,
        target: Target,
    },
    If {
        branches: Vec<(ast::Expr, Vec<Step>)>,
        otherwise: Vec<Step>,
    },
    /// `WHILE … LOOP`, `LOOP`, `REPEAT … UNTIL`.
    Loop {
        label: Option<String>,
        before: Option<ast::Expr>,
        body: Vec<Step>,
        until: Option<ast::Expr>,
    },
    /// `FOR i IN 1..10 LOOP`.
    Count {
        label: Option<String>,
        name: String,
        from: ast::Expr,
        to: ast::Expr,
        by: Option<ast::Expr>,
        down: bool,
        body: Vec<Step>,
    },
    /// `FOR row IN SELECT … LOOP`.
    Rows {
        label: Option<String>,
        name: String,
        query: Box<ast::Statement>,
        body: Vec<Step>,
    },
    /// `EXIT`, `LEAVE`, `CONTINUE`, `ITERATE`.
    Jump {
        label: Option<String>,
        again: bool,
        when: Option<ast::Expr>,
    },
    Return(Option<ast::Expr>),
    /// `RETURN QUERY`: rows of a function that returns several.
    ReturnQuery(Box<ast::Statement>),
    /// `RETURN NEXT`: one more row; without a value, that of the variables.
    ReturnNext(Option<ast::Expr>),
    /// `RAISE EXCEPTION`, `SIGNAL`.
    Raise {
        state: String,
        message: String,
    },
    /// A cursor and its query.
    Cursor {
        name: String,
        query: Box<ast::Statement>,
    },
    Open(String),
    Fetch {
        name: String,
        into: Vec<String>,
    },
    Close(String),
    /// What MySQL does when a cursor has no more rows.
    NotFound {
        exits: bool,
        body: Vec<Step>,
    },
    Block {
        label: Option<String>,
        body: Vec<Step>,
    },
    /// A block with handlers: the SQLSTATEs that each of them catches.
    Try {
        body: Vec<Step>,
        handlers: Vec<(Vec<String>, Vec<Step>)>,
    },
    /// `EXECUTE`: a statement whose text is computed.
    Execute {
        text: ast::Expr,
        target: Target,
        using: Vec<ast::Expr>,
    },
    /// A remark to the client.
    Nothing,
}

/// Where the rows of a statement go.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    Client,
    Nowhere,
    /// The first row goes into variables; it must be the only one if this is strict.
    Variables {
        names: Vec<String>,
        strict: bool,
    },
}

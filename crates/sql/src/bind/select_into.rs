//! `SELECT … INTO t` of PostgreSQL, which makes a table.
//!
//! Layer `bind`; knows the syntax tree only.

use sqlparser::ast;

/// A query whose rows become a new table.
pub(super) struct NewTable {
    pub(super) name: ast::ObjectName,
    pub(super) temporary: bool,
    pub(super) query: ast::Query,
}

/// Whether a query makes a table of its rows.
pub(crate) fn makes_table(query: &ast::Query) -> bool {
    let mut body = &*query.body;
    while let ast::SetExpr::SetOperation { left, .. } = body {
        body = left;
    }
    matches!(body, ast::SetExpr::Select(select) if select.into.is_some())
}

/// The table, and the query without INTO. Returns `None` if the target is no name of a table.
pub(super) fn new_table(query: &ast::Query) -> Option<NewTable> {
    let mut query = query.clone();
    let mut body = &mut *query.body;
    while let ast::SetExpr::SetOperation { left, .. } = body {
        body = left;
    }
    let ast::SetExpr::Select(select) = body else { return None };
    let into = select.into.take()?;
    let parts = match into.targets.as_slice() {
        [ast::Expr::Identifier(ident)] => vec![ident.clone()],
        [ast::Expr::CompoundIdentifier(parts)] => parts.clone(),
        _ => return None,
    };
    let parts = parts.into_iter().map(ast::ObjectNamePart::Identifier).collect();
    Some(NewTable { name: ast::ObjectName(parts), temporary: into.temporary, query })
}

//! LATERAL queries and `generate_series()` in FROM.
//!
//! Both may use the columns to their left.
//!
//! Layer `bind`; knows scopes.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::parse::last_name;
use crate::plan::{Join, JoinKind, Source};
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::columns::uses_own_query;
use super::scope::{Relation, ScopeColumn};

impl Binder<'_> {
    /// `LATERAL (SELECT …) AS name`.
    pub(super) fn lateral(
        &mut self,
        query: &ast::Query,
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        self.refuse_lateral()?;
        let Some(alias) = alias else { return unsupported("LATERAL without a name") };
        let aggregates = self.aggregates.take();
        self.inner += 1;
        let query = self.query(query);
        self.inner -= 1;
        self.aggregates = aggregates;
        self.derived(query?, &alias.name.value.clone(), Some(alias), true)
    }

    /// A function in FROM.
    pub(super) fn table_function(
        &mut self,
        name: &ast::ObjectName,
        args: &[ast::FunctionArg],
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        let name = last_name(name)?.to_lowercase();
        if name != "generate_series" || !self.dialect.is_strictly_typed() {
            return unsupported(format!("the function {name} in FROM"));
        }
        self.refuse_lateral()?;
        let plain = |arg: &ast::FunctionArg| match arg {
            ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Ok(expr.clone()),
            other => unsupported(format!("the argument {other}")),
        };
        let args = args.iter().map(plain).collect::<Result<Vec<_>>>()?;
        let aggregates = self.aggregates.take();
        let bound = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>>>();
        self.aggregates = aggregates;
        let source = self.series(bound?)?;
        let Source::Series { ty, .. } = source else { return unsupported("this series") };
        let shown = alias.map_or(name, |alias| alias.name.value.clone());
        let column = match alias.map(|alias| alias.columns.as_slice()) {
            None | Some([]) => shown.clone(),
            Some([column]) if column.data_type.is_none() => column.name.value.clone(),
            Some(_) => return unsupported("generate_series() with several columns"),
        };
        let columns = vec![ScopeColumn { name: column, ty, merged: false, leads: None }];
        let at = self.scope()?.width();
        self.enter(Relation { name: shown, columns, at })?;
        Ok(source)
    }

    fn series(&mut self, args: Vec<Typed>) -> Result<Source> {
        if !(2..=3).contains(&args.len()) {
            return unsupported("generate_series() with this many arguments");
        }
        let known = || args.iter().map(|arg| arg.1).filter(|ty| *ty != Type::Unknown);
        let large = known().any(|ty| matches!(ty, Type::Int(int) if int.bytes > 4));
        if known().next().is_none() || !known().all(|ty| matches!(ty, Type::Int(_))) {
            return unsupported("generate_series() of something other than whole numbers");
        }
        let ty = if large { Type::INT8 } else { Type::INT4 };
        let mut bound = Vec::new();
        for (arg, own) in args {
            let arg = if own == Type::Unknown { self.resolve(arg, ty)? } else { arg };
            bound.push(self.fold(arg));
        }
        Ok(Source::Series { args: bound, ty })
    }

    /// The table that a statement changes is not to the left of anything.
    fn refuse_lateral(&mut self) -> Result<()> {
        let changed = |relation: &Relation| relation.columns.iter().any(|one| one.name.is_empty());
        if self.scope()?.relations.iter().any(changed) {
            return unsupported("LATERAL or a function beside a table that is changed");
        }
        Ok(())
    }
}

/// The right side of RIGHT and FULL JOIN cannot use the left side.
pub(super) fn refuse_backward(join: &Join) -> Result<()> {
    let backward = matches!(join.kind, JoinKind::Right | JoinKind::Full);
    if backward && looks_left(&join.right) {
        return unsupported("LATERAL on the right side of RIGHT or FULL JOIN");
    }
    Ok(())
}

fn looks_left(source: &Source) -> bool {
    match source {
        Source::Derived { lateral, .. } => *lateral,
        Source::Series { args, .. } => args.iter().any(uses_own_query),
        Source::Join(join) => looks_left(&join.left) || looks_left(&join.right),
        Source::Nothing | Source::Table { .. } | Source::Working { .. } => false,
    }
}

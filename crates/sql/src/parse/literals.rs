//! The literals in the expressions of a statement.
//!
//! Only the forms that applications send many times are entered. What is left out costs time, not truth:
//! [`super::template`] counts what it finds.

use sqlparser::ast;

/// Calls `visit` for each value that stands in an expression of a query, INSERT, UPDATE or DELETE.
pub(super) fn each_literal(statement: &mut ast::Statement, visit: &mut dyn FnMut(&mut ast::Value)) {
    let mut walk = Walk { visit };
    match statement {
        ast::Statement::Query(query) => walk.query(query),
        ast::Statement::Insert(insert) => walk.insert(insert),
        ast::Statement::Update(update) => {
            walk.assignments(&mut update.assignments);
            walk.table(&mut update.table);
            walk.maybe(&mut update.selection);
            walk.items(update.returning.iter_mut().flatten());
            walk.order(&mut update.order_by);
            walk.maybe(&mut update.limit);
        }
        ast::Statement::Delete(delete) => {
            walk.maybe(&mut delete.selection);
            walk.items(delete.returning.iter_mut().flatten());
            walk.order(&mut delete.order_by);
            walk.maybe(&mut delete.limit);
        }
        _ => {}
    }
}

struct Walk<'a> {
    visit: &'a mut dyn FnMut(&mut ast::Value),
}

impl Walk<'_> {
    fn insert(&mut self, insert: &mut ast::Insert) {
        insert.source.iter_mut().for_each(|source| self.query(source));
        self.assignments(&mut insert.assignments);
        self.items(insert.returning.iter_mut().flatten());
        match &mut insert.on {
            Some(ast::OnInsert::DuplicateKeyUpdate(assignments)) => self.assignments(assignments),
            Some(ast::OnInsert::OnConflict(ast::OnConflict {
                action: ast::OnConflictAction::DoUpdate(update),
                ..
            })) => {
                self.assignments(&mut update.assignments);
                self.maybe(&mut update.selection);
            }
            _ => {}
        }
    }

    fn query(&mut self, query: &mut ast::Query) {
        for table in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
            self.query(&mut table.query);
        }
        self.body(&mut query.body);
        if let Some(ast::OrderBy { kind: ast::OrderByKind::Expressions(order), .. }) =
            &mut query.order_by
        {
            self.order(order);
        }
        match &mut query.limit_clause {
            Some(ast::LimitClause::LimitOffset { limit, offset, .. }) => {
                self.maybe(limit);
                offset.iter_mut().for_each(|offset| self.expr(&mut offset.value));
            }
            Some(ast::LimitClause::OffsetCommaLimit { offset, limit }) => {
                self.expr(offset);
                self.expr(limit);
            }
            None => {}
        }
    }

    fn body(&mut self, body: &mut ast::SetExpr) {
        match body {
            ast::SetExpr::Select(select) => self.select(select),
            ast::SetExpr::Query(query) => self.query(query),
            ast::SetExpr::Values(values) => {
                for row in &mut values.rows {
                    self.exprs(&mut row.content);
                }
            }
            ast::SetExpr::SetOperation { left, right, .. } => {
                self.body(left);
                self.body(right);
            }
            _ => {}
        }
    }

    fn select(&mut self, select: &mut ast::Select) {
        self.items(select.projection.iter_mut());
        select.from.iter_mut().for_each(|table| self.table(table));
        self.maybe(&mut select.selection);
        if let ast::GroupByExpr::Expressions(keys, _) = &mut select.group_by {
            self.exprs(keys);
        }
        self.maybe(&mut select.having);
    }

    fn table(&mut self, table: &mut ast::TableWithJoins) {
        self.relation(&mut table.relation);
        for join in &mut table.joins {
            self.relation(&mut join.relation);
            if let ast::JoinOperator::Join(ast::JoinConstraint::On(on))
            | ast::JoinOperator::Inner(ast::JoinConstraint::On(on))
            | ast::JoinOperator::Left(ast::JoinConstraint::On(on))
            | ast::JoinOperator::LeftOuter(ast::JoinConstraint::On(on)) = &mut join.join_operator
            {
                self.expr(on);
            }
        }
    }

    fn relation(&mut self, relation: &mut ast::TableFactor) {
        if let ast::TableFactor::Derived { subquery, .. } = relation {
            self.query(subquery);
        }
    }

    fn items<'i>(&mut self, items: impl Iterator<Item = &'i mut ast::SelectItem>) {
        for item in items {
            if let ast::SelectItem::UnnamedExpr(expr)
            | ast::SelectItem::ExprWithAlias { expr, .. } = item
            {
                self.expr(expr);
            }
        }
    }

    fn assignments(&mut self, assignments: &mut [ast::Assignment]) {
        assignments.iter_mut().for_each(|assignment| self.expr(&mut assignment.value));
    }

    fn order(&mut self, order: &mut [ast::OrderByExpr]) {
        order.iter_mut().for_each(|key| self.expr(&mut key.expr));
    }

    fn maybe(&mut self, expr: &mut Option<ast::Expr>) {
        expr.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn exprs(&mut self, exprs: &mut [ast::Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &mut ast::Expr) {
        match expr {
            ast::Expr::Value(value) => (self.visit)(&mut value.value),
            ast::Expr::BinaryOp { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ast::Expr::UnaryOp { expr, .. }
            | ast::Expr::Nested(expr)
            | ast::Expr::Cast { expr, .. }
            | ast::Expr::IsNull(expr)
            | ast::Expr::IsNotNull(expr) => self.expr(expr),
            ast::Expr::Between { expr, low, high, .. } => {
                self.expr(expr);
                self.expr(low);
                self.expr(high);
            }
            ast::Expr::InList { expr, list, .. } => {
                self.expr(expr);
                self.exprs(list);
            }
            ast::Expr::InSubquery { expr, subquery, .. } => {
                self.expr(expr);
                self.query(subquery);
            }
            ast::Expr::Like { expr, pattern, .. } | ast::Expr::ILike { expr, pattern, .. } => {
                self.expr(expr);
                self.expr(pattern);
            }
            ast::Expr::Tuple(exprs) => self.exprs(exprs),
            ast::Expr::Exists { subquery, .. } | ast::Expr::Subquery(subquery) => {
                self.query(subquery);
            }
            ast::Expr::Function(function) => self.arguments(&mut function.args),
            ast::Expr::Case { operand, conditions, else_result, .. } => {
                operand.iter_mut().for_each(|operand| self.expr(operand));
                for branch in conditions {
                    self.expr(&mut branch.condition);
                    self.expr(&mut branch.result);
                }
                else_result.iter_mut().for_each(|result| self.expr(result));
            }
            _ => {}
        }
    }

    fn arguments(&mut self, arguments: &mut ast::FunctionArguments) {
        let ast::FunctionArguments::List(list) = arguments else { return };
        for argument in &mut list.args {
            if let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) = argument {
                self.expr(expr);
            }
        }
    }
}

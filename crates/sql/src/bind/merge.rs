//! MERGE of PostgreSQL.
//!
//! ```text
//!   MERGE INTO t USING s ON t.id = s.id      s LEFT JOIN t ON t.id = s.id, where rows of t carry their numbers
//! ```
//!
//! Layer `bind`; knows the columns of tables, and FROM.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{Fill, Join, JoinKind, Merge, MergeAction, MergeClause, NodeId, Source};

use super::alone::note_alone;
use super::binder::Binder;
use super::from::all_rows;
use super::scope::{Relation, Scope, ScopeColumn, refuse_blurred};
use super::writes::column_of;

impl Binder<'_> {
    pub(super) fn merge(&mut self, merge: &ast::Merge) -> Result<Merge> {
        if !self.dialect.is_strictly_typed() {
            return fail(ErrorClass::Syntax, "MERGE");
        }
        refuse_unreachable(&merge.clauses)?;
        if merge.output.is_some() {
            return unsupported("MERGE with a result");
        }
        let ast::TableFactor::Table { name, alias, args: None, .. } = &merge.table else {
            return unsupported("MERGE into something that is not a table");
        };
        let table = Arc::clone(self.table(name)?);
        (0..table.columns().len()).try_for_each(|column| refuse_blurred(&table, column))?;
        let shown = alias.as_ref().map_or(table.short_name(), |alias| &alias.name.value);
        let shown = shown.to_owned();
        self.scopes.push(Scope::default());
        let bound = self.merge_in_scope(merge, &table, &shown);
        self.scopes.pop();
        bound
    }

    fn merge_in_scope(
        &mut self,
        merge: &ast::Merge,
        table: &Arc<Table>,
        shown: &str,
    ) -> Result<Merge> {
        let item = ast::TableWithJoins { relation: merge.source.clone(), joins: Vec::new() };
        let left = self.from(std::slice::from_ref(&item))?;
        let at = self.scope()?.width();
        let mut relation = Relation::of_table(table, shown, at);
        relation.columns.push(ScopeColumn::row_number());
        self.enter(relation)?;
        let bound = self.expr(&merge.on)?;
        let condition = self.condition(bound)?;
        let on = self.conjuncts(condition);
        let right = all_rows(table, true);
        let id = NodeId::default();
        let join = Join { id, kind: JoinKind::Inner, left, right, on, together: Vec::new() };
        let mut source = Source::Join(Box::new(join));
        // Without a clause for rows that match nothing, the server makes an inner join.
        note_alone(&mut source, &mut []);
        if let Source::Join(join) = &mut source {
            join.kind = JoinKind::Left;
        }
        let mut clauses = Vec::new();
        for clause in &merge.clauses {
            clauses.push(self.merge_clause(clause, table)?);
        }
        Ok(Merge { table: table.id(), source, at, clauses })
    }

    fn merge_clause(&mut self, clause: &ast::MergeClause, table: &Table) -> Result<MergeClause> {
        use ast::MergeClauseKind as K;
        let matched = match clause.clause_kind {
            K::Matched => true,
            K::NotMatched | K::NotMatchedByTarget => false,
            K::NotMatchedBySource => return unsupported("WHEN NOT MATCHED BY SOURCE"),
        };
        // A row without a match has no columns of the table.
        let target = if matched { None } else { self.scope()?.relations.pop() };
        let bound = self.merge_action(clause, table, matched);
        self.scope()?.relations.extend(target);
        bound
    }

    fn merge_action(
        &mut self,
        clause: &ast::MergeClause,
        table: &Table,
        matched: bool,
    ) -> Result<MergeClause> {
        let condition = match &clause.predicate {
            Some(predicate) => {
                let bound = self.expr(predicate)?;
                Some(self.condition(bound)?)
            }
            None => None,
        };
        let action = match &clause.action {
            ast::MergeAction::DoNothing { .. } => MergeAction::Nothing,
            ast::MergeAction::Delete { .. } if matched => MergeAction::Delete,
            ast::MergeAction::Update(update) if matched => {
                let ast::MergeUpdateKind::Set(assignments) = &update.kind else {
                    return unsupported("MERGE … UPDATE of whole rows");
                };
                if update.update_predicate.is_some() || update.delete_predicate.is_some() {
                    return unsupported("MERGE … UPDATE with a condition");
                }
                MergeAction::Update(self.assignments(table, assignments)?)
            }
            ast::MergeAction::Insert(insert) if !matched => self.merge_insert(insert, table)?,
            _ => return fail(ErrorClass::Syntax, "this action of MERGE"),
        };
        Ok(MergeClause { matched, condition, action })
    }

    fn merge_insert(
        &mut self,
        insert: &ast::MergeInsertExpr,
        table: &Table,
    ) -> Result<MergeAction> {
        let ast::MergeInsertKind::Values(values) = &insert.kind else {
            return unsupported("MERGE … INSERT of whole rows");
        };
        let [row] = values.rows.as_slice() else {
            return unsupported("MERGE … INSERT of several rows");
        };
        if insert.insert_predicate.is_some() {
            return unsupported("MERGE … INSERT with a condition");
        }
        let row = &row.content;
        let mut columns: Vec<usize> = Vec::new();
        for name in &insert.columns {
            columns.push(column_of(table, &last_name(name)?)?);
        }
        if insert.columns.is_empty() {
            columns = (0..row.len().min(table.columns().len())).collect();
        }
        if columns.len() != row.len() {
            return fail(ErrorClass::ColumnCount, "the number of values differs from the columns");
        }
        let given = row.iter().map(|value| self.given_value(value));
        let given = given.collect::<Result<Vec<_>>>()?;
        let values = given.into_iter().zip(&columns);
        let values = values.map(|(given, column)| self.column_value(table, *column, given));
        let values = values.collect::<Result<Vec<_>>>()?;
        let mut fills = vec![Fill::Default; table.columns().len()];
        for (place, column) in columns.iter().enumerate() {
            fills[*column] = Fill::Given(place);
        }
        Ok(MergeAction::Insert { fills, values })
    }
}

/// A clause behind one of its kind that has no condition is an error before anything else is looked at.
fn refuse_unreachable(clauses: &[ast::MergeClause]) -> Result<()> {
    let kind = |clause: &ast::MergeClause| clause.clause_kind == ast::MergeClauseKind::Matched;
    let hidden = |place: usize| {
        let before = &clauses[..place];
        let same = |one: &&ast::MergeClause| kind(one) == kind(&clauses[place]);
        before.iter().filter(same).any(|one| one.predicate.is_none())
    };
    let by_source =
        |clause: &ast::MergeClause| clause.clause_kind == ast::MergeClauseKind::NotMatchedBySource;
    if !clauses.iter().any(by_source) && (0..clauses.len()).any(hidden) {
        return fail(ErrorClass::Syntax, "a WHEN clause behind one without a condition");
    }
    Ok(())
}

//! Changes in WITH: `WITH gone AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM gone`.
//!
//! All parts see the rows as they were before. Parts that change the same table are not supported: which of
//! two changes of a row remains is open.
//!
//! Layer `bind`; knows statements.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::Plan;

use super::binder::Binder;
use super::scope::Recursive;
use super::statement::changes;

impl Binder<'_> {
    /// Binds a query of WITH if it changes rows; says whether it does.
    pub(super) fn change(&mut self, cte: &ast::Cte) -> Result<bool> {
        let Some(change) = changes(&cte.query) else { return Ok(false) };
        if cte.query.with.is_some() {
            return unsupported("WITH nested in a data-modifying WITH");
        }
        // What it returns is used.
        let masks = self.masks.take();
        let plan = self.any_statement(change);
        self.masks = masks;
        let plan = plan?;
        let Some((plan, (_, output))) = plan.as_ref().and_then(|plan| Some((plan, plan.change()?)))
        else {
            return unsupported("this data-modifying WITH");
        };
        let (mut output, plan) = (output.unwrap_or_default().to_vec(), plan.clone());
        if cte.alias.columns.len() > output.len() {
            return fail(ErrorClass::InvalidColumnReference, "more names than columns");
        }
        for (column, name) in output.iter_mut().zip(&cte.alias.columns) {
            column.name.clone_from(&name.name.value);
        }
        let (name, number) = (cte.alias.name.value.clone(), self.recursions.len());
        self.recursions.push(Recursive { name, number, output });
        self.changes.push((number, plan));
        Ok(true)
    }

    /// The change in WITH with this name.
    pub(super) fn returned(&self, name: &str) -> Option<Recursive> {
        let changes = self.changes.iter().filter_map(|(number, _)| self.recursions.get(*number));
        let mut all = changes.chain(&self.transitions);
        all.find(|one| one.name.eq_ignore_ascii_case(name)).cloned()
    }

    /// A statement with the changes in front of it.
    pub(super) fn with_changes(&mut self, last: Plan) -> Result<Plan> {
        let changes = std::mem::take(&mut self.changes);
        if changes.is_empty() {
            return Ok(last);
        }
        let all = changes.iter().map(|(_, plan)| plan).chain([&last]);
        let mut tables: Vec<_> = all.filter_map(|plan| Some(plan.change()?.0)).collect();
        let count = tables.len();
        tables.sort_unstable();
        tables.dedup();
        if tables.len() < count {
            return unsupported("several changes of one table in one statement");
        }
        Ok(Plan::With { changes, last: Box::new(last) })
    }
}

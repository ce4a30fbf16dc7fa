//! One statement, from its plan to the answer.
//!
//! Layer `run`; hands over to the file for its kind of statement.

use std::sync::Arc;

use crate::error::{ExecutionError, Result, unsupported};
use crate::outcome::{Answer, Count, Effect};
use crate::plan::Plan;
use crate::rows::TableId;

use super::state::{Memo, Run};

impl Run<'_> {
    /// Carries out a statement. If it fails, it has done nothing.
    pub(crate) fn statement(&mut self, plan: &Plan) -> Result<Answer> {
        if let Plan::Doubtful(error, plan) = plan {
            return match self.choices.choose(2) {
                0 => Err(ExecutionError::Server(error.clone())),
                _ => self.statement(plan),
            };
        }
        self.memo = Memo::default();
        self.fails_on_warnings = None;
        self.writes = !matches!(
            plan,
            Plan::Query(_) | Plan::Truncate(..) | Plan::Call { .. } | Plan::Doubtful(..)
        );
        let answer = match plan {
            Plan::Query(_) => self.part(plan),
            Plan::Insert(_) | Plan::Update(_) | Plan::Delete(_) => self.change(plan),
            Plan::Merge(merge) => {
                self.merge(merge).and_then(|answer| self.finish(plan).map(|()| answer))
            }
            Plan::With { changes, last } => {
                self.with(changes, last).and_then(|answer| self.finish(plan).map(|()| answer))
            }
            Plan::Truncate(tables, restarts) => self.truncate(tables, *restarts),
            Plan::Rebuild(rebuild) => self.rebuild(rebuild),
            Plan::Call { name, args, targets } => return self.call_procedure(name, args, targets),
            Plan::Doubtful(..) => return unsupported("a nested uncertain statement"),
        };
        self.writes = false;
        let now = std::mem::take(&mut self.now);
        if answer.is_ok() {
            self.absorb(now);
        }
        answer
    }

    /// What a change of rows leads to.
    fn finish(&mut self, plan: &Plan) -> Result<()> {
        self.cascade_of(plan)?;
        self.check_deferred()
    }

    /// A query or a change of rows.
    pub(super) fn part(&mut self, plan: &Plan) -> Result<Answer> {
        match plan {
            Plan::Query(query) => self.answer(query),
            Plan::Insert(insert) => self.insert(insert),
            Plan::Update(update) => self.update(update),
            Plan::Delete(delete) => self.delete(delete),
            _ => unsupported("this statement inside WITH"),
        }
    }

    /// Changes in a WITH, and the statement behind them. All see the rows as they were before.
    fn with(&mut self, changes: &[(usize, Plan)], last: &Plan) -> Result<Answer> {
        let changed = changes.iter().map(|(_, plan)| plan).chain([last]);
        let mut tables = changed.filter_map(|plan| self.catalog.by_id(plan.change()?.0));
        if tables.any(|table| self.has_triggers(table)) {
            return unsupported("a data-modifying WITH that fires triggers");
        }
        let outside = self.working.len();
        let answer = match self.dialect.is_strictly_typed() {
            true => self.changes(changes).and_then(|()| self.part(last)),
            false => self.all_changes(changes, last),
        };
        self.working.truncate(outside);
        match answer {
            // It is open which part the server carries out first.
            Err(ExecutionError::Server(error)) => {
                unsupported(format!("an error in a statement with several changes ({error})"))
            }
            answer => answer,
        }
    }

    /// A change of several tables in MySQL, which counts the rows of all of them.
    fn all_changes(&mut self, changes: &[(usize, Plan)], last: &Plan) -> Result<Answer> {
        let mut total = Count::default();
        for plan in changes.iter().map(|(_, plan)| plan).chain([last]) {
            if let Some(count) = self.part(plan)?.count {
                total.found += count.found;
                total.changed += count.changed;
                total.unsure += count.unsure;
            }
        }
        Ok(Answer::of_count(total, None))
    }

    fn changes(&mut self, changes: &[(usize, Plan)]) -> Result<()> {
        for (number, plan) in changes {
            let returned = self.part(plan)?.rows.map(|table| table.rows).unwrap_or_default();
            self.working.push((*number, Arc::new(returned)));
        }
        Ok(())
    }

    fn truncate(&mut self, tables: &[TableId], restarts: bool) -> Result<Answer> {
        for table in tables {
            if restarts {
                self.restart_numbers(*table)?;
            }
            self.now.record(Effect::Truncate { table: *table });
        }
        Ok(Answer::done())
    }
}

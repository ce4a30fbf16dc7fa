//! One statement, from its plan to the answer.
//!
//! Layer `run`; hands over to the file for its kind of statement.

use std::sync::Arc;

use crate::error::{ExecutionError, Result, unsupported};
use crate::outcome::{Answer, Effect};
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
            Plan::Query(_) | Plan::Truncate(_) | Plan::Call { .. } | Plan::Doubtful(..)
        );
        let answer = match plan {
            Plan::Query(_) => self.part(plan),
            Plan::Insert(_) | Plan::Update(_) | Plan::Delete(_) => {
                self.part(plan).and_then(|answer| self.finish().map(|()| answer))
            }
            Plan::With { changes, last } => {
                self.with(changes, last).and_then(|answer| self.finish().map(|()| answer))
            }
            Plan::Truncate(tables) => self.truncate(tables),
            Plan::Rebuild(rebuild) => self.rebuild(rebuild),
            Plan::Call { name, args, targets } => return self.call_procedure(name, args, targets),
            Plan::Doubtful(..) => return unsupported("a nested uncertain statement"),
        };
        self.writes = false;
        let now = std::mem::take(&mut self.now);
        if answer.is_ok() {
            self.past.absorb(now);
        }
        answer
    }

    /// What a change of rows leads to.
    fn finish(&mut self) -> Result<()> {
        self.cascade()?;
        self.check_deferred()
    }

    /// A query or a change of rows.
    fn part(&mut self, plan: &Plan) -> Result<Answer> {
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
        let outside = self.working.len();
        let answer = self.changes(changes).and_then(|()| self.part(last));
        self.working.truncate(outside);
        match answer {
            // It is open which part the server carries out first.
            Err(ExecutionError::Server(error)) => {
                unsupported(format!("an error in a statement with a data-modifying WITH ({error})"))
            }
            answer => answer,
        }
    }

    fn changes(&mut self, changes: &[(usize, Plan)]) -> Result<()> {
        for (number, plan) in changes {
            let returned = self.part(plan)?.rows.map(|table| table.rows).unwrap_or_default();
            self.working.push((*number, Arc::new(returned)));
        }
        Ok(())
    }

    fn truncate(&mut self, tables: &[TableId]) -> Result<Answer> {
        for table in tables {
            self.now.record(Effect::Truncate { table: *table });
        }
        Ok(Answer::done())
    }
}

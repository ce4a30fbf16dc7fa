//! One statement, from its plan to the answer.
//!
//! Layer `run`; hands over to the file for its kind of statement.

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
        self.writes = matches!(plan, Plan::Insert(_) | Plan::Update(_) | Plan::Delete(_));
        let answer = match plan {
            Plan::Query(query) => self.answer(query),
            Plan::Insert(insert) => self.insert(insert),
            Plan::Update(update) => self.update(update),
            Plan::Delete(delete) => self.delete(delete),
            Plan::Truncate(tables) => self.truncate(tables),
            Plan::Call { name, args, targets } => return self.call_procedure(name, args, targets),
            Plan::Doubtful(..) => return unsupported("a doubt inside a doubt"),
        };
        self.writes = false;
        let now = std::mem::take(&mut self.now);
        if answer.is_ok() {
            self.past.absorb(now);
        }
        answer
    }

    fn truncate(&mut self, tables: &[TableId]) -> Result<Answer> {
        for table in tables {
            self.now.record(Effect::Truncate { table: *table });
        }
        Ok(Answer::done())
    }
}

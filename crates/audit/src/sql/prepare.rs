//! From the statements of a log to steps.

use std::rc::Rc;

use serde_json::Value as Json;
use tristan_sql::{Statement, Type};

use super::{Expected, Planned, Sql, Work};
use crate::level::Kind;
use crate::machine::{Unsupported, Value};
use crate::model::{Call, Control, Observed, Txn};
use crate::reach::Reach;
use crate::task::Step;

/// How many statements are kept ready. Logs with values in their texts have a new one every time.
const MOST_PLANS: usize = 4096;

impl Sql {
    /// The steps of a transaction. Tables that it makes are there from now on.
    pub(crate) fn prepare(&mut self, txn: &Txn) -> Result<Vec<Step>, Unsupported> {
        let mut steps = Vec::new();
        for (place, call) in txn.calls.iter().enumerate() {
            match &call.control {
                Control::Other => {}
                Control::Savepoint(name) => steps.push(Step::Savepoint(name.clone())),
                Control::RollbackTo(name) => steps.push(Step::RollbackTo(name.clone())),
                Control::Statement if call.observed == Observed::Skipped => {}
                Control::Statement => {
                    if let Some((work, kind)) = self.work(call)? {
                        steps.push(Step::Run { work: Rc::new(work), call: place, kind });
                    }
                }
            }
        }
        Ok(steps)
    }

    fn work(&mut self, call: &Call) -> Result<Option<(Work, Kind)>, Unsupported> {
        let plan = match self.plans.get(&call.sql) {
            Some(plan) => Rc::clone(plan),
            None => match self.plan(call)? {
                Some(plan) => plan,
                None => return Ok(None),
            },
        };
        let params: Vec<Value> = call.params.iter().map(value).collect();
        let kind = plan.kind;
        let reach = Reach::of(&plan.prepared.reach(&self.catalog, &params));
        Ok(Some((Work { plan, params, answer: Expected::of(&call.observed), reach }, kind)))
    }

    /// Reads a statement; nothing if it only changes tables, which is done at once.
    fn plan(&mut self, call: &Call) -> Result<Option<Rc<Planned>>, Unsupported> {
        let wrong = |error: tristan_sql::Error| Unsupported(error.to_string());
        let statement = Statement::prepare(&call.sql, self.catalog.dialect()).map_err(wrong)?;
        if statement.control().is_some() {
            return Ok(None);
        }
        if statement.is_definition() {
            if !matches!(call.observed, Observed::Error(_)) {
                let done = statement.define(&mut self.catalog).map_err(wrong)?;
                done.map_err(|failure| Unsupported(format!("{failure}: {}", call.sql)))?;
                self.plans.clear();
            }
            return Ok(None);
        }
        let types = vec![Type::Unknown; call.params.len()];
        let prepared = statement.plan(&self.catalog, &types).map_err(wrong)?;
        let kind = match prepared.is_query() {
            true if locks(&call.sql) => Kind::LockingRead,
            true => Kind::Read,
            false => Kind::Write,
        };
        let planned = Rc::new(Planned { prepared, kind });
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        self.plans.insert(call.sql.clone(), Rc::clone(&planned));
        Ok(Some(planned))
    }
}

/// Whether a query locks what it reads.
fn locks(sql: &str) -> bool {
    let text = sql.to_lowercase();
    ["for update", "for share", "for no key update", "for key share", "lock in share mode"]
        .iter()
        .any(|words| text.contains(words))
}

/// A parameter or a value of the start.
pub(super) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Int(whole),
            None => {
                match number.as_u64().and_then(|whole| Value::from_integer(i128::from(whole))) {
                    Some(large) => large,
                    None => Value::text(&number.to_string()),
                }
            }
        },
        Json::String(text) => Value::text(text),
        other => Value::text(&other.to_string()),
    }
}

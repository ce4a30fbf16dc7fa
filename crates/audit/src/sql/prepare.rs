//! From the statements of a log to steps.

use std::rc::Rc;

use tristan_sql::{ErrorClass, Prepared, Statement as Text, Type};
use tristan_sqltext::{Token, TokenKind, is_harmless, locks_rows, tokens};

use super::json::value;
use super::machine::Sql;
use crate::level::Kind;
use crate::model::{Call, Control, Observed, Outcome, Txn};
use crate::statement::{Expected, Plan, Reach, Statement, Step, UnsupportedError};
use crate::world::Value;

/// How many statements are kept ready. Logs with values in their texts have a new one every time.
const MOST_PLANS: usize = 4096;

/// How many reasons for not judging a query are told apart.
const MOST_REASONS: usize = 100;

impl Sql {
    /// The steps of a transaction. Tables that it makes are there from now on.
    pub(crate) fn prepare(&mut self, txn: &Txn) -> Result<Vec<Step>, UnsupportedError> {
        let mut steps = Vec::new();
        for (place, call) in txn.calls.iter().enumerate() {
            match &call.control {
                _ if call.observed == Observed::Skipped => {}
                Control::Other => {}
                Control::Path(path) => self.paths.choose(txn, call, path)?,
                Control::Savepoint(name) => steps.push(Step::Savepoint(name.clone())),
                Control::RollbackTo(name) => steps.push(Step::RollbackTo(name.clone())),
                Control::Statement => {
                    if let Some(schema) = self.paths.home(txn.session)? {
                        self.catalog.set_home(schema);
                    }
                    let statement = self.statement(call, place)?;
                    steps.extend(statement.map(|statement| Step::Run(Box::new(statement))));
                }
            }
        }
        Ok(steps)
    }

    /// A transaction is not tried, but it may have chosen where its session looks up names.
    pub(crate) fn leave_out(&mut self, txn: &Txn) {
        let undone = txn.outcome == Outcome::Aborted && self.undoes_settings();
        for call in txn.calls.iter().filter(|_| !undone) {
            if let Control::Path(path) = &call.control {
                // A path that is not clear ends with this transaction.
                let _ = self.paths.choose(txn, call, path);
            }
        }
    }

    /// A statement with its parameters. Returns `None` if it touches no rows, or is not judged.
    fn statement(
        &mut self,
        call: &Call,
        place: usize,
    ) -> Result<Option<Statement>, UnsupportedError> {
        let plan = match self.plans.get(&call.sql) {
            Some(plan) => Rc::clone(plan),
            None => match self.plan(call) {
                Ok(Some(plan)) => plan,
                Ok(None) => return Ok(None),
                Err(refused) => return self.leave_unjudged(call, refused).map(|()| None),
            },
        };
        if let Some(missing) = missing(&plan.prepared, &call.observed) {
            return Err(UnsupportedError(format!(
                "{missing} in the schema of the log: {}",
                call.sql
            )));
        }
        let params: Vec<Value> = call.params.iter().map(value).collect();
        let reach = Reach::of(&plan.prepared.reach(&self.catalog, &params));
        let expected = match plan.prepared.is_explanation() {
            true => Expected::of_explanation(&call.observed),
            false => Expected::of(&call.observed),
        };
        Ok(Some(Statement { plan, params, expected, reach, call: place }))
    }

    /// A query that is not supported but changes nothing is passed over and counted: whatever it answered, the
    /// other answers are what they are.
    fn leave_unjudged(&mut self, call: &Call, refused: Refused) -> Result<(), UnsupportedError> {
        let tokens = tokens(&call.sql, self.catalog.dialect().text());
        let calls = |token: &Token<'_>| match &token.kind {
            TokenKind::Word(word) => self.catalog.has_routine(word),
            TokenKind::Quoted(name) => self.catalog.has_routine(name),
            _ => false,
        };
        if !is_harmless(&tokens) || tokens.iter().any(calls) {
            return Err(refused.error);
        }
        let known =
            self.unjudged.len() < MOST_REASONS || self.unjudged.contains_key(&refused.feature);
        let reason = if known { refused.feature } else { "other reasons".to_owned() };
        *self.unjudged.entry(reason).or_default() += 1;
        Ok(())
    }

    /// Reads a statement. Returns `None` if it only changes tables, which is done at once.
    fn plan(&mut self, call: &Call) -> Result<Option<Rc<Plan>>, Refused> {
        let dialect = self.catalog.dialect();
        let statement = Text::prepare_like(&mut self.templates, &call.sql, dialect)?;
        if statement.is_quiet() {
            return Ok(None);
        }
        if statement.is_definition() {
            if !matches!(call.observed, Observed::Error(_)) {
                let done = statement.define(&mut self.catalog)?;
                done.map_err(|failure| Refused::because(format!("{failure}: {}", call.sql)))?;
                self.plans.clear();
            }
            return Ok(None);
        }
        let types = vec![Type::Unknown; call.params.len()];
        let prepared = statement.plan(&self.catalog, &types)?;
        let kind = match prepared.is_query() {
            true if locks_rows(&tokens(&call.sql, self.catalog.dialect().text())) => {
                Kind::LockingRead
            }
            true => Kind::Read,
            false => Kind::Write,
        };
        let planned = Rc::new(Plan { prepared, kind });
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        self.plans.insert(call.sql.clone(), Rc::clone(&planned));
        Ok(Some(planned))
    }
}

/// Why a statement cannot be carried out.
struct Refused {
    /// What of it is not supported, without its text.
    feature: String,
    error: UnsupportedError,
}

impl Refused {
    fn because(reason: String) -> Self {
        Self { feature: reason.clone(), error: UnsupportedError(reason) }
    }
}

impl From<tristan_sql::Error> for Refused {
    fn from(error: tristan_sql::Error) -> Self {
        let feature = match &error {
            tristan_sql::Error::Unsupported { feature, .. } => {
                format!("{feature} is not supported")
            }
            _ => "the SQL cannot be parsed".to_owned(),
        };
        Self { feature, error: UnsupportedError(error.to_string()) }
    }
}

/// What a statement names that the log does not define, although the server carried the statement out.
fn missing<'a>(prepared: &'a Prepared, observed: &Observed) -> Option<&'a str> {
    let worked = matches!(observed, Observed::Rows { .. } | Observed::Affected(_) | Observed::Done);
    let failure = prepared.failure().filter(|_| worked)?;
    let undefined = matches!(
        failure.class,
        ErrorClass::UndefinedTable | ErrorClass::UndefinedColumn | ErrorClass::UndefinedFunction
    );
    undefined.then_some(failure.detail.as_str())
}

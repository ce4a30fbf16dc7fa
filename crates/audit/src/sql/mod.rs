//! The machine that carries out SQL.

mod choices;
mod prepare;
mod start;
mod told;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use tristan_sql::{Catalog, Context, Dialect, Effect, Observed as Seen, Outcome, Prepared};

use crate::level::Kind;
use crate::machine::{Change, Machine, Moment, Ran, RowId, Rows, Script, Unsupported, Value};
use crate::model::Observed;
use crate::reach::Reach;
use crate::task::{Step, Task};
use choices::Scripted;
use start::Start;

pub(crate) use start::{is_definition, split};
pub(crate) use told::{json_text, observed as told_observed, told, value_text};

/// Tables, and statements that are ready to run.
#[derive(Debug)]
pub(crate) struct Sql {
    catalog: Catalog,
    plans: FxHashMap<Arc<str>, Rc<Planned>>,
    start: Start,
    /// A value that was guessed because only the server knows it.
    guessed: RefCell<Option<String>>,
}

/// A statement that is ready to run.
#[derive(Debug)]
struct Planned {
    prepared: Prepared,
    kind: Kind,
}

/// A statement with its parameters, and what was observed.
#[derive(Debug)]
pub(crate) struct Work {
    plan: Rc<Planned>,
    params: Vec<Value>,
    answer: Expected,
    /// What it may look at and write.
    pub(crate) reach: Reach,
}

/// What was observed, in the form in which it is compared.
#[derive(Debug)]
enum Expected {
    Rows(Vec<Vec<Seen>>),
    /// Only how many rows there were is compared.
    Shown(u64),
    Affected(u64),
    Works,
    Error(String),
    /// It was refused for reasons that no state explains: a deadlock, a conflict, a timeout.
    Refused,
}

impl Sql {
    /// A machine for a dialect: `postgresql`, `mysql` or `mariadb`.
    pub(crate) fn new(dialect: Option<&str>) -> Self {
        let dialect = dialect_of(dialect);
        Self {
            catalog: Catalog::new(dialect),
            plans: FxHashMap::default(),
            start: Start::new(dialect),
            guessed: RefCell::new(None),
        }
    }

    /// What is known by now about the dialect.
    pub(crate) fn dialect(&mut self, dialect: Option<&str>) {
        let dialect = dialect_of(dialect);
        if dialect != self.catalog.dialect() && self.catalog.tables().next().is_none() {
            self.catalog = Catalog::new(dialect);
            self.start = Start::new(dialect);
        }
    }

    /// The tables.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// A value that only the server knows and that had to be guessed, if there was one.
    pub(crate) fn guessed(&self) -> Option<String> {
        self.guessed.borrow().clone()
    }

    fn execute(
        &self,
        work: &Work,
        rows: &mut dyn Rows,
        script: &mut Script,
        moment: &mut Moment<'_>,
    ) -> Result<Outcome, Unsupported> {
        let observed = match &work.answer {
            Expected::Rows(rows) => rows.as_slice(),
            _ => &[],
        };
        let mut choices = Scripted::new(script, observed, moment.fresh);
        let context = Context {
            catalog: &self.catalog,
            rows,
            choices: &mut choices,
            session: moment.session,
            params: &work.params,
        };
        let outcome = work.plan.prepared.execute(context);
        if let Some(guessed) = choices.guessed {
            *self.guessed.borrow_mut() = Some(guessed);
        }
        outcome.map_err(|error| Unsupported(error.to_string()))
    }

    /// What the database would have answered.
    pub(crate) fn answer(
        &self,
        task: &Task,
        step: usize,
        rows: &mut dyn Rows,
        mut moment: Moment<'_>,
        answers: &[usize],
    ) -> Result<Outcome, Unsupported> {
        let Some(Step::Run { work, .. }) = task.steps.get(step) else {
            return Err(Unsupported("a step without a statement".to_owned()));
        };
        let mut script = Script { answers: answers.to_vec(), asked: Vec::new() };
        self.execute(work, rows, &mut script, &mut moment)
    }
}

impl Machine for Sql {
    fn run(
        &self,
        task: &Task,
        step: usize,
        rows: &mut dyn Rows,
        script: &mut Script,
        mut moment: Moment<'_>,
    ) -> Result<Ran, Unsupported> {
        let Some(Step::Run { work, .. }) = task.steps.get(step) else {
            return Ok(Ran { explains: false, changes: Vec::new() });
        };
        if matches!(work.answer, Expected::Refused) {
            return Ok(Ran { explains: true, changes: Vec::new() });
        }
        let outcome = self.execute(work, rows, script, &mut moment)?;
        let explains = work.answer.is_explained(&outcome, self.catalog.dialect());
        let changes = changes(outcome.effects, rows, moment.fresh);
        Ok(Ran { explains, changes })
    }

    fn locks_row_by_row(&self) -> bool {
        self.catalog.dialect() != Dialect::PostgreSql
    }
}

impl Expected {
    fn of(observed: &Observed) -> Self {
        match observed {
            Observed::Rows { rows, cut: 0 } => {
                Self::Rows(rows.iter().map(|row| row.iter().map(seen).collect()).collect())
            }
            Observed::Rows { rows, cut } => Self::Shown(rows.len() as u64 + cut),
            Observed::Affected(count) => Self::Affected(*count),
            Observed::Done | Observed::Nothing | Observed::Skipped => Self::Works,
            Observed::Error(code) if is_refusal(code) => Self::Refused,
            Observed::Error(code) => Self::Error(code.clone()),
        }
    }

    fn is_explained(&self, outcome: &Outcome, dialect: Dialect) -> bool {
        match (&outcome.answer, self) {
            (Err(failure), Self::Error(code)) => failure.has_code(code),
            (Err(_), _) | (Ok(_), Self::Error(_)) => false,
            (Ok(answer), Self::Rows(rows)) => answer.explains(rows),
            (Ok(answer), Self::Shown(count)) => {
                answer.rows.as_ref().is_none_or(|rows| rows.shown() as u64 == *count)
            }
            (Ok(answer), Self::Affected(seen)) => match &answer.count {
                Some(count) => {
                    count.matches(*seen, true)
                        || dialect.counts_changed_rows() && count.matches(*seen, false)
                }
                None => answer.rows.as_ref().is_none_or(|rows| rows.shown() as u64 == *seen),
            },
            (Ok(_), Self::Works | Self::Refused) => true,
        }
    }
}

/// Whether an error says nothing about rows: the database could or would not go on.
fn is_refusal(code: &str) -> bool {
    ["40", "55", "57", "53", "58", "XX", "08", "25"]
        .iter()
        .any(|class| code.len() == 5 && code.starts_with(class))
        || matches!(code, "1205" | "1213" | "1020" | "1317" | "3572" | "6235" | "1969" | "3024")
}

fn seen(json: &Json) -> Seen {
    match json {
        Json::Null => Seen::Null,
        Json::Bool(truth) => Seen::Bool(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Seen::Int(i128::from(whole)),
            None => match number.as_u64() {
                Some(whole) => Seen::Int(i128::from(whole)),
                None => Seen::Text(number.to_string()),
            },
        },
        Json::String(text) => Seen::Text(text.clone()),
        other => Seen::Text(other.to_string()),
    }
}

/// What a statement did to rows, with the numbers that new rows have for good.
fn changes(effects: Vec<Effect>, rows: &mut dyn Rows, fresh: u64) -> Vec<Change> {
    let real = |id: RowId| id.as_new().map_or(id, |number| RowId(fresh + number));
    let mut changes = Vec::with_capacity(effects.len());
    for effect in effects {
        match effect {
            Effect::Insert { table, id, row } => {
                changes.push(Change { key: (table, real(id)), old: None, new: Some(row) });
            }
            Effect::Update { table, id, old, new } => {
                changes.push(Change { key: (table, real(id)), old: Some(old), new: Some(new) });
            }
            Effect::Delete { table, id, old } => {
                changes.push(Change { key: (table, real(id)), old: Some(old), new: None });
            }
            Effect::Truncate { table } => {
                let mut gone = Vec::new();
                rows.scan(table, &mut gone);
                let gone = gone.into_iter();
                changes.extend(gone.map(|(id, old)| Change {
                    key: (table, id),
                    old: Some(old),
                    new: None,
                }));
            }
        }
    }
    changes
}

fn dialect_of(name: Option<&str>) -> Dialect {
    match name {
        Some("mysql") => Dialect::MySql,
        Some("mariadb") => Dialect::MariaDb,
        _ => Dialect::PostgreSql,
    }
}

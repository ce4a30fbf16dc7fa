//! Why no order of a few transactions explains them.
//!
//! ```text
//!   start ─┬─ T1 ── T2 ✗   statement 1 of T2 would have returned (90), not (100)
//!          └─ T2 ── T1 ✗   statement 1 of T1 would have returned (80), not (100)
//! ```
//!
//! At a serial level a log is explained by an order of its transactions. Every order that the times of the log
//! allow is carried out here on plain tables, up to the first answer that differs. Orders with the same beginning
//! share it, so each dead end is told once. This is for people: the verdict does not depend on it, and where
//! something is left open (an outcome, a choice of the server, too many orders) nothing is said.

use tristan_verdict::audit::DeadEnd;

use super::tables::{PlainView, Tables};
use crate::error::Error;
use crate::load::{Loaded, Loader, Source};
use crate::options::{AuditOptions, CommitOrder};
use crate::sql::{Sql, told, told_observed};
use crate::statement::{Path, Script, Step, Task};
use crate::world::{At, Write};

/// So many transactions can be followed by a person.
const MOST_TXNS: usize = 6;
/// And so many dead ends.
const MOST_ENDS: usize = 12;

/// What there is to say about all orders.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    pub(crate) dead_ends: Vec<DeadEnd>,
    /// What people call this mistake, if it has a name.
    pub(crate) anomaly: Option<String>,
}

/// Tries all orders of a small log. Returns `None` if they cannot all be told.
///
/// # Errors
/// If the log cannot be read.
pub(crate) fn orders(source: Source<'_>, options: &AuditOptions) -> Result<Option<Orders>, Error> {
    if !options.level.is_serial() || options.order != CommitOrder::Hint {
        return Ok(None);
    }
    let (mut loader, mut sql) = Loader::open(source, options)?;
    let (mut tables, mut tasks) = (Tables::default(), Vec::new());
    while let Some(item) = loader.next(&mut sql)? {
        match item {
            Loaded::Row(key, row) => tables.load(key, row),
            Loaded::Task(task) => tasks.push(*task),
            Loaded::Unsupported { .. } => return Ok(None),
        }
    }
    if tasks.len() > MOST_TXNS || !tasks.iter().all(Task::must_be_explained) {
        return Ok(None);
    }
    let mut tree = Tree { sql: &sql, options, tasks: &tasks, dead_ends: Vec::new() };
    if tree.grow(&tables, &mut Vec::new()).is_none() {
        return Ok(None);
    }
    let anomaly = tree.stale_read(&tables).or_else(|| tree.mutual(&tables));
    Ok(Some(Orders { dead_ends: tree.dead_ends, anomaly }))
}

/// All orders, as far as they go.
struct Tree<'a> {
    sql: &'a Sql,
    options: &'a AuditOptions,
    tasks: &'a [Task],
    dead_ends: Vec<DeadEnd>,
}

impl Tree<'_> {
    /// Tries everyone who may be next. Returns `None` if something is left open, or nothing is wrong.
    fn grow(&mut self, tables: &Tables, order: &mut Vec<usize>) -> Option<()> {
        if order.len() == self.tasks.len() || self.dead_ends.len() > MOST_ENDS {
            return None;
        }
        for next in 0..self.tasks.len() {
            if order.contains(&next) || !self.may_be_next(next, order) {
                continue;
            }
            match self.attempt(tables, next)? {
                Ok(writes) => {
                    let mut after = tables.clone();
                    after.commit(&writes);
                    order.push(next);
                    self.grow(&after, order)?;
                    order.pop();
                }
                Err(mut dead_end) => {
                    dead_end.order = order.iter().map(|&task| self.number(task)).collect();
                    self.dead_ends.push(dead_end);
                }
            }
        }
        Some(())
    }

    /// Whether this one may be next: of those that still wait, none had ended before it began.
    fn may_be_next(&self, next: usize, order: &[usize]) -> bool {
        let waits = |other: &usize| *other != next && !order.contains(other);
        !(0..self.tasks.len()).filter(waits).any(|other| self.is_before(other, next))
    }

    /// Whether one had ended before the other one began.
    fn is_before(&self, one: usize, other: usize) -> bool {
        self.tasks[one].hi < self.tasks[other].lo
    }

    fn number(&self, task: usize) -> u64 {
        self.tasks[task].txn.number
    }

    fn place_of(&self, number: u64) -> Option<usize> {
        self.tasks.iter().position(|task| task.txn.number == number)
    }

    /// What a transaction writes in the newest state, or which of its answers it would not have had. Returns
    /// `None` if the server had a choice.
    fn attempt(&self, tables: &Tables, task: usize) -> Option<Result<Vec<Write>, DeadEnd>> {
        let task = &self.tasks[task];
        let now = tables.position();
        let at = At::State(now);
        let mut path = Path::new(task.serial);
        for (index, step) in task.steps.iter().enumerate() {
            let statement = match step {
                Step::Savepoint(name) => {
                    path.save(name);
                    continue;
                }
                Step::RollbackTo(name) => {
                    path.roll_back(name);
                    continue;
                }
                Step::Run(statement) => statement,
            };
            let mut script = Script::default();
            let shown = self.sql.shown(&path.own, statement, self.options.level);
            let mut view = PlainView::new(tables, &at, now, (&shown.own, &shown.hidden));
            let ran = self.sql.run(statement, &mut view, &mut script, &path).ok()?;
            if !script.asked.is_empty() {
                return None;
            }
            if !ran.explains {
                let outcome = self.sql.answer(statement, &mut view, &path).ok()?;
                let call = task.call(index)?;
                return Some(Err(DeadEnd {
                    order: Vec::new(),
                    transaction: task.txn.number,
                    statement: task.statement_number(index)?,
                    sql: call.sql.to_string(),
                    observed: told_observed(Some(&statement.plan.prepared), &call.observed),
                    told: told(&statement.plan.prepared, &outcome),
                }));
            }
            path.add(ran, &at, &script, 0);
        }
        Some(Ok(if task.only_reads { Vec::new() } else { path.own.into_writes() }))
    }

    /// There is one order by time, and the last transaction has the answers of an earlier place in it.
    fn stale_read(&self, start: &Tables) -> Option<String> {
        let [dead_end] = self.dead_ends.as_slice() else { return None };
        let late = self.place_of(dead_end.transaction)?;
        let order: Vec<usize> =
            dead_end.order.iter().map(|&number| self.place_of(number)).collect::<Option<_>>()?;
        let mut tables = start.clone();
        let mut fits = None;
        for (place, &task) in order.iter().enumerate() {
            if self.attempt(&tables, late)?.is_ok() {
                fits = Some(place);
            }
            tables.commit(&self.attempt(&tables, task)?.ok()?);
        }
        let missed = order[fits?..].iter().find(|&&task| self.is_before(task, late))?;
        let (late, missed) = (dead_end.transaction, self.number(*missed));
        Some(format!(
            "stale read: T{late} saw a state before T{missed}, although T{missed} had committed \
             before T{late} began"
        ))
    }

    /// Two transactions, neither of which saw what the other one changed.
    fn mutual(&self, start: &Tables) -> Option<String> {
        let [one, two] = self.dead_ends.as_slice() else { return None };
        if one.order != [two.transaction] || two.order != [one.transaction] {
            return None;
        }
        let writes = |number: u64| self.attempt(start, self.place_of(number)?)?.ok();
        let (first, second) = (writes(two.transaction)?, writes(one.transaction)?);
        let both = first.iter().any(|write| second.iter().any(|other| other.key == write.key));
        let (first, second) = (two.transaction, one.transaction);
        Some(match both {
            true => format!(
                "lost update: T{first} and T{second} changed the same row, and neither saw the \
                 other's change"
            ),
            false => format!(
                "write skew: T{first} and T{second} each changed what the other one read, and \
                 neither saw the other's change"
            ),
        })
    }
}

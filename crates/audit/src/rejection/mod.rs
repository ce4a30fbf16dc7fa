//! Why nothing explains a transaction, for people.

mod script;
mod small;

use std::collections::BTreeSet;

use tristan_verdict::audit::{Possibility, Rejection, Told, WriterCard};

use crate::clock::Clock;
use crate::engine::Pass;
use crate::error::Error;
use crate::explain::{Failed, Path};
use crate::level::Level;
use crate::log::Source;
use crate::machine::{Moment, Script};
use crate::model::{Call, Control};
use crate::options::Options;
use crate::search::Dead;
use crate::sql::{Sql, told, told_observed};
use crate::store::{At, Footprint, View, World};
use crate::task::{Step, Task};
use small::Wrong;

/// What there is to say about a transaction that nothing explains.
pub(crate) fn rejection(
    source: &dyn Source,
    options: &Options,
    pass: &Pass,
    dead: &Dead,
    clock: &Clock<'_>,
) -> Result<Rejection, Error> {
    let small = small::small(source, options, &wrong(pass, dead), clock)?;
    let task = &dead.task;
    let step = dead.step();
    let call = step.and_then(|step| task.call(step)).or_else(|| last_statement(task));
    let mut look = Footprint { rows: Some(BTreeSet::new()), ..Footprint::default() };
    let expected = possibilities(pass, dead, step, &mut look);
    let writers = writers(pass, dead, &look);
    let statement = step.and_then(|step| statement_number(task, step));
    Ok(Rejection {
        sentence: sentence(options, task, statement, &expected),
        transaction: task.txn.number,
        line: task.txn.line,
        prefix: pass.explained,
        statement,
        sql: call.map(|call| call.sql.to_string()).unwrap_or_default(),
        params: call.into_iter().flat_map(|call| &call.params).map(ToString::to_string).collect(),
        observed: call.map_or(Told::Done, |call| told_observed(&call.observed)),
        expected,
        writers,
        shrunk: small.as_ref().map(|small| trimmed(small.lines())).unwrap_or_default(),
        script: small.map(|small| script::script(&small, options.level)).unwrap_or_default(),
    })
}

/// Where a log is wrong, and what would have been right there.
fn wrong(pass: &Pass, dead: &Dead) -> Wrong {
    let expected = possibilities(pass, dead, dead.step(), &mut Footprint::default());
    let right = expected.into_iter().filter_map(|possibility| possibility.told).collect();
    Wrong { place: (dead.task.txn.number, dead.call()), right }
}

fn trimmed(mut lines: Vec<String>) -> Vec<String> {
    lines.retain(|line| !line.is_empty());
    lines
}

fn sentence(
    options: &Options,
    task: &Task,
    statement: Option<u64>,
    expected: &[Possibility],
) -> String {
    let (number, title) = (task.txn.number, options.level.title());
    match statement {
        Some(statement) if !expected.is_empty() => format!(
            "Statement {statement} of transaction {number} returned a result that no correct \
             {title} execution explains."
        ),
        _ => format!(
            "Every answer in transaction {number} can be explained, but the transaction could not \
             have committed: {}.",
            match options.level {
                Level::Snapshot | Level::StrongSnapshot =>
                    "another transaction wrote one of its rows after its snapshot was taken",
                _ => "there is no valid position for it among the other transactions",
            }
        ),
    }
}

/// The number of a statement among those of its transaction that read or write.
fn statement_number(task: &Task, step: usize) -> Option<u64> {
    let Step::Run { call, .. } = task.steps.get(step)? else { return None };
    let before = task.txn.calls.get(..=*call)?;
    Some(before.iter().filter(|call| call.control == Control::Statement).count() as u64)
}

fn last_statement(task: &Task) -> Option<&Call> {
    task.txn.calls.iter().rfind(|call| call.control == Control::Statement)
}

/// What would have been right, each answer once.
fn possibilities(
    pass: &Pass,
    dead: &Dead,
    step: Option<usize>,
    look: &mut Footprint,
) -> Vec<Possibility> {
    let Some(step) = step else { return Vec::new() };
    let mut all: Vec<Possibility> = Vec::new();
    for (world, failed) in &dead.tries {
        for failed in failed.iter().filter(|failed| failed.step == step) {
            let Some(told) = expected(pass, &dead.task, world, failed, look) else { continue };
            if all.iter().any(|other| other.told.as_ref() == Some(&told)) {
                continue;
            }
            let when = when(pass, world, &failed.at);
            all.push(Possibility { when, told: Some(told), forbidden: None });
        }
    }
    all
}

/// What the statement would have answered in a try.
fn expected(
    pass: &Pass,
    task: &Task,
    world: &World,
    failed: &Failed,
    look: &mut Footprint,
) -> Option<Told> {
    let sql: &Sql = &pass.frontier.machine;
    let mut path = Path::new(task.serial);
    let mut before = failed.before.iter();
    for (place, step) in task.steps.iter().enumerate().take(failed.step) {
        match step {
            Step::Savepoint(name) => path.save(name),
            Step::RollbackTo(name) => path.roll_back(name),
            Step::Run { .. } => {
                let (at, answers) = before.next()?;
                let mut session = path.session.clone();
                let moment = Moment { fresh: path.fresh, session: &mut session };
                let mut script = Script { answers: answers.clone(), asked: Vec::new() };
                let mut footprint = Footprint::default();
                let mut view = view(pass, world, at, &path, &mut footprint);
                use crate::machine::Machine as _;
                let ran = sql.run(task, place, &mut view, &mut script, moment).ok()?;
                path.add(ran, session, at, &script, 0);
            }
        }
    }
    let mut session = path.session.clone();
    let moment = Moment { fresh: path.fresh, session: &mut session };
    let mut view = view(pass, world, &failed.at, &path, look);
    let outcome = sql.answer(task, failed.step, &mut view, moment, &[]).ok()?;
    Some(told(&outcome))
}

fn view<'a>(
    pass: &'a Pass,
    world: &'a World,
    at: &'a At,
    path: &'a Path,
    footprint: &'a mut Footprint,
) -> View<'a> {
    let store = &pass.frontier.store;
    let newest = world.position(store);
    View { store, world, at, own: &path.own, footprint, wanted: None, newest }
}

/// In which case, in words.
fn when(pass: &Pass, world: &World, at: &At) -> String {
    let state = match at {
        At::State(state) | At::Recheck { state, .. } | At::Rows { state, .. } => *state,
    };
    let store = &pass.frontier.store;
    let last = state.checked_sub(1).and_then(|before| store.commit_of(world, before));
    let oldest = store.oldest_writer.filter(|_| state == store.horizon());
    match last.map(|commit| commit.serial).or(oldest) {
        Some(serial) => {
            format!("if it read the state after transaction {}", pass.frontier.number(serial))
        }
        None if state == 0 => "if it read the initial state".to_owned(),
        None => format!("if it read the state after {state} commits"),
    }
}

/// Who wrote what the statement looked at.
fn writers(pass: &Pass, dead: &Dead, look: &Footprint) -> Vec<WriterCard> {
    const MOST: usize = 12;
    let Some((world, _)) = dead.tries.first() else { return Vec::new() };
    let store = &pass.frontier.store;
    let newest = world.position(store);
    let mut cards = Vec::new();
    for key in look.rows.iter().flatten().take(MOST) {
        let Some(serial) = world.writer(store, *key, newest) else { continue };
        let row = world.row(store, *key, newest);
        let row = row.map_or_else(|| "(deleted)".to_owned(), |row| show(row));
        let txn = (serial > 0).then(|| pass.frontier.number(serial));
        let line = if serial > 0 { pass.frontier.line(serial) } else { 0 };
        let table = pass.frontier.machine.catalog().by_id(key.0);
        let table = table.map_or("?", |table| table.name());
        cards.push(WriterCard { txn, line, row: format!("{table} {row}") });
    }
    cards
}

fn show(row: &[crate::machine::Value]) -> String {
    let values: Vec<String> = row.iter().map(crate::sql::value_text).collect();
    format!("({})", values.join(", "))
}

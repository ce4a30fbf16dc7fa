//! What would have been right where a log is wrong.

use tristan_verdict::audit::{Possibility, Told};

use super::part::Part;
use crate::explain::Failed;
use crate::passes::Pass;
use crate::search::Unexplained;
use crate::sql::{Shown, shown_of, told, told_rows};
use crate::statement::{Expected, Path, Script, Step, Task};
use crate::store::View;
use crate::world::{At, Footprint, World};

/// What is wrong.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    /// The transaction, and the call of it that nothing explains, if it is one.
    pub(super) place: (u64, Option<usize>),
    /// The answers to that call that would be right, or the parts of them that matter.
    pub(super) right: Vec<Told>,
    /// The part of the answer that is wrong, if it is not all of it.
    pub(super) part: Option<Part>,
    /// Whether its answer is wrong in every state.
    pub(super) impossible: bool,
}

impl Wrong {
    /// Whether a smaller log is wrong in the same place, with no other right answers.
    pub(super) fn allows(&self, smaller: &Self) -> bool {
        let part = |told: &Told| {
            self.part.as_ref().map_or_else(|| told.clone(), |part| part.in_answer(told))
        };
        let same_answers = smaller.right.iter().all(|told| self.right.contains(&part(told)));
        self.place == smaller.place
            && self.impossible == smaller.impossible
            && (self.right.is_empty() || same_answers)
    }
}

/// Where a log is wrong, and what would have been right there.
pub(super) fn wrong(pass: &Pass, unexplained: &Unexplained) -> Wrong {
    let expected = possibilities(pass, unexplained, unexplained.step(), &mut Footprint::default());
    let right = expected.into_iter().map(|possible| possible.told).collect();
    let impossible = unexplained.impossible.is_some();
    let place = (unexplained.task.txn.number, unexplained.call());
    Wrong { place, right, part: Part::of(pass, unexplained), impossible }
}

/// What would have been right, each answer once.
pub(super) fn possibilities(
    pass: &Pass,
    unexplained: &Unexplained,
    step: Option<usize>,
    look: &mut Footprint,
) -> Vec<Possibility> {
    let Some(step) = step else { return Vec::new() };
    if let Some(combined) = &unexplained.combined {
        let when = "with one choice of row versions".to_owned();
        let possible = |told: &Told| Possibility { when: when.clone(), told: told.clone() };
        return combined.answers.iter().map(possible).collect();
    }
    let mut all: Vec<Possibility> = Vec::new();
    for (world, failed) in &unexplained.tries {
        for failed in failed.iter().filter(|failed| failed.step == step) {
            let Some(told) = expected(pass, &unexplained.task, world, failed, look) else {
                continue;
            };
            if all.iter().any(|other| other.told == told) {
                continue;
            }
            let when = when(pass, world, &failed.at);
            all.push(Possibility { when, told });
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
    let (sql, level) = (&pass.search.sql, pass.search.options.level);
    let mut path = Path::new(task.serial);
    let mut before = failed.before.iter();
    for step in task.steps.iter().take(failed.step) {
        match step {
            Step::Savepoint(name) => path.save(name),
            Step::RollbackTo(name) => path.roll_back(name),
            Step::Run(statement) => {
                let (at, answers) = before.next()?;
                let mut script = Script { answers: answers.clone(), asked: Vec::new() };
                let mut footprint = Footprint::default();
                let shown = sql.shown(&path.own, statement, level);
                let mut view = view(pass, world, at, &shown, &mut footprint);
                let ran = sql.run(statement, &mut view, &mut script, &path).ok()?;
                path.add(ran, at, &script, 0);
            }
        }
    }
    let statement = task.statement(failed.step)?;
    let shown = sql.shown(&path.own, statement, level);
    let mut view = view(pass, world, &failed.at, &shown, look);
    if let Expected::Shows(shows) = &statement.expected {
        let rows: Vec<_> = shown_of(shows, &mut view).iter().map(|row| shows.of(row)).collect();
        return Some(told_rows(&rows));
    }
    let outcome = sql.answer(statement, &mut view, &path).ok()?;
    Some(told(&statement.plan.prepared, &outcome))
}

fn view<'a>(
    pass: &'a Pass,
    world: &'a World,
    at: &'a At,
    shown: &'a Shown<'a>,
    footprint: &'a mut Footprint,
) -> View<'a> {
    let store = &pass.search.store;
    let newest = store.position_of(world);
    let (own, hidden) = (&shown.own, &shown.hidden);
    View { store, world, at, own, hidden, footprint, wanted: None, newest }
}

/// In which case, in words.
fn when(pass: &Pass, world: &World, at: &At) -> String {
    let state = match at {
        At::State(state) | At::Rows { state, .. } => *state,
    };
    let store = &pass.search.store;
    let last = state.checked_sub(1).and_then(|before| store.commit_of(world, before));
    let oldest = store.oldest_writer.filter(|_| state == store.horizon());
    match last.map(|commit| commit.serial).or(oldest) {
        Some(serial) => {
            format!("if it read the state after transaction {}", pass.search.number(serial))
        }
        None if state == 0 => "if it read the initial state".to_owned(),
        None => format!("if it read the state after {state} commits"),
    }
}

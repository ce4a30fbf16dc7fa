//! Savepoints and rollbacks, put between the other steps of a transaction.

use tristan_generate::Rng;
use tristan_history::{Datum, OpKind, OpStatus};

use crate::random::{
    draw::pick,
    mix::Mix,
    plan::{Effect, Planned, Step},
};

/// Lets the transaction go back to a savepoint, mostly across a write.
pub(crate) fn insert(rng: &mut Rng, mix: &Mix, txn: &mut Planned) {
    if !mix.savepoints {
        return;
    }
    let steps = txn.steps.iter().enumerate();
    let mut writes: Vec<usize> =
        steps.filter(|(_, step)| step.effect() != Effect::Nothing).map(|(at, _)| at).collect();
    if writes.len() < 2 && rng.percent(50) {
        return;
    }
    writes.push(0);
    let write = writes[pick(rng, writes.len())];
    let mut marks = vec![(pick(rng, write + 1).max(pick(rng, write + 1)), savepoint("a"))];
    let after = |rng: &mut Rng| write + 1 + pick(rng, txn.steps.len() - write);
    marks.push((after(rng), rollback(rng, mix, "a")));
    if rng.percent(30) {
        let [set, back] = [(); 2].map(|()| ["a", "b"][pick(rng, 2)]);
        marks.push((after(rng), savepoint(set)));
        marks.push((after(rng), rollback(rng, mix, back)));
    }
    marks.sort_by_key(|&(place, _)| place);
    for (place, mark) in marks.into_iter().rev() {
        txn.steps.insert(place, mark);
    }
}

fn savepoint(name: &str) -> Step {
    Step::new(None, OpKind::Savepoint { name: Box::new(name.into()) }, OpStatus::Done)
}

fn rollback(rng: &mut Rng, mix: &Mix, name: &str) -> Step {
    let status = match rng.below(10) {
        0 if mix.untidy => OpStatus::Failed,
        1 if mix.untidy => OpStatus::Pending,
        _ => OpStatus::Done,
    };
    Step::new(None, OpKind::RollbackTo { name: Box::new(name.into()) }, status)
}

/// The steps before step `at` whose effects stand at that moment.
pub(crate) fn standing(txn: &Planned, at: usize) -> Vec<&Step> {
    let mut standing = Vec::new();
    let mut marks: Vec<(&Datum, usize)> = Vec::new();
    for step in txn.steps.iter().take(at) {
        match &step.kind {
            _ if !step.happened() => {}
            OpKind::Savepoint { name } => marks.push((name, standing.len())),
            OpKind::RollbackTo { name } => {
                if let Some(mark) = marks.iter().rposition(|(other, _)| **other == **name) {
                    standing.truncate(marks[mark].1);
                    marks.truncate(mark + 1);
                }
            }
            _ if step.effect() != Effect::Nothing => standing.push(step),
            _ => {}
        }
    }
    standing
}

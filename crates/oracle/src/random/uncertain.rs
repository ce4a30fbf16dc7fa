//! Operations of which the client cannot know whether they took effect: some never return, some
//! conditional writes return without a row count.

use tristan_generate::Rng;
use tristan_history::{OpKind, OpStatus, Outcome};

use crate::random::{
    draw::pick,
    mix::Mix,
    plan::{Planned, Step},
};

/// Loses the answers of a few operations, now and then with the whole connection.
pub(crate) fn lose_answers(rng: &mut Rng, mix: &Mix, txns: &mut [Planned]) {
    if mix.uncertain {
        for _ in 0..1 + pick(rng, 3) {
            let txn = pick(rng, txns.len());
            lose_answer(rng, &mut txns[txn]);
        }
    }
    let steps = txns.iter_mut().flat_map(|txn| &mut txn.steps);
    for step in steps.filter(|step| step.status == OpStatus::Pending) {
        step.took_effect = rng.percent(50);
    }
}

fn lose_answer(rng: &mut Rng, txn: &mut Planned) {
    let steps = txn.steps.iter().enumerate();
    let places: Vec<usize> = steps.filter(|(_, step)| writes(step)).map(|(at, _)| at).collect();
    let Some(&last) = places.last() else { return };
    let connection_lost = rng.percent(25);
    let at = if connection_lost { last } else { places[pick(rng, places.len())] };
    match &mut txn.steps[at] {
        Step { kind: OpKind::PutIf { rows, .. }, .. } if rng.percent(60) => *rows = None,
        step => step.status = OpStatus::Pending,
    }
    if connection_lost {
        txn.steps.truncate(at + 1);
        txn.outcome = Outcome::Unknown;
        txn.effective = rng.percent(50);
    }
}

/// Whether the step writes, or decides what becomes of writes.
fn writes(step: &Step) -> bool {
    let reads = matches!(
        step.kind,
        OpKind::Get { .. } | OpKind::ReadList { .. } | OpKind::Scan { .. } | OpKind::Iterate { .. }
    );
    step.status == OpStatus::Done && !reads
}

//! Who does what: transactions in commit order, reads still blank.

use tristan_history::{
    HistoryBuilder, Observed, OpKind, OpStatus, Outcome, ValueId, generate::Rng,
};

use crate::random::mix::{Mix, key_name, pick};

/// An operation with the number of its key.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub key: usize,
    pub kind: OpKind,
    pub status: OpStatus,
}

/// A transaction; its place in the plan is its place in the commit order.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub session: usize,
    pub outcome: Outcome,
    /// Whether its writes become visible.
    pub effective: bool,
    pub steps: Vec<Step>,
}

/// What a step leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Nothing,
    Holds(Option<ValueId>),
    Appends(ValueId),
}

impl Step {
    /// What the step does to its key.
    pub(crate) fn effect(&self) -> Effect {
        if self.status == OpStatus::Failed {
            return Effect::Nothing;
        }
        match self.kind {
            OpKind::Put { value, .. } | OpKind::ReadModifyWrite { value, .. } => {
                Effect::Holds(Some(value))
            }
            OpKind::Delete { rows, .. } if rows != Some(0) => Effect::Holds(None),
            OpKind::Append { element, .. } => Effect::Appends(element),
            _ => Effect::Nothing,
        }
    }
}

impl Planned {
    /// Whether it writes the key.
    pub(crate) fn writes(&self, key: usize) -> bool {
        self.steps.iter().any(|step| step.key == key && step.effect() != Effect::Nothing)
    }
}

/// Draws the transactions.
pub(crate) fn plan(rng: &mut Rng, mix: &Mix, builder: &mut HistoryBuilder) -> Vec<Planned> {
    let mut fresh = 0;
    (0..mix.txns)
        .map(|_| {
            let outcome = outcome(rng, mix);
            let effective = match outcome {
                Outcome::Committed => true,
                Outcome::Aborted => false,
                Outcome::Unknown => rng.percent(60),
            };
            let steps = accesses(rng, mix)
                .into_iter()
                .map(|access| step(rng, mix, builder, access, &mut fresh))
                .collect();
            Planned { session: pick(rng, mix.sessions), outcome, effective, steps }
        })
        .collect()
}

/// The keys a transaction touches, and whether it writes them.
fn accesses(rng: &mut Rng, mix: &Mix) -> Vec<(usize, bool)> {
    if !mix.roles {
        let count = 1 + pick(rng, mix.ops);
        return (0..count).map(|_| (pick(rng, mix.keys), rng.percent(mix.write_percent))).collect();
    }
    let mut keys: Vec<usize> = (0..mix.keys).collect();
    while keys.len() > 1 && rng.percent(25) {
        keys.remove(pick(rng, keys.len()));
    }
    if rng.percent(50) {
        keys.reverse();
    }
    let written = (pick(rng, mix.keys), true);
    let reads = keys.into_iter().map(|key| (key, false));
    match rng.below(3) {
        0 => reads.collect(),
        1 => vec![written],
        _ => reads.chain([written]).collect(),
    }
}

fn outcome(rng: &mut Rng, mix: &Mix) -> Outcome {
    if rng.percent(mix.abort_percent) {
        Outcome::Aborted
    } else if rng.percent(mix.unknown_percent) {
        Outcome::Unknown
    } else {
        Outcome::Committed
    }
}

fn step(
    rng: &mut Rng,
    mix: &Mix,
    builder: &mut HistoryBuilder,
    (number, writes): (usize, bool),
    fresh: &mut i64,
) -> Step {
    let key = builder.key(key_name(number));
    let kind = match (mix.lists[number], writes) {
        (true, true) => {
            // Elements are always new: one appended twice makes a list unreadable.
            *fresh += 1;
            OpKind::Append { key, element: builder.value(*fresh) }
        }
        (true, false) => OpKind::ReadList { key, elements: None },
        (false, true) if mix.deletes && rng.percent(35) => {
            OpKind::Delete { key, rows: rng.percent(50).then_some(1) }
        }
        (false, true) => {
            let value = mix.value(rng, fresh);
            let value = builder.value(value);
            if rng.percent(25) {
                OpKind::ReadModifyWrite { key, seen: Observed::Unknown, value }
            } else {
                OpKind::Put { key, value }
            }
        }
        (false, false) => OpKind::Get { key, seen: Observed::Unknown, locking: rng.percent(10) },
    };
    let status = match rng.below(100) {
        0..4 if mix.untidy => OpStatus::Failed,
        4..10 if mix.untidy => OpStatus::Pending,
        _ => OpStatus::Done,
    };
    Step { key: number, kind, status }
}

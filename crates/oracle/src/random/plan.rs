//! Who does what: transactions in commit order, reads still blank.

use tristan_generate::Rng;
use tristan_history::{HistoryBuilder, Observed, Op, OpKind, OpStatus, Outcome, Presence, ValueId};

use crate::random::{draw::pick, mix::Mix, ranges};

/// An operation with the number of its key, if it has one.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub key: Option<usize>,
    pub kind: OpKind,
    pub status: OpStatus,
    /// Whether it took effect, if the client cannot know.
    pub took_effect: bool,
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
    /// A step that returned, or whose fate is still to be drawn.
    pub(crate) fn new(key: Option<usize>, kind: OpKind, status: OpStatus) -> Self {
        Self { key, kind, status, took_effect: true }
    }

    /// Whether the store did what the step asks for.
    pub(crate) fn happened(&self) -> bool {
        self.status != OpStatus::Failed && self.took_effect
    }

    /// What the step does to its key.
    pub(crate) fn effect(&self) -> Effect {
        if !self.happened() {
            return Effect::Nothing;
        }
        match self.kind {
            OpKind::Put { value, .. } | OpKind::ReadModifyWrite { value, .. } => {
                Effect::Holds(Some(value))
            }
            OpKind::PutIf { value, rows, .. } if rows != Some(0) => Effect::Holds(Some(value)),
            OpKind::Delete { rows, .. } if rows != Some(0) => Effect::Holds(None),
            OpKind::Append { element, .. } => Effect::Appends(element),
            _ => Effect::Nothing,
        }
    }

    /// The operation as the client saw it: without a result, unless it returned one.
    pub(crate) fn seen_by_client(&self) -> Op {
        let mut kind = self.kind.clone();
        if self.status != OpStatus::Done {
            match &mut kind {
                OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => {
                    *seen = Observed::Unknown;
                }
                OpKind::PutIf { rows, .. } | OpKind::Delete { rows, .. } => *rows = None,
                OpKind::ReadList { elements, .. } => *elements = None,
                OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => *items = None,
                _ => {}
            }
        }
        Op { kind, status: self.status, line: 0 }
    }
}

impl Planned {
    /// Whether it writes the key.
    pub(crate) fn writes(&self, key: usize) -> bool {
        self.steps.iter().any(|step| step.key == Some(key) && step.effect() != Effect::Nothing)
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
    let status = match rng.below(100) {
        0..4 if mix.untidy => OpStatus::Failed,
        4..10 if mix.untidy => OpStatus::Pending,
        _ => OpStatus::Done,
    };
    if !writes
        && rng.percent(mix.range_percent)
        && let Some(kind) = ranges::blank(rng, mix)
    {
        return Step::new(None, kind, status);
    }
    let kind = match (mix.lists[number], writes) {
        (true, _) => list_access(mix, builder, number, writes, fresh),
        (false, true) => write(rng, mix, builder, number, fresh),
        (false, false) => {
            let key = builder.key(mix.names.name(number));
            OpKind::Get { key, seen: Observed::Unknown, locking: rng.percent(10) }
        }
    };
    Step::new(Some(number), kind, status)
}

fn list_access(
    mix: &Mix,
    builder: &mut HistoryBuilder,
    number: usize,
    writes: bool,
    fresh: &mut i64,
) -> OpKind {
    let key = builder.key(mix.names.name(number));
    if !writes {
        return OpKind::ReadList { key, elements: None };
    }
    // Elements are always new: one appended twice makes a list unreadable.
    *fresh += 1;
    OpKind::Append { key, element: builder.value(mix.datum(*fresh)) }
}

fn write(
    rng: &mut Rng,
    mix: &Mix,
    builder: &mut HistoryBuilder,
    number: usize,
    fresh: &mut i64,
) -> OpKind {
    let key = builder.key(mix.names.name(number));
    if mix.deletes && rng.percent(35) {
        return OpKind::Delete { key, rows: rng.percent(50).then_some(1) };
    }
    let value = mix.value(rng, fresh);
    let value = builder.value(mix.datum(value));
    match rng.below(100) {
        0..40 if mix.conditional => {
            let when = if rng.percent(50) { Presence::Present } else { Presence::Absent };
            OpKind::PutIf { key, value, when, rows: rng.percent(80).then_some(1) }
        }
        75.. => OpKind::ReadModifyWrite { key, seen: Observed::Unknown, value },
        _ => OpKind::Put { key, value },
    }
}

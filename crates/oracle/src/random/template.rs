//! Histories that are one change away from a classical one.

use tristan_generate::Rng;
use tristan_history::{
    Datum, HistoryBuilder, Items, KeyId, Observed, OpKind, OpStatus, Outcome, Range, ValueId,
};

use crate::{
    litmus::TABLE,
    random::{
        draw::pick,
        mix::Mix,
        plan::{Effect, Planned, Step},
    },
};

/// A history of the table with a few changes. Transactions come in random commit order.
pub(crate) fn template(rng: &mut Rng, mix: &Mix, builder: &mut HistoryBuilder) -> Vec<Planned> {
    let mut txns = classical(rng, builder);
    for txn in &mut txns {
        if rng.percent(20) {
            txn.session = pick(rng, mix.sessions);
        }
    }
    if rng.percent(55) {
        redirect_a_read(rng, &mut txns);
    }
    if rng.percent(25) {
        repeat_a_read(rng, &mut txns);
    }
    if rng.percent(15) {
        overwrite(rng, &mut txns, builder.value(100));
    }
    if rng.percent(45) {
        read_ranges(rng, &mut txns, builder);
    }
    for place in (1..txns.len()).rev() {
        txns.swap(place, pick(rng, place + 1));
    }
    txns
}

/// The history as it stands in the table.
fn classical(rng: &mut Rng, builder: &mut HistoryBuilder) -> Vec<Planned> {
    let history = TABLE[pick(rng, TABLE.len())].history();
    // Interned in the same order, keys and values keep their numbers.
    for key in 0..history.keys.len() {
        builder.key(history.key(KeyId::new(key)).clone());
    }
    for value in 0..history.values.len() {
        builder.value(history.value(ValueId::new(value)).into_owned());
    }
    let step = |op: &tristan_history::Op| {
        Step::new(op.kind.key().map(KeyId::index), op.kind.clone(), OpStatus::Done)
    };
    history
        .txn_ids()
        .map(|id| Planned {
            session: history.txn(id).session.index(),
            outcome: Outcome::Committed,
            effective: true,
            steps: history.ops_of(id).iter().map(step).collect(),
        })
        .collect()
}

/// Lets one read return another version of its key.
fn redirect_a_read(rng: &mut Rng, txns: &mut [Planned]) {
    let reader = pick(rng, txns.len());
    let at = pick(rng, txns[reader].steps.len());
    let key = txns[reader].steps[at].key;
    let mut versions = vec![Observed::Absent];
    for (_, txn) in txns.iter().enumerate().filter(|&(other, _)| other != reader) {
        versions.extend(txn.steps.iter().filter(|step| step.key == key).filter_map(|step| {
            match step.effect() {
                Effect::Holds(Some(value)) => Some(Observed::Value(value)),
                _ => None,
            }
        }));
    }
    let version = versions.swap_remove(pick(rng, versions.len()));
    if let OpKind::Get { seen, .. } = &mut txns[reader].steps[at].kind {
        *seen = version;
    }
}

/// Lets a transaction do one of its reads, or one of another's, once more.
fn repeat_a_read(rng: &mut Rng, txns: &mut [Planned]) {
    let from = pick(rng, txns.len());
    let step = txns[from].steps[pick(rng, txns[from].steps.len())].clone();
    if matches!(step.kind, OpKind::Get { .. }) {
        let to = pick(rng, txns.len());
        let at = pick(rng, txns[to].steps.len() + 1);
        txns[to].steps.insert(at, step);
    }
}

/// Lets some transaction write one more key.
fn overwrite(rng: &mut Rng, txns: &mut [Planned], value: ValueId) {
    let from = pick(rng, txns.len());
    let Some(key) = txns[from].steps[0].key else { return };
    let to = pick(rng, txns.len());
    let kind = OpKind::Put { key: KeyId::new(key), value };
    txns[to].steps.push(Step::new(Some(key), kind, OpStatus::Done));
}

/// Lets reads go through ranges that contain one key: what they find absent may be a phantom.
fn read_ranges(rng: &mut Rng, txns: &mut [Planned], builder: &mut HistoryBuilder) {
    for step in txns.iter_mut().flat_map(|txn| &mut txn.steps) {
        let OpKind::Get { key, seen, locking } = step.kind else { continue };
        if rng.percent(25) {
            continue;
        }
        let items: Option<Items> = match seen {
            Observed::Unknown => None,
            Observed::Absent => Some(Items::default()),
            Observed::Value(value) => Some(vec![(key, value)].into()),
        };
        let name = builder.history_mut().key(key).clone();
        let hi = Datum::Text(format!("{name}0").into());
        let range = Box::new(Range { lo: Some(name), hi: Some(hi), reverse: rng.percent(25) });
        *step = Step { key: None, kind: ranged(rng, range, items, locking), ..*step };
    }
}

fn ranged(rng: &mut Rng, range: Box<Range>, items: Option<Items>, locking: bool) -> OpKind {
    if rng.percent(60) {
        OpKind::Scan { range, items, locking }
    } else {
        OpKind::Iterate { range, items, reached_end: rng.percent(80) }
    }
}

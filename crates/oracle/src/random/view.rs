//! What each read saw, as the store of the mix would have answered.

use tristan_generate::Rng;
use tristan_history::{HistoryBuilder, Observed, OpKind, OpStatus, OwnWrites, Presence, ValueId};

use crate::random::{
    draw::pick,
    mix::{Mix, Store},
    plan::{Effect, Planned, Step},
    ranges,
    savepoints::standing,
};

/// A set of transactions by their place in the commit order.
type Seen = u64;

/// Fills in the reads, one transaction after the other in commit order.
pub(crate) fn observe(
    rng: &mut Rng,
    mix: &Mix,
    builder: &mut HistoryBuilder,
    txns: &mut [Planned],
) {
    let mut views: Vec<Seen> = Vec::new();
    for reader in 0..txns.len() {
        let view = visible(rng, mix, txns, &views, reader);
        views.push(view);
        let mut frontier = view;
        for step in 0..txns[reader].steps.len() {
            if mix.store == Store::Monotonic {
                frontier |= prefix(reader) & !lag(rng, reader);
            }
            answer(rng, mix, builder, txns, (reader, step), frontier);
        }
    }
}

/// Lets one step see something else, such as any version of what it read.
pub(crate) fn alter(rng: &mut Rng, mix: &Mix, builder: &mut HistoryBuilder, txns: &mut [Planned]) {
    let broken = rng.percent(30);
    let astray = Mix { store: Store::Any, broken, untidy: false, ..mix.clone() };
    let reader = pick(rng, txns.len());
    let step = pick(rng, txns[reader].steps.len());
    answer(rng, &astray, builder, txns, (reader, step), 0);
}

fn prefix(count: usize) -> Seen {
    (1 << count) - 1
}

/// The last few transactions before the reader.
fn lag(rng: &mut Rng, reader: usize) -> Seen {
    let missed = pick(rng, 3).min(reader);
    prefix(reader) & !prefix(reader - missed)
}

/// Which earlier transactions the reader sees.
fn visible(rng: &mut Rng, mix: &Mix, txns: &[Planned], views: &[Seen], reader: usize) -> Seen {
    let earlier = prefix(reader);
    let mut view = match mix.store {
        Store::Atomic => earlier,
        Store::Snapshot | Store::Monotonic => earlier & !lag(rng, reader),
        Store::Causal | Store::Subset | Store::Any => earlier & rng.bits(),
    };
    for other in 0..reader {
        let session = mix.sees_session && txns[other].session == txns[reader].session;
        let conflict = mix.no_conflict
            && (0..mix.keys).any(|key| txns[other].writes(key) && txns[reader].writes(key));
        if session || conflict {
            view |= 1 << other;
        }
    }
    match mix.store {
        Store::Snapshot => prefix(usize::try_from(u64::BITS - view.leading_zeros()).unwrap_or(0)),
        Store::Causal => (0..reader)
            .filter(|other| view >> other & 1 == 1)
            .fold(view, |all, other| all | views[other]),
        _ => view,
    }
}

/// Fills in what one step saw.
fn answer(
    rng: &mut Rng,
    mix: &Mix,
    builder: &mut HistoryBuilder,
    txns: &mut [Planned],
    (reader, at): (usize, usize),
    view: Seen,
) {
    let asked = &txns[reader].steps[at];
    if let Some(range) = ranges::range_of(&asked.kind) {
        let keys = ranges::walk(rng, mix, range).into_iter();
        let held = keys.map(|key| (key, register(rng, mix, txns, (reader, at), key, view)));
        let found = held.filter_map(|(key, value)| Some((key, value?))).collect();
        ranges::fill(rng, mix, builder, &mut txns[reader].steps[at].kind, found);
        return;
    }
    let Some(key) = asked.key else { return };
    if mix.lists[key] {
        let elements = list(rng, mix, txns, (reader, at), key, view);
        if let OpKind::ReadList { elements: seen, .. } = &mut txns[reader].steps[at].kind {
            *seen = Some(elements.into());
        }
    } else {
        let value = register(rng, mix, txns, (reader, at), key, view);
        let unrecorded = mix.untidy && rng.percent(10);
        record(rng, &mut txns[reader].steps[at], value, unrecorded);
    }
}

/// Writes what the register held into the step.
fn record(rng: &mut Rng, step: &mut Step, value: Option<ValueId>, unrecorded: bool) {
    let observed = match value {
        _ if unrecorded => Observed::Unknown,
        None => Observed::Absent,
        Some(value) => Observed::Value(value),
    };
    let counted = step.status == OpStatus::Done;
    match &mut step.kind {
        OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => *seen = observed,
        OpKind::Delete { rows: Some(rows), .. } if counted => *rows = u32::from(value.is_some()),
        OpKind::PutIf { when, rows, .. } => {
            let holds = value.is_some() == (*when == Presence::Present);
            match rows {
                Some(rows) if counted => *rows = u32::from(holds),
                _ => step.took_effect &= holds || rng.percent(15),
            }
        }
        _ => {}
    }
}

fn register(
    rng: &mut Rng,
    mix: &Mix,
    txns: &[Planned],
    (reader, at): (usize, usize),
    key: usize,
    view: Seen,
) -> Option<ValueId> {
    let start = mix.start_ids[key];
    if mix.broken && rng.percent(20) {
        return any_write(rng, txns);
    }
    if shows_own(rng, mix)
        && let Some(own) = last_value(&txns[reader], at, key)
    {
        return own;
    }
    if mix.store == Store::Any || rng.percent(mix.noise_percent) {
        return any_version(rng, mix, txns, reader, key).unwrap_or(start);
    }
    let seen = (0..reader).rev().filter(|&other| view >> other & 1 == 1 && txns[other].effective);
    seen.filter_map(|other| last_value(&txns[other], usize::MAX, key)).next().unwrap_or(start)
}

/// Whether the store shows the reader what it wrote itself.
fn shows_own(rng: &mut Rng, mix: &Mix) -> bool {
    let astray = mix.broken && rng.percent(5);
    let shows = match mix.own_writes {
        OwnWrites::Must => true,
        OwnWrites::External => false,
        OwnWrites::May => rng.percent(50),
    };
    shows != astray
}

/// The last value of the key written before step `at`.
fn last_value(txn: &Planned, at: usize, key: usize) -> Option<Option<ValueId>> {
    let mut before = standing(txn, at).into_iter().rev().filter(|step| step.key == Some(key));
    before.find_map(|step| match step.effect() {
        Effect::Holds(value) => Some(value),
        _ => None,
    })
}

/// Some value that is ever written to any key: likely out of thin air.
fn any_write(rng: &mut Rng, txns: &[Planned]) -> Option<ValueId> {
    let steps: Vec<Effect> = txns.iter().flat_map(|txn| &txn.steps).map(Step::effect).collect();
    match steps.get(pick(rng, steps.len().max(1))) {
        Some(Effect::Holds(value)) => *value,
        _ => None,
    }
}

/// A version of the key by another transaction, mostly a committed one; `None` for the start.
fn any_version(
    rng: &mut Rng,
    mix: &Mix,
    txns: &[Planned],
    reader: usize,
    key: usize,
) -> Option<Option<ValueId>> {
    let dirty = rng.percent(if mix.broken { 40 } else { 5 });
    let late = rng.percent(60);
    let writers = txns.iter().enumerate().filter(|&(other, txn)| {
        other != reader && (dirty || txn.effective) && (late || other < reader)
    });
    let mut versions: Vec<Option<ValueId>> = writers
        .filter_map(|(_, txn)| {
            let length = if dirty { 1 + pick(rng, txn.steps.len()) } else { usize::MAX };
            last_value(txn, length, key)
        })
        .collect();
    if versions.is_empty() || rng.percent(25) {
        return None;
    }
    Some(versions.swap_remove(pick(rng, versions.len())))
}

fn list(
    rng: &mut Rng,
    mix: &Mix,
    txns: &[Planned],
    (reader, at): (usize, usize),
    key: usize,
    view: Seen,
) -> Vec<ValueId> {
    let noisy = mix.store == Store::Any || rng.percent(mix.noise_percent);
    let dirty = mix.broken && rng.percent(10);
    let seen = |other: usize| if noisy { true } else { other < reader && view >> other & 1 == 1 };
    let mut elements: Vec<Vec<ValueId>> = txns
        .iter()
        .enumerate()
        .filter(|&(other, txn)| other != reader && (txn.effective || dirty) && seen(other))
        .map(|(_, txn)| appended(txn, usize::MAX, key))
        .filter(|appended| !appended.is_empty())
        .collect();
    if noisy {
        elements.truncate(pick(rng, elements.len() + 1));
    } else {
        // A list is a prefix of all appends: what a gap would hide is not there yet.
        let gap = gap(txns, reader, key, &seen);
        elements.truncate(gap);
    }
    if mix.broken && rng.percent(20) && elements.len() > 1 {
        let last = elements.len() - 1;
        elements.swap(pick(rng, last), last);
    }
    let mut list: Vec<ValueId> = elements.into_iter().flatten().collect();
    if mix.broken && rng.percent(10) && !list.is_empty() {
        list.remove(pick(rng, list.len()));
    }
    if shows_own(rng, mix) {
        list.extend(appended(&txns[reader], at, key));
    }
    list
}

/// How many appenders of the key the reader sees before the first it does not see.
fn gap(txns: &[Planned], reader: usize, key: usize, seen: &dyn Fn(usize) -> bool) -> usize {
    let appenders = (0..txns.len())
        .filter(|&other| other != reader && txns[other].effective && txns[other].writes(key));
    appenders.take_while(|&other| seen(other)).count()
}

fn appended(txn: &Planned, at: usize, key: usize) -> Vec<ValueId> {
    let before = standing(txn, at).into_iter().filter(|step| step.key == Some(key));
    before
        .filter_map(|step| match step.effect() {
            Effect::Appends(element) => Some(element),
            _ => None,
        })
        .collect()
}

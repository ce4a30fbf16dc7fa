//! What one random history is like: drawn once, then obeyed by the other steps.

use tristan_generate::Rng;
use tristan_history::{Datum, OwnWrites, ValueId};

use crate::random::{
    RandomShape,
    draw::{large, pick},
    keys::Names,
};

/// The store that answers reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// Every transaction sees all earlier commits.
    Atomic,
    /// Every transaction sees a prefix of the commits.
    Snapshot,
    /// Every transaction sees some commits and all that these saw.
    Causal,
    /// Every transaction sees some commits.
    Subset,
    /// Every read sees a prefix of the commits, later reads a longer one.
    Monotonic,
    /// Every read sees some version of the key, written earlier or later.
    Any,
}

/// What is recorded of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Nothing.
    None,
    /// The call of the begin and the return of the end.
    Outer,
    /// Calls and returns of both, some of them missing.
    Full,
    /// Calls and returns of both, anywhere.
    Wild,
}

/// The state before the first transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Empty,
    Uniform(i64),
    Given,
    Unknown,
}

/// One history's character.
#[derive(Clone, Debug)]
pub(crate) struct Mix {
    /// Changes a classical history instead of inventing one.
    pub template: bool,
    pub txns: usize,
    pub keys: usize,
    pub names: Names,
    pub sessions: usize,
    pub ops: usize,
    /// Share of reads that read a range, in percent.
    pub range_percent: u64,
    /// Which keys hold lists.
    pub lists: Vec<bool>,
    pub store: Store,
    /// Writers see earlier writers of the same key.
    pub no_conflict: bool,
    /// Transactions see earlier ones of their session.
    pub sees_session: bool,
    /// The session numbering in the trace has nothing to do with commit order.
    pub sessions_disordered: bool,
    /// Values come from a small domain.
    pub repeated_values: bool,
    /// Values are decimals, booleans and objects.
    pub json: bool,
    pub deletes: bool,
    /// Some writes ask first whether the key is there.
    pub conditional: bool,
    /// Some transactions roll back to a savepoint.
    pub savepoints: bool,
    /// Whether the store shows a transaction its own writes.
    pub own_writes: OwnWrites,
    /// Transactions are readers of many keys, writers of one, or read many and write one.
    pub roles: bool,
    /// Share of operations that write, in percent.
    pub write_percent: u64,
    /// Share of reads answered by [`Store::Any`], in percent.
    pub noise_percent: u64,
    pub abort_percent: u64,
    pub unknown_percent: u64,
    /// Reads of own writes go wrong, values come out of thin air, lists are torn.
    pub broken: bool,
    /// Some operations fail, never return or return something not recorded.
    pub untidy: bool,
    /// Some writes never return, or return without a row count.
    pub uncertain: bool,
    /// The store answers without noise, but for one answer.
    pub altered: bool,
    pub clock: Clock,
    /// How far before its commit a transaction may begin.
    pub overlap: u64,
    pub start: Start,
    /// What each key holds at the start.
    pub start_values: Vec<Option<i64>>,
    /// The same, interned.
    pub start_ids: Vec<Option<ValueId>>,
}

impl Mix {
    /// Draws a mix.
    pub(crate) fn any(rng: &mut Rng, shape: RandomShape) -> Self {
        let range_percent = [0, 0, 50, 50, 100][pick(rng, 5)];
        let least = if range_percent > 0 { 2 } else { 1 };
        let keys = large(rng, least.min(shape.keys), shape.keys);
        let repeated_values = rng.percent(25);
        let (start, start_values) = start(rng, keys, repeated_values);
        let altered = rng.percent(25);
        Self {
            template: rng.percent(25),
            txns: large(rng, 2, shape.txns),
            keys,
            names: Names::any(rng, shape.other_data),
            sessions: 1 + pick(rng, shape.sessions),
            ops: large(rng, shape.ops.min(2), shape.ops),
            range_percent,
            lists: lists(rng, keys, range_percent > 0),
            store: STORES[pick(rng, if altered { STORES.len() - 4 } else { STORES.len() })],
            no_conflict: rng.percent(50),
            sees_session: rng.percent(50),
            sessions_disordered: rng.percent(10),
            repeated_values,
            json: shape.other_data && rng.percent(20),
            deletes: rng.percent(45),
            conditional: rng.percent(30),
            savepoints: rng.percent(20),
            own_writes: OWN_WRITES[pick(rng, OWN_WRITES.len())],
            roles: rng.percent(50),
            write_percent: 25 + rng.below(40),
            noise_percent: if !altered && rng.percent(55) { 35 } else { 0 },
            abort_percent: if rng.percent(20) { 20 } else { 0 },
            unknown_percent: if rng.percent(25) { 30 } else { 0 },
            broken: !altered && rng.percent(30),
            untidy: rng.percent(10),
            uncertain: rng.percent(30),
            altered,
            clock: CLOCKS[pick(rng, CLOCKS.len())],
            overlap: 1 + rng.below(100),
            start,
            start_values,
            start_ids: Vec::new(),
        }
    }

    /// A value as the client wrote it; different numbers give different values.
    pub(crate) fn datum(&self, number: i64) -> Datum {
        if !self.json {
            return number.into();
        }
        let text = match number {
            1 => "1.5".to_owned(),
            2 => "1.50".to_owned(),
            3 => "true".to_owned(),
            4 => "false".to_owned(),
            even if even % 2 == 0 => format!("{even}.0"),
            odd => format!("{{\"n\":{odd}}}"),
        };
        Datum::Json(text.into())
    }

    /// A value to write: new, or one of a few. `fresh` counts the values given out.
    pub(crate) fn value(&self, rng: &mut Rng, fresh: &mut i64) -> i64 {
        if self.repeated_values {
            return 1 + i64::try_from(rng.below(3)).unwrap_or(0);
        }
        *fresh += 1;
        *fresh
    }
}

const STORES: [Store; 11] = [
    Store::Atomic,
    Store::Snapshot,
    Store::Snapshot,
    Store::Causal,
    Store::Causal,
    Store::Subset,
    Store::Monotonic,
    Store::Any,
    Store::Any,
    Store::Any,
    Store::Any,
];

const CLOCKS: [Clock; 10] = [
    Clock::None,
    Clock::None,
    Clock::Outer,
    Clock::Outer,
    Clock::Outer,
    Clock::Outer,
    Clock::Full,
    Clock::Full,
    Clock::Full,
    Clock::Wild,
];

const OWN_WRITES: [OwnWrites; 10] = [
    OwnWrites::Must,
    OwnWrites::Must,
    OwnWrites::Must,
    OwnWrites::Must,
    OwnWrites::Must,
    OwnWrites::Must,
    OwnWrites::Must,
    OwnWrites::External,
    OwnWrites::May,
    OwnWrites::May,
];

/// Which keys hold lists: few where ranges are read, since no range may contain one.
fn lists(rng: &mut Rng, keys: usize, ranges: bool) -> Vec<bool> {
    let percent = if ranges { [0, 0, 30, 30] } else { [0, 0, 40, 100] }[pick(rng, 4)];
    (0..keys).map(|_| rng.percent(percent)).collect()
}

fn start(rng: &mut Rng, keys: usize, repeated_values: bool) -> (Start, Vec<Option<i64>>) {
    let held = |rng: &mut Rng| if repeated_values { 1 } else { 90 + rng.below(2) as i64 };
    let mixed = |rng: &mut Rng| (0..keys).map(|_| rng.percent(60).then(|| held(rng))).collect();
    match rng.below(100) {
        0..40 => (Start::Empty, vec![None; keys]),
        40..55 => {
            let value = held(rng);
            (Start::Uniform(value), vec![Some(value); keys])
        }
        55..80 => (Start::Given, mixed(rng)),
        _ => (Start::Unknown, mixed(rng)),
    }
}

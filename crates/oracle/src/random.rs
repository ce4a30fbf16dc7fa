//! Small random histories near the borders between levels.
//!
//! ```text
//!   Mix: what this history is like ─► plan, savepoints: who does what ─► uncertain: which
//!   answers got lost ─► view, ranges: which store answered, what each read saw ─► times: when it
//!   ran ─► History, transactions shuffled ─► drift: how far apart clocks are
//! ```
//!
//! or, instead of plan and view, a classical history with a few changes. The stores range from
//! an atomic map to one that answers each read with some version of the key, so every level sees
//! histories it just accepts and histories it just rejects.

mod draw;
mod drift;
mod keys;
mod levels;
mod mix;
mod plan;
mod ranges;
mod savepoints;
mod template;
mod times;
mod uncertain;
mod view;

use tristan_generate::Rng;
use tristan_history::{Header, History, HistoryBuilder, Initial, Span, Times, Txn, TxnId};

use crate::{
    fates,
    reading::{Reading, Scene, effective_sets, readings},
};
pub use drift::drift;
use mix::{Mix, Start};
use plan::Planned;

/// The largest history to make.
#[derive(Clone, Copy, Debug)]
pub struct RandomShape {
    /// At most this many transactions, at least two.
    pub txns: usize,
    /// At most this many keys.
    pub keys: usize,
    /// At most this many sessions.
    pub sessions: usize,
    /// At most this many operations per transaction.
    pub ops: usize,
    /// At most this many operations that may or may not have taken effect.
    pub indeterminate: usize,
    /// At most this many ways to explain where reads came from; bounds the oracle's work.
    pub explanations: usize,
    /// Whether keys may be bytes, and values decimals, booleans and objects.
    pub other_data: bool,
    /// Whether transactions get levels of their own, for mixed levels.
    pub levels: bool,
}

impl Default for RandomShape {
    fn default() -> Self {
        Self {
            txns: 6,
            keys: 3,
            sessions: 4,
            ops: 4,
            indeterminate: 0,
            explanations: 96,
            other_data: false,
            levels: false,
        }
    }
}

impl RandomShape {
    /// The default shape with all that a trace can say: a few operations that may or may not have
    /// taken effect, keys that are bytes, values that are other JSON.
    pub fn wide() -> Self {
        Self { indeterminate: 4, other_data: true, ..Self::default() }
    }
}

/// A random history of at most this shape.
pub fn history(rng: &mut Rng, shape: RandomShape) -> History {
    loop {
        let mut mix = Mix::any(rng, shape);
        let mut history = with_mix(rng, &mut mix);
        let few = fates::indeterminate(&history).len() <= shape.indeterminate;
        if few && explanations(&history) <= shape.explanations {
            if shape.levels {
                levels::give(rng, &mut history);
            }
            return history;
        }
    }
}

fn with_mix(rng: &mut Rng, mix: &mut Mix) -> History {
    let mut builder = HistoryBuilder::default();
    let txns = if mix.template {
        let mut txns = template::template(rng, mix, &mut builder);
        uncertain::lose_answers(rng, mix, &mut txns);
        txns
    } else {
        invented(rng, mix, &mut builder)
    };
    let spans = times::times(rng, mix, &txns);
    for index in shuffled(rng, mix, &txns) {
        add(&mut builder, &txns[index], spans[index]);
    }
    builder.finish()
}

/// Transactions planned and answered at random.
fn invented(rng: &mut Rng, mix: &mut Mix, builder: &mut HistoryBuilder) -> Vec<Planned> {
    let header = header(builder, mix);
    builder.history_mut().header = header;
    let held = mix.start_values.iter();
    mix.start_ids = held.map(|held| held.map(|value| builder.value(mix.datum(value)))).collect();
    let mut txns = plan::plan(rng, mix, builder);
    for txn in &mut txns {
        savepoints::insert(rng, mix, txn);
    }
    uncertain::lose_answers(rng, mix, &mut txns);
    view::observe(rng, mix, builder, &mut txns);
    if mix.altered {
        view::alter(rng, mix, builder, &mut txns);
    }
    txns
}

fn header(builder: &mut HistoryBuilder, mix: &Mix) -> Header {
    let initial = match mix.start {
        Start::Empty => Initial::Empty,
        Start::Unknown => Initial::Unknown,
        Start::Uniform(value) => Initial::Uniform(builder.value(mix.datum(value))),
        Start::Given => {
            let held = mix.start_values.iter().enumerate();
            let given = held.filter_map(|(key, value)| {
                value.map(|value| {
                    (builder.key(mix.names.name(key)), builder.value(mix.datum(value)))
                })
            });
            Initial::Given(given.collect())
        }
    };
    let (own_writes, key_order) = (mix.own_writes, mix.names.order);
    Header { initial, own_writes, key_order, ..Header::default() }
}

fn add(builder: &mut HistoryBuilder, planned: &Planned, (begin, end): (Span, Span)) -> TxnId {
    let session = builder.session(i64::try_from(planned.session).unwrap_or(0));
    let id = builder.add_txn(Txn {
        session,
        name: None,
        outcome: planned.outcome,
        first_op: 0,
        op_count: 0,
        times: Times { begin, end }.kept(),
        lines: (0, 0),
        level: None,
        error: None,
    });
    for step in &planned.steps {
        builder.push_op(step.seen_by_client());
    }
    id
}

/// Transactions in an order that keeps each session's own, unless the mix says otherwise.
fn shuffled(rng: &mut Rng, mix: &Mix, txns: &[Planned]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..txns.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let pick = draw::pick(rng, left.len());
        let session = txns[left[pick]].session;
        let first = left.iter().position(|&txn| txns[txn].session == session).unwrap_or(pick);
        order.push(left.remove(if mix.sessions_disordered { pick } else { first }));
    }
    order
}

/// In how many ways the reads can be explained, over all choices of effective operations and
/// transactions.
fn explanations(history: &History) -> usize {
    let Some(readings) = readings(history) else { return 0 };
    let count = |Reading { history, scripts }: &Reading<'_>, effective: &[TxnId]| {
        Scene::read(history, scripts, effective, 0).map_or(0, |scene| {
            let sources = scene.reads.iter().map(|read| read.sources.len());
            sources.fold(1usize, usize::saturating_mul)
        })
    };
    let sets = effective_sets(history);
    let counts = readings.flat_map(|reading| {
        sets.iter().map(|effective| count(&reading, effective)).collect::<Vec<_>>()
    });
    counts.fold(0, usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use tristan_history::{Datum, KeyOrder, OpKind};

    use super::*;
    use crate::key_order;

    #[test]
    fn the_same_seed_gives_the_same_history() {
        let text = |seed| format!("{:?}", history(&mut Rng::new(seed), RandomShape::default()).ops);
        assert_eq!(text(7), text(7));
        assert_ne!(text(7), text(8));
    }

    #[test]
    fn about_half_of_the_histories_read_ranges() {
        let mut rng = Rng::new(5);
        let ranged = |history: &History| {
            let mut kinds = history.ops.iter().map(|op| &op.kind);
            kinds.any(|kind| matches!(kind, OpKind::Scan { .. } | OpKind::Iterate { .. }))
        };
        let histories = (0..1_000).map(|_| history(&mut rng, RandomShape::default()));
        let count = histories.filter(ranged).count();
        assert!((400..600).contains(&count), "{count} of 1000");
    }

    #[test]
    fn histories_keep_to_their_shape() {
        let mut rng = Rng::new(3);
        for _ in 0..500 {
            let history = history(&mut rng, RandomShape::wide());
            assert!((2..=6).contains(&history.txns.len()));
            assert!(history.keys.len() <= 3 && history.sessions.len() <= 4);
            assert!(fates::indeterminate(&history).len() <= 4);
            assert!(explanations(&history) <= RandomShape::default().explanations);
        }
    }

    #[test]
    fn every_kind_of_operation_may_or_may_not_have_taken_effect() {
        let mut rng = Rng::new(11);
        let mut kinds = std::collections::BTreeMap::new();
        for _ in 0..4_000 {
            let history = history(&mut rng, RandomShape::wide());
            for at in fates::indeterminate(&history) {
                let op = &history.ops[at];
                let name = format!("{:?} {:?}", op.status, op.kind);
                let name = name.split(" {").next().unwrap_or_default().to_owned();
                *kinds.entry(name).or_insert(0) += 1;
            }
        }
        let names: Vec<&str> = kinds.keys().map(String::as_str).collect();
        let pending =
            ["Append", "Delete", "Put", "PutIf", "ReadModifyWrite", "RollbackTo", "Savepoint"];
        let mut expected = vec!["Done PutIf".to_owned()];
        expected.extend(pending.map(|kind| format!("Pending {kind}")));
        assert_eq!(names, expected);
        assert!(kinds.values().all(|&count| count >= 20), "{kinds:?}");
    }

    #[test]
    fn bounds_in_another_case_and_keys_that_are_level_occur() {
        let mut rng = Rng::new(13);
        let (mut bounds, mut level) = (0, 0);
        for _ in 0..2_000 {
            let history = history(&mut rng, RandomShape::wide());
            let keys: Vec<&Datum> = history.keys.iter().collect();
            let alike = |one: &Datum, two: &Datum| {
                key_order::compare(KeyOrder::IgnoreCase, one, two).is_eq() && one != two
            };
            if history.header.key_order == KeyOrder::IgnoreCase {
                level += usize::from(keys.iter().any(|one| keys.iter().any(|two| alike(one, two))));
                let ranges = history.ops.iter().filter_map(|op| ranges::range_of(&op.kind));
                let mut given = ranges.flat_map(|range| [&range.lo, &range.hi]).flatten();
                bounds += usize::from(given.any(|bound| keys.iter().any(|key| alike(bound, key))));
            }
        }
        assert!(bounds >= 50 && level >= 50, "{bounds} {level}");
    }
}

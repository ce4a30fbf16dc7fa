//! Generated histories are what they claim to be.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeMap;

use tristan_formats::compact;
use tristan_generate::faults::{Fault, inject};
use tristan_generate::{Aborted, StoreLevel, Values, Workload};
use tristan_history::{
    Datum, History, Items, KeyId, KeyOrder, Observed, OpKind, Outcome, Range, TxnId, ValueId,
};

type State = BTreeMap<KeyId, ValueId>;

fn small(workload: Workload) -> Workload {
    Workload { txns: 150, keys: 60, sessions: 6, ..workload }
}

fn all_small() -> Vec<Workload> {
    let kinds = [Workload::random_bench(), Workload::random_range(), Workload::random_rmw_range()];
    let levels = [StoreLevel::Serializable, StoreLevel::Snapshot];
    let both = levels.into_iter().flat_map(|level| {
        kinds.clone().map(|kind| small(Workload { level, aborted: Aborted::Recorded, ..kind }))
    });
    both.flat_map(|workload| (1..4).map(move |seed| Workload { seed, ..workload.clone() }))
        .collect()
}

fn committed(history: &History) -> Vec<TxnId> {
    history.txn_ids().filter(|id| history.txn(*id).outcome == Outcome::Committed).collect()
}

/// Whether a transaction that starts from this state returns what it returned. The state is
/// changed to the one after it.
fn runs_from(history: &History, id: TxnId, state: &mut State) -> bool {
    history.ops_of(id).iter().all(|op| match &op.kind {
        OpKind::Get { key, seen, .. } => {
            *seen == state.get(key).map_or(Observed::Absent, |value| Observed::Value(*value))
        }
        OpKind::Put { key, value } => {
            state.insert(*key, *value);
            true
        }
        OpKind::Delete { key, .. } => {
            state.remove(key);
            true
        }
        OpKind::Scan { range, items: Some(items), .. } => *items == found(history, range, state),
        OpKind::Iterate { range, items: Some(items), reached_end } => {
            let all = found(history, range, state);
            all.starts_with(items) && (!reached_end || all == *items)
        }
        other => panic!("{other:?}"),
    })
}

fn found(history: &History, range: &Range, state: &State) -> Items {
    let mut items: Vec<(KeyId, ValueId)> =
        state.iter().map(|(key, value)| (*key, *value)).collect();
    items.retain(|item| range.contains(KeyOrder::Bytes, history.key(item.0)));
    items.sort_by_key(|item| history.key(item.0));
    items.into()
}

/// The states after 0, 1, 2, … commits.
fn states(history: &History, order: &[TxnId]) -> Vec<State> {
    let mut all = vec![State::new()];
    for id in order {
        let mut next = all[all.len() - 1].clone();
        for op in history.ops_of(*id) {
            match op.kind {
                OpKind::Put { key, value } => drop(next.insert(key, value)),
                OpKind::Delete { key, .. } => drop(next.remove(&key)),
                _ => {}
            }
        }
        all.push(next);
    }
    all
}

/// The committed transactions that saw no state between the end of their session's last
/// transaction and their own commit.
fn unexplained(history: &History) -> Vec<TxnId> {
    let order = committed(history);
    let states = states(history, &order);
    let mut session_end = vec![0; history.sessions.len()];
    let mut bad = Vec::new();
    for (place, id) in order.iter().enumerate() {
        let session = history.txn(*id).session.index();
        let mut possible = states[session_end[session]..=place].iter();
        if !possible.any(|state| runs_from(history, *id, &mut state.clone())) {
            bad.push(*id);
        }
        session_end[session] = place + 1;
    }
    bad
}

#[test]
fn the_serializable_store_runs_in_commit_order() {
    for workload in all_small() {
        if workload.level != StoreLevel::Serializable {
            continue;
        }
        let history = workload.run();
        let mut state = State::new();
        for id in committed(&history) {
            assert!(runs_from(&history, id, &mut state), "{workload:?} {}", history.label(id));
        }
    }
}

#[test]
fn every_transaction_sees_a_snapshot() {
    for workload in all_small() {
        assert_eq!(unexplained(&workload.run()), [], "{workload:?}");
    }
}

#[test]
fn the_snapshot_store_loses_no_updates() {
    let base = small(Workload::random_rmw_range());
    for seed in 1..10 {
        let history = Workload { seed, level: StoreLevel::Snapshot, ..base.clone() }.run();
        let mut read_and_replaced = Vec::new();
        for id in committed(&history) {
            let mut written = Vec::new();
            for op in history.ops_of(id) {
                match op.kind {
                    OpKind::Get { key, seen, .. } if !written.contains(&key) => {
                        read_and_replaced.push((key, format!("{seen:?}")));
                    }
                    OpKind::Put { key, .. } => written.push(key),
                    _ => {}
                }
            }
        }
        let all = read_and_replaced.len();
        read_and_replaced.sort();
        read_and_replaced.dedup();
        assert_eq!(read_and_replaced.len(), all, "seed {seed}");
    }
}

#[test]
fn the_snapshot_store_is_not_serializable() {
    let skewed = |seed| {
        let workload =
            Workload { seed, level: StoreLevel::Snapshot, ..small(Workload::random_range()) };
        let history = workload.run();
        let mut state = State::new();
        committed(&history).into_iter().any(|id| !runs_from(&history, id, &mut state))
    };
    assert!((1..5).any(skewed));
}

#[test]
fn the_mix_is_the_one_asked_for() {
    let workload = Workload { txns: 2_000, ..Workload::random_bench() };
    let history = workload.run();
    assert_eq!(history.txns.len(), 2_000);
    assert_eq!(history.sessions.len(), 24);
    let total = (workload.txns * workload.ops) as f64;
    let share = |wanted: fn(&OpKind) -> bool| {
        100.0 * history.ops.iter().filter(|op| wanted(&op.kind)).count() as f64 / total
    };
    let near = |share: f64, percent: f64| (share - percent).abs() < 1.5;
    assert!(near(share(|kind| matches!(kind, OpKind::Get { .. })), 50.0));
    assert!(near(share(|kind| matches!(kind, OpKind::Put { .. })), 50.0));
    assert!(near(share(|kind| matches!(kind, OpKind::Delete { .. })), 5.0));
    assert!(near(share(|kind| matches!(kind, OpKind::Scan { .. })), 10.0));
    assert!(near(share(|kind| matches!(kind, OpKind::Iterate { .. })), 10.0));
    assert!(history.values.len() <= 50);
}

#[test]
fn iterators_stop_early_or_reach_the_end() {
    let history = small(Workload::random_bench()).run();
    let mut stops = [0; 2];
    for op in &history.ops {
        if let OpKind::Iterate { items: Some(items), reached_end, .. } = &op.kind {
            assert!(items.len() <= 10);
            stops[usize::from(*reached_end)] += 1;
        }
    }
    assert!(stops[0] > 10 && stops[1] > 10, "{stops:?}");
}

#[test]
fn a_scan_of_everything_comes_before_every_range() {
    let history = small(Workload::random_rmw_range()).run();
    for id in history.txn_ids() {
        let scans = history.ops_of(id).iter().filter_map(|op| match &op.kind {
            OpKind::Scan { range, .. } => Some(range.lo.is_none() && range.hi.is_none()),
            _ => None,
        });
        for (place, everything) in scans.enumerate() {
            assert_eq!(everything, place % 2 == 0);
        }
    }
}

#[test]
fn unique_values_are_unique() {
    let history = small(Workload::random_rmw_range()).run();
    let mut written: Vec<ValueId> = history
        .ops
        .iter()
        .filter_map(|op| match op.kind {
            OpKind::Put { value, .. } => Some(value),
            _ => None,
        })
        .collect();
    let all = written.len();
    written.sort();
    written.dedup();
    assert_eq!(written.len(), all);
}

#[test]
fn the_seed_decides() {
    for workload in all_small() {
        assert_eq!(compact(&workload.run()), compact(&workload.run()));
        let other = Workload { seed: 77, ..workload.clone() };
        assert_ne!(compact(&workload.run()), compact(&other.run()));
    }
}

#[test]
fn aborted_transactions_are_recorded_if_asked() {
    let workload = Workload { values: Values::Unique, ..small(Workload::random_bench()) };
    let aborted = |workload: &Workload| {
        let history = workload.run();
        assert_eq!(committed(&history).len(), workload.txns);
        history.txns.len() - workload.txns
    };
    assert_eq!(aborted(&workload), 0);
    assert!(aborted(&Workload { aborted: Aborted::Recorded, ..workload }) > 10);
}

#[test]
fn times_respect_sessions() {
    let history = Workload { times: true, ..small(Workload::random_bench()) }.run();
    let times = |id: &TxnId| {
        let txn = history.txn(*id);
        [txn.begin().call, txn.begin().ret, txn.end().call, txn.end().ret]
            .map(|time| time.expect("a time"))
    };
    for session in &history.sessions {
        let all: Vec<i64> = session.txns.iter().flat_map(times).collect();
        assert!(all.is_sorted());
    }
    assert!(
        small(Workload::random_bench()).run().txns.iter().all(|txn| txn.begin().call.is_none())
    );
}

#[test]
fn a_fault_is_one_result_that_nothing_explains() {
    for workload in all_small() {
        let correct = workload.run();
        for fault in Fault::ALL {
            for seed in 1..4 {
                let injected = inject(&correct, fault, seed);
                assert_eq!(unexplained(&injected.truth), [], "{fault:?} {seed}");
                let wrong = unexplained(&injected.history);
                assert_eq!(wrong, [injected.op.txn], "{fault:?} {seed} {}", injected.description);
                let pairs = injected.truth.ops.iter().zip(&injected.history.ops);
                assert_eq!(pairs.filter(|(a, b)| a != b).count(), 1);
                assert_ne!(injected.truth.op(injected.op), injected.history.op(injected.op));
            }
        }
    }
}

#[test]
fn faults_come_after_the_history_in_two_of_its_sessions() {
    let correct = Workload { times: true, ..small(Workload::random_bench()) }.run();
    for fault in Fault::ALL {
        assert_eq!(Fault::from_name(fault.name()), Some(fault));
        let (before, after) = (correct.txns.len(), inject(&correct, fault, 3).history);
        assert_eq!(after.sessions.len(), correct.sessions.len());
        assert!(after.txns.len() > before && after.txns.len() < before + 8);
        let last = correct.txns.iter().filter_map(|txn| txn.end().ret).max();
        assert!(after.txns[before..].iter().all(|txn| txn.begin().call > last));
    }
}

#[test]
fn a_fault_finds_room_in_an_empty_history() {
    for fault in Fault::ALL {
        let injected = inject(&History::default(), fault, 1);
        assert_eq!(unexplained(&injected.history), [injected.op.txn], "{fault:?}");
        assert_eq!(injected.history.sessions[0].name, Datum::Int(0));
    }
}

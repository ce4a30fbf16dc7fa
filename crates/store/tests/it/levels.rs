//! Which anomalies each level shows: the table in the documentation, case by case.

use tristan_store::{Commit, Interval, Level, NoFaults, Store, Transaction};

type Memory = Store<i64, NoFaults>;

/// All levels, the strongest first.
const LEVELS: [Level; 5] = [
    Level::CommitOrder,
    Level::Serializable,
    Level::Snapshot,
    Level::ReadCommitted,
    Level::ReadUncommitted,
];

/// A store in which keys 1 and 2 hold 10 and 20.
fn filled() -> Memory {
    let mut store = Store::new(NoFaults);
    store.fill([(1, 10), (2, 20)]);
    store
}

fn two(store: &mut Memory, level: Level) -> [Transaction<i64>; 2] {
    [0; 2].map(|_| store.begin(level))
}

fn commits(store: &mut Memory, txn: Transaction<i64>) -> bool {
    store.commit(txn) != Commit::Refused
}

fn write(store: &mut Memory, key: i64, value: Option<i64>) {
    let mut txn = store.begin(Level::Snapshot);
    store.put(&mut txn, key, value);
    assert!(commits(store, txn));
}

/// Compares what happens at all levels with what is expected.
fn check(happens: impl Fn(Level) -> bool, expected: [bool; 5]) {
    assert_eq!(LEVELS.map(happens), expected);
}

#[test]
fn dirty_read() {
    let happens = |level| {
        let mut store = filled();
        let [mut writer, mut reader] = two(&mut store, level);
        store.put(&mut writer, 1, Some(11));
        let seen = store.get(&mut reader, 1);
        store.abort(writer);
        assert_eq!(store.get(&mut reader, 1), Some(10), "an abort leaves nothing behind");
        seen == Some(11)
    };
    check(happens, [false, false, false, false, true]);
}

#[test]
fn non_repeatable_read() {
    let happens = |level| {
        let mut store = filled();
        let mut reader = store.begin(level);
        let first = store.get(&mut reader, 1);
        write(&mut store, 1, Some(11));
        store.get(&mut reader, 1) != first
    };
    check(happens, [false, false, false, true, true]);
}

#[test]
fn phantom() {
    let happens = |level| {
        let mut store = filled();
        let mut reader = store.begin(level);
        let first = store.scan(&mut reader, Interval::default());
        write(&mut store, 3, Some(30));
        write(&mut store, 1, None);
        store.scan(&mut reader, Interval::default()) != first
    };
    check(happens, [false, false, false, true, true]);
}

#[test]
fn refused_reader() {
    let happens = |level| {
        let mut store = filled();
        let mut reader = store.begin(level);
        store.get(&mut reader, 1);
        write(&mut store, 1, Some(11));
        !commits(&mut store, reader)
    };
    check(happens, [true, false, false, false, false]);
}

#[test]
fn lost_update() {
    let happens = |level| {
        let mut store = filled();
        let mut txns = two(&mut store, level);
        for (txn, value) in txns.iter_mut().zip([11, 12]) {
            store.get(txn, 1);
            store.put(txn, 1, Some(value));
        }
        txns.map(|txn| commits(&mut store, txn)) == [true; 2]
    };
    check(happens, [false, false, false, true, true]);
}

#[test]
fn write_skew() {
    let happens = |level| {
        let mut store = filled();
        let mut txns = two(&mut store, level);
        for (txn, (read, written)) in txns.iter_mut().zip([(1, 2), (2, 1)]) {
            store.get(txn, read);
            store.put(txn, written, Some(0));
        }
        txns.map(|txn| commits(&mut store, txn)) == [true; 2]
    };
    check(happens, [false, false, true, true, true]);
}

#[test]
fn write_skew_on_a_range() {
    let happens = |level| {
        let mut store = filled();
        let mut txns = two(&mut store, level);
        for (txn, key) in txns.iter_mut().zip([3, 4]) {
            store.scan(txn, Interval::between(3, 9));
            store.put(txn, key, Some(0));
        }
        txns.map(|txn| commits(&mut store, txn)) == [true; 2]
    };
    check(happens, [false, false, true, true, true]);
}

#[test]
fn two_appends_to_a_list() {
    let happens = |level| {
        let mut store = filled();
        let mut txns = two(&mut store, level);
        for (txn, element) in txns.iter_mut().zip([1, 2]) {
            store.list(txn, 1);
            store.append(txn, 1, element);
            assert_eq!(store.list(txn, 1), [element]);
        }
        txns.map(|txn| commits(&mut store, txn)) == [true; 2]
    };
    check(happens, [false; 5]);
}

#[test]
fn disjoint_writers_all_commit() {
    for level in LEVELS {
        let mut store = filled();
        let mut txns = two(&mut store, level);
        for (txn, key) in txns.iter_mut().zip([1, 2]) {
            store.get(txn, key);
            store.put(txn, key, None);
        }
        let commits = txns.map(|txn| store.commit(txn));
        assert_eq!(commits, [1, 2].map(|time| Commit::Done(Some(time))), "{level:?}");
    }
}

#[test]
fn iterators_conflict_with_writes_up_to_where_they_stopped() {
    for (written, refused) in [(1, true), (2, false)] {
        let mut store = filled();
        let mut reader = store.begin(Level::CommitOrder);
        let (items, reached_end) = store.iterate(&mut reader, Interval::default(), 1);
        assert_eq!((items.as_slice(), reached_end), (&[(1, 10)][..], false));
        write(&mut store, written, Some(0));
        assert_eq!(!commits(&mut store, reader), refused, "key {written}");
    }
}

#[test]
fn transactions_read_their_own_writes() {
    for level in LEVELS {
        let mut store = filled();
        let mut txn = store.begin(level);
        for (key, value) in [(1, Some(11)), (2, None), (3, Some(33))] {
            store.put(&mut txn, key, value);
            assert_eq!(store.get(&mut txn, key), value);
        }
        assert_eq!(store.scan(&mut txn, Interval::default()), [(1, 11), (3, 33)]);
        assert_eq!(store.scan(&mut txn, Interval::between(5, 2)), []);
    }
}

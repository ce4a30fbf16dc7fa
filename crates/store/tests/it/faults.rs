//! Every fault breaks what it says, and only where it makes a difference.

use tristan_store::{Commit, Fault, Faults, Interval, Level, Store};

/// A fault that strikes at every opportunity.
struct Always(Fault);

impl Faults for Always {
    fn strikes(&mut self, fault: Fault) -> bool {
        fault == self.0
    }

    fn below(&mut self, _: usize) -> usize {
        0
    }
}

/// A store in which key 1 held 10 and now holds 11.
fn store(fault: Fault) -> Store<i64, Always> {
    let mut store = Store::new(Always(fault));
    store.fill([(1, 10)]);
    write(&mut store, 1, 11);
    store
}

fn write(store: &mut Store<i64, Always>, key: i64, value: i64) -> Commit {
    let mut txn = store.begin(Level::Snapshot);
    store.put(&mut txn, key, Some(value));
    store.commit(txn)
}

fn read(store: &mut Store<i64, Always>, key: i64) -> Option<i64> {
    let mut txn = store.begin(Level::Snapshot);
    store.get(&mut txn, key)
}

#[test]
fn lost_update_overlooks_a_conflict() {
    let mut store = store(Fault::LostUpdate);
    let mut txn = store.begin(Level::Serializable);
    store.get(&mut txn, 1);
    store.put(&mut txn, 1, Some(13));
    write(&mut store, 1, 12);
    assert_eq!(store.commit(txn), Commit::Done(Some(3)));
    assert_eq!(read(&mut store, 1), Some(13));
}

#[test]
fn stale_read_returns_the_version_before() {
    let mut store = store(Fault::StaleRead);
    assert_eq!(read(&mut store, 1), Some(10));
    write(&mut store, 2, 20);
    assert_eq!((read(&mut store, 2), read(&mut store, 3)), (None, None));
}

#[test]
fn read_skew_returns_what_came_after_the_snapshot() {
    let mut store = store(Fault::ReadSkew);
    let mut txn = store.begin(Level::Serializable);
    assert_eq!(store.get(&mut txn, 1), Some(11));
    write(&mut store, 1, 12);
    assert_eq!(store.get(&mut txn, 1), Some(12));
}

#[test]
fn dirty_read_returns_what_another_transaction_is_about_to_write() {
    let mut store = store(Fault::DirtyRead);
    let mut writer = store.begin(Level::Serializable);
    store.put(&mut writer, 1, Some(12));
    store.put(&mut writer, 1, Some(13));
    assert_eq!(read(&mut store, 1), Some(13));
    store.abort(writer);
    assert_eq!(read(&mut store, 1), Some(11));
}

#[test]
fn lost_commit_acknowledges_and_writes_nothing() {
    let mut store = store(Fault::LostCommit);
    assert_eq!(write(&mut store, 1, 12), Commit::Done(None));
    assert_eq!(read(&mut store, 1), Some(10), "no write ever took effect");
}

#[test]
fn skipped_item_omits_a_key() {
    let mut store = store(Fault::SkippedItem);
    write(&mut store, 2, 20);
    let mut txn = store.begin(Level::Serializable);
    assert_eq!(store.scan(&mut txn, Interval::default()), [(2, 20)]);
    assert_eq!(store.scan(&mut txn, Interval::between(5, 9)), []);
}

#[test]
fn unknown_commit_does_not_say_what_happened() {
    let mut store = store(Fault::UnknownCommit);
    assert_eq!(write(&mut store, 1, 12), Commit::Unknown);
    assert_eq!(read(&mut store, 1), Some(10), "this source of chance always loses the commit");
}

#[test]
fn faults_have_names() {
    for fault in Fault::ALL {
        assert_eq!(Fault::from_name(fault.name()), Some(fault));
    }
    assert_eq!(Fault::from_name("lost-updates"), None);
}

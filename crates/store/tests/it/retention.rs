//! Old versions stay as long as a transaction can read them.

use tristan_store::{Level, NoFaults, Store};

#[test]
fn a_snapshot_stays_readable_however_much_is_written() {
    let mut store = Store::new(NoFaults);
    store.fill([(1, 0)]);
    let mut open = Vec::new();
    for value in 1..=50 {
        open.push((value - 1, store.begin(Level::Snapshot)));
        let mut txn = store.begin(Level::Snapshot);
        store.put(&mut txn, 1, Some(value));
        store.append(&mut txn, 1, value);
        store.commit(txn);
        if value % 3 == 0 {
            let (_, ended) = open.remove(open.len() / 2);
            store.abort(ended);
        }
    }
    for (value, mut txn) in open {
        assert_eq!(store.get(&mut txn, 1), Some(value));
        assert_eq!(store.list(&mut txn, 1), (1..=value).collect::<Vec<_>>());
    }
}

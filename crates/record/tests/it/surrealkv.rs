//! SurrealKV: snapshot isolation, with the anomaly that it allows.

use crate::common::scripts::{self, Outcome::*};
use crate::common::{Client, level, locked_version, open, record_on, workload};

#[test]
fn single_transactions_do_what_they_say() {
    let database = open("surrealkv:", &[]);
    let level = level(&*database, "snapshot-isolation");
    assert_eq!(database.describe(), format!("SurrealKV {}", locked_version("surrealkv")));
    scripts::own_writes(&*database, level);
    scripts::deletes(&*database, level);
    scripts::ranges(&*database, level);
    scripts::iterators(&*database, level);
    scripts::lists(&*database, level);
}

#[test]
fn updates_are_not_lost_and_skew_is_allowed() {
    let database = open("surrealkv:", &[]);
    let level = level(&*database, "snapshot-isolation");
    assert!(scripts::keeps_its_snapshot(&*database, level));
    assert_eq!(scripts::disjoint_writers(&*database, level), Allowed);
    assert_eq!(scripts::lost_update(&*database, level), Prevented);
    assert_eq!(scripts::lost_delete(&*database, level), Prevented);
    assert_eq!(scripts::overtaken_by_a_short_life(&*database, level), Prevented);
    assert_eq!(scripts::write_skew(&*database, level), Allowed);
    assert_eq!(scripts::phantom_skew(&*database, level), Allowed);
}

#[test]
fn a_read_that_locks_is_checked_in_the_end() {
    let database = open("surrealkv:", &[(1, 10), (2, 20)]);
    let level = level(&*database, "snapshot-isolation");
    let mut locker = Client::begin(&*database, level);
    assert_eq!(locker.ask(|connection| connection.get(1, true)), Some(Some(10)));
    locker.put(2, 21);
    let mut other = Client::begin(&*database, level);
    other.put(1, 11);
    assert!(other.commit());
    assert!(!locker.commit());
}

#[test]
fn a_folder_of_ones_own_stays() {
    let name = format!("tristan-surrealkv-test-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let url = format!("surrealkv:{}", path.display());
    drop(open(&url, &[(1, 10)]));
    let again = tristan_record::databases::open(&url.parse().expect("an address"));
    let again = again.expect("a database");
    let level = level(&*again, "snapshot-isolation");
    assert_eq!(crate::common::contents(&*again, level), [(1, 10)]);
    drop(again);
    std::fs::remove_dir_all(&path).expect("it is there");
}

#[test]
fn write_skew_shows_at_serializable_and_not_at_snapshot_isolation() {
    let workload = workload("write-skew", 500, 6);
    let recorded = record_on("surrealkv:", "snapshot-isolation", &workload);
    recorded.keeps_its_claim().breaks("serializable").committed(300).met();
}

#[test]
fn workloads_keep_snapshot_isolation() {
    for (name, keys) in [("pairs", 20), ("blindw-rw", 30), ("bank", 5)] {
        let recorded = record_on("surrealkv:", "snapshot-isolation", &workload(name, 400, keys));
        recorded.keeps_its_claim().committed(200).met();
    }
}

#[test]
fn ranges_and_lists_keep_snapshot_isolation() {
    for (name, keys) in [("random-bench", 50), ("list-append", 5)] {
        let recorded = record_on("surrealkv:", "snapshot-isolation", &workload(name, 200, keys));
        recorded.keeps_its_claim().committed(50).met();
    }
}

//! SQLite: one writer at a time, readers beside it.

use crate::common::scripts::{self, Outcome::*};
use crate::common::{Client, level, open, record_on, workload};

/// Writers that wait for each other on one thread would wait for long.
const QUICK: &str = "sqlite:?wait=20";

#[test]
fn single_transactions_do_what_they_say() {
    let database = open(QUICK, &[]);
    let level = level(&*database, "serializable");
    assert!(database.describe().starts_with("SQLite 3."));
    scripts::own_writes(&*database, level);
    scripts::deletes(&*database, level);
    scripts::ranges(&*database, level);
    scripts::iterators(&*database, level);
    scripts::lists(&*database, level);
}

#[test]
fn nothing_gets_lost_between_two_clients() {
    let database = open(QUICK, &[]);
    let level = level(&*database, "serializable");
    assert!(scripts::keeps_its_snapshot(&*database, level));
    assert_eq!(scripts::lost_update(&*database, level), Prevented);
    assert_eq!(scripts::lost_delete(&*database, level), Prevented);
    assert_eq!(scripts::overtaken_by_a_short_life(&*database, level), Prevented);
    assert_eq!(scripts::write_skew(&*database, level), Prevented);
    assert_eq!(scripts::phantom_skew(&*database, level), Prevented);
    // There is one writer at a time, whatever it writes.
    assert_eq!(scripts::disjoint_writers(&*database, level), Prevented);
}

/// With a shared cache there are no snapshots, and what is not committed can be read.
#[test]
fn a_shared_cache_loses_updates() {
    let database = open(QUICK, &[(1, 10)]);
    let level = level(&*database, "read-uncommitted");
    scripts::own_writes(&*database, level);
    scripts::deletes(&*database, level);
    assert!(!scripts::keeps_its_snapshot(&*database, level));
    assert_eq!(scripts::lost_update(&*database, level), Allowed);
    let database = open(QUICK, &[(1, 10)]);
    let mut writer = Client::begin(&*database, level);
    writer.put(1, 11);
    let mut reader = Client::begin(&*database, level);
    assert_eq!(reader.get(1), Some(11));
}

#[test]
fn after_a_refusal_the_next_transaction_begins_anew() {
    let database = open(QUICK, &[(1, 10)]);
    let level = level(&*database, "serializable");
    let mut connection = database.connect(level).expect("a connection");
    connection.begin().expect("a transaction");
    assert_eq!(connection.get(1, false), Ok(Some(10)));
    let mut other = Client::begin(&*database, level);
    other.put(1, 11);
    assert!(other.commit());
    connection.put(1, 12).expect_err("the snapshot is old");
    connection.begin().expect("another transaction");
    assert_eq!(connection.get(1, false), Ok(Some(11)));
    connection.put(1, 12).expect("a write");
    connection.commit().expect("a commit");
    assert_eq!(crate::common::contents(&*database, level), [(1, 12)]);
}

#[test]
fn immediate_transactions_are_writers_from_the_start() {
    let database = open("sqlite:?begin=immediate&wait=20", &[(1, 10)]);
    let level = level(&*database, "serializable");
    let mut first = Client::begin(&*database, level);
    let mut second = Client::begin(&*database, level);
    assert_eq!((first.get(1), second.get(1)), (Some(10), None));
    assert!(first.commit() && !second.commit());
}

#[test]
fn files_stay_or_go_as_the_address_says() {
    let path = std::env::temp_dir().join(format!("tristan-sqlite-test-{}.db", std::process::id()));
    let url = format!("sqlite:{}", path.display());
    drop(open(&url, &[(1, 10)]));
    assert!(path.exists());
    std::fs::remove_file(&path).expect("it is there");
    for wrong in ["sqlite:?begin=late", "sqlite:?wait=long", "sqlite:?x=y"] {
        let url = wrong.parse().expect("an address");
        assert!(tristan_record::databases::open(&url).is_err(), "{wrong}");
    }
}

#[test]
fn workloads_are_strictly_serializable() {
    for (name, keys) in [("pairs", 20), ("write-skew", 6), ("bank", 5)] {
        let recorded = record_on("sqlite:", "serializable", &workload(name, 300, keys));
        recorded.keeps_its_claim().committed(100).met();
    }
    // Whoever writes first of all waits instead of being refused.
    let recorded = record_on("sqlite:", "serializable", &workload("blindw-rw", 300, 30));
    recorded.keeps_its_claim().committed(100);
}

#[test]
fn ranges_and_lists_are_strictly_serializable() {
    for (name, keys) in [("random-bench", 50), ("list-append", 5)] {
        let recorded = record_on("sqlite:", "serializable", &workload(name, 150, keys));
        recorded.keeps_its_claim().committed(50).met();
    }
}

#[test]
fn immediate_workloads_wait_instead_of_failing() {
    let url = "sqlite:?begin=immediate&wait=20000";
    let recorded = record_on(url, "serializable", &workload("write-skew", 150, 6));
    recorded.keeps_its_claim().committed(150);
    assert_eq!(recorded.count.refused, 0);
}

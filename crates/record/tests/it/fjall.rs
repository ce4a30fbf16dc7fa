//! fjall: optimistic transactions that are refused if what they read has changed.

use crate::common::scripts::{self, Outcome::*};
use crate::common::{level, locked_version, open, record_on, workload};

#[test]
fn single_transactions_do_what_they_say() {
    let database = open("fjall:", &[]);
    let level = level(&*database, "serializable");
    assert_eq!(database.describe(), format!("fjall {}", locked_version("fjall")));
    scripts::own_writes(&*database, level);
    scripts::deletes(&*database, level);
    scripts::ranges(&*database, level);
    scripts::iterators(&*database, level);
    scripts::lists(&*database, level);
}

#[test]
fn nothing_gets_lost_between_two_clients() {
    let database = open("fjall:", &[]);
    let level = level(&*database, "serializable");
    assert!(scripts::keeps_its_snapshot(&*database, level));
    assert_eq!(scripts::disjoint_writers(&*database, level), Allowed);
    assert_eq!(scripts::lost_update(&*database, level), Prevented);
    assert_eq!(scripts::lost_delete(&*database, level), Prevented);
    assert_eq!(scripts::overtaken_by_a_short_life(&*database, level), Prevented);
    assert_eq!(scripts::write_skew(&*database, level), Prevented);
    assert_eq!(scripts::phantom_skew(&*database, level), Prevented);
}

#[test]
fn a_folder_of_ones_own_stays() {
    let name = format!("tristan-fjall-test-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let url = format!("fjall:{}", path.display());
    drop(open(&url, &[(1, 10)]));
    assert!(path.is_dir());
    let again = tristan_record::databases::open(&url.parse().expect("an address"));
    let again = again.expect("a database");
    let level = level(&*again, "serializable");
    assert_eq!(crate::common::contents(&*again, level), [(1, 10)]);
    drop(again);
    std::fs::remove_dir_all(&path).expect("it is there");
}

#[test]
fn workloads_are_serializable() {
    for (name, keys) in [("pairs", 20), ("write-skew", 6), ("blindw-rw", 30), ("bank", 5)] {
        let recorded = record_on("fjall:", "serializable", &workload(name, 400, keys));
        recorded.keeps_its_claim().committed(200);
    }
}

#[test]
fn transactions_that_read_and_write_the_same_keys_meet() {
    let recorded = record_on("fjall:", "serializable", &workload("write-skew", 400, 4));
    recorded.keeps_its_claim().committed(100).met();
}

#[test]
fn ranges_and_lists_are_serializable() {
    for (name, keys) in [("random-bench", 50), ("list-append", 5)] {
        let recorded = record_on("fjall:", "serializable", &workload(name, 200, keys));
        recorded.keeps_its_claim().committed(50).met();
    }
}

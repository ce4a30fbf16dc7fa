//! The store of our own: right at every level, and wrong as it is told.

use crate::common::scripts::{self, Outcome::*};
use crate::common::{Client, alone, level, open, record_on, workload};
use tristan_generate::{Mix, Pattern, Workload};
use tristan_record::DatabaseError;

const LEVELS: [&str; 4] =
    ["serializable", "snapshot-isolation", "read-committed", "read-uncommitted"];

#[test]
fn single_transactions_do_what_they_say() {
    let database = open("memory:", &[]);
    for name in LEVELS {
        let level = level(&*database, name);
        scripts::own_writes(&*database, level);
        scripts::deletes(&*database, level);
        scripts::ranges(&*database, level);
        scripts::iterators(&*database, level);
        scripts::lists(&*database, level);
        assert_eq!(scripts::disjoint_writers(&*database, level), Allowed);
    }
}

#[test]
fn every_level_prevents_what_it_should_and_no_more() {
    let database = open("memory:", &[]);
    for (name, snapshot, update, skew) in [
        ("serializable", true, Prevented, Prevented),
        ("snapshot-isolation", true, Prevented, Allowed),
        ("read-committed", false, Allowed, Allowed),
        ("read-uncommitted", false, Allowed, Allowed),
    ] {
        let level = level(&*database, name);
        assert_eq!(scripts::keeps_its_snapshot(&*database, level), snapshot, "{name}");
        assert_eq!(scripts::lost_update(&*database, level), update, "{name}");
        assert_eq!(scripts::lost_delete(&*database, level), update, "{name}");
        assert_eq!(scripts::overtaken_by_a_short_life(&*database, level), update, "{name}");
        assert_eq!(scripts::write_skew(&*database, level), skew, "{name}");
        assert_eq!(scripts::phantom_skew(&*database, level), skew, "{name}");
    }
}

#[test]
fn only_read_uncommitted_shows_what_is_not_committed() {
    let database = open("memory:", &[(1, 10)]);
    for name in LEVELS {
        let level = level(&*database, name);
        let [mut writer, mut reader] = [0; 2].map(|_| Client::begin(&*database, level));
        writer.put(1, 11);
        let expected = if name == "read-uncommitted" { 11 } else { 10 };
        assert_eq!(reader.get(1), Some(expected), "{name}");
        drop(writer);
        assert_eq!(reader.get(1), Some(10), "{name}: a client that goes away is rolled back");
    }
}

#[test]
fn commits_are_numbered_and_lost_answers_are_lost() {
    let database = open("memory:?fault=unknown-commit", &[(1, 10)]);
    let level = level(&*database, "serializable");
    let mut values = Vec::new();
    for value in 0..50 {
        let mut connection = database.connect(level).expect("a connection");
        connection.begin().expect("a transaction");
        values.extend(connection.get(1, false).expect("a read"));
        connection.put(1, value).expect("a write");
        assert!(matches!(connection.commit(), Err(DatabaseError::Lost(_))));
    }
    values.dedup();
    assert!((10..45).contains(&values.len()), "about half of them took effect: {values:?}");
    let database = open("memory:", &[]);
    let commit = |value| {
        let mut client = Client::begin(&*database, level);
        client.put(1, value);
        client.ask(|connection| connection.commit()).expect("a commit").stamp
    };
    assert!(commit(1).expect("a time") < commit(2).expect("a time"));
}

#[test]
fn nonsense_is_refused() {
    for wrong in ["memory:x", "memory:?fault=x:1", "memory:?fault=stale-read:2", "memory:?seed=x"] {
        let url = wrong.parse().expect("an address");
        assert!(tristan_record::databases::open(&url).is_err(), "{wrong}");
    }
    assert!(open("memory:?fault=stale-read:0.5", &[]).describe().ends_with("with stale-read:0.5"));
}

#[test]
fn workloads_keep_what_is_claimed() {
    for name in LEVELS {
        for (kind, keys) in [("pairs", 20), ("blindw-rw", 30), ("write-skew", 6)] {
            record_on("memory:", name, &workload(kind, 300, keys)).keeps_its_claim().committed(200);
        }
        for (kind, keys) in [("random-bench", 50), ("list-append", 5)] {
            record_on("memory:", name, &workload(kind, 150, keys)).keeps_its_claim().committed(50);
        }
    }
}

#[test]
fn levels_break_where_the_next_one_begins() {
    let skew = workload("write-skew", 400, 6);
    record_on("memory:", "serializable", &skew).keeps("strict-serializable").met();
    record_on("memory:", "snapshot-isolation", &skew).breaks("serializable").met();
    let pairs = workload("pairs", 300, 10);
    record_on("memory:", "read-committed", &pairs).breaks("snapshot-isolation");
    record_on("memory:", "read-uncommitted", &pairs).breaks("snapshot-isolation");
}

/// The levels that a fault leaves nothing of, on a workload where it shows.
fn breaks(fault: &str, at: &str, workload: &Workload, levels: &[&str]) {
    let url = format!("memory:?fault={fault}&seed=5");
    let recorded = record_on(&url, at, workload);
    for level in levels {
        recorded.breaks(level);
    }
}

#[test]
fn lost_updates_break_snapshot_isolation() {
    let pairs = workload("pairs", 300, 10);
    for at in ["serializable", "snapshot-isolation"] {
        breaks("lost-update:0.3", at, &pairs, &["snapshot-isolation", "serializable"]);
    }
}

#[test]
fn stale_reads_break_snapshot_isolation() {
    let pairs = workload("pairs", 300, 10);
    for at in ["serializable", "snapshot-isolation"] {
        breaks("stale-read:0.1", at, &pairs, &["snapshot-isolation", "serializable"]);
    }
}

#[test]
fn read_skew_breaks_snapshot_isolation() {
    let blind = workload("blindw-rw", 300, 10);
    for at in ["serializable", "snapshot-isolation"] {
        breaks("read-skew:0.5", at, &blind, &["snapshot-isolation", "serializable"]);
    }
}

#[test]
fn dirty_reads_break_read_committed() {
    let pairs = workload("pairs", 400, 5);
    for at in ["serializable", "snapshot-isolation"] {
        breaks("dirty-read:0.5", at, &pairs, &["read-committed", "serializable"]);
    }
}

#[test]
fn lost_commits_break_snapshot_isolation() {
    let pairs = workload("pairs", 300, 10);
    for at in ["serializable", "snapshot-isolation"] {
        breaks("lost-commit:0.1", at, &pairs, &["snapshot-isolation", "serializable"]);
    }
}

#[test]
fn skipped_items_break_serializability() {
    let mix = Mix { write: 60, scan: 20, iterate: 20, ..Mix::default() };
    let usual = workload("random-rmw-range", 200, 30);
    let ranges = Workload { pattern: Pattern::Mixed(mix), ..usual };
    for at in ["serializable", "snapshot-isolation"] {
        breaks("skipped-item:0.3", at, &ranges, &["snapshot-isolation", "serializable"]);
    }
}

#[test]
fn answers_that_got_lost_break_nothing() {
    for at in LEVELS {
        let workload = workload("pairs", 300, 20);
        let recorded = record_on("memory:?fault=unknown-commit:0.1", at, &workload);
        recorded.keeps_its_claim();
        assert!(recorded.count.unknown > 0);
    }
}

#[test]
fn lists_are_never_appended_to_by_two_at_once() {
    let database = open("memory:", &[]);
    for name in ["snapshot-isolation", "read-committed"] {
        let level = level(&*database, name);
        database.prepare(&[]).expect("tables");
        let [mut a, mut b] = [0; 2].map(|_| Client::begin(&*database, level));
        for (client, element) in [(&mut a, 1), (&mut b, 2)] {
            client.ask(|connection| connection.append(1, element));
        }
        assert!(a.commit() && !b.commit(), "{name}");
        assert_eq!(alone(&*database, level, |connection| connection.list(1)), [1]);
    }
}

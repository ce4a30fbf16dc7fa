//! Workloads that have a name do what the name says.

use std::collections::BTreeSet;

use tristan_generate::{Pattern, Skew, StoreLevel, Workload, listed_by_session};
use tristan_history::{History, KeyId, OpKind, Outcome, TxnId};

fn named(name: &str, txns: usize) -> Workload {
    Workload { txns, ..Workload::named(name).expect("a known name") }
}

fn share(history: &History, is: impl Fn(&History, TxnId) -> bool) -> usize {
    let count = history.txn_ids().filter(|id| is(history, *id)).count();
    count * 100 / history.txns.len()
}

fn reads(op: &OpKind) -> bool {
    matches!(op, OpKind::Get { .. } | OpKind::ReadList { .. } | OpKind::Scan { .. })
}

fn only_reads(history: &History, id: TxnId) -> bool {
    history.ops_of(id).iter().all(|op| reads(&op.kind))
}

fn written_values(history: &History) -> Vec<(KeyId, u32)> {
    let written = |kind: &OpKind| match kind {
        OpKind::Put { key, value } => Some((*key, value.0)),
        OpKind::Append { key, element } => Some((*key, element.0)),
        _ => None,
    };
    history.ops.iter().filter_map(|op| written(&op.kind)).collect()
}

fn text(history: &History) -> String {
    format!("{:?}{:?}", history.txns, history.ops)
}

#[test]
fn the_same_seed_gives_the_same_history() {
    for name in Workload::names() {
        for level in [StoreLevel::Serializable, StoreLevel::Snapshot] {
            let workload = Workload { level, keys: 50, ..named(name, 100) };
            let again = text(&workload.run());
            assert_eq!(text(&workload.run()), again, "{name}");
            assert_ne!(text(&Workload { seed: 2, ..workload }.run()), again, "{name}");
        }
    }
}

#[test]
fn every_transaction_is_there_however_many_sessions() {
    for name in Workload::names() {
        for sessions in [1, 24, 1_000] {
            let history = Workload { sessions, keys: 50, ..named(name, 300) }.run();
            assert_eq!(history.txns.len(), 300, "{name}");
            // A client that never had a turn has no session.
            let used = history.sessions.len();
            assert!(used == sessions || (200..=300).contains(&used), "{name}: {used}");
            assert_eq!(listed_by_session(&history).ops.len(), history.ops.len());
        }
    }
}

#[test]
fn blind_transactions_only_read_or_only_write() {
    for (name, percent) in [("blindw-rw", 50), ("blindw-rm", 90), ("blindw-wh", 10)] {
        let history = named(name, 4_000).run();
        assert!(share(&history, only_reads).abs_diff(percent) <= 3, "{name}");
        let one_kind = |history: &History, id| {
            let ops = history.ops_of(id);
            ops.len() == 8 && ops.iter().all(|op| reads(&op.kind) == reads(&ops[0].kind))
        };
        assert_eq!(share(&history, one_kind), 100, "{name}");
    }
}

#[test]
fn duplicates_write_often_and_the_same() {
    let history = Workload { keys: 500, ..named("duplicates", 1_000) }.run();
    assert_eq!(history.ops.len(), 20_000);
    let written = written_values(&history);
    assert!(written.len().abs_diff(14_000) < 400, "{}", written.len());
    let distinct: BTreeSet<_> = written.iter().collect();
    assert!(written.len() > distinct.len() * 11 / 10, "{} {}", written.len(), distinct.len());
}

#[test]
fn every_second_write_of_deletes_deletes() {
    let history = named("deletes", 1_000).run();
    let count = |kind: fn(&OpKind) -> bool| history.ops.iter().filter(|op| kind(&op.kind)).count();
    let deletes = count(|kind| matches!(kind, OpKind::Delete { .. }));
    let writes = count(|kind| matches!(kind, OpKind::Put { .. }));
    assert!(deletes.abs_diff(2_000) < 200 && writes.abs_diff(2_000) < 200, "{deletes} {writes}");
}

#[test]
fn lost_answers_leave_outcomes_unknown() {
    let history = Workload { lost_percent: 10, ..named("blindw-rw", 2_000) }.run();
    let is_lost = |history: &History, id| history.txn(id).outcome == Outcome::Unknown;
    assert!(share(&history, is_lost).abs_diff(10) <= 3);
    assert_eq!(history.txns.len(), 2_000);
}

#[test]
fn values_are_unique_where_nothing_else_is_said() {
    for name in ["blindw-rw", "rmw", "list-append", "tpcc", "rubis", "twitter", "random-rmw-range"]
    {
        let written = written_values(&Workload { keys: 100, ..named(name, 500) }.run());
        let distinct: BTreeSet<_> = written.iter().map(|(_, value)| value).collect();
        assert_eq!(distinct.len(), written.len(), "{name}");
    }
}

#[test]
fn updates_write_what_they_read() {
    let history = named("rmw", 500).run();
    for id in history.txn_ids() {
        let keys: Vec<_> = history.ops_of(id).iter().filter_map(|op| op.kind.key()).collect();
        let (read, written) = keys.split_at(keys.len() / 2);
        assert!((1..=4).contains(&read.len()));
        assert_eq!(read, written);
        assert!(!only_reads(&history, id));
    }
}

#[test]
fn lists_stay_short_and_have_times() {
    let history = Workload { keys: 5, ..named("list-append", 3_000) }.run();
    let longest = history.ops.iter().filter_map(|op| match &op.kind {
        OpKind::ReadList { elements, .. } => elements.as_ref().map(|list| list.len()),
        _ => None,
    });
    assert_eq!(longest.max(), Some(32));
    assert!(history.keys.len() > 50, "{}", history.keys.len());
    assert!(history.txns.iter().all(|txn| txn.begin().call.is_some() && txn.end().ret.is_some()));
}

#[test]
fn applications_have_their_mixes() {
    let tpcc = named("tpcc", 5_000).run();
    let long = |history: &History, id| history.txn(id).op_count >= 28 && !only_reads(history, id);
    // New orders, and deliveries of orders with many lines.
    assert!((44..=50).contains(&share(&tpcc, long)), "{}", share(&tpcc, long));
    assert!((7..=11).contains(&share(&tpcc, only_reads)), "{}", share(&tpcc, only_reads));
    let rubis = named("rubis", 5_000).run();
    assert!((37..=43).contains(&share(&rubis, only_reads)), "{}", share(&rubis, only_reads));
    let twitter = named("twitter", 5_000).run();
    assert!((37..=43).contains(&share(&twitter, only_reads)), "{}", share(&twitter, only_reads));
}

#[test]
fn hot_keys_are_used_more_often() {
    let skew = Skew::Hot { percent: 80, count: 3 };
    for name in ["blindw-rw", "duplicates", "rmw", "random-bench"] {
        let count = |skew| {
            let history = Workload { skew, keys: 1_000, ..named(name, 500) }.run();
            let hot = [1, 2, 3].map(|key: i64| history.keys.find(&key.into()).map(KeyId));
            history
                .ops
                .iter()
                .filter(|op| op.kind.key().is_some_and(|key| hot.contains(&Some(key))))
                .count()
        };
        assert!(count(skew) > 10 * count(Skew::Uniform), "{name}");
    }
}

#[test]
fn plain_workloads_are_reads_and_writes() {
    for name in Workload::names() {
        let workload = Workload { keys: 50, ..named(name, 200) };
        let history = workload.run();
        let plain = |op: &OpKind| matches!(op, OpKind::Get { .. } | OpKind::Put { .. });
        assert_eq!(history.ops.iter().all(|op| plain(&op.kind)), workload.is_plain(), "{name}");
    }
    assert!(matches!(named("tpcc", 1).pattern, Pattern::Tpcc));
    assert_eq!(Workload::named("nothing"), None);
}

//! Vendor semantics: how transactions are cut, and what the cut does to verdicts.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::internals::in_words;
use tristan_check::{Interpretation, Options, Semantics, Silent, check};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::builder::TxnBuilder;
use tristan_history::{
    Datum, History, HistoryBuilder, Items, KeyId, KeyOrder, Observed, Op, OpKind, OpStatus,
    Outcome, OwnWrites, Range, TxnId,
};
use tristan_oracle::random;
use tristan_spec::Catalog;

const MARIADB: Semantics = Semantics::MariadbRepeatableRead;
const READ_AS_MARIADB: Interpretation =
    Interpretation { semantics: Some(MARIADB), own_writes: None };

fn history(write: impl FnOnce(&mut HistoryBuilder)) -> History {
    let mut builder = HistoryBuilder::default();
    write(&mut builder);
    builder.finish()
}

/// One committed transaction among others that mention the keys a to f.
fn one(write: impl FnOnce(TxnBuilder<'_>) -> TxnBuilder<'_>) -> History {
    history(|builder| {
        let keys = ["a", "b", "c", "d", "e", "f"];
        write(builder.begin("s")).end(Outcome::Committed);
        let other = builder.begin("t");
        keys.iter().fold(other, |txn, &key| txn.put(key, 0)).end(Outcome::Committed);
    })
}

/// The halves of the first session's transactions, each as its label and operations.
fn halves(history: &History) -> Vec<String> {
    let halves = READ_AS_MARIADB.apply(history);
    let txns = halves.sessions[0].txns.iter();
    txns.map(|&id| {
        let words: Vec<String> = halves.ops_of(id).iter().map(|op| in_words(&halves, op)).collect();
        format!("{}: {}", halves.label(id), words.join(", "))
    })
    .collect()
}

fn locking_get(builder: TxnBuilder<'_>, key: KeyId) -> TxnBuilder<'_> {
    builder.op(OpKind::Get { key, seen: Observed::Absent, locking: true })
}

#[test]
fn plain_reads_are_one_half_and_writes_the_other() {
    let trace = one(|txn| txn.get("a", None).put("b", 1).get("c", None));
    assert_eq!(
        halves(&trace),
        ["T1 snapshot: read a → absent, read c → absent", "T1 current: write b ← 1"]
    );
}

#[test]
fn locking_reads_belong_to_the_writes() {
    let trace = history(|builder| {
        let key = builder.key("a");
        let txn = locking_get(builder.begin("s").get("b", None), key);
        let range = Box::new(Range::everything());
        txn.op(OpKind::Scan { range, items: Some(Items::default()), locking: true })
            .end(Outcome::Committed);
    });
    assert_eq!(
        halves(&trace),
        [
            "T1 snapshot: read b → absent",
            "T1 current: read a for update → absent, scan […, …) → []"
        ]
    );
}

#[test]
fn a_transaction_with_one_half_keeps_its_name() {
    let trace = history(|builder| {
        builder.begin("s").get("a", None).end(Outcome::Committed);
        builder.begin("s").put("a", 1).end(Outcome::Committed);
        builder.begin("s").get("a", Some(1)).put("a", 2).end(Outcome::Aborted);
        builder.begin("s").end(Outcome::Committed);
    });
    let expected =
        ["T1: read a → absent", "T2: write a ← 1", "T3: read a → 1, write a ← 2", "T4: "];
    assert_eq!(halves(&trace), expected);
}

#[test]
fn own_writes_are_read_back_by_the_half_that_wrote_them() {
    let trace = one(|txn| txn.get("a", None).put("a", 1).get("a", Some(1)).get("b", None));
    assert_eq!(
        halves(&trace),
        ["T1 snapshot: read a → absent, read b → absent", "T1 current: write a ← 1, read a → 1"]
    );
}

#[test]
fn what_is_an_own_read_depends_on_the_policy() {
    let with = |policy| {
        let mut trace = one(|txn| txn.put("a", 1).get("a", Some(1)).get("a", Some(0)));
        trace.header.own_writes = policy;
        halves(&trace)
    };
    assert_eq!(with(OwnWrites::Must), ["T1: write a ← 1, read a → 1, read a → 0"]);
    assert_eq!(
        with(OwnWrites::May),
        ["T1 snapshot: read a → 0", "T1 current: write a ← 1, read a → 1"]
    );
    assert_eq!(
        with(OwnWrites::External),
        ["T1 snapshot: read a → 1, read a → 0", "T1 current: write a ← 1"]
    );
}

#[test]
fn an_undone_write_is_no_own_write() {
    let trace = one(|txn| {
        let txn = txn.put("b", 1).savepoint("s").put("a", 1).rollback("s");
        txn.get("a", None).get("b", Some(1)).scan("a".."c", &[("b", 1)])
    });
    assert_eq!(
        halves(&trace),
        [
            "T1 snapshot: read a → absent, scan [a, b) → []",
            "T1 current: write b ← 1, savepoint s, write a ← 1, rollback to s, read b → 1, read b → 1"
        ]
    );
}

#[test]
fn lists_are_read_by_the_half_that_appended() {
    let trace = one(|txn| {
        let txn = txn.list("l", &[]).append("l", 1).list("l", &[1]).list("m", &[]);
        txn.savepoint("s").append("m", 2).rollback("s").list("m", &[])
    });
    let split = halves(&trace);
    assert_eq!(split[0], "T1 snapshot: read list l → [], read list m → [], read list m → []");
    assert!(split[1].contains("append l ← 1, read list l → [1]"), "{split:?}");
}

#[test]
fn scans_are_cut_around_own_keys() {
    let trace = one(|txn| {
        let txn = txn.put("b", 7).put("d", 8).delete("e").put("f", 9);
        txn.scan("a".."f", &[("c", 1), ("b", 7), ("d", 8)])
    });
    let current = "write b ← 7, write d ← 8, delete e, write f ← 9, read b → 7, read d → 8, \
                   read e → absent";
    assert_eq!(
        halves(&trace),
        [
            "T1 snapshot: scan [a, b) → [], scan [c, d) → [c=1]".to_owned(),
            format!("T1 current: {current}")
        ]
    );
}

#[test]
fn a_write_without_an_answer_is_read_back_by_the_reads_that_saw_it() {
    let halves_of = |seen: i64| {
        let mut trace = one(|txn| txn.put("b", 7).get("b", Some(seen)));
        for op in &mut trace.ops {
            if matches!(op.kind, OpKind::Put { .. }) {
                op.status = OpStatus::Pending;
            }
        }
        halves(&trace)
    };
    let write = "write b ← 7 (never returned)";
    assert_eq!(halves_of(7), [format!("T1: {write}, read b → 7")]);
    assert_eq!(
        halves_of(0),
        ["T1 snapshot: read b → 0".to_owned(), format!("T1 current: {write}")]
    );
}

#[test]
fn a_scan_of_own_keys_only_leaves_no_snapshot() {
    let trace = one(|txn| txn.put("b", 7).scan("b".."c", &[("b", 7)]));
    assert_eq!(halves(&trace), ["T1: write b ← 7, read b → 7"]);
}

#[test]
fn keys_of_every_kind_are_cut_around() {
    let bytes = |byte: u8| Datum::from(&[byte][..]);
    let keys = [
        Datum::Int(-1),
        Datum::Int(i64::MAX.into()),
        "A".into(),
        "a".into(),
        bytes(b'a'),
        bytes(9),
    ];
    for own in &keys {
        for order in [KeyOrder::Bytes, KeyOrder::IgnoreCase] {
            let mut trace = history(|builder| {
                let found: Vec<(Datum, i64)> = keys.iter().map(|key| (key.clone(), 1)).collect();
                let txn = builder.begin("s").put(own.clone(), 1);
                txn.scan_keys(Range::everything(), &found).end(Outcome::Committed);
            });
            trace.header.key_order = order;
            let split = READ_AS_MARIADB.apply(&trace).into_owned();
            let snapshot = split.ops_of(split.sessions[0].txns[0]);
            let alike = |key: KeyId| order.compare(split.key(key), own).is_eq();
            assert!(snapshot.iter().all(|op| match op.kind {
                OpKind::Get { key, .. } => alike(key),
                _ => matches!(op.kind, OpKind::Scan { .. }),
            }));
            let read: Vec<&Datum> = keys.iter().filter(|key| is_covered(&split, key)).collect();
            let others: Vec<&Datum> = keys.iter().filter(|&key| key != own).collect();
            assert_eq!(read, others, "{order:?}");
        }
    }
}

/// Whether the first half reads the key once, and returns it: by itself, or from a scan with the key in
/// its range.
fn is_covered(split: &History, key: &Datum) -> bool {
    let order = split.header.key_order;
    let ops = split.ops_of(split.sessions[0].txns[0]).iter();
    let covering: Vec<bool> = ops
        .filter_map(|op| match &op.kind {
            OpKind::Scan { range, items, .. } => range
                .contains(order, key)
                .then(|| items.iter().flatten().any(|item| split.key(item.0) == key)),
            OpKind::Get { key: own, seen, .. } => {
                (split.key(*own) == key).then_some(*seen != Observed::Absent)
            }
            _ => None,
        })
        .collect();
    covering == [true]
}

#[test]
fn iterators_are_cut_as_far_as_they_came() {
    let forward = one(|txn| txn.put("b", 7).iterate("a".."f", &[("b", 7), ("c", 1)], false));
    assert_eq!(
        halves(&forward),
        [
            "T1 snapshot: scan [a, b) → [], scan [c, d) → [c=1]",
            "T1 current: write b ← 7, read b → 7"
        ]
    );
    let ended = one(|txn| txn.put("b", 7).iterate("a".."f", &[("b", 7), ("c", 1)], true));
    assert_eq!(halves(&ended)[0], "T1 snapshot: scan [a, b) → [], scan [c, f) → [c=1]");
    let early = one(|txn| txn.put("e", 7).iterate("a".."f", &[("c", 1)], false));
    assert_eq!(halves(&early)[0], "T1 snapshot: iterate [a, f) → [c=1], stopped");
    let nothing = one(|txn| txn.put("e", 7).iterate("a".."f", &[], false));
    assert_eq!(halves(&nothing)[0], "T1 snapshot: iterate [a, f) → [], stopped");
}

#[test]
fn iterators_that_go_down_are_cut_too() {
    let down = |items: &[(&str, i64)], end| {
        let range = Range { reverse: true, ..Range::between("a", "f") };
        halves(&one(|txn| txn.put("d", 7).iterate(range, items, end)))
    };
    assert_eq!(
        down(&[("e", 1), ("d", 7), ("c", 2)], false),
        [
            "T1 snapshot: scan [c, d) → [c=2], scan [e, f) → [e=1]",
            "T1 current: write d ← 7, read d → 7"
        ]
    );
    assert_eq!(down(&[("e", 1)], false)[0], "T1 snapshot: iterate [a, f) → [e=1], stopped");
}

#[test]
fn results_that_are_wrong_by_themselves_stay_wrong() {
    let faulty = [
        one(|txn| txn.put("b", 7).scan("a".."f", &[("b", 7), ("b", 7)])),
        one(|txn| txn.put("b", 7).scan("a".."c", &[("b", 7), ("d", 0)])),
        one(|txn| txn.put("b", 7).iterate("a".."f", &[("c", 0), ("b", 7)], false)),
    ];
    for trace in faulty {
        assert_eq!(judge(&trace, "rr", Some(MARIADB)), Certified::Reject, "{}", show(&trace));
    }
}

#[test]
fn a_session_keeps_its_order() {
    let trace = history(|builder| {
        builder.begin("s").get("a", None).put("a", 1).end(Outcome::Committed);
        builder.begin("t").get("a", None).put("b", 1).end(Outcome::Committed);
        builder.begin("s").get("a", Some(1)).put("b", 2).end(Outcome::Committed);
        // What the simple form does when numbers say so.
        builder.history_mut().sessions[0].txns.reverse();
    });
    let labels: Vec<String> = halves(&trace)
        .iter()
        .filter_map(|half| half.split_once(':').map(|(label, _)| label.to_owned()))
        .collect();
    assert_eq!(labels, ["T3 snapshot", "T3 current", "T1 snapshot", "T1 current"]);
}

/// The verdict, checked by the certifier against the trace that was judged.
fn judge(history: &History, level: &str, semantics: Option<Semantics>) -> Certified {
    let level = Catalog::default().find(level).expect(level);
    let interpretation = Interpretation { semantics, ..Interpretation::default() };
    let options = Options { interpretation, ..Options::default() };
    let verdict = check(history, &level, &options, &Silent).verdict;
    assert_eq!(verdict.semantics.as_deref(), semantics.map(Semantics::name));
    let certified = certify(&interpretation.apply(history), &level, 0, &verdict);
    certified.unwrap_or_else(|refused| panic!("{}: {refused}\n{}", level.name, show(history)))
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

/// Random histories, all of them by the usual policy.
fn random_histories(seed: u64) -> impl Iterator<Item = History> {
    let wanted = std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse().ok());
    println!("seed {seed}");
    let histories = (0u64..)
        .map(move |number| random::history(&mut Rng::new(seed + number), Default::default()));
    let must = |history: &History| history.header.own_writes == OwnWrites::Must;
    histories.filter(must).take(wanted.unwrap_or(3_000))
}

#[test]
fn lost_updates_are_forgiven_unless_reads_lock() {
    let lost = |locking| {
        history(|builder| {
            let key = builder.key("x");
            for (session, value) in [("s", 1), ("t", 2)] {
                let txn = builder.begin(session);
                let read = OpKind::Get { key, seen: Observed::Absent, locking };
                txn.op(read).put("x", value).end(Outcome::Committed);
            }
        })
    };
    for level in ["rr", "strong-session-rr", "strong-rr"] {
        assert_eq!(judge(&lost(false), level, None), Certified::Reject);
        assert_eq!(judge(&lost(false), level, Some(MARIADB)), Certified::Accept);
        assert_eq!(judge(&lost(true), level, Some(MARIADB)), Certified::Reject);
    }
}

#[test]
fn the_cut_changes_nothing_where_readers_do_not_write() {
    let mut separated = 0;
    for mut history in random_histories(31_000_001) {
        for id in history.txn_ids() {
            separated += usize::from(separate(&mut history, id));
        }
        for level in ["rr", "strong-session-rr", "ser", "read-committed"] {
            let plain = judge(&history, level, None);
            assert_eq!(plain, judge(&history, level, Some(MARIADB)), "{level}\n{}", show(&history));
        }
    }
    assert!(separated > 1_000, "{separated}");
}

/// Makes all reads plain, and those of a transaction that writes fail; tells if there are any.
fn separate(history: &mut History, id: TxnId) -> bool {
    let txn = history.txn(id);
    let places = txn.first_op as usize..(txn.first_op + txn.op_count) as usize;
    let (mut reads, others): (Vec<&mut Op>, Vec<&mut Op>) =
        history.ops[places].iter_mut().partition(|op| is_read(&op.kind));
    for op in &mut reads {
        if let OpKind::Get { locking, .. } | OpKind::Scan { locking, .. } = &mut op.kind {
            *locking = false;
        }
        if !others.is_empty() {
            op.status = OpStatus::Failed;
        }
    }
    !reads.is_empty() && !others.is_empty()
}

fn is_read(kind: &OpKind) -> bool {
    use OpKind::{Get, Iterate, ReadList, Scan};
    matches!(kind, Get { .. } | ReadList { .. } | Scan { .. } | Iterate { .. })
}

#[test]
fn whatever_repeatable_read_accepts_is_accepted_after_the_cut() {
    let (mut accepted, mut forgiven) = (0, 0);
    for history in random_histories(32_000_001) {
        for level in ["rr", "strong-session-rr", "strong-rr"] {
            let cut = judge(&history, level, Some(MARIADB));
            match judge(&history, level, None) {
                Certified::Accept => {
                    assert_eq!(cut, Certified::Accept, "{level}\n{}", show(&history));
                    accepted += 1;
                }
                _ => forgiven += usize::from(cut == Certified::Accept),
            }
        }
    }
    println!("{accepted} accepted, {forgiven} rejected and forgiven");
    assert!(accepted > 500 && forgiven > 50, "{accepted} {forgiven}");
}

//! The table in docs/vendor-semantics.md, row by row.

use tristan_check::{Interpretation, Options, Semantics, Silent, check};
use tristan_history::builder::TxnBuilder;
use tristan_history::{History, HistoryBuilder, KeyId, Observed, OpKind, Outcome, ValueId};
use tristan_spec::Catalog;
use tristan_verdict::Answer;

use Outcome::{Committed, Unknown};

/// Whether repeatable-read accepts it, with mariadb-rr, and with mariadb-rr and sessions.
fn row(write: impl FnOnce(&mut HistoryBuilder)) -> [bool; 3] {
    let mut builder = HistoryBuilder::default();
    // Keys and values that locking reads can name.
    for (key, value) in [("x", 1), ("y", 2)] {
        builder.key(key);
        builder.value(value);
    }
    write(&mut builder);
    let history = builder.finish();
    let mariadb = Some(Semantics::MariadbRepeatableRead);
    [("rr", None), ("rr", mariadb), ("strong-session-rr", mariadb)]
        .map(|(level, semantics)| accepts(&history, level, semantics))
}

fn accepts(history: &History, level: &str, semantics: Option<Semantics>) -> bool {
    let level = Catalog::default().find(level).expect(level);
    let interpretation = Interpretation { semantics, ..Interpretation::default() };
    let options = Options { interpretation, ..Options::default() };
    let answer = check(history, &level, &options, &Silent).verdict.answer;
    matches!(answer, Answer::Accept { .. })
}

/// A locking read of x (0) or y (1).
fn lock(txn: TxnBuilder<'_>, key: u32, seen: Option<u32>) -> TxnBuilder<'_> {
    let seen = seen.map_or(Observed::Absent, |value| Observed::Value(ValueId(value)));
    txn.op(OpKind::Get { key: KeyId(key), seen, locking: true })
}

const X: u32 = 0;
const Y: u32 = 1;
/// The place of the value 1.
const ONE: Option<u32> = Some(0);

#[test]
fn lost_updates() {
    let plain = row(|history| {
        history.begin("a").get("x", None).put("x", 1).end(Committed);
        history.begin("b").get("x", None).put("x", 2).end(Committed);
    });
    assert_eq!(plain, [false, true, true]);
    let locking = row(|history| {
        lock(history.begin("a"), X, None).put("x", 1).end(Committed);
        lock(history.begin("b"), X, None).put("x", 2).end(Committed);
    });
    assert_eq!(locking, [false, false, false]);
}

#[test]
fn write_skew() {
    let plain = row(|history| {
        history.begin("a").get("x", None).put("y", 1).end(Committed);
        history.begin("b").get("y", None).put("x", 2).end(Committed);
    });
    assert_eq!(plain, [false, true, true]);
    let locking = row(|history| {
        lock(history.begin("a"), X, None).put("y", 1).end(Committed);
        lock(history.begin("b"), Y, None).put("x", 2).end(Committed);
    });
    assert_eq!(locking, [false, false, false]);
}

#[test]
fn a_locking_read_that_sees_more_than_the_plain_one_before() {
    let newer = row(|history| {
        history.begin("a").put("x", 1).end(Committed);
        lock(history.begin("b").get("x", None), X, ONE).end(Committed);
    });
    assert_eq!(newer, [false, true, true]);
    let older = row(|history| {
        history.begin("a").put("x", 1).end(Committed);
        lock(history.begin("b").get("x", Some(1)), X, None).end(Committed);
    });
    assert_eq!(older, [false, true, false]);
}

#[test]
fn plain_reads_that_fit_no_snapshot() {
    let repeated = row(|history| {
        history.begin("a").put("x", 1).end(Committed);
        history.begin("b").get("x", None).get("x", Some(1)).end(Committed);
    });
    assert_eq!(repeated, [false, false, false]);
    let skew = row(|history| {
        history.begin("a").put("x", 1).put("y", 1).end(Committed);
        history.begin("b").get("x", None).get("y", Some(1)).put("z", 1).end(Committed);
    });
    assert_eq!(skew, [false, false, false]);
    let long_fork = row(|history| {
        history.begin("a").put("x", 1).end(Committed);
        history.begin("b").put("y", 2).end(Committed);
        history.begin("c").get("x", Some(1)).get("y", None).end(Committed);
        history.begin("d").get("x", None).get("y", Some(2)).end(Committed);
    });
    assert_eq!(long_fork, [false, false, false]);
}

#[test]
fn reading_the_future() {
    let circle = row(|history| {
        history.begin("a").get("y", Some(2)).put("x", 1).end(Committed);
        history.begin("b").get("x", Some(1)).put("y", 2).end(Committed);
    });
    assert_eq!(circle, [false, true, false]);
    let own = row(|history| {
        history.begin("a").get("x", Some(1)).put("x", 1).end(Committed);
    });
    assert_eq!(own, [false, true, false]);
}

#[test]
fn dirty_reads() {
    let aborted = row(|history| {
        history.begin("a").put("x", 1).end(Outcome::Aborted);
        history.begin("b").get("x", Some(1)).put("y", 1).end(Committed);
    });
    assert_eq!(aborted, [false, false, false]);
    let intermediate = row(|history| {
        history.begin("a").put("x", 1).put("x", 2).end(Committed);
        history.begin("b").get("x", Some(1)).put("y", 1).end(Committed);
    });
    assert_eq!(intermediate, [false, false, false]);
}

#[test]
fn own_writes() {
    let missed = row(|history| {
        history.begin("a").put("x", 1).get("x", None).end(Committed);
    });
    assert_eq!(missed, [false, false, false]);
}

#[test]
fn phantoms() {
    let phantom = row(|history| {
        history.begin("a").scan("x".."z", &[]).put("p", 1).end(Committed);
        history.begin("b").get("p", None).put("y", 2).end(Committed);
    });
    assert_eq!(phantom, [true, true, true]);
}

#[test]
fn sessions() {
    let stale = row(|history| {
        history.begin("a").put("x", 1).end(Committed);
        history.begin("a").get("x", None).put("y", 1).end(Committed);
    });
    assert_eq!(stale, [true, true, false]);
}

#[test]
fn plain_reads_of_a_transaction_of_unknown_outcome() {
    let skew = row(|history| {
        history.begin("a").put("x", 1).put("y", 1).end(Committed);
        history.begin("b").get("x", None).get("y", Some(1)).put("z", 1).end(Unknown);
        history.begin("c").get("z", Some(1)).end(Committed);
    });
    assert_eq!(skew, [false, true, true]);
}

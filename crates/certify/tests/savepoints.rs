//! Savepoints and conditional writes: what was written after all.

use crate::common;

use common::{accept, bad, chosen, history, order, refutation, reject, rw};
use tristan_certify::{Certified, CertifyError};
use tristan_history::{History, OpStatus, Outcome, Presence};
use tristan_verdict::{BadKind, Fate, Source};

use Outcome::{Aborted, Committed};
use Presence::{Absent, Present};

/// A writer that takes back the second of its three writes, and a reader.
fn undone(seen: Option<i64>) -> History {
    history(|h| {
        let writer = h.begin("a").put("x", 1).savepoint("s").put("x", 2).get("x", Some(2));
        writer.rollback("s").get("x", Some(1)).end(Committed);
        h.begin("b").get("x", seen).end(Committed);
    })
}

#[test]
fn a_rollback_restores_what_was_before_the_savepoint() {
    assert_eq!(accept(&undone(Some(1)), "ser", &order(&[0, 1])), Ok(Certified::Accept));
    assert!(accept(&undone(Some(2)), "ser", &order(&[0, 1])).is_err(), "undone");
    assert_eq!(accept(&undone(Some(2)), "ru", &order(&[0, 1])), Ok(Certified::Accept));
}

#[test]
fn an_undone_write_is_an_aborted_one() {
    let claim = |seen, kind| reject(&undone(Some(seen)), "rc", &bad(kind, 1, 0, "x", Some(0)));
    assert_eq!(claim(2, BadKind::Aborted), Ok(Certified::Reject));
    for kind in [BadKind::Intermediate, BadKind::Future, BadKind::ThinAir] {
        assert!(claim(2, kind).is_err(), "{kind:?}");
        assert!(claim(1, kind).is_err(), "{kind:?}");
    }
    assert!(claim(1, BadKind::Aborted).is_err());
}

#[test]
fn a_transaction_that_undid_everything_writes_nothing() {
    let history = history(|h| {
        h.begin("a").get("y", None).savepoint("s").put("x", 1).rollback("s").end(Committed);
        h.begin("b").get("x", None).put("y", 1).end(Committed);
    });
    assert_eq!(accept(&history, "ser", &order(&[0, 1])), Ok(Certified::Accept));
    let edges = vec![rw(0, 1, "y", 0, Source::Initial), rw(1, 0, "x", 0, Source::Initial)];
    let wrong = refutation(vec![common::cycle(vec![], edges)], &[0, 1]);
    assert!(matches!(reject(&history, "ser", &wrong), Err(CertifyError::Edge { edge: 1, .. })));
}

#[test]
fn savepoints_nest_and_the_last_of_a_name_counts() {
    let writer = |rollbacks: &[&str]| {
        history(|h| {
            let mut next = h.begin("a").put("x", 1).savepoint("s").put("x", 2).savepoint("t");
            next = next.put("x", 3).savepoint("s").put("x", 4);
            for &name in rollbacks {
                next = next.rollback(name);
            }
            next.end(Committed);
        })
    };
    for (rollbacks, last) in [
        (&[][..], 4),
        (&["s"], 3),
        (&["s", "s"], 3),
        (&["t"], 2),
        (&["t", "s"], 1),
        (&["s", "t", "s"], 1),
        (&["t", "t"], 2),
        (&["nowhere"], 4),
    ] {
        for seen in 1..=4 {
            let mut history = writer(rollbacks);
            let reader = common::history(|h| {
                h.begin("a").put("x", 1).put("x", 2).put("x", 3).put("x", 4).end(Committed);
                h.begin("b").get("x", Some(seen)).end(Committed);
            });
            append_reader(&mut history, &reader);
            let accepted = accept(&history, "rc", &order(&[0, 1])).is_ok();
            assert_eq!(accepted, seen == last, "{rollbacks:?}: {seen}");
        }
    }
}

/// Adds the second transaction of `from`, which has the same keys and values.
fn append_reader(history: &mut History, from: &History) {
    let mut txn = from.txns[1].clone();
    txn.first_op = history.ops.len() as u32;
    history.ops.push(from.ops[4].clone());
    txn.session = tristan_history::SessionId::new(1);
    history.sessions.push(from.sessions[1].clone());
    history.txns.push(txn);
}

#[test]
fn a_failed_rollback_does_nothing_and_a_pending_one_may_undo() {
    for (status, took_effect, last) in [
        (OpStatus::Done, false, 1),
        (OpStatus::Failed, false, 2),
        (OpStatus::Pending, false, 2),
        (OpStatus::Pending, true, 1),
    ] {
        let mut history = undone(Some(last));
        history.ops[4].status = status;
        // The own read after the rollback.
        history.ops[5].status = OpStatus::Failed;
        let mut witness = order(&[0, 1]);
        let effect = || Fate { txn: 0, op: 4, effect: true };
        witness.effects.extend(took_effect.then(effect));
        let accepted = accept(&history, "ser", &witness);
        assert_eq!(accepted, Ok(Certified::Accept), "{status:?} {took_effect}");
    }
}

#[test]
fn undone_elements_are_in_nobodys_list() {
    let lists = |own: &[i64], other: &[i64]| {
        history(|h| {
            let writer = h.begin("a").append("x", 1).savepoint("s").append("x", 2);
            let writer = writer.list("x", &[1, 2]).rollback("s").append("x", 3);
            writer.list("x", own).end(Committed);
            h.begin("b").list("x", other).end(Committed);
        })
    };
    let right = lists(&[1, 3], &[1, 3]);
    assert_eq!(accept(&right, "ser", &order(&[0, 1])), Ok(Certified::Accept));
    assert!(accept(&lists(&[1, 2, 3], &[1, 3]), "ser", &order(&[0, 1])).is_err());
    let dirty = lists(&[1, 3], &[1, 2, 3]);
    assert!(accept(&dirty, "rc", &order(&[0, 1])).is_err());
    assert_eq!(accept(&dirty, "ru", &order(&[0, 1])), Ok(Certified::Accept));
    let aborted = bad(BadKind::Aborted, 1, 0, "x", Some(0));
    assert_eq!(reject(&dirty, "rc", &aborted), Ok(Certified::Reject));
    assert!(reject(&right, "rc", &aborted).is_err());
    assert!(reject(&dirty, "rc", &bad(BadKind::Aborted, 1, 0, "x", Some(1))).is_err());
    assert!(reject(&lists(&[1, 3], &[1]), "rc", &aborted).is_err(), "intermediate");
    let torn = bad(BadKind::Intermediate, 1, 0, "x", Some(0));
    assert_eq!(reject(&lists(&[1, 3], &[1]), "rc", &torn), Ok(Certified::Reject));
}

/// One session: x is written, then written conditionally, then read.
fn conditional(when: Presence, rows: Option<u32>, seen: Option<i64>) -> History {
    history(|h| {
        h.begin("s").put("x", 1).end(Committed);
        h.begin("s").put_if("x", 2, when, rows).end(Committed);
        h.begin("s").get("x", seen).end(Committed);
    })
}

#[test]
fn the_row_count_of_a_conditional_write_tells_what_it_saw() {
    for (present, when, rows, seen, right) in [
        (true, Present, Some(1), Some(2), true),
        (true, Present, Some(1), Some(1), false),
        (true, Present, Some(0), Some(1), false),
        (true, Absent, Some(1), Some(2), false),
        (true, Absent, Some(0), Some(1), true),
        (true, Absent, Some(0), Some(2), false),
        (true, Present, None, Some(2), true),
        (true, Absent, None, Some(2), true),
        (true, Absent, None, Some(1), true),
        (true, Absent, None, None, false),
        (false, Present, Some(1), Some(2), false),
        (false, Present, Some(0), None, true),
        (false, Absent, Some(1), Some(2), true),
        (false, Absent, Some(0), None, false),
    ] {
        let mut history = conditional(when, rows, seen);
        if !present {
            history.ops[0].status = OpStatus::Failed;
        }
        let mut witness = order(&[0, 1, 2]);
        if rows.is_none() && seen == Some(2) {
            witness.effects = vec![Fate { txn: 1, op: 0, effect: true }];
        }
        let accepted = accept(&history, "strong-session-ser", &witness).is_ok();
        assert_eq!(accepted, right, "{present} {when:?} {rows:?} {seen:?}");
    }
}

#[test]
fn a_conditional_write_that_did_not_happen_is_thin_air() {
    let history = conditional(Present, Some(0), Some(2));
    assert_eq!(
        reject(&history, "rc", &bad(BadKind::ThinAir, 2, 0, "x", None)),
        Ok(Certified::Reject)
    );
    let pending = {
        let mut history = conditional(Present, Some(0), Some(2));
        history.ops[1].status = OpStatus::Pending;
        history
    };
    assert!(reject(&pending, "rc", &bad(BadKind::ThinAir, 2, 0, "x", None)).is_err());
    let mut witness = order(&[0, 1, 2]);
    assert!(
        accept(&pending, "ser", &witness).is_err(),
        "without its effect no transaction wrote 2"
    );
    witness.effects = vec![Fate { txn: 1, op: 0, effect: true }];
    assert_eq!(accept(&pending, "ser", &witness), Ok(Certified::Accept));
}

#[test]
fn two_inserts_that_both_happened_are_a_lost_update() {
    let mut history = history(|h| {
        h.begin("a").put_if("x", 1, Absent, Some(1)).end(Committed);
        h.begin("b").put_if("x", 2, Absent, Some(1)).end(Committed);
        h.begin("c").delete("x").end(Aborted);
    });
    let conflict = |first, last| {
        let edges = vec![rw(last, first, "x", 0, Source::Initial), common::ww(first, last, "x")];
        common::cycle(vec![common::before("x", first, last)], edges)
    };
    let right = refutation(vec![conflict(0, 1), conflict(1, 0)], &[0, 1]);
    assert_eq!(reject(&history, "cursor-stability", &right), Ok(Certified::Reject));
    history.txns[2].outcome = Committed;
    assert!(reject(&history, "cursor-stability", &right).is_err(), "the delete may lie between");
    let mut witness = order(&[0, 2, 1]);
    witness.sources = vec![chosen(0, 0, Source::Initial), chosen(1, 0, Source::Txn(2))];
    assert_eq!(accept(&history, "ser", &witness), Ok(Certified::Accept));
}

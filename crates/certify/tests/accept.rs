//! Accepts: right witnesses pass, each way of spoiling one is refused.

use crate::common;

use common::{accept, chosen, history, level, order, verdict};
use tristan_certify::{Certified, CertifyError, certify};
use tristan_generate::{Shape, atomic_store};
use tristan_history::{History, Initial, OpKind, Outcome};
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Point, PointKind, Source, UnknownReason};

use Outcome::{Aborted, Committed, Unknown};

fn write_skew() -> History {
    history(|h| {
        h.begin("a").get("x", None).get("y", None).put("x", 1).end(Committed);
        h.begin("b").get("x", None).get("y", None).put("y", 1).end(Committed);
    })
}

#[test]
fn atomic_stores_are_accepted_in_file_order_at_every_level() {
    for (txns, seed) in [(200, 1), (900, 2)] {
        let shape = Shape { txns, keys: 60, sessions: 5, ops: 5, read_only_percent: 50, seed };
        let store = atomic_store(&shape);
        let witness = order(&(0..txns as u32).collect::<Vec<_>>());
        for level in Catalog::default().levels() {
            let certified = accept(&store, &level.name, &witness);
            assert_eq!(certified, Ok(Certified::Accept), "{}", level.name);
        }
        let backwards = order(&(0..txns as u32).rev().collect::<Vec<_>>());
        for level in ["ser", "si", "read-atomic"] {
            let refused = accept(&store, level, &backwards);
            assert!(matches!(refused, Err(CertifyError::Violated { .. })), "{level}: {refused:?}");
        }
    }
}

#[test]
fn write_skew_is_snapshot_isolated_and_not_serializable() {
    let skew = write_skew();
    let mut witness = order(&[0, 1]);
    assert_eq!(accept(&skew, "si", &witness), Ok(Certified::Accept));
    let point = |txn, at| Point { txn, at };
    witness.order = vec![
        point(0, PointKind::Begin),
        point(1, PointKind::Begin),
        point(0, PointKind::Commit),
        point(1, PointKind::Commit),
    ];
    assert_eq!(accept(&skew, "si", &witness), Ok(Certified::Accept));
    assert!(matches!(accept(&skew, "ser", &witness), Err(CertifyError::Violated { .. })));
    witness.order.swap(0, 2);
    assert!(matches!(accept(&skew, "si", &witness), Err(CertifyError::Order { txn: 0, .. })));
}

#[test]
fn an_order_with_missing_extra_or_foreign_points_is_refused() {
    let skew = write_skew();
    for txns in [&[0][..], &[], &[0, 1, 1], &[0, 0], &[0, 1, 2], &[0, 1, u32::MAX]] {
        let refused = accept(&skew, "si", &order(txns)).expect_err("not an order");
        assert!(
            matches!(refused, CertifyError::Order { .. } | CertifyError::NoSuchTxn { .. }),
            "{txns:?}"
        );
    }
    let mut witness = order(&[0, 1]);
    witness.order.pop();
    witness.order.push(Point { txn: 1, at: PointKind::Begin });
    assert!(accept(&skew, "si", &witness).is_err(), "begun, never committed");
    let mut witness = order(&[0, 1]);
    witness.committed.push(1);
    assert!(accept(&skew, "si", &witness).is_err(), "its commit was seen");
    witness.committed = vec![77];
    assert_eq!(accept(&skew, "si", &witness), Err(CertifyError::NoSuchTxn { txn: 77 }));
}

#[test]
fn the_level_must_be_the_one_asked_for() {
    let (si, ser) = (level("si"), level("ser"));
    let answer = Answer::Accept { witness: order(&[0, 1]) };
    let refused = certify(&write_skew(), &ser, 0, &verdict(&si, answer));
    assert!(matches!(refused, Err(CertifyError::Level { .. })));
    let answer = Answer::Unknown {
        reason: UnknownReason::Time { millis: 1, stage: String::new() },
        decided: String::new(),
    };
    let nothing = certify(&write_skew(), &si, 0, &verdict(&si, answer));
    assert_eq!(nothing, Ok(Certified::NothingToCheck));
}

#[test]
fn a_read_with_two_possible_sources_needs_a_choice_and_the_right_one() {
    let repeated = history(|h| {
        h.begin("a").put("x", 1).end(Committed);
        h.begin("b").put("x", 2).end(Committed);
        h.begin("c").put("x", 1).put("y", 3).end(Committed);
        h.begin("d").get("x", Some(1)).get("y", Some(3)).end(Committed);
    });
    let mut witness = order(&[0, 1, 2, 3]);
    assert!(matches!(
        accept(&repeated, "ser", &witness),
        Err(CertifyError::Read { txn: 3, op: 0, .. })
    ));
    witness.sources = vec![chosen(3, 0, Source::Txn(2))];
    assert_eq!(accept(&repeated, "ser", &witness), Ok(Certified::Accept));
    witness.sources = vec![chosen(3, 0, Source::Txn(0))];
    assert!(matches!(accept(&repeated, "ser", &witness), Err(CertifyError::Violated { .. })));
    for from in [Source::Txn(1), Source::Initial, Source::Txn(3), Source::Txn(99)] {
        witness.sources = vec![chosen(3, 0, from)];
        assert!(accept(&repeated, "ser", &witness).is_err(), "{from:?}");
    }
    for (txn, op) in [(3, 2), (0, 0), (99, 0), (3, u32::MAX)] {
        witness.sources = vec![chosen(3, 0, Source::Txn(2)), chosen(txn, op, Source::Txn(2))];
        assert!(accept(&repeated, "ser", &witness).is_err(), "no read at {txn}.{op}");
    }
    witness.sources = vec![chosen(3, 0, Source::Txn(2)); 2];
    assert!(accept(&repeated, "ser", &witness).is_err(), "given twice");
}

#[test]
fn a_source_of_unknown_outcome_must_be_said_to_have_committed() {
    let unknown = history(|h| {
        h.begin("a").put("x", 1).end(Unknown);
        h.begin("b").get("x", Some(1)).end(Committed);
    });
    let mut witness = order(&[0, 1]);
    assert!(accept(&unknown, "ser", &witness).is_err(), "in the order, not in the list");
    witness.committed = vec![0];
    assert_eq!(accept(&unknown, "ser", &witness), Ok(Certified::Accept));
    let refused = accept(&unknown, "ser", &order(&[1]));
    assert!(matches!(refused, Err(CertifyError::Read { txn: 1, .. })), "{refused:?}");
    witness.committed = vec![0, 0];
    assert!(accept(&unknown, "ser", &witness).is_err(), "listed twice");
}

#[test]
fn nothing_is_ordered_after_a_transaction_of_unknown_outcome() {
    let late = history(|h| {
        h.begin("a").put("x", 1).end(Unknown);
        h.begin("a").get("x", None).end(Committed);
        h.begin("b").get("x", Some(1)).end(Committed);
    });
    let mut witness = order(&[1, 0, 2]);
    witness.committed = vec![0];
    assert_eq!(accept(&late, "strong-session-ser", &witness), Ok(Certified::Accept));
}

#[test]
fn reads_that_nothing_explains_are_refused() {
    let cases: [(&str, History); 4] = [
        (
            "thin air",
            history(|h| {
                h.begin("a").get("x", Some(1)).end(Committed);
            }),
        ),
        (
            "aborted",
            history(|h| {
                h.begin("a").put("x", 1).end(Aborted);
                h.begin("b").get("x", Some(1)).end(Committed);
            }),
        ),
        (
            "intermediate",
            history(|h| {
                h.begin("a").put("x", 1).put("x", 2).end(Committed);
                h.begin("b").get("x", Some(1)).end(Committed);
            }),
        ),
        (
            "own",
            history(|h| {
                h.begin("a").put("x", 1).get("x", None).end(Committed);
            }),
        ),
    ];
    for (name, case) in cases {
        let effective: Vec<u32> = case
            .txn_ids()
            .filter(|&txn| case.txn(txn).outcome == Committed)
            .map(|txn| txn.0)
            .collect();
        let committed = accept(&case, "rc", &order(&effective));
        assert!(matches!(committed, Err(CertifyError::Read { .. })), "{name}: {committed:?}");
        let dirty = accept(&case, "ru", &order(&effective)).is_ok();
        assert_eq!(dirty, name == "aborted" || name == "intermediate", "{name}");
    }
}

#[test]
fn reads_of_an_unknown_initial_state_must_agree() {
    let mut clash = history(|h| {
        h.begin("a").get("x", Some(1)).end(Committed);
        h.begin("b").get("x", Some(2)).end(Committed);
    });
    clash.header.initial = Initial::Unknown;
    for level in ["ser", "ru"] {
        let refused = accept(&clash, level, &order(&[0, 1]));
        assert!(matches!(refused, Err(CertifyError::Read { .. })), "{level}: {refused:?}");
    }
    let mut agree = history(|h| {
        let key = h.key("x");
        h.begin("a").get("x", Some(1)).end(Committed);
        h.begin("b").op(OpKind::Delete { key, rows: Some(1) }).end(Committed);
    });
    agree.header.initial = Initial::Unknown;
    assert_eq!(accept(&agree, "ser", &order(&[0, 1])), Ok(Certified::Accept));
}

#[test]
fn deletes_with_row_counts_are_reads() {
    let rows = |count| {
        history(|h| {
            let key = h.key("x");
            h.begin("a").put("x", 1).end(Committed);
            h.begin("b").op(OpKind::Delete { key, rows: Some(count) }).end(Committed);
            h.begin("c").get("x", None).end(Committed);
        })
    };
    let mut witness = order(&[0, 1, 2]);
    witness.sources = vec![chosen(2, 0, Source::Txn(1))];
    assert_eq!(accept(&rows(1), "ser", &witness), Ok(Certified::Accept));
    // No rows: nothing was deleted, so both readers saw the start, before the write.
    assert!(accept(&rows(0), "ser", &witness).is_err());
    assert_eq!(accept(&rows(0), "ser", &order(&[1, 2, 0])), Ok(Certified::Accept));
}

#[test]
fn a_list_gives_the_first_versions_in_order() {
    let lists = history(|h| {
        h.begin("a").append("x", 1).append("x", 2).end(Committed);
        h.begin("b").append("x", 3).end(Committed);
        h.begin("c").append("x", 9).list("x", &[1, 2, 9]).end(Committed);
        h.begin("d").list("x", &[1, 2, 3]).end(Committed);
        h.begin("e").list("x", &[]).end(Committed);
    });
    let witness = order(&[4, 0, 1, 3, 2]);
    assert_eq!(accept(&lists, "rc", &witness), Ok(Certified::Accept));
    assert!(
        matches!(accept(&lists, "si", &witness), Err(CertifyError::Violated { .. })),
        "lost update"
    );
    for wrong in [[4, 1, 0, 3, 2], [4, 0, 2, 1, 3], [4, 2, 0, 1, 3]] {
        let refused = accept(&lists, "rc", &order(&wrong));
        assert!(matches!(refused, Err(CertifyError::Read { .. })), "{wrong:?}: {refused:?}");
    }
}

#[test]
fn what_is_not_interpreted_is_never_accepted() {
    let twice = history(|h| {
        h.begin("a").append("x", 1).end(Committed);
        h.begin("b").append("x", 1).end(Committed);
        h.begin("c").list("x", &[1]).end(Committed);
    });
    let refused = accept(&twice, "rc", &order(&[0, 1, 2]));
    assert!(matches!(refused, Err(CertifyError::NotInterpreted { txn: 2, .. })));
}

#[test]
fn nobody_vouches_for_promises_that_were_not_given() {
    let mut history = history(|h| {
        h.begin("a").put("x", 1).end(Aborted);
        h.begin("b").get("x", Some(1)).end(Committed);
    });
    let certified = |history: &History| accept(history, "mixed", &order(&[1]));
    assert_eq!(certified(&history), Err(CertifyError::NoPromise { txn: 0 }));
    history.header.level = Some("READ UNCOMMITTED".to_owned());
    assert_eq!(certified(&history), Ok(Certified::Accept));
    history.txns[1].level = Some("read committed".into());
    assert!(matches!(certified(&history), Err(CertifyError::Read { txn: 1, .. })));
}

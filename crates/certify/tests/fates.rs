//! Operations that may or may not have taken effect: accepts that choose, rejects that cover every
//! choice.

use crate::common;

use common::{accept, bad, before, cycle, history, order, order_edge, refutation, reject, rw, ww};
use tristan_certify::{Certified, CertifyError};
use tristan_history::Outcome::{Committed, Unknown};
use tristan_history::{History, OpStatus, Presence, Range};
use tristan_verdict::{BadKind, Case, EdgeKind, Fate, Refutation, Source, Witness};

/// The history with these operations, counted from 0 in the whole trace, never answered.
fn pending(mut history: History, ops: &[usize]) -> History {
    for &op in ops {
        history.ops[op].status = OpStatus::Pending;
    }
    history
}

fn fate(txn: u32, op: u32, effect: bool) -> Fate {
    Fate { txn, op, effect }
}

fn with_effects(mut witness: Witness, ops: &[(u32, u32)]) -> Witness {
    witness.effects = ops.iter().map(|&(txn, op)| fate(txn, op, true)).collect();
    witness
}

/// A session writes x, unanswered, commits, and reads x.
fn session(seen: Option<i64>) -> History {
    let history = history(|h| {
        h.begin("s").put("x", 1).end(Committed);
        h.begin("s").get("x", seen).end(Committed);
    });
    pending(history, &[0])
}

#[test]
fn an_accept_may_choose_either_fate() {
    let level = "strong-session-serializable";
    let (with, without) = (with_effects(order(&[0, 1]), &[(0, 0)]), order(&[0, 1]));
    assert_eq!(accept(&session(None), level, &without), Ok(Certified::Accept));
    assert!(accept(&session(None), level, &with).is_err());
    assert_eq!(accept(&session(Some(1)), level, &with), Ok(Certified::Accept));
    assert!(accept(&session(Some(1)), level, &without).is_err());
}

#[test]
fn effects_are_about_operations_that_are_open() {
    let history = session(Some(1));
    let refused = |effects: Vec<Fate>| {
        let witness = Witness { effects, ..order(&[0, 1]) };
        accept(&history, "ser", &witness).expect_err("forged")
    };
    assert_eq!(refused(vec![fate(7, 0, true)]), CertifyError::NoSuchTxn { txn: 7 });
    assert_eq!(refused(vec![fate(0, 9, true)]), CertifyError::NoSuchOp { txn: 0, op: 9 });
    for forged in [
        vec![fate(1, 0, true)],
        vec![fate(0, 0, true), fate(0, 0, true)],
        vec![fate(0, 0, false)],
        vec![fate(0, 0, true), fate(1, 0, true)],
    ] {
        assert!(matches!(refused(forged), CertifyError::Fate { .. }));
    }
}

#[test]
fn a_write_with_a_condition_and_no_row_count_is_open_and_a_delete_is_not() {
    let level = "strong-session-serializable";
    let conditional = history(|h| {
        h.begin("s").put_if("x", 2, Presence::Present, None).end(Committed);
        h.begin("s").get("x", None).end(Committed);
    });
    assert_eq!(accept(&conditional, level, &order(&[0, 1])), Ok(Certified::Accept));
    let deleted = history(|h| {
        h.begin("s").put("x", 1).end(Committed);
        h.begin("s").delete("x").end(Committed);
        h.begin("s").get("x", None).end(Committed);
    });
    let mut witness = order(&[0, 1, 2]);
    witness.sources = vec![common::chosen(2, 0, Source::Txn(1))];
    assert_eq!(accept(&deleted, level, &witness), Ok(Certified::Accept));
    let forged = with_effects(witness, &[(1, 0)]);
    assert!(matches!(accept(&deleted, level, &forged), Err(CertifyError::Fate { .. })));
}

/// x = 1 is written unanswered; a read finds 1 and then, in the same session, nothing.
fn flicker() -> History {
    let history = history(|h| {
        h.begin("a").put("x", 1).end(Committed);
        h.begin("b").get("x", Some(1)).end(Committed);
        h.begin("b").get("x", None).end(Committed);
    });
    pending(history, &[0])
}

fn case(fates: &[Fate], refutation: Refutation) -> Case {
    Case { fates: fates.to_vec(), refutation }
}

fn cases(cases: Vec<Case>) -> Refutation {
    let mut core: Vec<u32> = cases.iter().flat_map(|case| case.refutation.core.clone()).collect();
    core.sort_unstable();
    core.dedup();
    Refutation { cases, core, ..Refutation::default() }
}

/// If it took effect, x was there and then it was not; if not, no transaction wrote 1.
fn flicker_cases() -> (Case, Case) {
    let so = order_edge(1, 2, EdgeKind::So);
    let edges = vec![common::wr(0, 1, "x", 0), so, rw(2, 0, "x", 0, Source::Initial)];
    let with = refutation(vec![cycle(vec![], edges)], &[0, 1, 2]);
    let without = bad(BadKind::ThinAir, 1, 0, "x", None);
    (case(&[fate(0, 0, true)], with), case(&[fate(0, 0, false)], without))
}

#[test]
fn a_reject_covers_both_fates() {
    let level = "strong-session-serializable";
    let (with, without) = flicker_cases();
    let both = cases(vec![with.clone(), without.clone()]);
    assert_eq!(reject(&flicker(), level, &both), Ok(Certified::Reject));
    for half in [&with, &without] {
        let alone = reject(&flicker(), level, &half.refutation);
        assert!(alone.is_err(), "it does not hold for both fates");
        let refused = reject(&flicker(), level, &cases(vec![half.clone()]));
        assert_eq!(refused, Err(CertifyError::Uncovered));
    }
}

#[test]
fn forged_cases_are_refused() {
    let level = "strong-session-serializable";
    let (with, without) = flicker_cases();
    let refused = |change: &dyn Fn(&mut Refutation)| {
        let mut forged = cases(vec![with.clone(), without.clone()]);
        change(&mut forged);
        reject(&flicker(), level, &forged).expect_err("forged")
    };
    let wrong_case = |refused| matches!(refused, CertifyError::Case { .. });
    assert!(wrong_case(refused(&|r| r.cases[0].fates[0].effect = false)));
    assert!(wrong_case(refused(&|r| r.cases[1].fates[0].effect = true)));
    assert!(wrong_case(refused(&|r| r.cases[0].fates[0].txn = 1)));
    assert!(wrong_case(refused(&|r| r.cases[0].fates[0].op = 1)));
    assert!(wrong_case(refused(&|r| {
        let fate = r.cases[0].fates[0];
        r.cases[0].fates.push(fate);
    })));
    assert!(wrong_case(refused(&|r| r.cases[0].refutation.conflicts.clear())));
    assert!(wrong_case(refused(&|r| r.cases[1].refutation.bad = None)));
    assert!(wrong_case(refused(&|r| {
        let nested = r.cases.clone();
        r.cases[0].refutation.cases = nested;
    })));
    assert!(
        wrong_case(refused(&|r| r.cases[0].fates.clear())),
        "the first holds for one fate only"
    );
    assert!(matches!(refused(&|r| r.core = vec![0, 1]), CertifyError::Core { .. }));
    assert!(matches!(refused(&|r| r.core.push(7)), CertifyError::Core { .. }));
    let beside = flicker_cases().1.refutation.bad;
    assert!(matches!(refused(&|r| r.bad = beside.clone()), CertifyError::Shape(_)));
}

/// Two transactions each update x; a third has a write of another key open, which a fourth may
/// have read.
fn lost_update(other: &str) -> History {
    let history = history(|h| {
        h.begin("a").get("x", None).put("x", 1).end(Committed);
        h.begin("b").get("x", None).put("x", 2).end(Committed);
        h.begin("c").put(other, 3).end(Unknown);
        h.begin("d").get("y", Some(3)).get("x", Some(3)).end(Unknown);
    });
    pending(history, &[4])
}

fn lost_update_refutation() -> Refutation {
    let conflict = |first, last| {
        cycle(
            vec![before("x", first, last)],
            vec![rw(last, first, "x", 0, Source::Initial), ww(first, last, "x")],
        )
    };
    refutation(vec![conflict(0, 1), conflict(1, 0)], &[0, 1])
}

#[test]
fn an_open_write_of_another_key_changes_nothing() {
    let refutation = lost_update_refutation();
    assert_eq!(reject(&lost_update("y"), "si", &refutation), Ok(Certified::Reject));
}

#[test]
fn an_open_write_of_the_same_key_is_tried_both_ways() {
    let refutation = lost_update_refutation();
    assert_eq!(reject(&lost_update("x"), "si", &refutation), Ok(Certified::Reject));
}

#[test]
fn an_open_delete_that_explains_the_second_read_makes_the_difference() {
    let history = history(|h| {
        h.begin("a").get("x", None).put("x", 1).end(Committed);
        h.begin("b").get("x", None).put("x", 2).end(Committed);
        h.begin("c").delete("x").end(Committed);
    });
    let history = pending(history, &[4]);
    assert!(reject(&history, "si", &lost_update_refutation()).is_err());
    let mut witness = with_effects(order(&[0, 2, 1]), &[(2, 0)]);
    witness.sources =
        vec![common::chosen(0, 0, Source::Initial), common::chosen(1, 0, Source::Txn(2))];
    assert_eq!(accept(&history, "si", &witness), Ok(Certified::Accept));
    witness.effects.clear();
    assert!(accept(&history, "si", &witness).is_err());
}

#[test]
fn writes_that_nobody_can_have_seen_need_no_case() {
    // Twenty open writes of x, none of them read: more than could be tried.
    let history = history(|h| {
        h.begin("a").get("x", None).put("x", 1).end(Committed);
        h.begin("b").get("x", None).put("x", 2).end(Committed);
        for value in 10..30 {
            h.begin("c").put("x", value).end(Committed);
        }
    });
    let open: Vec<usize> = (4..24).collect();
    let history = pending(history, &open);
    assert_eq!(reject(&history, "si", &lost_update_refutation()), Ok(Certified::Reject));
}

#[test]
fn too_many_open_operations_are_too_many() {
    let history = history(|h| {
        h.begin("a").get("x", None).put("x", 1).end(Committed);
        h.begin("b").get("x", None).put("x", 2).end(Committed);
        for value in 10..30 {
            h.begin("c").put("x", value).end(Unknown);
            h.begin("d").get("x", Some(value)).end(Unknown);
        }
    });
    let open: Vec<usize> = (4..44).step_by(2).collect();
    let refused = reject(&pending(history, &open), "si", &lost_update_refutation());
    assert!(matches!(refused, Err(CertifyError::TooManyFates { .. })), "{refused:?}");
}

#[test]
fn an_open_write_may_be_why_an_unknown_transaction_took_effect() {
    // c is known to have committed only because d read z from it; e may have written that z too.
    let history = history(|h| {
        h.begin("a").get("x", None).put("x", 1).end(Committed);
        h.begin("c").get("x", None).put("x", 2).put("z", 1).end(Unknown);
        h.begin("d").get("z", Some(1)).end(Committed);
        h.begin("e").put("z", 1).end(Committed);
    });
    assert_eq!(
        reject(&without_last(&history), "si", &lost_update_refutation()),
        Ok(Certified::Reject)
    );
    assert!(reject(&history, "si", &lost_update_refutation()).is_err(), "d may have read from e");
    let open = pending(history, &[6]);
    assert!(reject(&open, "si", &lost_update_refutation()).is_err(), "e may have written");
}

/// The history in which the last operation failed.
fn without_last(history: &History) -> History {
    let mut history = history.clone();
    history.ops.last_mut().expect("operations").status = OpStatus::Failed;
    history
}

#[test]
fn a_scan_that_misses_a_key_can_have_seen_an_open_delete() {
    let history = history(|h| {
        h.begin("s").put("k", 1).end(Committed);
        h.begin("s").delete("k").end(Committed);
        h.begin("s").scan(Range::between("a", "z"), &[]).end(Committed);
    });
    let history = pending(history, &[1]);
    let level = "strong-session-serializable";
    assert!(accept(&history, level, &order(&[0, 1, 2])).is_err());
    let mut witness = with_effects(order(&[0, 1, 2]), &[(1, 0)]);
    witness.sources = vec![common::chosen_of(2, 0, "k", Source::Txn(1))];
    assert_eq!(accept(&history, level, &witness), Ok(Certified::Accept));
    let edges = vec![order_edge(0, 2, EdgeKind::So), common::prw(2, 0, "k", 0, Source::Initial)];
    let forged = refutation(vec![cycle(vec![], edges)], &[0, 2]);
    assert!(reject(&history, level, &forged).is_err(), "the delete may have taken effect");
}

#[test]
fn open_appends_are_in_a_list_or_not() {
    let lists = |seen: &[i64]| {
        let history = history(|h| {
            h.begin("a").append("x", 1).append("x", 2).end(Committed);
            h.begin("b").list("x", seen).end(Committed);
        });
        pending(history, &[1])
    };
    let (with, without) = (with_effects(order(&[0, 1]), &[(0, 1)]), order(&[0, 1]));
    assert_eq!(accept(&lists(&[1]), "ser", &without), Ok(Certified::Accept));
    assert!(accept(&lists(&[1]), "ser", &with).is_err(), "torn");
    assert_eq!(accept(&lists(&[1, 2]), "ser", &with), Ok(Certified::Accept));
    assert!(accept(&lists(&[1, 2]), "ser", &without).is_err());
    let torn = bad(BadKind::Intermediate, 1, 0, "x", Some(0));
    assert!(reject(&lists(&[1]), "rc", &torn).is_err(), "2 need not have been appended");
}

//! What a transaction reads of its own writes, under each policy.

use crate::common;

use common::{accept, bad, history, order, reject};
use tristan_certify::Certified;
use tristan_history::{History, HistoryBuilder, Outcome, OwnWrites};
use tristan_verdict::BadKind;

use Outcome::Committed;
use OwnWrites::{External, May, Must};

const POLICIES: [OwnWrites; 3] = [Must, External, May];

fn under(policy: OwnWrites, write: impl FnOnce(&mut HistoryBuilder)) -> History {
    let mut history = history(write);
    history.header.own_writes = policy;
    history
}

/// Which policies allow it at read uncommitted and above, in this order.
fn accepted_under(allowed: &[OwnWrites], txns: &[u32], write: impl Fn(&mut HistoryBuilder)) {
    for policy in POLICIES {
        let history = under(policy, &write);
        let accepted = accept(&history, "rc", &order(txns)).is_ok();
        assert_eq!(accepted, allowed.contains(&policy), "{policy:?}");
    }
}

#[test]
fn a_read_after_an_own_write() {
    accepted_under(&[Must, May], &[0, 1], |h| {
        h.begin("a").put("x", 1).end(Committed);
        h.begin("b").put("x", 2).get("x", Some(2)).end(Committed);
    });
    accepted_under(&[External, May], &[0, 1], |h| {
        h.begin("a").put("x", 1).end(Committed);
        h.begin("b").put("x", 2).get("x", Some(1)).end(Committed);
    });
    accepted_under(&[External, May], &[0, 1], |h| {
        h.begin("a").put("x", 1).end(Committed);
        h.begin("b").delete("x").get("x", Some(1)).end(Committed);
    });
    accepted_under(&[], &[0, 1], |h| {
        h.begin("a").put("x", 1).end(Committed);
        h.begin("b").put("x", 2).put("x", 3).get("x", Some(2)).end(Committed);
    });
}

#[test]
fn a_scan_follows_the_policy_key_by_key() {
    accepted_under(&[Must, May], &[0, 1], |h| {
        h.begin("a").put("x", 1).put("y", 1).end(Committed);
        let reader = h.begin("b").put("x", 2).delete("y").put("z", 2);
        reader.scan("x".."zz", &[("x", 2), ("z", 2)]).end(Committed);
    });
    accepted_under(&[External, May], &[0, 1], |h| {
        h.begin("a").put("x", 1).put("y", 1).end(Committed);
        let reader = h.begin("b").put("x", 2).delete("y").put("z", 2);
        reader.scan("x".."zz", &[("x", 1), ("y", 1)]).end(Committed);
    });
    accepted_under(&[May], &[0, 1], |h| {
        h.begin("a").put("x", 1).put("y", 1).end(Committed);
        let reader = h.begin("b").put("x", 2).delete("y").put("z", 2);
        reader.scan("x".."zz", &[("x", 2), ("y", 1)]).end(Committed);
    });
}

#[test]
fn an_own_key_that_a_scan_misses_is_not_the_own_write() {
    let missed = |policy| {
        under(policy, |h| {
            h.begin("a").put("x", 1).scan("w".."y", &[]).end(Committed);
        })
    };
    let claim = bad(BadKind::NotOwnWrite, 0, 1, "x", None);
    assert_eq!(reject(&missed(Must), "ru", &claim), Ok(Certified::Reject));
    for policy in [External, May] {
        assert!(reject(&missed(policy), "ru", &claim).is_err(), "{policy:?}");
        assert_eq!(accept(&missed(policy), "ser", &order(&[0])), Ok(Certified::Accept));
    }
    assert!(reject(&missed(Must), "ru", &bad(BadKind::NotOwnWrite, 0, 1, "w", None)).is_err());
}

#[test]
fn no_transaction_is_the_source_of_its_own_external_reads() {
    let own = |policy| {
        under(policy, |h| {
            h.begin("a").put("x", 1).get("x", Some(1)).end(Committed);
        })
    };
    let claim = bad(BadKind::Future, 0, 1, "x", Some(0));
    for level in ["rc", "ru"] {
        assert_eq!(reject(&own(External), level, &claim), Ok(Certified::Reject), "{level}");
        assert!(reject(&own(May), level, &claim).is_err());
        assert!(reject(&own(Must), level, &claim).is_err());
    }
}

#[test]
fn own_elements_are_the_end_of_a_list_or_not_in_it() {
    let lists = |seen: &'static [i64]| {
        move |h: &mut HistoryBuilder| {
            h.begin("a").append("x", 1).append("x", 2).end(Committed);
            h.begin("b").append("x", 3).append("x", 4).list("x", seen).end(Committed);
        }
    };
    accepted_under(&[Must, May], &[0, 1], lists(&[1, 2, 3, 4]));
    accepted_under(&[External, May], &[0, 1], lists(&[1, 2]));
    accepted_under(&[], &[0, 1], lists(&[1, 2, 4, 3]));
    accepted_under(&[], &[0, 1], lists(&[1, 2, 3]));
    accepted_under(&[], &[0, 1], lists(&[3, 4, 1, 2]));
}

#[test]
fn an_external_list_with_own_elements_is_a_list_from_the_future() {
    let list = |policy| {
        under(policy, |h| {
            h.begin("a").append("x", 1).end(Committed);
            h.begin("b").append("x", 2).list("x", &[1, 2]).end(Committed);
        })
    };
    let claim = bad(BadKind::Future, 1, 1, "x", Some(1));
    assert_eq!(reject(&list(External), "rc", &claim), Ok(Certified::Reject));
    assert!(reject(&list(Must), "rc", &claim).is_err());
    assert!(reject(&list(May), "rc", &claim).is_err());
}

/// Others did not append it, so no level shows it as theirs.
#[test]
fn a_list_from_others_shows_no_element_of_the_reader() {
    let before = under(External, |h| {
        h.begin("a").append("x", 1).list("x", &[1]).end(Committed);
    });
    let after = under(External, |h| {
        h.begin("a").list("x", &[1]).append("x", 1).end(Committed);
    });
    for level in ["ru", "rc"] {
        let not_own = |op| bad(BadKind::NotOwnWrite, 0, op, "x", Some(0));
        assert_eq!(reject(&before, level, &not_own(1)), Ok(Certified::Reject));
        assert!(reject(&after, level, &not_own(0)).is_err(), "it was not there yet");
        let future = bad(BadKind::Future, 0, 0, "x", Some(0));
        assert_eq!(reject(&after, level, &future), Ok(Certified::Reject));
        assert!(accept(&before, level, &order(&[0])).is_err());
    }
}

//! Range reads: every key of the range is read, and keys that are not there count too.

use crate::common;

use common::{
    START, accept, choice, chosen, chosen_of, cycle, history, order, prw, pwr, reads, reads_of,
    refutation, reject, rw, wr,
};
use tristan_certify::{Certified, CertifyError};
use tristan_history::{Datum, History, Initial, Outcome};
use tristan_verdict::{Chosen, Conflict, Edge, EdgeKind, Refutation, Rule, Source};

use Outcome::{Committed, Unknown};

const A_TO_Z: std::ops::Range<&str> = "a".."z";

/// Two transactions that look for anything in the range, find nothing, and add something.
fn phantom() -> (History, Refutation) {
    let history = history(|h| {
        h.begin("s").scan(A_TO_Z, &[]).put("k", 1).end(Committed);
        h.begin("t").scan(A_TO_Z, &[]).put("l", 1).end(Committed);
    });
    let edges = vec![prw(0, 1, "l", 0, START), prw(1, 0, "k", 0, START)];
    (history, refutation(vec![cycle(vec![], edges)], &[0, 1]))
}

/// The same with items: each overwrites what the other has seen.
fn skew_of_items() -> (History, Refutation) {
    let history = history(|h| {
        h.begin("r").put("k", 1).put("l", 1).end(Committed);
        h.begin("s").scan(A_TO_Z, &[("k", 1), ("l", 1)]).put("k", 2).end(Committed);
        h.begin("t").scan(A_TO_Z, &[("k", 1), ("l", 1)]).put("l", 2).end(Committed);
    });
    let edges = vec![rw(1, 2, "l", 0, Source::Txn(0)), rw(2, 1, "k", 0, Source::Txn(0))];
    let before = |key, then| common::before(key, 0, then);
    let conflict = cycle(vec![before("k", 1), before("l", 2)], edges);
    let stale = |key, reader| {
        let edges = vec![wr(0, reader, key, 0), common::ww(reader, 0, key)];
        cycle(vec![common::before(key, reader, 0)], edges)
    };
    (history, refutation(vec![conflict, stale("k", 1), stale("l", 2)], &[0, 1, 2]))
}

fn edges_mut(refutation: &mut Refutation) -> &mut Vec<Edge> {
    let Rule::Cycle(edges) = &mut refutation.conflicts[0].rule else { unreachable!("a cycle") };
    edges
}

#[test]
fn a_phantom_is_a_write_skew_and_repeatable_read_allows_it() {
    let (history, right) = phantom();
    assert_eq!(reject(&history, "ser", &right), Ok(Certified::Reject));
    assert!(matches!(reject(&history, "rr", &right), Err(CertifyError::Conflict { .. })));
    assert_eq!(accept(&history, "rr", &order(&[0, 1])), Ok(Certified::Accept));
    assert_eq!(accept(&history, "si", &order(&[0, 1])), Ok(Certified::Accept));
    assert!(matches!(accept(&history, "ser", &order(&[0, 1])), Err(CertifyError::Violated { .. })));
    for edge in 0..2 {
        let mut wrong = right.clone();
        edges_mut(&mut wrong)[edge].kind = EdgeKind::Rw;
        for level in ["ser", "rr"] {
            let refused = reject(&history, level, &wrong);
            assert!(matches!(refused, Err(CertifyError::Edge { .. })), "{level}: {refused:?}");
        }
    }
}

#[test]
fn keys_that_were_returned_are_items() {
    let (history, right) = skew_of_items();
    for level in ["ser", "rr"] {
        assert_eq!(reject(&history, level, &right), Ok(Certified::Reject), "{level}");
    }
    for edge in 0..2 {
        let mut wrong = right.clone();
        edges_mut(&mut wrong)[edge].kind = EdgeKind::Prw;
        let refused = reject(&history, "ser", &wrong);
        assert!(matches!(refused, Err(CertifyError::Edge { .. })), "{refused:?}");
    }
}

#[test]
fn reads_from_a_delete_are_read_dependencies_of_predicates() {
    let history = history(|h| {
        h.begin("r").put("k", 1).put("m", 1).end(Committed);
        h.begin("s").get("k", Some(1)).delete("k").put("m", 2).end(Committed);
        h.begin("t").scan("k".."l", &[]).get("m", Some(1)).end(Committed);
    });
    let sources = [START, Source::Txn(1)];
    let from = |source| reads_of(2, 0, "k", source);
    let old = cycle(vec![from(START)], vec![wr(0, 2, "m", 1), prw(2, 0, "k", 0, START)]);
    let torn = vec![pwr(1, 2, "k", 0), rw(2, 1, "m", 1, Source::Txn(0))];
    let new = cycle(vec![from(Source::Txn(1)), common::before("m", 0, 1)], torn);
    let reversed =
        cycle(vec![common::before("m", 1, 0)], vec![common::ww(1, 0, "m"), wr(0, 1, "k", 0)]);
    let mut right = refutation(vec![old, new, reversed], &[0, 1, 2]);
    right.choices = vec![choice(2, 0, "k", &sources)];
    assert_eq!(reject(&history, "read-atomic", &right), Ok(Certified::Reject));

    let mut wrong = right.clone();
    let Rule::Cycle(edges) = &mut wrong.conflicts[1].rule else { unreachable!("a cycle") };
    edges[0] = wr(1, 2, "k", 0);
    assert!(matches!(reject(&history, "read-atomic", &wrong), Err(CertifyError::Edge { .. })));
    let mut wrong = right.clone();
    wrong.conflicts[1].literals[0] = reads(2, 0, Source::Txn(1));
    assert!(matches!(reject(&history, "read-atomic", &wrong), Err(CertifyError::Literal { .. })));
    let mut wrong = right.clone();
    wrong.conflicts[1].literals[0] = reads_of(2, 0, "m", Source::Txn(1));
    assert!(matches!(reject(&history, "read-atomic", &wrong), Err(CertifyError::Literal { .. })));
    let mut wrong = right;
    wrong.choices[0].key = Datum::from("m");
    assert!(matches!(reject(&history, "read-atomic", &wrong), Err(CertifyError::Choice { .. })));
}

/// Whether b's or d's write of k was seen is open, and so is who deleted l.
fn ambiguous() -> History {
    history(|h| {
        h.begin("a").put("l", 5).end(Committed);
        h.begin("b").put("k", 1).end(Committed);
        h.begin("c").get("zz", Some(3)).delete("l").end(Committed);
        h.begin("d").put("k", 1).put("zz", 3).end(Committed);
        h.begin("e").scan(A_TO_Z, &[("k", 1)]).end(Committed);
    })
}

#[test]
fn every_key_with_several_sources_needs_a_choice_of_its_own() {
    let history = ambiguous();
    let mut witness = order(&[0, 1, 3, 2, 4]);
    let (k, l) = (chosen_of(4, 0, "k", Source::Txn(3)), chosen_of(4, 0, "l", Source::Txn(2)));
    witness.sources = vec![k.clone(), l.clone()];
    assert_eq!(accept(&history, "ser", &witness), Ok(Certified::Accept));
    for (sources, what) in [
        (vec![k.clone()], "l has no source"),
        (vec![l.clone()], "k has no source"),
        (vec![chosen(4, 0, Source::Txn(3)), l.clone()], "which key?"),
        (vec![k.clone(), l.clone(), l.clone()], "given twice"),
        (vec![k.clone(), chosen_of(4, 0, "l", Source::Txn(0))], "a did not delete it"),
        (vec![chosen_of(4, 0, "k", Source::Txn(2)), l.clone()], "c did not write it"),
        (vec![k.clone(), l.clone(), chosen_of(4, 0, "nowhere", START)], "no such key"),
        (vec![k, l.clone(), chosen_of(1, 0, "k", START)], "not a read"),
    ] {
        witness.sources = sources;
        let refused = accept(&history, "ser", &witness);
        assert!(matches!(refused, Err(CertifyError::Read { .. })), "{what}: {refused:?}");
    }
    witness.sources = vec![chosen_of(4, 0, "k", Source::Txn(1)), l];
    assert!(matches!(accept(&history, "ser", &witness), Err(CertifyError::Violated { .. })));
}

#[test]
fn a_key_is_given_exactly_for_range_reads() {
    let history = history(|h| {
        h.begin("a").put("k", 1).end(Committed);
        h.begin("b").put("k", 1).end(Committed);
        h.begin("c").get("k", Some(1)).end(Committed);
    });
    let mut witness = order(&[0, 1, 2]);
    witness.sources = vec![chosen(2, 0, Source::Txn(1))];
    assert_eq!(accept(&history, "ser", &witness), Ok(Certified::Accept));
    witness.sources = vec![chosen_of(2, 0, "k", Source::Txn(1))];
    assert!(matches!(accept(&history, "ser", &witness), Err(CertifyError::Read { .. })));
}

#[test]
fn an_unknown_scanner_with_an_impossible_key_did_not_take_effect() {
    let trace = |items: &[(&str, i64)]| {
        history(|h| {
            h.begin("s").scan(A_TO_Z, items).put("q", 1).end(Unknown);
            h.begin("t").scan("q".."r", &[("q", 1)]).end(Committed);
            h.begin("u").put("q", 1).put("k", 1).end(Unknown);
        })
    };
    let excluded = |from, txn| Conflict {
        literals: vec![reads_of(1, 0, "q", Source::Txn(from))],
        rule: Rule::NoSource(txn, 0),
    };
    let mut one = refutation(vec![excluded(0, 0)], &[0, 1]);
    one.choices = vec![choice(1, 0, "q", &[Source::Txn(0), Source::Txn(2)])];
    for items in [&[("k", 9)][..], &[("k", 1), ("k", 1)], &[("zz", 1)]] {
        assert_eq!(reject(&trace(items), "ser", &one), Err(CertifyError::Satisfiable), "{items:?}");
    }
    assert!(matches!(reject(&trace(&[("k", 1)]), "ser", &one), Err(CertifyError::Conflict { .. })));
}

#[test]
fn a_lost_update_through_a_predicate_is_not_one_of_a_cursor() {
    let history = history(|h| {
        h.begin("s").scan(A_TO_Z, &[]).put("k", 1).end(Committed);
        h.begin("t").scan(A_TO_Z, &[]).put("k", 2).end(Committed);
    });
    let conflict = |first, last| {
        let edges = vec![prw(last, first, "k", 0, START), common::ww(first, last, "k")];
        cycle(vec![common::before("k", first, last)], edges)
    };
    let right = refutation(vec![conflict(0, 1), conflict(1, 0)], &[0, 1]);
    assert_eq!(reject(&history, "si", &right), Ok(Certified::Reject));
    assert!(matches!(
        reject(&history, "cursor-stability", &right),
        Err(CertifyError::Conflict { .. })
    ));
    let accepted = accept(&history, "cursor-stability", &order(&[0, 1]));
    assert_eq!(accepted, Ok(Certified::Accept));
}

#[test]
fn one_scan_is_one_operation_for_monotonic_atomic_view() {
    let trace = |split: bool| {
        history(|h| {
            h.begin("s").put("k", 1).put("l", 1).end(Committed);
            let reader = h.begin("t");
            match split {
                false => reader.scan(A_TO_Z, &[("k", 1)]).end(Committed),
                true => reader.get("k", Some(1)).scan("l".."m", &[]).end(Committed),
            };
        })
    };
    let torn = |op| {
        let edges = vec![wr(0, 1, "k", 0), prw(1, 0, "l", op, START)];
        refutation(vec![cycle(vec![], edges)], &[0, 1])
    };
    assert_eq!(reject(&trace(true), "mav", &torn(1)), Ok(Certified::Reject));
    assert!(matches!(reject(&trace(false), "mav", &torn(0)), Err(CertifyError::Conflict { .. })));
    assert_eq!(reject(&trace(false), "read-atomic", &torn(0)), Ok(Certified::Reject));
    assert_eq!(accept(&trace(false), "mav", &order(&[0, 1])), Ok(Certified::Accept));
    assert!(accept(&trace(true), "mav", &order(&[0, 1])).is_err());
}

#[test]
fn scans_of_an_unknown_initial_state_must_agree() {
    let mut history = history(|h| {
        h.begin("s").scan(A_TO_Z, &[]).end(Committed);
        h.begin("t").get("k", Some(1)).end(Committed);
    });
    history.header.initial = Initial::Unknown;
    let refused = accept(&history, "rc", &order(&[0, 1]));
    assert!(matches!(refused, Err(CertifyError::Read { .. })), "{refused:?}");
    let literals = vec![reads_of(0, 0, "k", START), reads(1, 0, START)];
    let right = refutation(vec![Conflict { literals, rule: Rule::InitialClash }], &[0, 1]);
    assert_eq!(reject(&history, "rc", &right), Ok(Certified::Reject));
}

/// Every fifth transaction moves a row, the others scan a hundred keys.
#[test]
fn many_scans_are_no_trouble() {
    let (txns, keys) = (2_000u32, 500i64);
    let history = history(|h| {
        let mut state = vec![None; keys as usize];
        for txn in 0..i64::from(txns) {
            let next = h.begin(txn % 10);
            if txn % 5 == 0 {
                let (old, new) = (txn / 5 * 7 % keys, txn / 5 * 11 % keys);
                (state[old as usize], state[new as usize]) = (None, Some(txn));
                next.delete(old).put(new, txn).end(Committed);
            } else {
                let first = txn * 13 % (keys - 100);
                let range = first..first + 100;
                let found = range.clone().filter_map(|key| Some((key, state[key as usize]?)));
                let items: Vec<(i64, i64)> = found.collect();
                next.scan_keys(range, &items).end(Committed);
            }
        }
    });
    let mut witness = order(&(0..txns).collect::<Vec<_>>());
    let refused = accept(&history, "ser", &witness);
    assert!(matches!(refused, Err(CertifyError::Read { .. })), "deletes are alike: {refused:?}");
    let mut last = vec![START; keys as usize];
    for txn in 0..txns {
        let number = i64::from(txn);
        if txn % 5 == 0 {
            last[(number / 5 * 7 % keys) as usize] = Source::Txn(txn);
            last[(number / 5 * 11 % keys) as usize] = Source::Txn(txn);
            continue;
        }
        let first = number * 13 % (keys - 100);
        for number in first..first + 100 {
            let (key, from) = (Datum::from(number), last[number as usize]);
            if history.keys.find(&key).is_some() {
                let key = Some(key);
                witness.sources.push(Chosen { txn, op: 0, key, from });
            }
        }
    }
    for level in ["ser", "rr", "si", "mav", "cursor-stability", "ru"] {
        assert_eq!(accept(&history, level, &witness), Ok(Certified::Accept), "{level}");
    }
}

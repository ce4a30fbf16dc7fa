//! Rejects: right refutations pass, each way of spoiling one is refused.

use crate::common;

use common::{
    START, bad as bad_of, before, cycle, history, order_edge, reads, reads_of, refutation, reject,
    rw, wr, ww,
};
use tristan_certify::{Certified, CertifyError};
use tristan_history::{Datum, History, Initial, Outcome};
use tristan_verdict::{
    BadKind, Choice, Conflict, Edge, EdgeKind, Literal, Refutation, Rule, Source,
};

use Outcome::{Aborted, Committed, Unknown};

fn lost_update() -> (History, Refutation) {
    let history = history(|h| {
        h.begin("a").get("x", None).put("x", 1).end(Committed);
        h.begin("b").get("x", None).put("x", 2).end(Committed);
    });
    let conflicts = vec![
        cycle(vec![before("x", 1, 0)], vec![rw(0, 1, "x", 0, START), ww(1, 0, "x")]),
        cycle(vec![before("x", 0, 1)], vec![rw(1, 0, "x", 0, START), ww(0, 1, "x")]),
    ];
    (history, refutation(conflicts, &[0, 1]))
}

fn write_skew() -> (History, Refutation) {
    let history = history(|h| {
        h.begin("a").get("x", None).put("y", 1).end(Committed);
        h.begin("b").get("y", None).put("x", 1).end(Committed);
    });
    let edges = vec![rw(0, 1, "x", 0, START), rw(1, 0, "y", 0, START)];
    (history, refutation(vec![cycle(vec![], edges)], &[0, 1]))
}

fn long_fork() -> (History, Refutation) {
    let history = history(|h| {
        h.begin("a").put("x", 1).end(Committed);
        h.begin("b").put("y", 1).end(Committed);
        h.begin("c").get("x", Some(1)).get("y", None).end(Committed);
        h.begin("d").get("x", None).get("y", Some(1)).end(Committed);
    });
    let edges =
        vec![wr(0, 2, "x", 0), rw(2, 1, "y", 1, START), wr(1, 3, "y", 1), rw(3, 0, "x", 0, START)];
    (history, refutation(vec![cycle(vec![], edges)], &[0, 1, 2, 3]))
}

/// Whichever of the two equal writes was read, something older was read of y.
fn duplicate_values() -> (History, Refutation) {
    let history = history(|h| {
        h.begin("a").put("x", 1).put("y", 1).end(Committed);
        h.begin("b").put("x", 1).put("y", 2).end(Committed);
        h.begin("c").get("x", Some(1)).get("y", None).end(Committed);
    });
    let conflict = |writer| {
        cycle(
            vec![reads(2, 0, Source::Txn(writer))],
            vec![wr(writer, 2, "x", 0), rw(2, writer, "y", 1, START)],
        )
    };
    let mut refutation = refutation(vec![conflict(0), conflict(1)], &[0, 1, 2]);
    let sources = vec![Source::Txn(0), Source::Txn(1)];
    refutation.choices = vec![Choice { txn: 2, op: 0, key: Datum::from("x"), sources }];
    (history, refutation)
}

/// b must have committed, since c read from it; it read x before a's write and c after.
fn unknown_outcome() -> (History, Refutation) {
    let history = history(|h| {
        h.begin("a").put("x", 1).put("z", 1).end(Committed);
        h.begin("b").get("z", Some(1)).get("x", None).put("y", 1).end(Unknown);
        h.begin("c").get("y", Some(1)).end(Committed);
    });
    let edges = vec![wr(0, 1, "z", 0), rw(1, 0, "x", 1, START)];
    (history, refutation(vec![cycle(vec![], edges)], &[0, 1]))
}

fn cases() -> Vec<(&'static str, &'static str, (History, Refutation))> {
    vec![
        ("lost update", "si", lost_update()),
        ("lost update", "cursor-stability", lost_update()),
        ("write skew", "ser", write_skew()),
        ("long fork", "si", long_fork()),
        ("duplicate values", "read-atomic", duplicate_values()),
        ("duplicate values", "mav", duplicate_values()),
        ("unknown outcome", "read-atomic", unknown_outcome()),
    ]
}

fn edges(refutation: &mut Refutation, conflict: usize) -> &mut Vec<Edge> {
    let Rule::Cycle(edges) = &mut refutation.conflicts[conflict].rule else {
        unreachable!("all conflicts of these cases are cycles");
    };
    edges
}

#[test]
fn right_refutations_are_certified() {
    for (name, level, (history, refutation)) in cases() {
        let certified = reject(&history, level, &refutation);
        assert_eq!(certified, Ok(Certified::Reject), "{name} at {level}");
    }
}

#[test]
fn a_cycle_that_the_level_allows_is_no_conflict() {
    let (history, refutation) = write_skew();
    assert!(matches!(reject(&history, "si", &refutation), Err(CertifyError::Conflict { .. })));
    let (history, refutation) = long_fork();
    assert!(matches!(
        reject(&history, "parallel-si", &refutation),
        Err(CertifyError::Conflict { .. })
    ));
    let (history, refutation) = lost_update();
    assert!(matches!(reject(&history, "causal", &refutation), Err(CertifyError::Conflict { .. })));
}

/// Every single change to an edge of a right refutation.
#[test]
fn a_spoiled_edge_is_refused() {
    for (name, level, (history, right)) in cases() {
        for conflict in 0..right.conflicts.len() {
            let count = edges(&mut right.clone(), conflict).len();
            for edge in 0..count {
                for (what, spoiled) in spoiled_edges(&edges(&mut right.clone(), conflict)[edge]) {
                    let mut wrong = right.clone();
                    edges(&mut wrong, conflict)[edge] = spoiled;
                    let refused = reject(&history, level, &wrong);
                    assert!(refused.is_err(), "{name}: {what} of {conflict}.{edge}");
                }
                let mut wrong = right.clone();
                edges(&mut wrong, conflict).remove(edge);
                assert!(reject(&history, level, &wrong).is_err(), "{name}: {edge} dropped");
            }
            let mut wrong = right.clone();
            edges(&mut wrong, conflict).clear();
            assert!(reject(&history, level, &wrong).is_err(), "{name}: no edges");
        }
    }
}

fn spoiled_edges(edge: &Edge) -> Vec<(&'static str, Edge)> {
    let mut spoiled = vec![
        ("ends swapped", Edge { from: edge.to, to: edge.from, ..edge.clone() }),
        ("start out of range", Edge { from: 1_000, ..edge.clone() }),
        ("end out of range", Edge { to: u32::MAX, ..edge.clone() }),
        ("to itself", Edge { to: edge.from, ..edge.clone() }),
        ("unknown key", Edge { key: Some(Datum::from("nowhere")), ..edge.clone() }),
        ("no key", Edge { key: None, ..edge.clone() }),
        ("session order", Edge { kind: EdgeKind::So, ..edge.clone() }),
        ("real time", Edge { kind: EdgeKind::Rt, ..edge.clone() }),
        ("commit order", Edge { kind: EdgeKind::Cc, ..edge.clone() }),
        ("begin-commit", Edge { kind: EdgeKind::Bc, ..edge.clone() }),
    ];
    for key in ["x", "y", "z"].map(Datum::from) {
        if edge.key.as_ref() != Some(&key) {
            spoiled.push(("another key", Edge { key: Some(key), ..edge.clone() }));
        }
    }
    for kind in [EdgeKind::Wr, EdgeKind::Ww, EdgeKind::Rw, EdgeKind::Pwr, EdgeKind::Prw] {
        if kind != edge.kind {
            spoiled.push(("another kind", Edge { kind, ..edge.clone() }));
        }
    }
    if edge.read_op.is_some() {
        spoiled.push((
            "another operation",
            Edge { read_op: edge.read_op.map(|op| op + 1), ..edge.clone() },
        ));
        spoiled.push(("no operation", Edge { read_op: None, ..edge.clone() }));
        spoiled.push(("far operation", Edge { read_op: Some(u32::MAX), ..edge.clone() }));
    }
    if edge.over.is_some() {
        for over in [Source::Txn(0), Source::Txn(1), Source::Txn(2), Source::Txn(999)] {
            spoiled.push(("over another version", Edge { over: Some(over), ..edge.clone() }));
        }
        spoiled.push(("over nothing", Edge { over: None, ..edge.clone() }));
    }
    spoiled
}

#[test]
fn a_dropped_conflict_leaves_a_possibility_open() {
    for (history, right, level) in
        [(lost_update(), "si"), (duplicate_values(), "read-atomic")].map(|((h, r), l)| (h, r, l))
    {
        for dropped in 0..2 {
            let mut wrong = right.clone();
            wrong.conflicts.remove(dropped);
            if right.choices.is_empty() {
                assert_eq!(reject(&history, level, &wrong), Err(CertifyError::Satisfiable));
            } else {
                assert!(reject(&history, level, &wrong).is_err());
            }
        }
        let mut wrong = right.clone();
        wrong.conflicts[1] = wrong.conflicts[0].clone();
        assert!(reject(&history, level, &wrong).is_err(), "the same one twice");
    }
}

#[test]
fn spoiled_literals_are_refused() {
    for (name, level, (history, right)) in cases() {
        for (number, conflict) in right.conflicts.iter().enumerate() {
            for position in 0..conflict.literals.len() {
                let spoiled = match conflict.literals[position].clone() {
                    Literal::Before { first, then, .. } => vec![
                        before("x", then, first),
                        before("x", first, first),
                        before("y", first, then),
                        before("nowhere", first, then),
                        before("x", first, 999),
                    ],
                    Literal::Reads { txn, op, from, .. } => vec![
                        reads_of(txn, op, "x", from),
                        reads(txn, op, START),
                        reads(txn, op + 1, from),
                        reads(txn, op, Source::Txn(txn)),
                        reads(txn, op, Source::Txn(u32::MAX)),
                        reads(999, op, from),
                    ],
                };
                for literal in spoiled {
                    let mut wrong = right.clone();
                    wrong.conflicts[number].literals[position] = literal.clone();
                    assert!(reject(&history, level, &wrong).is_err(), "{name}: {literal:?}");
                }
                let mut wrong = right.clone();
                wrong.conflicts[number].literals.remove(position);
                assert!(reject(&history, level, &wrong).is_err(), "{name}: {position} dropped");
            }
        }
    }
}

#[test]
fn the_core_is_what_is_mentioned() {
    for (name, level, (history, right)) in cases() {
        let longer = [right.core.clone(), vec![77]].concat();
        let unsorted: Vec<u32> = right.core.iter().rev().copied().collect();
        for core in [vec![], right.core[1..].to_vec(), longer, unsorted] {
            let wrong = Refutation { core, ..right.clone() };
            let refused = reject(&history, level, &wrong);
            assert!(matches!(refused, Err(CertifyError::Core { .. })), "{name}: {refused:?}");
        }
    }
}

#[test]
fn choices_list_exactly_the_possible_sources() {
    let (history, right) = duplicate_values();
    let (zero, one) = (Source::Txn(0), Source::Txn(1));
    for sources in
        [vec![zero], vec![], vec![zero, one, START], vec![zero, zero], vec![zero, Source::Txn(99)]]
    {
        let mut wrong = right.clone();
        wrong.choices[0].sources = sources.clone();
        assert!(reject(&history, "read-atomic", &wrong).is_err(), "{sources:?}");
    }
    let mut wrong = right;
    wrong.choices[0].key = Datum::from("y");
    assert!(matches!(reject(&history, "read-atomic", &wrong), Err(CertifyError::Choice { .. })));
    wrong.choices[0].op = 40;
    assert!(reject(&history, "read-atomic", &wrong).is_err());
}

#[test]
fn an_unknown_transaction_that_nobody_read_from_proves_nothing() {
    let (mut history, right) = unknown_outcome();
    history.txns[2].outcome = Aborted;
    let refused = reject(&history, "read-atomic", &right);
    assert!(matches!(refused, Err(CertifyError::Edge { .. })), "{refused:?}");
}

/// c read y from b or from d; if from b, then b took effect, and is contradictory.
#[test]
fn an_unknown_source_can_be_excluded() {
    let history = history(|h| {
        h.begin("a").put("x", 1).put("z", 1).end(Committed);
        h.begin("b").get("z", Some(1)).get("x", None).put("y", 1).end(Unknown);
        h.begin("c").get("y", Some(1)).get("w", None).end(Committed);
        h.begin("d").put("y", 1).get("q", Some(5)).end(Unknown);
    });
    let edges = vec![wr(0, 1, "z", 0), rw(1, 0, "x", 1, START)];
    let first = cycle(vec![reads(2, 0, Source::Txn(1))], edges);
    let second =
        Conflict { literals: vec![reads(2, 0, Source::Txn(3))], rule: Rule::NoSource(3, 1) };
    let mut right = refutation(vec![first, second], &[0, 1, 2, 3]);
    let sources = vec![Source::Txn(1), Source::Txn(3)];
    right.choices = vec![Choice { txn: 2, op: 0, key: Datum::from("y"), sources }];
    assert_eq!(reject(&history, "read-atomic", &right), Ok(Certified::Reject));
    let mut wrong = right.clone();
    wrong.conflicts[0].literals = vec![reads(2, 0, Source::Txn(3))];
    assert!(reject(&history, "read-atomic", &wrong).is_err(), "b is not supported");
    let mut wrong = right;
    wrong.conflicts[1].rule = Rule::NoSource(1, 0);
    assert!(reject(&history, "read-atomic", &wrong).is_err(), "that read has a source");
    wrong.conflicts[1].rule = Rule::NoSource(50, 0);
    assert!(reject(&history, "read-atomic", &wrong).is_err());
}

fn bad(kind: BadKind, txn: u32, op: u32, writer: Option<u32>) -> Refutation {
    bad_of(kind, txn, op, "x", writer)
}

const KINDS: [BadKind; 10] = [
    BadKind::ThinAir,
    BadKind::Aborted,
    BadKind::Intermediate,
    BadKind::Future,
    BadKind::NotOwnWrite,
    BadKind::DuplicateElement,
    BadKind::IncompatibleOrder,
    BadKind::OutsideRange,
    BadKind::RepeatedKey,
    BadKind::OutOfOrder,
];

/// One bad read of each kind that a single key allows, and its refutation.
fn bad_reads() -> [(BadKind, History, Refutation); 8] {
    [
        (
            BadKind::ThinAir,
            history(|h| {
                h.begin("a").get("x", Some(1)).end(Committed);
            }),
            bad(BadKind::ThinAir, 0, 0, None),
        ),
        (
            BadKind::Aborted,
            history(|h| {
                h.begin("a").get("x", Some(1)).end(Committed);
                h.begin("b").put("x", 1).end(Aborted);
            }),
            bad(BadKind::Aborted, 0, 0, Some(1)),
        ),
        (
            BadKind::Intermediate,
            history(|h| {
                h.begin("a").get("x", Some(1)).end(Committed);
                h.begin("b").put("x", 1).put("x", 2).end(Committed);
            }),
            bad(BadKind::Intermediate, 0, 0, Some(1)),
        ),
        (
            BadKind::Future,
            history(|h| {
                h.begin("a").get("x", Some(1)).put("x", 1).end(Committed);
            }),
            bad(BadKind::Future, 0, 0, Some(0)),
        ),
        (
            BadKind::NotOwnWrite,
            history(|h| {
                h.begin("a").put("x", 1).get("x", None).end(Committed);
            }),
            bad(BadKind::NotOwnWrite, 0, 1, None),
        ),
        (
            BadKind::DuplicateElement,
            history(|h| {
                h.begin("a").list("x", &[1, 1]).end(Committed);
                h.begin("b").append("x", 1).end(Committed);
            }),
            bad(BadKind::DuplicateElement, 0, 0, Some(1)),
        ),
        (
            BadKind::Intermediate,
            history(|h| {
                h.begin("a").list("x", &[1]).end(Committed);
                h.begin("b").append("x", 1).append("x", 2).end(Committed);
            }),
            bad(BadKind::Intermediate, 0, 0, Some(1)),
        ),
        (
            BadKind::Aborted,
            history(|h| {
                h.begin("a").list("x", &[1]).end(Committed);
                h.begin("b").append("x", 1).end(Aborted);
            }),
            bad(BadKind::Aborted, 0, 0, Some(1)),
        ),
    ]
}

#[test]
fn a_bad_read_is_bad_in_one_way_only() {
    for (kind, mut history, right) in bad_reads() {
        assert_eq!(reject(&history, "rc", &right), Ok(Certified::Reject), "{kind:?}");
        for other in KINDS.into_iter().filter(|&other| other != kind) {
            let mut wrong = right.clone();
            wrong.bad.as_mut().expect("bad").kind = other;
            assert!(reject(&history, "rc", &wrong).is_err(), "{kind:?} is not {other:?}");
        }
        for (txn, op) in [(9, 0), (0, 9), (u32::MAX, u32::MAX)] {
            let mut wrong = right.clone();
            let bad = wrong.bad.as_mut().expect("bad");
            (bad.txn, bad.op) = (txn, op);
            assert!(reject(&history, "rc", &wrong).is_err());
        }
        let mut wrong = right.clone();
        wrong.bad.as_mut().expect("bad").writer = Some(70);
        assert!(reject(&history, "rc", &wrong).is_err());
        let mut wrong = right.clone();
        wrong.bad.as_mut().expect("bad").key = Datum::from("y");
        assert!(reject(&history, "rc", &wrong).is_err());
        history.txns[0].outcome = Unknown;
        assert!(reject(&history, "rc", &right).is_err(), "{kind:?} of an unknown reader");
    }
}

#[test]
fn where_reads_may_be_dirty_elements_still_exist_and_occur_once() {
    let history = history(|h| {
        h.begin("a").append("x", 1).append("x", 2).end(Aborted);
        h.begin("b").list("x", &[1]).end(Committed);
        h.begin("c").list("x", &[1, 3]).end(Committed);
        h.begin("d").list("x", &[1, 2, 1]).end(Committed);
    });
    let right = [(2, BadKind::ThinAir, None), (3, BadKind::DuplicateElement, Some(0))];
    for txn in 1..4 {
        for kind in KINDS {
            let writer = right.iter().find(|case| (case.0, case.1) == (txn, kind));
            let refutation = bad(kind, txn, 0, writer.and_then(|case| case.2));
            let certified = reject(&history, "ru", &refutation).is_ok();
            assert_eq!(certified, writer.is_some(), "{kind:?} of {txn}");
        }
    }
}

#[test]
fn a_read_with_a_source_is_not_bad() {
    let history = history(|h| {
        h.begin("a").get("x", Some(1)).end(Committed);
        h.begin("b").put("x", 1).end(Unknown);
        h.begin("c").put("x", 1).end(Aborted);
    });
    for kind in KINDS {
        assert!(reject(&history, "rc", &bad(kind, 0, 0, Some(2))).is_err(), "{kind:?}");
    }
}

#[test]
fn lists_that_disagree_are_rejected_even_where_reads_may_be_dirty() {
    let history = history(|h| {
        h.begin("a").append("x", 1).end(Committed);
        h.begin("b").append("x", 2).end(Committed);
        h.begin("c").list("x", &[1, 2]).end(Committed);
        h.begin("d").list("x", &[2, 1]).end(Committed);
        h.begin("e").list("x", &[1]).end(Committed);
    });
    let against = |other: (u32, u32)| {
        let mut right = bad(BadKind::IncompatibleOrder, 2, 0, None);
        right.core = vec![2, other.0];
        right.bad.as_mut().expect("bad").other = Some(other);
        right
    };
    let orders = |first: (u32, u32), second: (u32, u32)| {
        let conflict = |one, two, (txn, op)| Conflict {
            literals: vec![before("x", one, two)],
            rule: Rule::ListOrder(txn, op),
        };
        refutation(vec![conflict(1, 0, first), conflict(0, 1, second)], &[0, 1, 2, 3])
    };
    for level in ["rc", "ru"] {
        assert_eq!(reject(&history, level, &against((3, 0))), Ok(Certified::Reject), "{level}");
        assert!(reject(&history, level, &against((4, 0))).is_err(), "a prefix");
        assert!(reject(&history, level, &against((0, 0))).is_err(), "not a read");
        assert!(reject(&history, level, &against((9, 0))).is_err(), "nobody");
        let right = orders((2, 0), (3, 0));
        assert_eq!(reject(&history, level, &right), Ok(Certified::Reject), "{level}");
        assert!(reject(&history, level, &orders((3, 0), (2, 0))).is_err(), "the other way round");
    }
}

#[test]
fn a_list_orders_versions_without_a_literal() {
    let mut history = history(|h| {
        h.begin("a").append("x", 1).get("y", Some(1)).end(Committed);
        h.begin("b").append("x", 2).put("y", 1).end(Committed);
        h.begin("c").list("x", &[1]).end(Committed);
    });
    let right = refutation(vec![cycle(vec![], vec![ww(0, 1, "x"), wr(1, 0, "y", 1)])], &[0, 1]);
    assert_eq!(reject(&history, "rc", &right), Ok(Certified::Reject));
    history.txns[2].outcome = Unknown;
    assert!(reject(&history, "rc", &right).is_err());
}

#[test]
fn two_reads_of_an_unknown_initial_state_clash() {
    let mut history = history(|h| {
        h.begin("a").get("x", Some(1)).end(Committed);
        h.begin("b").get("x", Some(2)).end(Committed);
    });
    let literals = vec![reads(0, 0, START), reads(1, 0, START)];
    let right = refutation(vec![Conflict { literals, rule: Rule::InitialClash }], &[0, 1]);
    assert!(reject(&history, "ser", &right).is_err(), "the initial state is known");
    history.header.initial = Initial::Unknown;
    assert_eq!(reject(&history, "ser", &right), Ok(Certified::Reject));
    assert_eq!(reject(&history, "ru", &right), Ok(Certified::Reject));
    let mut wrong = right;
    wrong.conflicts[0].literals.pop();
    assert!(reject(&history, "ser", &wrong).is_err());
}

#[test]
fn clocks_and_sessions_order_only_what_they_saw() {
    let history = history(|h| {
        h.begin("a").put("x", 1).during(10, 20).end(Committed);
        h.begin("a").get("x", None).during(30, 40).end(Committed);
        h.begin("b").get("x", None).during(15, 40).end(Committed);
    });
    let stale = |kind, reader| {
        let edges = vec![order_edge(0, reader, kind), rw(reader, 0, "x", 0, START)];
        refutation(vec![cycle(vec![], edges)], &[0, reader])
    };
    assert_eq!(reject(&history, "sser", &stale(EdgeKind::Rt, 1)), Ok(Certified::Reject));
    assert_eq!(reject(&history, "sser", &stale(EdgeKind::So, 1)), Ok(Certified::Reject));
    assert!(reject(&history, "sser", &stale(EdgeKind::Rt, 2)).is_err(), "they overlap");
    assert!(reject(&history, "sser", &stale(EdgeKind::So, 2)).is_err(), "another session");
    assert!(reject(&history, "ser", &stale(EdgeKind::So, 1)).is_err(), "sessions do not count");
}

#[test]
fn an_empty_refutation_proves_nothing() {
    let (history, _) = write_skew();
    assert!(matches!(
        reject(&history, "ser", &refutation(vec![], &[])),
        Err(CertifyError::Shape(_))
    ));
    let nothing = Conflict { literals: vec![], rule: Rule::InitialClash };
    assert!(reject(&history, "ser", &refutation(vec![nothing], &[])).is_err());
}

//! The class of an anomaly, from the refutation alone.
//!
//! ```text
//!   edges of the cycle                      class             with so or rt on the cycle
//!   ww only                                 G0                followed by -process or -realtime
//!   ww and wr                               G1c
//!   one rw                                  G-single
//!   several rw, no two of them in a row     G-nonadjacent
//!   several rw, two of them in a row        G2-item           G2 with a predicate read
//! ```
//!
//! A refutation with several cycles may be named after any of them.

use std::collections::BTreeSet;

use tristan_verdict::{Bad, BadKind, Edge, EdgeKind, Refutation, Rule};

/// The classes that the refutation can be named after; empty if none of its parts has a class.
pub(crate) fn of(refutation: &Refutation) -> BTreeSet<String> {
    let mut classes: BTreeSet<String> = BTreeSet::new();
    classes.extend(refutation.bad.as_ref().map(|bad| of_bad(bad).to_owned()));
    for conflict in &refutation.conflicts {
        if let Rule::Cycle(edges) = &conflict.rule {
            classes.extend(of_cycle(edges));
        }
    }
    classes.extend(refutation.cases.iter().flat_map(|case| of(&case.refutation)));
    classes
}

fn of_bad(bad: &Bad) -> &'static str {
    match bad.kind {
        BadKind::ThinAir => "thin-air",
        BadKind::Aborted => "G1a",
        BadKind::Intermediate => "G1b",
        BadKind::Future => "future-read",
        BadKind::NotOwnWrite => "internal",
        BadKind::DuplicateElement => "duplicate-element",
        BadKind::IncompatibleOrder => "incompatible-order",
        BadKind::OutsideRange => "outside-range",
        BadKind::RepeatedKey => "repeated-key",
        BadKind::OutOfOrder => "out-of-order",
    }
}

/// The class of a cycle; `None` if it has an edge that the classes do not know.
fn of_cycle(edges: &[Edge]) -> Option<String> {
    let has = |kinds: &[EdgeKind]| edges.iter().any(|edge| kinds.contains(&edge.kind));
    if has(&[EdgeKind::Cc, EdgeKind::Bc]) {
        return None;
    }
    let anti = |edge: &Edge| matches!(edge.kind, EdgeKind::Rw | EdgeKind::Prw);
    let count = edges.iter().filter(|edge| anti(edge)).count();
    let next = edges.iter().cycle().skip(1);
    let in_a_row = edges.iter().zip(next).any(|(one, next)| anti(one) && anti(next));
    let class = match count {
        0 if has(&[EdgeKind::Wr, EdgeKind::Pwr]) => "G1c",
        0 => "G0",
        1 => "G-single",
        _ if !in_a_row => "G-nonadjacent",
        _ if has(&[EdgeKind::Prw]) => "G2",
        _ => "G2-item",
    };
    let order = match (has(&[EdgeKind::Rt]), has(&[EdgeKind::So])) {
        (true, _) => "-realtime",
        (false, true) => "-process",
        (false, false) => "",
    };
    Some(format!("{class}{order}"))
}

//! Names for anomalies, from the shape of the cycle.
//!
//! The class follows the edges (Adya, Elle): `G0` only write dependencies, `G1c` no
//! anti-dependency, `G-single` exactly one, `G-nonadjacent` several but never two in a row,
//! `G2-item` otherwise; with `-process` or `-realtime` if the cycle needs those orders. The title
//! is the everyday name of a well-known small shape.

use tristan_history::{History, TxnId};
use tristan_verdict::{Anomaly, Bad, BadKind, Conflict, Edge, EdgeKind, Rule};

/// The anomaly of a single wrong observation.
pub fn of_bad(history: &History, bad: &Bad) -> Anomaly {
    let reader = history.label(TxnId(bad.txn));
    let writer = bad.writer.map_or_else(String::new, |txn| history.label(TxnId(txn)));
    let key = &bad.key;
    let (class, title, sentence) = match bad.kind {
        BadKind::ThinAir => (
            "thin-air",
            "thin-air read",
            format!("{reader} read a value of {key} that nobody wrote."),
        ),
        BadKind::Aborted => (
            "G1a",
            "aborted read",
            format!(
                "{reader} read a value of {key} that only {writer} wrote, which did not commit."
            ),
        ),
        BadKind::Intermediate => (
            "G1b",
            "intermediate read",
            format!("{reader} read a value of {key} that {writer} overwrote before it committed."),
        ),
        BadKind::Future => (
            "future-read",
            "future read",
            format!("{reader} read a value of {key} that only it wrote itself, later."),
        ),
        BadKind::NotOwnWrite => (
            "internal",
            "own write not read",
            format!("{reader} wrote {key} and then read something else than its own write."),
        ),
        BadKind::DuplicateElement => (
            "duplicate-elements",
            "duplicate element",
            format!("{reader} read a list under {key} that contains an element twice."),
        ),
        BadKind::IncompatibleOrder => (
            "incompatible-order",
            "incompatible order",
            format!(
                "{reader} and another reader saw the elements of {key} in orders that no list can have."
            ),
        ),
    };
    Anomaly { class: class.to_owned(), title: Some(title.to_owned()), sentence }
}

/// The anomaly of a refutation: the one shown by the conflict that rests on most choices, since
/// the others only say which way these must go.
pub fn of_conflicts(history: &History, conflicts: &[Conflict]) -> Anomaly {
    let cycles = conflicts.iter().filter_map(|conflict| match &conflict.rule {
        Rule::Cycle(edges) => Some((conflict.literals.len(), edges.as_slice())),
        _ => None,
    });
    let Some((_, main)) = cycles.max_by_key(|(literals, _)| *literals) else {
        return Anomaly {
            class: "thin-air".to_owned(),
            title: None,
            sentence: "No initial state and no set of committed transactions explains these reads."
                .to_owned(),
        };
    };
    Anomaly {
        class: class(main),
        title: title(main).map(str::to_owned),
        sentence: sentence(history, main, conflicts.len()),
    }
}

/// The class of a cycle.
pub fn class(cycle: &[Edge]) -> String {
    let missed = cycle.iter().filter(|edge| edge.kind == EdgeKind::Rw).count();
    let adjacent = (0..cycle.len()).any(|at| {
        let next = &cycle[(at + 1) % cycle.len()];
        cycle.len() > 1 && cycle[at].kind == EdgeKind::Rw && next.kind == EdgeKind::Rw
    });
    let has = |kind: EdgeKind| cycle.iter().any(|edge| edge.kind == kind);
    let base = match missed {
        0 if !has(EdgeKind::Wr) => "G0",
        0 => "G1c",
        1 => "G-single",
        _ if !adjacent => "G-nonadjacent",
        _ => "G2-item",
    };
    let order = if has(EdgeKind::Rt) || has(EdgeKind::Cc) || has(EdgeKind::Bc) {
        "-realtime"
    } else if has(EdgeKind::So) {
        "-process"
    } else {
        ""
    };
    format!("{base}{order}")
}

/// The everyday name of a small shape.
fn title(cycle: &[Edge]) -> Option<&'static str> {
    use EdgeKind::{Rt, Rw, So, Wr, Ww};
    let kinds: Vec<EdgeKind> = cycle.iter().map(|edge| edge.kind).collect();
    let same_key = cycle.windows(2).all(|pair| pair[0].key == pair[1].key);
    let count = |kind: EdgeKind| kinds.iter().filter(|&&own| own == kind).count();
    let rotated = |shape: &[EdgeKind]| {
        (0..kinds.len()).any(|by| {
            let mut turned = kinds.clone();
            turned.rotate_left(by);
            turned == shape
        })
    };
    Some(match kinds.len() {
        2 if rotated(&[Rw, Ww]) && same_key => "lost update",
        2 if rotated(&[Rw, Rw]) && same_key => "lost update",
        2 if rotated(&[Rw, Rw]) => "write skew",
        2 if rotated(&[Wr, Rw]) && same_key => "non-repeatable read",
        2 if rotated(&[Wr, Rw]) => "fractured read",
        2 if rotated(&[So, Rw]) => "stale read of the session's own past",
        2 if rotated(&[Rt, Rw]) => "stale read",
        2 if rotated(&[Wr, Wr]) => "circular information flow",
        4 if rotated(&[Wr, Rw, Wr, Rw]) => "long fork",
        3 if rotated(&[Wr, So, Rw]) => "non-monotonic read",
        _ if count(Rw) == 0 => "circular information flow",
        _ if count(Rw) == 1 && count(So) + count(Rt) == 0 && count(Ww) == 0 => {
            "causality violation"
        }
        _ if count(Rw) == 1 => "read skew",
        _ if count(Rw) == kinds.len() => "write skew",
        _ => return None,
    })
}

fn sentence(history: &History, cycle: &[Edge], conflicts: usize) -> String {
    let label = |txn: u32| history.label(TxnId(txn));
    let steps: Vec<String> = cycle
        .iter()
        .map(|edge| {
            let key = edge.key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
            let kind = format!("{:?}", edge.kind).to_lowercase();
            format!("{} before {} ({kind}{key})", label(edge.from), label(edge.to))
        })
        .collect();
    let last = steps.len() - 1;
    let chain = format!("{}, but {}", steps[..last].join(", "), steps[last]);
    match conflicts {
        1 => format!("No order of these transactions exists: {chain}."),
        _ => format!("Every possibility runs into a cycle, in the end: {chain}."),
    }
}

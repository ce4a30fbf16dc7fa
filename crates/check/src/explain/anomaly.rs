//! Names for anomalies, from the shape of the cycle.
//!
//! The class follows the edges (Adya, Elle): `G0` only write dependencies, `G1c` no
//! anti-dependency, `G-single` exactly one, `G-nonadjacent` several but never two in a row,
//! `G2-item` otherwise (`G2` if a key that a range read did not return takes part); with `-process` or `-realtime` if the cycle needs those orders. The title
//! is the everyday name of a well-known small shape.

use tristan_history::{History, OpRef, TxnId};
use tristan_verdict::{Anomaly, Conflict, Edge, EdgeKind, Rule};

use super::bad_read::in_words;

/// The anomaly of a refutation: the one shown by the conflict that rests on most choices, since
/// the others only say which way these must go. But a conflict in which no transaction
/// misses a version may only say that the choices must agree, so one in which a transaction does
/// comes first.
pub(crate) fn of_conflicts(history: &History, conflicts: &[Conflict]) -> Anomaly {
    let cycles = conflicts.iter().filter_map(|conflict| match &conflict.rule {
        Rule::Cycle(edges) => Some((conflict.literals.len(), edges.as_slice())),
        _ => None,
    });
    let weight =
        |&(literals, cycle): &(usize, &[Edge])| (missed(cycle) > 0, literals, missed(cycle));
    let Some((_, main)) = cycles.max_by_key(weight) else {
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

fn misses(edge: &Edge) -> bool {
    matches!(edge.kind, EdgeKind::Rw | EdgeKind::Prw)
}

/// How many anti-dependencies a cycle has.
fn missed(cycle: &[Edge]) -> usize {
    cycle.iter().filter(|edge| misses(edge)).count()
}

/// The class of a cycle.
pub(crate) fn class(cycle: &[Edge]) -> String {
    let adjacent = (0..cycle.len()).any(|at| {
        let next = &cycle[(at + 1) % cycle.len()];
        cycle.len() > 1 && misses(&cycle[at]) && misses(next)
    });
    let has = |kind: EdgeKind| cycle.iter().any(|edge| edge.kind == kind);
    let base = match missed(cycle) {
        0 if !has(EdgeKind::Wr) && !has(EdgeKind::Pwr) => "G0",
        0 => "G1c",
        1 => "G-single",
        _ if !adjacent => "G-nonadjacent",
        _ if has(EdgeKind::Prw) => "G2",
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
    use EdgeKind::{Prw, Rt, Rw, So, Wr, Ww};
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
    if count(Prw) > 0 {
        return Some(if count(Prw) + count(Rw) > 1 { "phantom write skew" } else { "phantom" });
    }
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

/// The range read an edge comes from, in words.
fn range(history: &History, edge: &Edge) -> Option<String> {
    let reader = match edge.kind {
        EdgeKind::Wr | EdgeKind::Pwr => edge.to,
        _ => edge.from,
    };
    let op = OpRef { txn: TxnId(reader), op: edge.read_op? };
    in_words(&history.op(op).kind)
}

fn sentence(history: &History, cycle: &[Edge], conflicts: usize) -> String {
    let label = |txn: u32| history.label(TxnId(txn));
    let steps: Vec<String> = cycle
        .iter()
        .map(|edge| {
            let key = edge.key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
            let kind = format!("{:?}", edge.kind).to_lowercase();
            let range = range(history, edge).map_or_else(String::new, |range| format!(", {range}"));
            format!("{} before {} ({kind}{key}{range})", label(edge.from), label(edge.to))
        })
        .collect();
    let last = steps.len() - 1;
    let chain = format!("{}, but {}", steps[..last].join(", "), steps[last]);
    match conflicts {
        1 => format!("These transactions have no valid order: {chain}."),
        _ => format!("No execution explains these transactions. One contradiction: {chain}."),
    }
}

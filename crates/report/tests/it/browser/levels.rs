//! Comparisons of levels to look at.

use tristan_report::comparison::{Comparison, ComparisonAnswer, LevelReason, Separation, Step};
use tristan_report::lattice::{Implication, Lattice};
use tristan_spec::lattice::Lattice as Known;

fn txn(name: &str, ops: &str) -> (String, String) {
    (name.to_owned(), ops.to_owned())
}

fn step(from: &str, relation: &str, key: &str, to: &str) -> Step {
    let key = (!key.is_empty()).then(|| key.to_owned());
    Step { from: from.to_owned(), to: to.to_owned(), relation: relation.to_owned(), key }
}

fn reason(level: &str, lines: &[&str], steps: Vec<Step>) -> LevelReason {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    LevelReason { level: level.to_owned(), lines, steps }
}

/// Both read what the other writes.
pub fn write_skew() -> Separation {
    let steps = vec![step("T1", "rw", "x", "T2"), step("T2", "rw", "y", "T1")];
    let forbids =
        ["acyclic b | ww | rw with vo[x] = T2, vo[y] = T1:", "cycle: T1 ─rw x→ T2 ─rw y→ T1"];
    Separation {
        sessions: vec![vec![txn("T1", "r(x,0) w(y)")], vec![txn("T2", "r(y,0) w(x)")]],
        line: "r(x,0) w(y) | r(y,0) w(x)".to_owned(),
        clock: None,
        size: "2 transactions, 2 keys, 4 operations".to_owned(),
        allowed: vec![reason("snapshot-isolation", &["vo[x] = T2, vo[y] = T1"], Vec::new())],
        forbidden: vec![reason("serializable", &forbids, steps)],
    }
}

/// Two readers see two writes in different orders.
pub fn long_fork() -> Separation {
    let steps = vec![
        step("T1", "wr", "x", "T3"),
        step("T3", "rw", "y", "T2"),
        step("T2", "wr", "y", "T4"),
        step("T4", "rw", "x", "T1"),
    ];
    let session = |name: &str, ops: &str| vec![txn(name, ops)];
    Separation {
        sessions: vec![
            session("T1", "w(x)"),
            session("T2", "w(y)"),
            session("T3", "r(x,1) r(y,0)"),
            session("T4", "r(x,0) r(y,2)"),
        ],
        line: "w(x) | w(y) | r(x,1) r(y,0) | r(x,0) r(y,2)".to_owned(),
        clock: Some("T1 begins, T2 begins, T1 commits, T2 commits".to_owned()),
        size: "4 transactions, 2 keys, 6 operations".to_owned(),
        allowed: vec![reason("parallel-si", &["vo[x] = T1, vo[y] = T2"], Vec::new())],
        forbidden: vec![reason("snapshot-isolation", &["a cycle of four"], steps)],
    }
}

/// Snapshot isolation and serializability.
pub fn compared() -> Comparison {
    let proof = ["2 obligations, the largest with 4 transactions and 2 keys", "vo[x] := vo[x]"];
    Comparison {
        one: "snapshot-isolation".to_owned(),
        other: "serializable".to_owned(),
        forward: ComparisonAnswer::Refuted(Box::new(write_skew())),
        backward: ComparisonAnswer::Proved(proof.map(str::to_owned).to_vec()),
    }
}

/// The levels that are compared most often, and some more.
pub fn lattice() -> Lattice {
    let names = [
        "read-committed",
        "strong-session-read-committed",
        "read-atomic",
        "update-atomic",
        "causal",
        "parallel-si",
        "prefix",
        "snapshot-isolation",
        "strong-session-snapshot-isolation",
        "strong-snapshot-isolation",
        "repeatable-read",
        "cursor-stability",
        "serializable",
        "strong-session-serializable",
        "strong-serializable",
    ];
    let known = Known::default();
    let told = |one: &str, other: &str| match known.implies(one, other) {
        true if one.len().is_multiple_of(5) => {
            Implication::NoneFound { scope: "4 transactions, 3 keys".to_owned() }
        }
        true => Implication::Proved,
        false => Implication::Refuted {
            txns: 2,
            keys: 1,
            history: "r(x,0) w(y) | r(y,0) w(x)".to_owned(),
        },
    };
    let row = |one: &&str| names.iter().map(|other| told(one, other)).collect();
    Lattice { names: names.map(str::to_owned).to_vec(), rows: names.iter().map(row).collect() }
}

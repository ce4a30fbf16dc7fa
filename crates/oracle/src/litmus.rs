//! The classical small histories with the verdict of each level, and pairs of levels that
//! differ on them.
//!
//! How histories are written is told in [`tristan_spec::anomalies`].

use tristan_history::{History, HistoryBuilder, Outcome};
use tristan_spec::anomalies::{self, Anomaly};

/// The levels of the table, by full name.
pub const LEVELS: [&str; 8] = [
    "strong-session-read-committed",
    "read-atomic",
    "update-atomic",
    "causal",
    "parallel-si",
    "prefix",
    "strong-session-snapshot-isolation",
    "strong-session-serializable",
];

/// A small history and the levels that accept it.
#[derive(Clone, Copy, Debug)]
pub struct Litmus {
    /// The name of the anomaly.
    pub name: &'static str,
    /// The history as text.
    pub text: &'static str,
    /// Whether each of [`LEVELS`] accepts it.
    pub accepted: [bool; 8],
}

impl Litmus {
    /// Parses [`Litmus::text`].
    pub fn history(&self) -> History {
        history(self.text)
    }

    /// The verdicts, by level name.
    pub fn verdicts(&self) -> impl Iterator<Item = (&'static str, bool)> {
        LEVELS.into_iter().zip(self.accepted)
    }
}

/// A history that one level accepts and another rejects.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    /// The level that accepts it.
    pub accepts: &'static str,
    /// The level that rejects it.
    pub rejects: &'static str,
    /// The history as text.
    pub text: &'static str,
    /// The smallest number of transactions that separates the two.
    pub txns: usize,
    /// The smallest number of keys, with that many transactions.
    pub keys: usize,
}

impl Separation {
    /// Parses [`Separation::text`].
    pub fn history(&self) -> History {
        history(self.text)
    }
}

const fn litmus(anomaly: Anomaly, accepted: [u8; 8]) -> Litmus {
    let mut flags = [false; 8];
    let mut at = 0;
    while at < flags.len() {
        flags[at] = accepted[at] == 1;
        at += 1;
    }
    Litmus { name: anomaly.name, text: anomaly.history, accepted: flags }
}

/// Small histories, and the levels that accept them.
pub const TABLE: [Litmus; 17] = [
    // Verdicts in the order of LEVELS:                 RC RA UA CC PSI PC SI SER
    litmus(anomalies::G1C, [0, 0, 0, 0, 0, 0, 0, 0]),
    litmus(anomalies::STALE_OWN_WRITE, [1, 0, 0, 0, 0, 0, 0, 0]),
    litmus(anomalies::NON_MONOTONIC_READS, [1, 1, 1, 0, 0, 0, 0, 0]),
    litmus(anomalies::NON_MONOTONIC_WRITES, [1, 1, 1, 0, 0, 0, 0, 0]),
    litmus(anomalies::WRITE_BEFORE_READ, [1, 1, 1, 0, 0, 0, 0, 0]),
    litmus(anomalies::FRACTURED_READ, [1, 0, 0, 0, 0, 0, 0, 0]),
    litmus(anomalies::TWO_WRITER_FRACTURE, [1, 0, 0, 0, 0, 0, 0, 0]),
    litmus(anomalies::LOST_UPDATE, [1, 1, 0, 1, 0, 1, 0, 0]),
    litmus(anomalies::CAUSALITY, [1, 1, 1, 0, 0, 0, 0, 0]),
    litmus(anomalies::MISSED_UPDATE, [1, 1, 0, 0, 0, 0, 0, 0]),
    litmus(anomalies::VERSION_DISAGREEMENT, [1, 1, 1, 0, 0, 0, 0, 0]),
    litmus(anomalies::LONG_FORK, [1, 1, 1, 1, 1, 0, 0, 0]),
    litmus(anomalies::LONG_FORK_OVER_SESSIONS, [1, 1, 1, 1, 1, 0, 0, 0]),
    litmus(anomalies::WRITE_SKEW, [1, 1, 1, 1, 1, 1, 1, 0]),
    litmus(anomalies::THREE_WAY_WRITE_SKEW, [1, 1, 1, 1, 1, 1, 1, 0]),
    litmus(anomalies::READ_ONLY_ANOMALY, [1, 1, 1, 1, 1, 1, 1, 0]),
    litmus(STALE_ELSEWHERE, [1, 1, 1, 1, 1, 1, 1, 1]),
];

/// Nothing orders the two sessions, so this is no anomaly at any of the levels.
const STALE_ELSEWHERE: Anomaly =
    Anomaly { name: "stale read of another session", history: "w(x) | r(x,0)" };

/// For every two levels of the table of which the first does not imply the second, a smallest
/// history the first accepts and the second rejects.
pub fn separations() -> Vec<Separation> {
    const WITNESSES: [(&str, usize, usize); 5] = [
        (anomalies::STALE_OWN_WRITE.history, 2, 1),
        (anomalies::LOST_UPDATE.history, 2, 1),
        (anomalies::WRITE_SKEW.history, 2, 2),
        (anomalies::NON_MONOTONIC_READS.history, 3, 1),
        (anomalies::LONG_FORK.history, 4, 2),
    ];
    let mut found = Vec::new();
    for (strong, rejects) in LEVELS.into_iter().enumerate() {
        for (weak, accepts) in LEVELS.into_iter().enumerate() {
            // Smallest first, so the first that fits is a smallest.
            let witness = WITNESSES.into_iter().find(|(text, ..)| {
                TABLE
                    .iter()
                    .any(|row| row.text == *text && row.accepted[weak] && !row.accepted[strong])
            });
            let separation =
                witness.map(|(text, txns, keys)| Separation { accepts, rejects, text, txns, keys });
            found.extend(separation);
        }
    }
    found
}

/// The history a text of this module stands for.
///
/// The text must be well formed; what is not an operation counts as a read of the initial state.
pub fn history(text: &str) -> History {
    let mut builder = HistoryBuilder::default();
    let mut number = 0;
    for (session, txns) in text.split('|').enumerate() {
        for ops in txns.split('>') {
            number += 1;
            let name = i64::try_from(session).unwrap_or(i64::MAX);
            let mut txn = builder.begin(name);
            for op in ops.split_whitespace() {
                let (key, from) = parts(op);
                txn = if op.starts_with('w') { txn.put(key, number) } else { txn.get(key, from) };
            }
            txn.end(Outcome::Committed);
        }
    }
    builder.finish()
}

/// The key of an operation and the transaction it reads from.
fn parts(op: &str) -> (&str, Option<i64>) {
    let inside = op.get(2..).unwrap_or_default().trim_end_matches(')');
    let (key, from) = inside.split_once(',').unwrap_or((inside, "0"));
    (key, from.parse().ok().filter(|&from| from != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_histories() {
        let history = history("w(x) > r(x,0) | r(x,1)");
        assert_eq!(history.txns.len(), 3);
        assert_eq!(history.sessions.len(), 2);
        assert_eq!(history.txns[0].session, history.txns[1].session);
    }
}

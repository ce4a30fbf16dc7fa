//! Cases that belong together, by name.

use crate::{BenchError, Case};

/// Named rows, each at several levels.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// The name by which `--suite` finds it.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    rows: &'static [Entry],
}

/// A row of a suite; what is not given is as usual for the workload.
#[derive(Clone, Copy, Debug)]
struct Entry {
    name: &'static str,
    workload: &'static str,
    txns: usize,
    keys: Option<u64>,
    sessions: Option<usize>,
    ops: Option<usize>,
    hot: Option<&'static str>,
    values: Option<u64>,
    /// Whether every session stays open.
    open: bool,
    /// The share of commits whose answer is lost, in percent.
    lost: u64,
    anomaly: Option<&'static str>,
    levels: &'static [&'static str],
}

const fn entry(
    name: &'static str,
    workload: &'static str,
    txns: usize,
    levels: &'static [&'static str],
) -> Entry {
    Entry {
        name,
        workload,
        txns,
        keys: None,
        sessions: None,
        ops: None,
        hot: None,
        values: None,
        open: false,
        lost: 0,
        anomaly: None,
        levels,
    }
}

impl Entry {
    const fn keys(self, keys: u64) -> Self {
        Self { keys: Some(keys), ..self }
    }

    const fn sessions(self, sessions: usize) -> Self {
        Self { sessions: Some(sessions), ..self }
    }

    const fn ops(self, ops: usize) -> Self {
        Self { ops: Some(ops), ..self }
    }

    const fn hot(self, hot: &'static str) -> Self {
        Self { hot: Some(hot), ..self }
    }

    const fn values(self, values: u64) -> Self {
        Self { values: Some(values), ..self }
    }

    const fn open_sessions(self, sessions: usize) -> Self {
        Self { sessions: Some(sessions), open: true, ..self }
    }

    const fn losing(self, percent: u64) -> Self {
        Self { lost: percent, ..self }
    }

    const fn hiding(self, anomaly: &'static str) -> Self {
        Self { anomaly: Some(anomaly), ..self }
    }
}

const SER: &[&str] = &["serializable"];
const SI: &[&str] = &["snapshot-isolation"];
const SER_SI: &[&str] = &["serializable", "snapshot-isolation"];
const STRICT: &[&str] = &["strict-serializable"];
const WEAK: &[&str] = &["read-committed", "read-atomic", "causal"];
const BETWEEN: &[&str] = &["pl-2+", "parallel-si"];
const SER_SI_CAUSAL: &[&str] = &["serializable", "snapshot-isolation", "causal"];
const WEAKER: &[&str] =
    &["consistent-view", "parallel-si", "update-serializable", "forward-consistent-view"];
const FOUR: &[&str] = &[
    "strong-session-serializable",
    "strong-session-snapshot-isolation",
    "serializable",
    "snapshot-isolation",
];

const K: usize = 1_000;
const M: usize = 1_000_000;

/// Every suite; the first is the usual one.
pub const SUITES: [Suite; 3] = [
    Suite {
        name: "small",
        about: "a few seconds, to detect regressions",
        rows: &[
            entry("blindw-rw-1k", "blindw-rw", K, FOUR),
            entry("blindw-rw-10k", "blindw-rw", 10 * K, FOUR),
            entry("blindw-rw-weak", "blindw-rw", 10 * K, WEAK),
            entry("duplicates-1k", "duplicates", K, SER_SI).keys(500),
            entry("rmw-10k", "rmw", 10 * K, SER_SI),
            entry("tpcc-2k", "tpcc", 2 * K, SER_SI),
            entry("list-append-10k", "list-append", 10 * K, STRICT),
            entry("random-bench-1k", "random-bench", K, SER_SI).keys(1_000),
            entry("long-fork-10k", "blindw-rw", 10 * K, SI).hiding("long-fork"),
        ],
    },
    Suite {
        name: "cliffs",
        about: "histories that are hard to decide: deletes, few values, many open sessions, lost answers",
        rows: &[
            entry("deletes-10k", "deletes", 10 * K, SER_SI),
            entry("deletes-100k", "deletes", 100 * K, SER_SI).keys(20_000),
            entry("hot-duplicates-1k", "duplicates", K, SER_SI)
                .keys(1_000)
                .values(10)
                .hot("zipf:0.9"),
            entry("hot-duplicates-10k", "duplicates", 10 * K, SER_SI)
                .keys(1_000)
                .values(10)
                .hot("zipf:0.9"),
            entry("booleans-200", "duplicates", 200, SER_SI_CAUSAL).keys(100).ops(8).values(2),
            entry("booleans-1k", "duplicates", K, SER_SI_CAUSAL).keys(100).ops(8).values(2),
            entry("booleans-10k", "duplicates", 10 * K, SER_SI_CAUSAL).keys(100).ops(8).values(2),
            entry("open-sessions-10k", "blindw-rw", 10 * K, SER).open_sessions(10 * K),
            entry("open-sessions-100k", "blindw-rw", 100 * K, SER).keys(10_000).open_sessions(K),
            entry("lost-10k", "blindw-rw", 10 * K, SER_SI).losing(5),
            entry("weaker-10k", "blindw-rw", 10 * K, WEAKER),
            entry("weaker-deletes-10k", "deletes", 10 * K, WEAKER),
        ],
    },
    Suite {
        name: "full",
        about: "the full figures; up to ten million transactions and several gigabytes of memory",
        rows: &[
            entry("blindw-rw-10k", "blindw-rw", 10 * K, FOUR).keys(2_000),
            entry("blindw-rw-100k", "blindw-rw", 100 * K, FOUR).keys(10_000),
            entry("blindw-rw-1m", "blindw-rw", M, FOUR).keys(10_000),
            entry("blindw-rw-10m", "blindw-rw", 10 * M, SER).keys(100_000),
            entry("blindw-rw-1m-weak", "blindw-rw", M, WEAK).keys(10_000),
            entry("blindw-rw-100k-between", "blindw-rw", 100 * K, BETWEEN).keys(10_000),
            entry("sessions-24", "blindw-rw", M, SER).keys(10_000).sessions(24),
            entry("sessions-1k", "blindw-rw", M, SER).keys(10_000).sessions(K),
            entry("sessions-100k", "blindw-rw", M, SER).keys(10_000).sessions(100 * K),
            entry("duplicates-100k", "duplicates", 100 * K, SER_SI),
            entry("rmw-1m", "rmw", M, SER_SI).keys(10_000),
            entry("tpcc-1m", "tpcc", M, SER_SI),
            entry("list-append-1m", "list-append", M, STRICT),
            entry("g-single-1m", "blindw-rw", M, SI).keys(10_000).hiding("g-single"),
            entry("long-fork-1m", "blindw-rw", M, SI).keys(10_000).hiding("long-fork"),
        ],
    },
];

impl Suite {
    /// The suite of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(name: &str) -> Result<Self, BenchError> {
        let found = SUITES.into_iter().find(|suite| suite.name == name);
        found.ok_or_else(|| BenchError::unknown("suite", name, SUITES.map(|suite| suite.name)))
    }

    /// Its cases, or those of some rows.
    ///
    /// # Errors
    /// If a row is not there.
    pub fn cases(&self, only: &[String]) -> Result<Vec<Case>, BenchError> {
        let names = || self.rows.iter().map(|row| row.name);
        if let Some(name) = only.iter().find(|name| !names().any(|known| known == **name)) {
            return Err(BenchError::unknown("row", name, names()));
        }
        let chosen = |row: &&Entry| only.is_empty() || only.iter().any(|name| name == row.name);
        let rows = self.rows.iter().filter(chosen);
        rows.flat_map(|row| row.levels.iter().map(|level| case(row, level))).collect()
    }
}

fn case(row: &Entry, level: &str) -> Result<Case, BenchError> {
    let usual = Case::new(row.workload, level)?;
    Ok(Case {
        name: row.name.to_owned(),
        txns: row.txns,
        keys: row.keys.unwrap_or(usual.keys),
        sessions: row.sessions.unwrap_or(usual.sessions),
        ops: row.ops.unwrap_or(usual.ops),
        hot: row.hot.map_or(usual.hot, str::to_owned),
        values: row.values,
        open: row.open,
        lost: row.lost,
        anomaly: row.anomaly.map(str::to_owned),
        ..usual
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_make_sense() {
        for suite in SUITES {
            let cases = suite.cases(&[]).expect("cases");
            assert!(cases.len() > 15, "{}", suite.name);
            for case in cases {
                case.validate().expect("a case that makes sense");
            }
        }
        let full = Suite::find("full").expect("a suite");
        assert_eq!(full.cases(&["sessions-1k".to_owned()]).expect("a row").len(), 1);
        assert!(full.cases(&["nothing".to_owned()]).is_err() && Suite::find("huge").is_err());
    }
}

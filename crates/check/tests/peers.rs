//! Traces that others have published, in their own formats, with what is known about them.
//!
//! They are looked for in the folder named by `TRISTAN_TRACES`, by default next to the repository,
//! and skipped where there is none (`traces` in `TRISTAN_REQUIRE`); none of them is part of the repository. Small ones are judged
//! here at every level their index knows; `scripts/real-traces` judges all of them and measures.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::time::Duration;

use tristan_certify::{Certified, certify};
use tristan_check::budget::Limits;
use tristan_check::{Options, Silent, check_levels};
use tristan_formats as formats;
use tristan_history::History;
use tristan_spec::{Catalog, Level};
use tristan_testkit::published_traces;

/// A check that takes longer is a failure, on any machine.
const PATIENCE: Duration = Duration::from_secs(300);
/// Larger traces are left to the script.
const MOST_OPERATIONS: usize = 20_000;

/// Columns of the index and the levels they stand for. The index took PSI without session order.
const COLUMNS: [(&str, &str); 10] = [
    ("PL2", "read-committed"),
    ("RC_BE", "strong-session-monotonic-atomic-view"),
    ("RA", "read-atomic"),
    ("CC", "causal"),
    ("PSI", "plain-parallel-si"),
    ("SI", "snapshot-isolation"),
    ("SI_SO", "strong-session-snapshot-isolation"),
    ("SER", "serializable"),
    ("SER_SO", "strong-session-serializable"),
    ("SSER", "strong-serializable"),
];
/// Formats whose traces carry times; real-time levels say nothing about the others.
const TIMED: [&str; 2] = ["jepsen-edn", "timekiller-json"];

/// One line of the index, by the names of its columns.
struct Row<'a> {
    columns: &'a [&'a str],
    cells: Vec<&'a str>,
}

impl Row<'_> {
    fn get(&self, column: &str) -> &str {
        let at = self.columns.iter().position(|name| *name == column);
        at.and_then(|at| self.cells.get(at)).copied().unwrap_or_default()
    }

    fn number(&self, column: &str) -> Option<usize> {
        self.get(column).parse().ok()
    }

    /// The levels with a known verdict: accepted or not.
    fn expected(&self) -> Vec<(Level, bool)> {
        let timed = TIMED.contains(&self.get("format"));
        let columns = COLUMNS.iter().filter(|(column, _)| *column != "SSER" || timed);
        let known = columns.filter_map(|(column, level)| match self.get(column) {
            "accept" => Some((*level, true)),
            "reject" => Some((*level, false)),
            _ => None,
        });
        known.map(|(level, yes)| (Catalog::default().find(level).expect(level), yes)).collect()
    }
}

/// Calls `look` with every trace of a format we read.
fn for_each(look: impl Fn(&Row<'_>, &History)) {
    let Some(folder) = published_traces() else { return };
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("the index can be read");
    let mut lines = index.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let mut count = 0;
    for line in lines {
        let row = Row { columns: &columns, cells: line.split('\t').collect() };
        if row.get("format") == "jepsen-other" {
            println!("{}: other workloads are not read", row.get("path"));
            continue;
        }
        let history = formats::open(&folder.join(row.get("path")), None);
        let history = history.unwrap_or_else(|error| panic!("{}: {error}", row.get("path")));
        look(&row, &history);
        count += 1;
    }
    assert!(count > 100, "only {count} traces");
}

#[test]
fn each_is_read_completely() {
    for_each(|row, history| {
        let path = row.get("path");
        let committed =
            |txn: &&tristan_history::Txn| txn.outcome == tristan_history::Outcome::Committed;
        let committed = history.txns.iter().filter(committed).count();
        if let Some(txns) = row.number("txns") {
            assert_eq!(history.txns.len(), txns, "{path}");
            assert_eq!(Some(committed), row.number("committed"), "{path}");
        }
        assert!(history.warnings.is_empty(), "{path}: {:?}", history.warnings);
    });
}

#[test]
fn each_is_judged_as_its_index_says() {
    for_each(|row, history| {
        if history.ops.len() > MOST_OPERATIONS {
            println!("{}: left to scripts/real-traces", row.get("path"));
            return;
        }
        judge(row, history);
    });
}

fn judge(row: &Row<'_>, history: &History) {
    let (levels, expected): (Vec<Level>, Vec<bool>) = row.expected().into_iter().unzip();
    let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let reports = check_levels(history, &levels, &options, &Silent);
    for ((level, expected), report) in levels.iter().zip(expected).zip(reports) {
        let place = format!("{} at {}", row.get("path"), level.name);
        match certify(history, level, 0, &report.verdict) {
            Ok(Certified::Accept) => assert!(expected, "{place}: accepted"),
            Ok(Certified::Reject) => assert!(!expected, "{place}: rejected"),
            other => panic!("{place}: {other:?}"),
        }
    }
}

//! Recorded traces of real databases and what is known about them.
//!
//! The smallest one is part of the corpus; the others are looked for in the folder named by
//! `TRISTAN_RECORDED`, by default next to the repository, and skipped where there is none (`traces` in
//! `TRISTAN_REQUIRE`).

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tristan_certify::{Certified, certify};
use tristan_check::budget::Limits;
use tristan_check::{Interpretation, Options, OwnPolicy, Semantics, Silent, check, check_levels};
use tristan_formats as formats;
use tristan_history::History;
use tristan_spec::Catalog;
use tristan_spec::lattice::Lattice;
use tristan_verdict::Answer;

/// A check that takes longer is a failure, on any machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Accept,
    Reject,
}
use Expected::{Accept, Reject};

fn find(name: &str) -> Option<History> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let elsewhere = std::env::var_os("TRISTAN_RECORDED").map(PathBuf::from);
    let elsewhere = elsewhere.unwrap_or_else(|| root.join("../shared/traces/recorded"));
    let folders = [root.join("corpus/recorded"), elsewhere];
    let path = folders.iter().map(|folder| folder.join(name)).find(|path| path.exists());
    let path = tristan_testkit::found("traces", path)?;
    let bytes = std::fs::read(path).expect("the trace can be read");
    Some(formats::read(bytes.as_slice(), name, None).expect("the trace is well formed"))
}

fn judge(name: &str, expectations: &[(&str, Expected)]) {
    judge_as(name, Interpretation::default(), expectations);
}

fn judge_as(name: &str, interpretation: Interpretation, expectations: &[(&str, Expected)]) {
    let Some(history) = find(name) else { return };
    for &(level, expected) in expectations {
        let level = Catalog::default().find(level).expect(level);
        let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
        let options = Options { limits, interpretation, ..Options::default() };
        let start = Instant::now();
        let verdict = check(&history, &level, &options, &Silent).verdict;
        let taken = start.elapsed();
        let found = match &verdict.answer {
            Answer::Accept { .. } => Accept,
            Answer::Reject { .. } => Reject,
            Answer::Unknown { reason, .. } => panic!("{name} at {}: {reason:?}", level.name),
        };
        println!("{name} at {}: {found:?} after {taken:?}", level.name);
        assert_eq!(found, expected, "{name} at {}", level.name);
        let history = interpretation.apply(&history);
        let certified = certify(&history, &level, 0, &verdict).expect("the evidence is right");
        let claimed = match found {
            Accept => Certified::Accept,
            Reject => Certified::Reject,
        };
        assert_eq!(certified, claimed);
    }
}

#[test]
fn mariadb_11_8_repeatable_read_loses_three_updates() {
    judge(
        "maria118_small.jsonl",
        &[("read-committed", Accept), ("snapshot-isolation", Reject), ("serializable", Reject)],
    );
}

#[test]
fn all_levels_on_a_real_trace_are_certified_and_fit_the_lattice() {
    let Some(history) = find("maria118_small.jsonl") else { return };
    let levels = Catalog::default().levels();
    let reports = check_levels(&history, &levels, &Options::default(), &Silent);
    let accepted = levels.iter().zip(reports).filter(|(level, report)| {
        let certified = certify(&history, level, 0, &report.verdict);
        certified.expect(&level.name) == Certified::Accept
    });
    let accepted: Vec<&str> = accepted.map(|(level, _)| level.name.as_str()).collect();
    assert!(!accepted.is_empty() && accepted.len() < levels.len(), "{accepted:?}");
    for (stronger, weaker) in Lattice::default().pairs() {
        let broken = accepted.contains(&stronger) && !accepted.contains(&weaker);
        assert!(!broken, "{stronger} accepts, {weaker} rejects");
    }
}

#[test]
fn mariadb_10_11_repeatable_read_loses_updates() {
    judge(
        "maria1011_rr_lostupdate.jsonl",
        &[("read-committed", Accept), ("snapshot-isolation", Reject)],
    );
}

#[test]
fn mariadb_10_11_repeatable_read_misses_own_updates() {
    judge("maria1011_rr_blindw_dup.jsonl", &[("snapshot-isolation", Reject)]);
}

/// What MariaDB says about its REPEATABLE READ.
const MARIADB: Interpretation =
    Interpretation { semantics: Some(Semantics::MariadbRepeatableRead), own_writes: None };

#[test]
fn mariadb_10_11_repeatable_read_keeps_what_mariadb_promises() {
    for name in ["maria1011_rr_lostupdate.jsonl", "maria118_small.jsonl"] {
        let levels = ["repeatable-read", "strong-session-repeatable-read"];
        judge_as(name, MARIADB, &levels.map(|level| (level, Accept)));
    }
}

#[test]
fn mariadb_10_11_promises_more_than_it_keeps_of_own_updates() {
    let levels = ["repeatable-read", "strong-session-repeatable-read", "read-committed"];
    let name = "maria1011_rr_blindw_dup.jsonl";
    judge_as(name, MARIADB, &levels.map(|level| (level, Reject)));
    let own_writes = Some(OwnPolicy::Infer);
    let inferred = Interpretation { own_writes, ..Interpretation::default() };
    judge_as(name, inferred, &[("read-committed", Accept)]);
}

#[test]
fn mariadb_10_11_serializable_is_serializable() {
    let levels = ["serializable", "strict-serializable", "snapshot-isolation", "read-committed"];
    judge("maria1011_ser_randrange.jsonl", &levels.map(|level| (level, Accept)));
}

#[test]
fn postgresql_15_serializable_is_serializable() {
    let levels = ["serializable", "strict-serializable", "snapshot-isolation", "read-committed"];
    judge("pg15_serializable_randrange.jsonl", &levels.map(|level| (level, Accept)));
}

#[test]
fn postgresql_15_repeatable_read_shows_old_rows_after_own_upserts() {
    judge("pg15_repeatable_read_randrange.jsonl", &[("snapshot-isolation", Reject)]);
}

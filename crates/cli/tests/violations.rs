//! The violations of real databases in `docs/examples/violations`: a small trace each, and a page about
//! it that is as it would be written today. Where the published traces are found (see
//! `crates/check/tests/peers.rs`), the small ones are made from them again.
//!
//! With `UPDATE_EXPECT=1` in the environment both are rewritten.

use crate::common;

use std::fs;

use common::{folder, root, run, text};

/// The name here, the level, and the trace it comes from.
const VIOLATIONS: [(&str, &str, &str); 5] = [
    ("postgresql-write-skew", "serializable", "text/isovista_pg_ser_bug.txt"),
    ("cockroachdb-write-skew", "serializable", "cobra/cock-G2"),
    ("yugabytedb-write-skew", "serializable", "cobra/yuga-G2-c"),
    ("yugabytedb-stale-read", "causal", "text/isovista_yugabyte_tcc.txt"),
    ("tapir-fractured-read", "read-atomic", "text/tapir_3_clients_bug.txt"),
];

/// Compares a file of the repository with what it should be.
fn expect(file: &str, found: &str) {
    let path = root().join("docs/examples/violations").join(file);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, found).expect("a file");
        return;
    }
    let known = fs::read_to_string(&path).expect("a file of the repository");
    assert!(known == found, "{file} is stale; UPDATE_EXPECT=1 rewrites it");
}

#[test]
fn violations_of_real_databases_are_shown_as_they_are() {
    make_smaller();
    make_pages();
}

/// Published traces become as small as the examples.
fn make_smaller() {
    let Some(published) = tristan_testkit::published_traces() else { return };
    for (name, level, original) in VIOLATIONS {
        let trace = published.join(original);
        let done = run(&["shrink", text(&trace), "--level", level]);
        assert_eq!(done.code, 0, "{name}: {done:#?}");
        expect(&format!("{name}.jsonl"), &done.out);
    }
}

/// The examples are violations, and their pages are fresh.
fn make_pages() {
    let place = folder("violations");
    for (name, level, _) in VIOLATIONS {
        let trace = format!("docs/examples/violations/{name}.jsonl");
        let page = place.join("page.html");
        let output = format!("html={}", text(&page));
        let done = run(&["check", &trace, "--level", level, "--certify", "-o", &output]);
        assert_eq!(done.code, 1, "{name}: {done:#?}");
        expect(&format!("{name}.html"), &fs::read_to_string(&page).expect("a page"));
    }
}

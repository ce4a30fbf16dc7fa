//! Assertions that hold, that do not, and what they say then.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tristan_assert::{AssertionError, Policy, Unknown, assert_isolation, verify};
use tristan_formats as formats;
use tristan_history::History;

const LOST: &str = "{\"initial\":{\"stock\":10}}\n\
{\"s\":1,\"id\":\"sale 1\",\"st\":\"c\",\"ops\":[[\"r\",\"stock\",10],[\"w\",\"stock\",9]]}\n\
{\"s\":2,\"id\":\"sale 2\",\"st\":\"c\",\"ops\":[[\"r\",\"stock\",10],[\"w\",\"stock\",8]]}\n";
/// An element appended twice is not interpreted.
const OPEN: &str = "{\"s\":1,\"st\":\"c\",\"ops\":[[\"a\",\"x\",1],[\"a\",\"x\",1]]}\n\
{\"s\":2,\"st\":\"c\",\"ops\":[[\"l\",\"x\",[1]]]}\n";

fn history(text: &str) -> History {
    formats::read(text.as_bytes(), "test", None).expect("a trace")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("assertions")
}

#[test]
fn a_promise_that_is_kept_passes() {
    assert_isolation!(&history(LOST), "read-committed");
}

#[test]
#[should_panic(expected = "G-single (lost update)")]
fn a_broken_promise_panics_and_says_why() {
    assert_isolation!(&history(LOST), "snapshot-isolation");
}

#[test]
fn a_file_is_read_and_a_page_is_left_behind() {
    std::fs::create_dir_all(folder()).expect("a folder");
    let trace = folder().join("sales.jsonl");
    std::fs::write(&trace, LOST).expect("a file");
    let policy = Policy { reports: Some(folder()), ..Policy::default() };
    let error = verify(&trace, "si", &policy).expect_err("a broken promise");
    let told = error.to_string();
    let page = folder().join("sales.snapshot-isolation.html");
    assert!(told.contains("sale 2 → sale 1"), "{told}");
    assert!(told.contains(&format!("page: {}", page.display())), "{told}");
    let page = std::fs::read_to_string(page).expect("a page");
    for part in ["lost update", "smallest.jsonl", "postgres.sql", "mysql.sql"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn what_is_unknown_fails_unless_it_may_pass() {
    let strict = verify(&history(OPEN), "ser", &Policy::default());
    assert!(matches!(strict, Err(AssertionError::Unknown { .. })), "{strict:?}");
    let lenient = Policy { unknown: Unknown::Passes, ..Policy::default() };
    assert!(verify(&history(OPEN), "ser", &lenient).is_ok());
    let hurried = Policy { time: Some(Duration::ZERO), ..Policy::default() };
    let hurried = verify(&history(LOST), "si", &hurried);
    assert!(matches!(
        hurried,
        Err(AssertionError::Unknown { .. } | AssertionError::Violated { .. })
    ));
}

#[test]
fn what_cannot_be_checked_fails() {
    let missing = verify("no/such/trace.jsonl", "si", &Policy::default());
    assert!(matches!(missing, Err(AssertionError::Trace(_))), "{missing:?}");
    let unknown = verify(&history(LOST), "snapshot-isolaton", &Policy::default());
    let told = unknown.expect_err("no such level").to_string();
    assert!(told.contains("snapshot-isolation"), "{told}");
}

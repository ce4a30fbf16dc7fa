//! Large traces are checked by a program that starts itself once more, for large pages of memory.
//! Nothing else may differ.

use crate::common;

use common::{finish, folder, tristan};
use tristan_history::formats::{self, WriteForm};
use tristan_history::generate::Workload;

#[test]
fn a_large_trace_is_judged_with_and_without_large_pages() {
    let workload = Workload::named("blindw-rw").expect("a known name");
    let history = Workload { txns: 120_000, ..workload }.run();
    let path = folder("large").join("large.jsonl");
    formats::write_to(&history, WriteForm::Simple, &path).expect("a file");
    assert!(std::fs::metadata(&path).expect("a file").len() > 16 << 20, "it is large");
    let trace = path.display().to_string();
    let args = ["check", &trace, "--level", "read-committed"];
    let usual = finish(tristan(&args).output().expect("it starts"));
    let small = finish(tristan(&args).env("GLIBC_TUNABLES", "").output().expect("it starts"));
    assert_eq!((usual.code, small.code), (0, 0), "{usual:#?}");
    assert_eq!(usual.out, small.out);
    std::fs::remove_file(path).expect("it is removed");
}

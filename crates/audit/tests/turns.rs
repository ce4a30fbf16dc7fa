//! Logs that were rejected although an order explains them: the search had left that order out.

use crate::common::word;

use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, AuditOptions, CommitOrder, audit};

fn verdict(options: &AuditOptions, txns: &[&str]) -> String {
    let start = [
        r#"{"tristan":"sql-log/1","dialect":"postgresql"}"#,
        r#"{"schema":"CREATE TABLE t (k INT PRIMARY KEY, v INT)"}"#,
        r#"{"rows":"t","values":[[1,0],[2,0]]}"#,
    ];
    let lines: Vec<&str> = start.iter().chain(txns).copied().collect();
    let log = TextSource::new("log", lines.join("\n").into_bytes());
    word(&audit(&log, options).expect("a log"))
}

/// The write takes effect at 6, the long reader sees it by 10, the short one begins at 20. It looks at
/// another row, but its state has the write, too: it may not be older than the one that was read
/// before.
#[test]
fn a_reader_sees_at_least_what_was_seen_before_it_began() {
    let writer = r#"{"txn":1,"c":1,"at":[1,40],"commit":[5,40],"do":[{"sql":"UPDATE t SET v = 1 WHERE k = 1","affected":1,"at":[2,3]}]}"#;
    let long = r#"{"txn":2,"c":2,"at":[3,60],"commit":[50,60],"do":[{"sql":"SELECT v FROM t WHERE k = 1","rows":[[1]],"at":[4,10]}]}"#;
    let short = r#"{"txn":3,"c":3,"at":[20,24],"commit":[23,24],"do":[{"sql":"SELECT v FROM t WHERE k = 2","rows":[[0]],"at":[21,22]}]}"#;
    for level in AuditLevel::ALL {
        assert_eq!(verdict(&AuditOptions::new(level), &[writer, long, short]), "accept", "{level}");
    }
    let stale = short.replace("WHERE k = 2", "WHERE k = 1");
    for level in [AuditLevel::StrongSnapshot, AuditLevel::MariaDbRepeatableRead] {
        let answer = verdict(&AuditOptions::new(level), &[writer, long, &stale]);
        assert!(answer.starts_with("reject"), "{level}: {answer}");
    }
}

/// Session 1 writes row 1 and sees that later, but not what session 2 wrote to row 2, so session 1 was
/// first, although the commit of session 2 was answered earlier.
#[test]
fn a_session_that_sees_itself_tells_who_was_first() {
    let own = r#"{"txn":1,"c":1,"at":[1,20],"commit":[10,20],"do":[{"sql":"UPDATE t SET v = 1 WHERE k = 1","affected":1,"at":[2,3]}]}"#;
    let other = r#"{"txn":2,"c":2,"at":[3,15],"commit":[11,15],"do":[{"sql":"UPDATE t SET v = 1 WHERE k = 2","affected":1,"at":[4,10]}]}"#;
    let later = r#"{"txn":3,"c":1,"at":[30,34],"commit":[33,34],"do":[{"sql":"SELECT v FROM t WHERE k = 2","rows":[[0]],"at":[31,32]}]}"#;
    for level in [AuditLevel::Snapshot, AuditLevel::ReadCommitted] {
        let options = AuditOptions { sessions: true, ..AuditOptions::new(level) };
        assert_eq!(verdict(&options, &[own, other, later]), "accept", "{level}");
        let late = own.replace("[10,20]", "[16,20]");
        let answer = verdict(&options, &[&late, other, later]);
        assert!(answer.starts_with("reject"), "{level}: {answer}");
    }
}

/// The second transaction copies row 1, and the third one sees that it has copied the old value. With the
/// order given, there is still a choice of what the second one read.
#[test]
fn a_given_order_leaves_open_what_was_read() {
    let first = r#"{"txn":1,"c":1,"stamp":1,"at":[1,5],"commit":[4,5],"do":[{"sql":"UPDATE t SET v = 1 WHERE k = 1","affected":1,"at":[2,3]}]}"#;
    let copy = r#"{"txn":2,"c":2,"stamp":2,"at":[10,60],"commit":[15,60],"do":[{"sql":"UPDATE t SET v = 8 + (SELECT v FROM t WHERE k = 1) WHERE k = 2","affected":1,"at":[11,12]}]}"#;
    let third = r#"{"txn":3,"c":3,"stamp":3,"at":[20,30],"commit":[29,30],"do":[{"sql":"SELECT v FROM t WHERE k = 2","rows":[[8]],"at":[21,22]},{"sql":"INSERT INTO t VALUES (3, 0)","affected":1,"at":[23,24]}]}"#;
    let options =
        AuditOptions { order: CommitOrder::Exact, ..AuditOptions::new(AuditLevel::Snapshot) };
    assert_eq!(verdict(&options, &[first, copy, third]), "accept");
    let wrong = third.replace("[[8]]", "[[7]]");
    assert!(verdict(&options, &[first, copy, &wrong]).starts_with("reject"));
}

//! An audit stops when its budget says so, whatever it is doing, and says why.

use crate::common;

use std::sync::Arc;
use std::time::Duration;

use common::{log, word};
use tristan_audit::{AuditLevel, AuditOptions, audit_within};
use tristan_ground::{Budget, Limits, Silent, Steps};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

const WRITERS: &str = "
schema: CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 0), (2, 0)
1 [0 9]: SELECT v FROM t WHERE k = 1 => 0; UPDATE t SET v = 1 WHERE k = 1 => #1
2 [1 12]: SELECT v FROM t WHERE k = 2 => 0; UPDATE t SET v = 5 WHERE k = 2 => #1
3 [20 29]: SELECT v FROM t WHERE k = 1 => SEEN; UPDATE t SET v = 2 WHERE k = 1 => #1
";

fn audited(seen: u64, budget: &Budget) -> AuditVerdict {
    let options = AuditOptions::new(AuditLevel::Serializable);
    let source = log(&WRITERS.replace("SEEN", &seen.to_string()));
    audit_within(&source, &options, &Silent, budget).expect("a log")
}

#[test]
fn an_audit_ends_at_any_look_at_the_clock() {
    for (seen, answer) in [(1, "accept"), (7, "reject")] {
        let (mut late, mut done) = (0, 0);
        for look in 1..400 {
            let limits = Limits { time: Some(Duration::from_millis(look)), memory: None };
            let verdict = audited(seen, &Budget::metered(&limits, Arc::new(Steps::timed())));
            match &verdict.answer {
                AuditAnswer::Unknown { reason, .. } => {
                    assert!(reason.starts_with("the time limit was reached"), "{reason}");
                    assert!(reason.contains("allow more with --time"), "{reason}");
                    late += 1;
                }
                _ => {
                    assert!(word(&verdict).starts_with(answer), "{}", word(&verdict));
                    done += 1;
                }
            }
        }
        assert!(late > 3 && done > 0, "{late} {done}");
    }
}

#[test]
fn memory_ends_an_audit() {
    let limits = Limits { time: None, memory: Some(0) };
    let budget = Budget::metered(&limits, Arc::new(Steps::growing(1)));
    for _ in 0..10 {
        budget
            .check()
            .expect("the first measurement finds nothing, the second comes ten looks later");
    }
    let verdict = audited(1, &budget);
    let AuditAnswer::Unknown { reason, .. } = &verdict.answer else {
        panic!("expected unknown, found {}", word(&verdict))
    };
    assert!(reason.contains("memory limit") && reason.contains("--memory"), "{reason}");
}

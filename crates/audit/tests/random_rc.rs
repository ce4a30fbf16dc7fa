//! Random reads and writes of single keys, with values that repeat: every log is explained.

use crate::common;

use std::fmt::Write as _;

use common::{judge, word};
use tristan_audit::AuditLevel;
use tristan_testkit::Random;

#[test]
fn a_hundred_random_logs_are_accepted_at_read_committed() {
    let mut random = Random::new(42);
    for number in 0..100 {
        let mut text = String::from("schema: CREATE TABLE t (k INT PRIMARY KEY, v INT)\n");
        let rows: Vec<String> = (1..=10).map(|key| format!("({key}, 0)")).collect();
        let _ = writeln!(text, "schema: INSERT INTO t VALUES {}", rows.join(", "));
        let mut versions = vec![vec![0]; 10];
        for txn in 1..=50 {
            let key = random.below(10);
            if random.once_in(2) {
                let value = random.below(100);
                versions[key].push(value);
                let _ =
                    writeln!(text, "{txn}: UPDATE t SET v = {value} WHERE k = {} => #1", key + 1);
            } else {
                let place = random.below(versions[key].len());
                let seen = versions[key][place];
                let _ = writeln!(text, "{txn}: SELECT v FROM t WHERE k = {} => {seen}", key + 1);
            }
        }
        assert_eq!(
            word(&judge(&text, AuditLevel::ReadCommitted)),
            "accept",
            "log {number}\n{text}"
        );
    }
}

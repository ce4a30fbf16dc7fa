//! The example of section 2 of "Checking Observational Correctness of Database Systems".

use crate::common;

use common::{judge, word};
use tristan_audit::AuditLevel;
use tristan_verdict::audit::{AuditAnswer, Told};

const START: &str = "
    schema: CREATE TABLE accounts (acc_id INT PRIMARY KEY, balance DECIMAL(12, 2))
    schema: INSERT INTO accounts VALUES (1, 100), (2, 300)
    1 [0 10]: UPDATE accounts SET balance = balance + 10 WHERE acc_id = 2; UPDATE accounts SET balance = balance - 10 WHERE acc_id = 1
    2 [20 30]: UPDATE accounts SET balance = balance + 100 WHERE acc_id = 2
";

const CONCURRENT: &str = "
    3 [21 40]: UPDATE accounts SET balance = balance + 10 WHERE acc_id = 2; UPDATE accounts SET balance = balance - 10 WHERE acc_id = 1
";

#[test]
fn a_transfer_that_overwrites_a_concurrent_deposit_is_rejected_at_transaction_3() {
    let log = format!("{START}{CONCURRENT}");
    let verdict = judge(&log, AuditLevel::StrongSnapshot);
    assert_eq!(word(&verdict), "reject 3");
    assert_eq!(word(&judge(&log, AuditLevel::Serializable)), "accept");
}

#[test]
fn a_wrong_balance_is_rejected_at_every_level() {
    let log = format!("{START}4 [50 60]: SELECT balance FROM accounts WHERE acc_id = 2 => 420.00");
    for level in AuditLevel::ALL {
        let verdict = judge(&log, level);
        assert_eq!(word(&verdict), "reject 4", "{level}");
        let AuditAnswer::Reject { rejection } = verdict.answer else { panic!() };
        assert_eq!(rejection.observed, Told::Rows(vec![vec!["420.00".into()]]));
    }
    let right =
        format!("{START}4 [50 60]: SELECT balance FROM accounts WHERE acc_id = 2 => 410.00");
    for level in AuditLevel::ALL {
        assert_eq!(word(&judge(&right, level)), "accept", "{level}");
    }
}

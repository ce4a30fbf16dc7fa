//! Mistakes hidden in long logs are found where they show.

use crate::common;

use crate::bank::{Bank, Fault, make};
use common::{limited, word};
use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, audit};

/// Those at which a mistake shows at once; weaker ones may explain it by an older state.
const LEVELS: [AuditLevel; 2] = [AuditLevel::StrictSerializable, AuditLevel::StrongSnapshot];

fn bank(fault: Option<(Fault, u64)>) -> Bank {
    Bank { accounts: 100, clients: 8, transactions: 10_000, seed: 7, reads: 30, scans: 200, fault }
}

#[test]
fn a_bank_that_works_is_accepted_at_every_level() {
    let made = make(Bank { transactions: 300, ..bank(None) });
    let log = TextSource::new("bank", made.text.into_bytes());
    for level in AuditLevel::ALL {
        let verdict = audit(&log, &limited(level)).expect("a log");
        assert_eq!(word(&verdict), "accept", "{level}: {}", verdict.to_json());
    }
}

#[test]
fn every_fault_is_found_where_it_shows() {
    use Fault::{DuplicatedRow, LostRow, LostUpdate, Phantom, StaleRead, WrongAggregate, WrongRow};
    let faults = [WrongRow, LostRow, DuplicatedRow, StaleRead, LostUpdate, Phantom, WrongAggregate];
    for (fault, level) in faults.into_iter().flat_map(|fault| LEVELS.map(|level| (fault, level))) {
        let made = make(bank(Some((fault, 9_000))));
        let wrong = made.wrong.expect("something went wrong");
        let log = TextSource::new("bank", made.text.into_bytes());
        let verdict = audit(&log, &limited(level)).expect("a log");
        let told = verdict.to_json();
        assert_eq!(word(&verdict), format!("reject {wrong}"), "{fault:?} at {level}: {told}");
    }
}

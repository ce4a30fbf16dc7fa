//! A log that is followed in pieces is judged as it is in one piece.

#[path = "common/bank.rs"]
mod bank;
use crate::common;

use bank::{Bank, Fault, make};
use common::{limited, word};
use tristan_audit::log::TextSource;
use tristan_audit::{
    AuditLevel, AuditOptions, FollowOptions, FollowReport, Followed, Follower, audit,
};
use tristan_ground::{Budget, Silent};

/// Levels at which a log can be followed.
const LEVELS: [AuditLevel; 5] = [
    AuditLevel::StrictSerializable,
    AuditLevel::Serializable,
    AuditLevel::StrongSnapshot,
    AuditLevel::MariaDbRepeatableRead,
    AuditLevel::StrongReadCommitted,
];

/// What is said about a log that is followed, and how far it was followed.
fn followed(text: &str, options: &AuditOptions, limits: FollowOptions) -> (String, FollowReport) {
    let mut follower = Follower::new("log", options, limits).expect("a level");
    let budget = Budget::default();
    for line in text.split_inclusive('\n') {
        follower.take_line(line.as_bytes()).expect("a line");
        if !follower.is_due() {
            continue;
        }
        if let Followed::Over(verdict) = follower.judge(&Silent, &budget).expect("a log") {
            return (word(&verdict), follower.report());
        }
    }
    match follower.finish(&Silent, &budget).expect("a log") {
        Followed::Over(verdict) => (word(&verdict), follower.report()),
        Followed::Explained(report) => ("accept".to_owned(), report),
    }
}

fn bank(transactions: u64, clients: u64, fault: Option<(Fault, u64)>) -> Bank {
    Bank { accounts: 100, clients, transactions, seed: 7, reads: 30, scans: 200, fault }
}

#[test]
fn a_bank_is_followed_in_many_pieces() {
    for (level, clients) in LEVELS.into_iter().flat_map(|level| [(level, 1), (level, 8)]) {
        let made = make(bank(3_000, clients, None));
        let limits = FollowOptions { piece: 100, keep: 1_000 };
        let start = std::time::Instant::now();
        let (said, report) = followed(&made.text, &limited(level), limits);
        println!("{level} {clients}: {said} {report:?} {:?}", start.elapsed());
        assert_eq!(said, "accept", "{level}");
        assert_eq!(report.transactions, 3_000);
        let whole = audit(&TextSource::new("log", made.text.into_bytes()), &limited(level));
        assert_eq!(report.statements, whole.expect("a log").log.statements, "{level}");
    }
}

//! A log that is followed in pieces is judged as it is in one piece.

#[path = "common/bank.rs"]
mod bank;
use crate::common;

use std::collections::BTreeMap;

use bank::{Bank, Fault, make};
use common::{limited, word};
use tristan_audit::log::TextSource;
use tristan_audit::{
    AuditLevel, AuditOptions, FollowOptions, FollowReport, Followed, Follower, audit,
};
use tristan_ground::{Budget, Silent};
use tristan_testkit::Random;

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
        match follower.judge(&Silent, &budget).expect("a log") {
            Followed::Explained(_) => {}
            Followed::Over(verdict) | Followed::Doubtful(verdict) => {
                return (word(&verdict), follower.report());
            }
        }
    }
    match follower.finish(&Silent, &budget).expect("a log") {
        Followed::Over(verdict) | Followed::Doubtful(verdict) => {
            let mut report = follower.report();
            report.statements = verdict.log.statements;
            report.transactions = verdict.log.transactions;
            (word(&verdict), report)
        }
        Followed::Explained(_) => unreachable!("the log is over"),
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

/// A random log of a table with a few rows, in which transactions overlap and take effect at one instant. Some were
/// lost on the way, some rolled back, and some logs are tampered with.
fn random_log(random: &mut Random) -> String {
    let mut lines = vec![
        r#"{"tristan":"sql-log/1","dialect":"postgresql","sorted":true}"#.to_owned(),
        r#"{"schema":"CREATE TABLE t (k INT PRIMARY KEY, v INT)"}"#.to_owned(),
        r#"{"rows":"t","values":[[1,0],[2,0],[3,0]]}"#.to_owned(),
    ];
    let count = 6 + random.below(10);
    let (gap, length) = ([5, 8, 16][random.below(3)], 2 + random.below(6));
    let mut spans: Vec<(i64, i64, i64)> = Vec::new();
    let mut now = 0;
    for _ in 0..count {
        now += random.below(gap);
        let effect = now + 1 + random.below(length);
        spans.push((effect, now, effect + 1 + random.below(length)));
    }
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&place| spans[place]);
    let (lost, tampered): (u64, u64) = (random.below(6), if random.percent(60) { 0 } else { 8 });
    let mut rows = BTreeMap::from([(1, 0), (2, 0), (3, 0)]);
    let mut made: Vec<(i64, String)> = Vec::new();
    for place in order {
        let (effect, begin, end) = spans[place];
        let before = rows.clone();
        let steps: Vec<String> = (0..=random.below(2))
            .map(|_| step(random, &mut rows, tampered, (begin, effect)))
            .collect();
        let outcome = match random.below::<u64>(100) {
            n if n < lost => "unknown",
            n if n < 2 * lost => "aborted",
            _ => "committed",
        };
        if outcome == "aborted" || outcome == "unknown" && random.percent(50) {
            rows = before;
        }
        let line = format!(
            r#"{{"txn":{},"c":{place},"at":[{begin},{end}],"commit":[{effect},{end}],"outcome":"{outcome}","do":[{}]}}"#,
            place + 1,
            steps.join(",")
        );
        made.push((begin, line));
    }
    made.sort();
    lines.extend(made.into_iter().map(|(_, line)| line));
    lines.join("\n") + "\n"
}

/// A random statement, with its answer.
fn step(
    random: &mut Random,
    rows: &mut BTreeMap<i64, i64>,
    tampered: u64,
    (begin, effect): (i64, i64),
) -> String {
    let (k, x) = (1 + random.below::<i64>(4), random.below::<i64>(3));
    let wrong = i64::from(random.percent(tampered));
    let known = rows.contains_key(&k);
    let affected = |known: bool| format!(r#""affected":{}"#, i64::from(known) ^ wrong);
    let (sql, answer) = match random.below(8) {
        0..3 => {
            let row = rows.get(&k).map(|v| format!("[{}]", v + wrong)).unwrap_or_default();
            (format!("SELECT v FROM t WHERE k = {k}"), format!(r#""rows":[{row}]"#))
        }
        3 => {
            let sum: i64 = rows.values().sum();
            ("SELECT sum(v) FROM t WHERE k > 0".to_owned(), format!(r#""rows":[[{}]]"#, sum + wrong))
        }
        4 => {
            rows.entry(k).and_modify(|v| *v += 1);
            (format!("UPDATE t SET v = v + 1 WHERE k = {k}"), affected(known))
        }
        5 | 6 => {
            rows.entry(k).and_modify(|v| *v = x);
            (format!("UPDATE t SET v = {x} WHERE k = {k}"), affected(known))
        }
        _ if known && rows.len() > 2 => {
            rows.remove(&k);
            (format!("DELETE FROM t WHERE k = {k}"), affected(true))
        }
        _ => {
            rows.insert(k, x);
            let sql = "INSERT INTO t VALUES ({k}, {x}) ON CONFLICT (k) DO UPDATE SET v = excluded.v";
            let sql = sql.replace("{k}", &k.to_string()).replace("{x}", &x.to_string());
            (sql, affected(true))
        }
    };
    format!(r#"{{"sql":"{sql}",{answer},"at":[{begin},{effect}]}}"#)
}

#[test]
fn random_logs_are_judged_alike_in_one_piece_and_in_many() {
    let seeds: u64 = std::env::var("FOLLOW_SEEDS").map_or(120, |seeds| seeds.parse().expect("a number"));
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..seeds {
        let mut random = Random::new(seed + 1);
        let text = random_log(&mut random);
        for level in LEVELS {
            let options = AuditOptions { aborted: seed % 3 == 0, ..limited(level) };
            let whole = audit(&TextSource::new("log", text.clone().into_bytes()), &options);
            let whole = word(&whole.expect("a log"));
            for (piece, keep) in [(1, 1_000), (3, 1_000), (5, 6), (2, 0)] {
                let limits = FollowOptions { piece, keep };
                let (said, _) = followed(&text, &options, limits);
                let kind = |word: &str| word.split([' ', ':']).next().unwrap_or_default().to_owned();
                *seen.entry(format!("{} {} {}", keep > 100, kind(&whole), kind(&said))).or_default() += 1;
                let lost = keep < 100 && said.contains("there may have been another one");
                assert!(
                    kind(&said) == kind(&whole) || lost,
                    "seed {seed}, {level}, {limits:?}: {whole} in one piece, {said} in many\n{text}"
                );
            }
        }
    }
    println!("{seen:?}");
}

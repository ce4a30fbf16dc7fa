//! A log that is followed in pieces is judged as it is in one piece.

use crate::common;

use std::collections::BTreeMap;

use crate::bank::{Bank, Fault, make};
use common::{limited, word};
use serde_json::{Value as Json, json};
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
    let follower = Follower::new("log", options, limits).expect("a level");
    go_on(follower, text, true)
}

/// Follows a text from where the follower is, to its end if it is over.
fn go_on(mut follower: Follower, text: &str, over: bool) -> (String, FollowReport) {
    match advance(&mut follower, text, over) {
        Followed::Over(verdict) | Followed::Doubtful(verdict) => {
            let mut report = follower.report();
            report.statements = verdict.log.statements;
            report.transactions = verdict.log.transactions;
            (word(&verdict), report)
        }
        Followed::Explained(report) => (String::new(), report),
    }
}

fn advance(follower: &mut Follower, text: &str, over: bool) -> Followed {
    let budget = Budget::default();
    for line in text.split_inclusive('\n') {
        follower.take_line(line.as_bytes()).expect("a line");
        if !follower.is_due() {
            continue;
        }
        match follower.judge(&Silent, &budget).expect("a log") {
            Followed::Explained(_) => {}
            answer => return answer,
        }
    }
    match over {
        true => follower.finish(&Silent, &budget).expect("a log"),
        false => Followed::Explained(follower.report()),
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
        let (said, report) = followed(&made.text, &limited(level), limits);
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
            (
                "SELECT sum(v) FROM t WHERE k > 0".to_owned(),
                format!(r#""rows":[[{}]]"#, sum + wrong),
            )
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
            let sql =
                "INSERT INTO t VALUES ({k}, {x}) ON CONFLICT (k) DO UPDATE SET v = excluded.v";
            let sql = sql.replace("{k}", &k.to_string()).replace("{x}", &x.to_string());
            (sql, affected(true))
        }
    };
    format!(r#"{{"sql":"{sql}",{answer},"at":[{begin},{effect}]}}"#)
}

#[test]
fn random_logs_are_judged_alike_in_one_piece_and_in_many() {
    let seeds: u64 =
        std::env::var("FOLLOW_SEEDS").map_or(120, |seeds| seeds.parse().expect("a number"));
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
                let kind =
                    |word: &str| word.split([' ', ':']).next().unwrap_or_default().to_owned();
                *seen
                    .entry(format!("{} {} {}", keep > 100, kind(&whole), kind(&said)))
                    .or_default() += 1;
                let lost = keep < 100 && said.contains("there may have been another one");
                assert!(
                    kind(&said) == kind(&whole) || lost,
                    "seed {seed}, {level}, {limits:?}: {whole} in one piece, {said} in many\n{text}"
                );
            }
        }
    }
    let both = ["accept accept", "reject reject"];
    assert!(both.iter().all(|one| seen.keys().any(|key| key.contains(one))), "{seen:?}");
}

/// A log of whole transactions as a proxy writes it: line by line, as things happen. One tick of its clock is a second.
fn as_events(text: &str) -> String {
    let mut events: Vec<(i64, u64, String)> = Vec::new();
    let mut start = Vec::new();
    let mut call = 0;
    for line in text.lines() {
        let txn: Json = serde_json::from_str(line).expect("JSON");
        let Some(steps) = txn["do"].as_array() else {
            start.push(line.replace(",\"sorted\":true", ""));
            continue;
        };
        let (number, session) = (&txn["txn"], &txn["c"]);
        let mut add = |at: i64, event: Json| {
            let place = events.len() as u64;
            let mut event = event;
            event["at"] = json!(at * 1_000_000_000);
            events.push((at, place, event.to_string()));
        };
        let times = |json: &Json| json[0].as_i64().zip(json[1].as_i64()).expect("times");
        let (begin, end) = times(&txn["at"]);
        let (commit, _) = times(&txn["commit"]);
        let mut sent = |at: i64, sql: &Json, answer: Json, answered: i64| {
            call += 1;
            add(at, json!({"call": call, "c": session, "txn": number, "sql": sql}));
            let mut answer = answer;
            answer["end"] = json!(call);
            answer["txn"] = number.clone();
            add(answered, answer);
        };
        sent(begin, &json!("BEGIN"), json!({"tag": "BEGIN"}), begin);
        for step in steps {
            let (from, to) = times(&step["at"]);
            let mut answer = step.clone();
            answer
                .as_object_mut()
                .expect("an object")
                .retain(|name, _| name == "rows" || name == "affected");
            sent(from, &step["sql"], answer, to);
        }
        if txn["outcome"] == "committed" {
            sent(commit, &json!("COMMIT"), json!({"tag": "COMMIT"}), end);
        } else {
            sent(commit, &json!("COMMIT"), json!({"lost": true}), end);
        }
        add(end, json!({"finish": number, "c": session, "outcome": txn["outcome"]}));
    }
    events.sort();
    start.extend(events.into_iter().map(|(_, _, event)| event));
    start.join("\n") + "\n"
}

#[test]
fn an_audit_goes_on_from_a_checkpoint_as_if_it_had_not_stopped() {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..150 {
        let mut random = Random::new(seed + 1);
        let text = random_log(&mut random);
        let text = if random.percent(50) { as_events(&text) } else { text };
        let options = limited(LEVELS[random.below(LEVELS.len())]);
        let limits = FollowOptions { piece: 2, keep: 1_000 };
        let (whole, report) = followed(&text, &options, limits);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let stop = random.below(lines.len() - 3) + 3;
        let mut first = Follower::new("log", &options, limits).expect("a level");
        let before = advance(&mut first, &lines[..stop].concat(), false);
        let Followed::Explained(_) = before else { continue };
        let Some(checkpoint) = first.checkpoint().expect("a state") else { continue };
        drop(first);
        let resumed = Follower::resume("log", &options, limits, &checkpoint, lines[0].as_bytes());
        let (second, offset) = resumed.expect("a checkpoint");
        let rest = &text[usize::try_from(offset).expect("fits")..];
        let (said, after) = go_on(second, rest, true);
        let told = format!(
            "seed {seed}, stopped behind line {stop}: {whole}, but {said}\n{text}\n{checkpoint}"
        );
        let kind = said.split([' ', ':']).next().unwrap_or_default().to_owned();
        *seen.entry(format!("{whole:.6} {kind}")).or_default() += 1;
        assert!(said == whole || said.contains("there may have been another one"), "{told}");
        if said == "accept" {
            let counts = |report: &FollowReport| {
                (report.transactions, report.committed, report.unknown, report.statements)
            };
            assert_eq!(counts(&after), counts(&report), "{told}");
        }
    }
    let both = ["accept accept", "reject reject"];
    assert!(both.iter().all(|one| seen.keys().any(|key| key.contains(one))), "{seen:?}");
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let options = limited(AuditLevel::Serializable);
    let limits = FollowOptions::default();
    let text = make(bank(50, 2, None)).text;
    let mut follower = Follower::new("log", &options, limits).expect("a level");
    advance(&mut follower, &text, false);
    follower.judge(&Silent, &Budget::default()).expect("a log");
    let checkpoint = follower.checkpoint().expect("a state").expect("transactions");
    let header = text.split_inclusive('\n').next().expect("a line");
    let refused = |options: &AuditOptions, checkpoint: &str, header: &str| {
        let resumed = Follower::resume("log", options, limits, checkpoint, header.as_bytes());
        resumed.map(|_| ()).expect_err("it does not fit").to_string()
    };
    let other = limited(AuditLevel::StrictSerializable);
    assert!(refused(&other, &checkpoint, header).contains("other options: level ser, "));
    assert!(refused(&options, &checkpoint, "{}\n").contains("belongs to another log"));
    let damaged = checkpoint.replacen("1000.00", "1000.01", 1);
    assert!(refused(&options, &damaged, header).contains("damaged"));
    assert!(refused(&options, &checkpoint[..checkpoint.len() / 2], header).contains("damaged"));
    assert!(refused(&options, "", header).contains("damaged"));
}

#[test]
fn levels_that_read_states_of_any_age_cannot_be_followed() {
    for level in [AuditLevel::Snapshot, AuditLevel::ReadCommitted] {
        let refused = Follower::new("log", &limited(level), FollowOptions::default());
        let refused = refused.expect_err("nothing can be forgotten").to_string();
        assert!(refused.contains("a state of any age"), "{refused}");
    }
}

#[test]
fn a_fault_is_found_where_it_shows_while_the_log_is_followed() {
    let cases = [
        (AuditLevel::Serializable, 8, [Fault::WrongRow, Fault::LostUpdate]),
        (AuditLevel::StrongSnapshot, 1, [Fault::StaleRead, Fault::WrongAggregate]),
    ];
    for (level, clients, faults) in cases {
        for fault in faults {
            let bank = Bank { scans: 20, ..bank(2_000, clients, Some((fault, 1_000))) };
            let made = make(bank);
            let wrong = made.wrong.expect("something went wrong");
            let (said, report) =
                followed(&made.text, &limited(level), FollowOptions { piece: 200, keep: 2_000 });
            let whole = TextSource::new("log", made.text.into_bytes());
            let whole = word(&audit(&whole, &limited(level)).expect("a log"));
            assert_eq!(said, whole, "{fault:?} at {level}");
            assert!(
                report.line < 3 + wrong + 600,
                "{fault:?} at {level} was found late: {report:?}"
            );
        }
    }
}

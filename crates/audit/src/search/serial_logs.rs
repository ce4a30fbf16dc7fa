//! Random logs that are right, against their projections, and against the versions of rows that these show.
//!
//! Statements are carried out one after the other on one database in memory, so their answers are right; the times of
//! the transactions overlap, so that a search has to find the order. No projection may reject such a log, nor may the
//! versions that a query can have read (`versions.rs`). Many of them reject a copy in which one number of an answer is
//! changed.

use serde_json::{Value as Json, json};
use tristan_ground::Budget;
use tristan_sql::{Dialect, Memory, ObservedValue, StatementOutcome};
use tristan_testkit::Random;

use super::projection::Log;
use super::versions::Patience;
use super::world_search::SearchError;
use crate::explain::{Effort, Slice};
use crate::level::AuditLevel;
use crate::load::{Loaded, Loader, Source};
use crate::log::TextSource;
use crate::options::AuditOptions;
use crate::statement::{Focus, Step};

const TABLES: [&str; 3] = [
    "CREATE TABLE t (k INT PRIMARY KEY, u INT UNIQUE, v INT, g INT)",
    "CREATE TABLE s (a INT, b INT, w INT, PRIMARY KEY (a, b))",
    "INSERT INTO t VALUES (1, 1, 1, 1), (2, 2, 2, 2)",
];

const BOTH: [&str; 22] = [
    "SELECT count(*), sum(w) FROM s WHERE a = # AND b BETWEEN # AND # + 2",
    "SELECT count(*), max(v), min(u) FROM t",
    "SELECT sum(v) FROM t WHERE g = #",
    "SELECT g, count(*), max(v) FROM t GROUP BY g ORDER BY g",
    "SELECT max(t.v + s.w), count(*) FROM t JOIN s ON s.a = t.k WHERE s.b > #",
    "SELECT (SELECT count(*) FROM s WHERE s.a = t.k) FROM t WHERE v > #",
    "SELECT * FROM t ORDER BY k",
    "SELECT v, k FROM t WHERE g = #",
    "SELECT k, v FROM t WHERE v > # ORDER BY v, k LIMIT 2",
    "SELECT t.k, t.v, s.a, s.b, s.w FROM t JOIN s ON s.a = t.k ORDER BY 1, 3, 4",
    "SELECT x.k, y.k, y.v FROM t x LEFT JOIN t y ON y.k = x.k + 1 ORDER BY x.k",
    "SELECT k, v FROM t WHERE v = (SELECT max(v) FROM t) ORDER BY k FOR UPDATE",
    "INSERT INTO t VALUES (#, #, #, #)",
    "INSERT INTO t VALUES (#, #, #, #), (#, #, #, #) RETURNING k, v",
    "INSERT INTO s VALUES (#, #, #), (#, #, #), (#, #, #)",
    "UPDATE t SET v = v + 1, g = # WHERE k = #",
    "UPDATE t SET v = v * 2 WHERE k >= #",
    "UPDATE t SET u = u + 4 WHERE g = #",
    "UPDATE s SET w = w + # WHERE a = #",
    "UPDATE t SET k = k + 1 WHERE k = #",
    "DELETE FROM t WHERE v > # + 4",
    "DELETE FROM s WHERE a = # AND b = #",
];

const POSTGRESQL: [&str; 5] = [
    "INSERT INTO t VALUES (#, #, #, #), (#, #, #, #) ON CONFLICT DO NOTHING",
    "INSERT INTO s VALUES (#, #, #), (#, #, #) ON CONFLICT (a, b) DO UPDATE SET w = s.w + 1 RETURNING a, b, w",
    "INSERT INTO t VALUES (#, #, #, #) ON CONFLICT (k) DO UPDATE SET v = t.v + excluded.v",
    "UPDATE t SET v = v + # WHERE k < # RETURNING k, v",
    "DELETE FROM t WHERE k = # RETURNING *",
];

const MARIADB: [&str; 5] = [
    "INSERT IGNORE INTO t VALUES (#, #, #, #), (#, #, #, #)",
    "INSERT INTO s VALUES (#, #, #), (#, #, #) ON DUPLICATE KEY UPDATE w = VALUES(w)",
    "REPLACE INTO t VALUES (#, #, #, #), (#, #, #, #)",
    "REPLACE INTO s VALUES (#, #, #)",
    "INSERT INTO t VALUES (#, #, #, #) ON DUPLICATE KEY UPDATE v = v + 1",
];

/// A few of the statements. With all of them, hardly any log could be projected.
fn some(random: &mut Random, dialect: Dialect) -> Vec<&'static str> {
    let own = if dialect == Dialect::PostgreSql { POSTGRESQL } else { MARIADB };
    let all: Vec<&str> = BOTH.into_iter().chain(own).collect();
    (0..7).map(|_| *random.pick(&all)).collect()
}

/// A statement with small numbers.
fn statement(random: &mut Random, texts: &[&str]) -> String {
    let mut text = String::new();
    for letter in random.pick(texts).chars() {
        match letter {
            '#' => text += &(1 + random.below(4)).to_string(),
            other => text.push(other),
        }
    }
    text
}

/// A statement of a log with its answer. Returns `None` if it fails.
fn step(sql: &str, outcome: &StatementOutcome, counts_changes: bool) -> Option<Json> {
    let answer = outcome.answer.as_ref().ok()?;
    let mut step = json!({ "sql": sql });
    if let Some(table) = &answer.rows {
        let rows = table.rows.iter().take(table.shown()).map(|row| {
            let values = row.iter().zip(&table.columns);
            values.map(|(value, (_, ty))| seen(ObservedValue::of(value, *ty))).collect::<Vec<_>>()
        });
        step["rows"] = rows.collect();
    } else if let Some(count) = answer.count {
        step["affected"] = json!(if counts_changes { count.changed } else { count.found });
    }
    Some(step)
}

fn seen(value: ObservedValue) -> Json {
    match value {
        ObservedValue::Null => Json::Null,
        ObservedValue::Int(number) => json!(i64::try_from(number).expect("a small number")),
        ObservedValue::Text(text) => json!(text),
        other @ (ObservedValue::Bool(_) | ObservedValue::Double(_)) => unreachable!("{other:?}"),
    }
}

/// The lines of a random log.
fn lines(random: &mut Random, dialect: Dialect) -> Vec<Json> {
    let mut database = Memory::new(dialect);
    for sql in TABLES {
        database.run(sql).expect("a table").answer.expect("it works");
    }
    let name = if dialect == Dialect::PostgreSql { "postgresql" } else { "mariadb" };
    let mut lines = vec![json!({"tristan": "sql-log/1", "dialect": name})];
    lines.push(json!({ "schema": TABLES.join("; ") }));
    let texts = some(random, dialect);
    for txn in 1..=12 {
        let mut steps = Vec::new();
        for _ in 0..=random.below(3) {
            let sql = statement(random, &texts);
            let outcome = database.run(&sql).expect("it is supported");
            steps.extend(step(&sql, &outcome, dialect != Dialect::PostgreSql));
        }
        if !steps.is_empty() {
            let times = [10 * txn, 10 * txn + 9 + random.below(40_i64)];
            lines.push(json!({"txn": txn, "c": txn, "at": times, "do": steps}));
        }
    }
    lines
}

/// A log that is kept to be projected.
fn log(lines: &[Json], options: &AuditOptions) -> Log {
    let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let source = TextSource::new("log", text.join("\n").into_bytes());
    let (mut loader, mut sql) = Loader::open(Source::Log(&source), options).expect("a log");
    let (mut tasks, mut rows) = (Vec::new(), Vec::new());
    while let Some(loaded) = loader.next(&mut sql).expect("a log") {
        match loaded {
            Loaded::Task(task) => tasks.push(*task),
            Loaded::Row(key, row) => rows.push((key, row)),
            Loaded::Unsupported { reason, .. } => unreachable!("{reason}"),
        }
    }
    Log::new(tasks, rows, sql)
}

/// Whether a projection of a log rejects it.
fn rejects_a_row(log: &Log, options: &AuditOptions) -> bool {
    let mut focuses: Vec<Focus> = Vec::new();
    for focus in log
        .tasks
        .iter()
        .flat_map(|task| &task.steps)
        .filter_map(Step::statement)
        .flat_map(Focus::named_by)
    {
        if !focuses.contains(&focus) {
            focuses.push(focus);
        }
    }
    let effort = Effort::slice(Slice::Rows);
    focuses.iter().any(|focus| {
        let projected = log.project(focus, options, effort, &Budget::default(), 20_000);
        matches!(projected.and_then(|one| one.ended), Some(Err(SearchError::Unexplained(_))))
    })
}

/// Whether no versions of the rows explain one of the queries of a log.
fn rejects_a_query(log: &Log, options: &AuditOptions) -> bool {
    let budget = Budget::default();
    log.tasks.iter().any(|task| {
        (0..task.steps.len()).any(|step| {
            let mut patience = Patience { options, budget: &budget, runs: 20_000 };
            log.refute_query(task, step, &mut patience).is_some()
        })
    })
}

/// Changes a number of an answer. Returns `false` if there is none.
fn spoil(random: &mut Random, lines: &mut [Json]) -> bool {
    let mut numbers: Vec<&mut Json> = Vec::new();
    for line in lines.iter_mut().skip(2) {
        for step in line["do"].as_array_mut().into_iter().flatten() {
            let rows = step.get_mut("rows").and_then(Json::as_array_mut).into_iter().flatten();
            numbers
                .extend(rows.filter_map(Json::as_array_mut).flatten().filter(|one| one.is_i64()));
        }
    }
    if numbers.is_empty() {
        return false;
    }
    let place = random.below(numbers.len());
    *numbers[place] = json!(numbers[place].as_i64().unwrap_or(0) + 1);
    true
}

fn check(dialect: Dialect, level: AuditLevel) {
    let logs = std::env::var("AUDIT_SERIAL_LOGS")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(150);
    let first = std::env::var("TRISTAN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let options = AuditOptions::new(level);
    let (mut spoiled, mut rows, mut queries) = (0, 0, 0);
    for seed in first..first + logs {
        let mut random = Random::new(seed);
        let mut lines = lines(&mut random, dialect);
        let text =
            |lines: &[Json]| lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let right = log(&lines, &options);
        let refuted = rejects_a_row(&right, &options) || rejects_a_query(&right, &options);
        assert!(!refuted, "{dialect:?}, {level}, seed {seed}:\n{}", text(&lines));
        if spoil(&mut random, &mut lines) {
            let wrong = log(&lines, &options);
            spoiled += 1;
            rows += u64::from(rejects_a_row(&wrong, &options));
            queries += u64::from(rejects_a_query(&wrong, &options));
        }
    }
    println!(
        "{dialect:?}, {level}: {logs} logs from seed {first}; of {spoiled} changed ones, {rows} are rejected because of \
         one row, {queries} because of one query"
    );
    assert!(rows > spoiled / 10 && queries > spoiled / 10, "{rows} and {queries} of {spoiled}");
}

#[test]
fn no_projection_of_a_serial_log_of_postgresql_is_rejected() {
    for level in
        [AuditLevel::Serializable, AuditLevel::StrongReadCommitted, AuditLevel::ReadCommitted]
    {
        check(Dialect::PostgreSql, level);
    }
}

#[test]
fn no_projection_of_a_serial_log_of_mariadb_is_rejected() {
    for level in [
        AuditLevel::Serializable,
        AuditLevel::StrongReadCommitted,
        AuditLevel::MariaDbRepeatableRead,
    ] {
        check(Dialect::MariaDb, level);
    }
}

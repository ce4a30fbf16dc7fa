//! What servers answer when statements have had to wait, or have given back what they had locked.
//!
//! Logs that a correct PostgreSQL or MariaDB writes, and logs that none writes. Not all of the first kind can be
//! explained: what a server sees besides the row that it waited for is its own affair. But none may be rejected.

use crate::common;

use serde_json::{Value as Json, json};
use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, audit};

const ACCOUNTS: &str =
    "CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 0), (2, 0)";
const TWO_TABLES: &str = "CREATE TABLE b (id INT PRIMARY KEY, name INT); INSERT INTO b VALUES (1, 10), (2, 20); \
     CREATE TABLE a (id INT PRIMARY KEY, bid INT); INSERT INTO a VALUES (1, 1)";

/// A statement that was sent and answered at these moments.
fn rows(sql: &str, at: [i64; 2], rows: Json) -> Json {
    json!({"sql": sql, "at": at, "rows": rows})
}

fn affected(sql: &str, at: [i64; 2], count: u64) -> Json {
    json!({"sql": sql, "at": at, "affected": count})
}

fn failed(sql: &str, at: [i64; 2], code: &str) -> Json {
    json!({"sql": sql, "at": at, "error": {"code": code}})
}

fn done(sql: &str, at: [i64; 2]) -> Json {
    json!({"sql": sql, "at": at, "tag": "OK"})
}

/// A transaction whose commit was asked for and answered at these moments.
fn txn(number: u64, commit: [i64; 2], steps: &[Json]) -> Json {
    let begin = steps[0]["at"][0].as_i64().expect("a time") - 1;
    json!({"txn": number, "c": number, "at": [begin, commit[1]], "commit": commit, "do": steps})
}

/// The verdict on a log of PostgreSQL, in a word.
fn word(level: AuditLevel, aborted: bool, schema: &str, txns: &[Json]) -> String {
    judged("postgresql", level, aborted, schema, txns)
}

fn judged(dialect: &str, level: AuditLevel, aborted: bool, schema: &str, txns: &[Json]) -> String {
    let mut lines = vec![
        json!({"tristan": "sql-log/1", "dialect": dialect}).to_string(),
        json!({"schema": schema}).to_string(),
    ];
    lines.extend(txns.iter().map(ToString::to_string));
    let log = TextSource::new("waits", (lines.join("\n") + "\n").into_bytes());
    let mut options = common::limited(level);
    options.aborted = aborted;
    common::word(&audit(&log, &options).expect("a log"))
}

fn is_accepted(levels: &[AuditLevel], aborted: bool, schema: &str, txns: &[Json]) {
    for &level in levels {
        assert_eq!(word(level, aborted, schema, txns), "accept", "{level}\n{txns:#?}");
    }
}

fn is_not_rejected(levels: &[AuditLevel], schema: &str, txns: &[Json]) {
    for &level in levels {
        let word = word(level, false, schema, txns);
        assert!(!word.starts_with("reject"), "{level}: {word}\n{txns:#?}");
    }
}

const COMMITTED: [AuditLevel; 2] = [AuditLevel::StrongReadCommitted, AuditLevel::ReadCommitted];
const NOT_SERIAL: [AuditLevel; 3] =
    [AuditLevel::StrongReadCommitted, AuditLevel::ReadCommitted, AuditLevel::StrongSnapshot];

#[test]
fn the_other_table_of_a_join_stays_as_it_was_found() {
    let first = txn(1, [20, 30], &[affected("UPDATE a SET bid = 2 WHERE id = 1", [1, 2], 1)]);
    for second in [
        rows(
            "SELECT a.id, b.name FROM a JOIN b ON a.bid = b.id WHERE a.id = 1 FOR UPDATE",
            [10, 25],
            json!([]),
        ),
        affected("UPDATE a SET bid = 9 FROM b WHERE a.bid = b.id AND a.id = 1", [10, 25], 0),
        affected("UPDATE a SET bid = 9 WHERE bid IN (SELECT id FROM b)", [10, 25], 0),
        affected("DELETE FROM a USING b WHERE a.bid = b.id AND a.id = 1", [10, 25], 0),
    ] {
        is_not_rejected(&COMMITTED, TWO_TABLES, &[first.clone(), txn(2, [50, 60], &[second])]);
    }
}

#[test]
fn a_row_that_was_waited_for_stays_where_it_was_found() {
    let schema = "CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 9), (2, 5); \
         CREATE TABLE l (k INT, v INT)";
    let first = txn(1, [20, 30], &[affected("UPDATE t SET v = 1 WHERE k = 1", [1, 2], 1)]);
    for second in [
        "SELECT k, v FROM t ORDER BY v DESC LIMIT 1 FOR UPDATE",
        "SELECT s.k, s.v FROM (SELECT k, v FROM t ORDER BY v DESC LIMIT 1 FOR UPDATE) s",
        "WITH s AS (SELECT k, v FROM t ORDER BY v DESC LIMIT 1 FOR UPDATE) SELECT k, v FROM s",
        "INSERT INTO l SELECT k, v FROM t WHERE v > 6 FOR UPDATE RETURNING k, v",
    ] {
        let found = if second.contains("v > 6") { json!([]) } else { json!([[1, 1]]) };
        let second = rows(second, [10, 25], found);
        is_not_rejected(&COMMITTED, schema, &[first.clone(), txn(2, [50, 60], &[second])]);
    }
}

#[test]
fn what_is_undone_is_not_locked_any_more() {
    let other = affected("UPDATE t SET v = 7 WHERE k = 2", [50, 51], 1);
    let add = "UPDATE t SET v = v + 1 WHERE k = 1 RETURNING v";
    for (one, answer) in
        [(add, json!([[1]])), ("INSERT INTO t VALUES (3, 0) RETURNING k", json!([[3]]))]
    {
        let undone = [
            done("SAVEPOINT s", [1, 2]),
            rows(one, [3, 4], answer.clone()),
            done("ROLLBACK TO SAVEPOINT s", [5, 6]),
            other.clone(),
        ];
        let txns =
            [txn(1, [90, 100], &undone), txn(2, [15, 20], &[rows(one, [11, 12], answer.clone())])];
        is_accepted(&NOT_SERIAL, false, ACCOUNTS, &txns);
        let mut aborted = txn(
            1,
            [40, 41],
            &[rows(one, [10, 12], answer.clone()), failed("SELECT 1/0", [20, 21], "22012")],
        );
        aborted["outcome"] = json!("aborted");
        let txns = [aborted, txn(2, [24, 25], &[rows(one, [22, 23], answer)])];
        is_accepted(&NOT_SERIAL, true, ACCOUNTS, &txns);
    }
}

#[test]
fn what_is_undone_is_judged_at_its_own_moment() {
    let add = "UPDATE t SET v = v + 1 WHERE k = 1 RETURNING v";
    let skip = "INSERT INTO t VALUES (3, 5) ON CONFLICT DO NOTHING";
    for (seen, expected) in [(1, "accept"), (2, "accept"), (3, "reject"), (0, "reject")] {
        let undone = [
            done("SAVEPOINT s", [1, 2]),
            rows(add, [3, 14], json!([[seen]])),
            done("ROLLBACK TO SAVEPOINT s", [15, 16]),
            affected("UPDATE t SET v = 7 WHERE k = 2", [50, 51], 1),
        ];
        let txns = [
            txn(1, [90, 100], &undone),
            txn(2, [8, 9], &[rows(add, [4, 5], json!([[1]]))]),
            txn(3, [28, 29], &[rows(add, [24, 25], json!([[2]]))]),
        ];
        let told = word(AuditLevel::StrongReadCommitted, false, ACCOUNTS, &txns);
        assert!(told.starts_with(expected), "{seen}: {told}");
    }
    // The key is taken while the second transaction runs, and at no other moment.
    for (at, expected) in [([12, 13], "accept"), ([2, 3], "reject"), ([32, 33], "reject")] {
        let skipped =
            [affected(skip, at, 0), affected("UPDATE t SET v = 7 WHERE k = 2", [50, 51], 1)];
        let txns = [
            txn(1, [90, 100], &skipped),
            txn(2, [8, 9], &[affected("INSERT INTO t VALUES (3, 0)", [6, 7], 1)]),
            txn(3, [28, 29], &[affected("DELETE FROM t WHERE k = 3", [24, 25], 1)]),
        ];
        let told = word(AuditLevel::StrongReadCommitted, false, ACCOUNTS, &txns);
        assert!(told.starts_with(expected), "{at:?}: {told}");
    }
}

#[test]
fn keys_that_are_taken_are_not_locked() {
    let other = affected("UPDATE t SET v = 7 WHERE k = 2", [50, 51], 1);
    let gone = txn(2, [15, 20], &[affected("DELETE FROM t WHERE k = 1", [11, 12], 1)]);
    let skipped = affected("INSERT INTO t VALUES (1, 5) ON CONFLICT DO NOTHING", [1, 2], 0);
    is_accepted(
        &NOT_SERIAL,
        false,
        ACCOUNTS,
        &[txn(1, [90, 100], &[skipped, other.clone()]), gone.clone()],
    );
    let refused = [
        done("SAVEPOINT s", [1, 2]),
        failed("INSERT INTO t VALUES (1, 5)", [3, 4], "23505"),
        done("ROLLBACK TO SAVEPOINT s", [5, 6]),
        other,
    ];
    is_accepted(&NOT_SERIAL, false, ACCOUNTS, &[txn(1, [90, 100], &refused), gone]);
}

#[test]
fn an_upsert_may_look_at_more_than_the_row_that_it_waited_for() {
    let first = txn(1, [20, 30], &[affected("UPDATE t SET v = 5 WHERE k = 1", [1, 2], 1)]);
    let upsert = "INSERT INTO t VALUES (1, 5) ON CONFLICT (k) DO UPDATE SET v = t.v + (SELECT max(x.v) FROM t x WHERE x.k = 1) RETURNING v";
    let second = txn(2, [50, 60], &[rows(upsert, [10, 25], json!([[5]]))]);
    is_not_rejected(&COMMITTED, ACCOUNTS, &[first, second]);
}

#[test]
fn what_a_row_alone_decides_is_judged() {
    let first = txn(1, [20, 30], &[affected("UPDATE t SET v = 5 WHERE k = 1", [1, 2], 1)]);
    for (second, right, wrong) in [
        ("SELECT v FROM t WHERE k = 1 FOR UPDATE", json!([[5]]), json!([[0]])),
        ("SELECT k FROM t WHERE v = 0 FOR UPDATE", json!([[2]]), json!([[3]])),
        ("UPDATE t SET v = v + 1 WHERE k = 1 RETURNING v", json!([[6]]), json!([[1]])),
        ("UPDATE t SET v = 1 WHERE v = 0 RETURNING k", json!([[2]]), json!([[1]])),
        (
            "INSERT INTO t VALUES (1, 2) ON CONFLICT (k) DO UPDATE SET v = t.v + excluded.v RETURNING v",
            json!([[7]]),
            json!([[2]]),
        ),
    ] {
        let told = |answer: &Json| {
            let second = txn(2, [50, 60], &[rows(second, [35, 45], answer.clone())]);
            word(AuditLevel::StrongReadCommitted, false, ACCOUNTS, &[first.clone(), second])
        };
        assert_eq!(told(&right), "accept", "{second}");
        assert!(told(&wrong).starts_with("reject"), "{second}: {}", told(&wrong));
    }
}

/// The verdict at REPEATABLE READ on a log of MariaDB, in a word.
fn innodb(schema: &str, txns: &[Json]) -> String {
    judged("mariadb", AuditLevel::MariaDbRepeatableRead, false, schema, txns)
}

#[test]
fn an_inserted_row_hides_the_one_of_the_snapshot_with_the_same_primary_key() {
    let deletes = txn(2, [15, 20], &[affected("DELETE FROM t WHERE k = 1", [11, 12], 1)]);
    let seen = [
        (json!([[1, 9], [2, 0]]), "accept"),
        (json!([[1, 0], [1, 9], [2, 0]]), "reject"),
        (json!([[1, 0], [2, 0]]), "reject"),
    ];
    for (seen, expected) in seen {
        let inserts = [
            rows("SELECT v FROM t WHERE k = 1", [1, 2], json!([[0]])),
            affected("INSERT INTO t VALUES (1, 9)", [30, 31], 1),
            rows("SELECT k, v FROM t ORDER BY k, v", [40, 41], seen),
        ];
        let word = innodb(ACCOUNTS, &[txn(1, [90, 100], &inserts), deletes.clone()]);
        assert!(word.starts_with(expected), "{word}\n{inserts:#?}");
    }
}

#[test]
fn an_update_that_changes_nothing_leaves_the_row_of_the_snapshot_in_sight() {
    let other = txn(2, [15, 20], &[affected("UPDATE t SET v = 5 WHERE k = 1", [11, 12], 1)]);
    for (value, seen, expected) in
        [(5, 0, "accept"), (5, 5, "reject"), (6, 6, "accept"), (6, 0, "reject")]
    {
        let update = format!("UPDATE t SET v = {value} WHERE k = 1");
        let updates = [
            rows("SELECT v FROM t WHERE k = 1", [1, 2], json!([[0]])),
            affected(&update, [30, 31], u64::from(value == 6)),
            rows("SELECT v FROM t WHERE k = 1", [40, 41], json!([[seen]])),
        ];
        let word = innodb(ACCOUNTS, &[txn(1, [90, 100], &updates), other.clone()]);
        assert!(word.starts_with(expected), "{word}\n{updates:#?}");
    }
}

#[test]
fn what_a_repeatable_transaction_of_mariadb_locks_stays_as_it_is() {
    // The subquery locks what it reads, so the other update waits or comes before.
    let schema = "CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 0); \
                  CREATE TABLE s (k INT PRIMARY KEY, v INT); INSERT INTO s VALUES (1, 7)";
    let other = txn(2, [20, 30], &[affected("UPDATE s SET v = 8 WHERE k = 1", [11, 12], 1)]);
    for (seen, expected) in [(8, "accept"), (7, "reject")] {
        let copies = [
            affected("UPDATE t SET v = (SELECT v FROM s WHERE k = 1) WHERE k = 1", [40, 41], 1),
            rows("SELECT v FROM t WHERE k = 1", [50, 51], json!([[seen]])),
        ];
        let word = innodb(schema, &[other.clone(), txn(1, [90, 100], &copies)]);
        assert!(word.starts_with(expected), "{seen}: {word}");
    }
}

#[test]
fn a_query_that_looks_at_no_table_takes_no_snapshot_in_mariadb() {
    let other = txn(2, [15, 20], &[affected("UPDATE t SET v = 5 WHERE k = 1", [11, 12], 1)]);
    // The server sees that no row meets the first two conditions, without looking for one.
    for (first, shown, late) in [
        ("SELECT v FROM t WHERE k > 1 AND k <= 1", json!([]), "accept"),
        ("SELECT count(*) FROM t WHERE k > 1 AND k <= 1", json!([[0]]), "accept"),
        ("SELECT v FROM t WHERE k > 1 LIMIT 0", json!([]), "accept"),
        ("SELECT v FROM t WHERE k = 2", json!([[0]]), "reject"),
        ("SELECT v FROM t WHERE k = 99 AND v < 7", json!([]), "reject"),
        ("SELECT count(*) FROM t", json!([[2]]), "reject"),
        ("SELECT sum(v) FROM t WHERE k > 0", json!([[0]]), "reject"),
    ] {
        for (seen, expected) in [(0, "accept"), (5, late)] {
            let steps = [
                rows(first, [1, 2], shown.clone()),
                rows("SELECT v FROM t WHERE k = 1", [40, 41], json!([[seen]])),
            ];
            let word = innodb(ACCOUNTS, &[txn(1, [90, 100], &steps), other.clone()]);
            assert!(word.starts_with(expected), "{first}, {seen}: {word}");
        }
    }
}

#[test]
fn a_savepoint_before_all_statements_of_mariadb_ends_the_snapshot() {
    let other = txn(2, [15, 20], &[affected("UPDATE t SET v = 5 WHERE k = 1", [11, 12], 1)]);
    let read = |at: [i64; 2], seen: i64| rows("SELECT v FROM t WHERE k = 1", at, json!([[seen]]));
    let txns = |first: &[Json], seen: i64| {
        let mut steps = first.to_vec();
        steps.push(done("ROLLBACK TO SAVEPOINT s", [30, 31]));
        steps.push(read([40, 41], seen));
        [txn(1, [90, 100], &steps), other.clone()]
    };
    let early = [done("SAVEPOINT s", [1, 2]), read([3, 4], 0)];
    let late = [read([1, 2], 0), done("SAVEPOINT s", [3, 4])];
    for (first, seen, expected) in
        [(&early, 5, "accept"), (&early, 0, "reject"), (&late, 0, "accept"), (&late, 5, "reject")]
    {
        let word = innodb(ACCOUNTS, &txns(first, seen));
        assert!(word.starts_with(expected), "{seen}: {word}\n{first:#?}");
    }
    // What is undone is judged, too.
    let wrong = [done("SAVEPOINT s", [1, 2]), read([3, 4], 3)];
    assert!(innodb(ACCOUNTS, &txns(&wrong, 5)).starts_with("reject"));
}

/// Steps of a transaction during which another one sets v to 5 where k is 1, at the times 11 to 20.
#[test]
fn what_innodb_may_do_is_not_rejected() {
    let other = txn(2, [15, 20], &[affected("UPDATE t SET v = 5 WHERE k = 1", [11, 12], 1)]);
    let read = |at: [i64; 2], seen: i64| rows("SELECT v FROM t WHERE k = 1", at, json!([[seen]]));
    let (save, back) = (
        |name: &str, at: i64| done(&format!("SAVEPOINT {name}"), [at, at]),
        |name: &str, at: i64| done(&format!("ROLLBACK TO {name}"), [at, at + 1]),
    );
    let inner = "SELECT k, (SELECT v FROM t WHERE k = 1) FROM t WHERE k = 2 FOR UPDATE";
    let union = "SELECT v FROM t WHERE k = 1 UNION ALL (SELECT v FROM t WHERE k = 2 FOR UPDATE)";
    let snapshot = done("START TRANSACTION WITH CONSISTENT SNAPSHOT", [1, 1]);
    let missing = failed("ROLLBACK TO a", [30, 31], "1305");
    let nonsense = failed("SELECT * FROM t WHERE", [1, 1], "1064");
    let cases = [
        // What is not locked is of the snapshot.
        vec![read([1, 2], 0), rows(inner, [30, 31], json!([[2, 0]]))],
        vec![read([1, 2], 0), rows(union, [30, 31], json!([[0], [0]]))],
        // A savepoint that is gone changes nothing.
        vec![
            save("a", 1),
            read([2, 3], 0),
            done("RELEASE SAVEPOINT a", [4, 5]),
            missing,
            read([40, 41], 0),
        ],
        // After everything was undone, a savepoint is one before all statements again.
        vec![
            save("a", 1),
            read([2, 3], 0),
            back("a", 4),
            save("b", 6),
            read([7, 8], 0),
            back("b", 30),
            read([40, 41], 5),
        ],
        // It is not clear whether InnoDB knew of the savepoint.
        vec![
            rows("SELECT 1", [1, 1], json!([[1]])),
            save("a", 2),
            read([3, 4], 0),
            back("a", 30),
            read([40, 41], 5),
        ],
        vec![nonsense, save("a", 2), read([3, 4], 0), back("a", 30), read([40, 41], 5)],
        vec![snapshot, save("a", 2), read([3, 4], 0), back("a", 30), read([40, 41], 0)],
    ];
    for steps in cases {
        let word = innodb(ACCOUNTS, &[txn(1, [90, 100], &steps), other.clone()]);
        assert!(!word.starts_with("reject"), "{word}\n{steps:#?}");
    }
    // A row that came and went hides the one of the snapshot, too.
    let deletes = txn(2, [15, 20], &[affected("DELETE FROM t WHERE k = 1", [11, 12], 1)]);
    for (seen, expected) in [(json!([[2, 0]]), "accept"), (json!([[1, 0], [2, 0]]), "reject")] {
        let steps = [
            read([1, 2], 0),
            affected("INSERT INTO t VALUES (1, 9)", [30, 31], 1),
            affected("DELETE FROM t WHERE k = 1", [32, 33], 1),
            rows("SELECT k, v FROM t ORDER BY k", [40, 41], seen),
        ];
        let word = innodb(ACCOUNTS, &[txn(1, [90, 100], &steps), deletes.clone()]);
        assert!(word.starts_with(expected), "{word}\n{steps:#?}");
    }
}

#[test]
fn what_innodb_locks_row_by_row_at_read_committed_is_not_rejected() {
    let schema = "CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 0), (2, 5), (3, 0); \
                  CREATE TABLE s (k INT PRIMARY KEY, v INT); INSERT INTO s VALUES (1, 7)";
    let swap = affected("UPDATE t SET v = 5 - v", [11, 12], 3);
    let move_key = affected("UPDATE t SET k = 0 WHERE k = 3", [11, 12], 1);
    let sum = "(SELECT sum(k) FROM t WHERE v = 5)";
    let sum_locked = "(SELECT sum(k) FROM t WHERE v = 5 FOR UPDATE)";
    // The first row was passed over, the second one was waited for, the third one is found.
    let cases = [
        (&swap, format!("INSERT INTO s VALUES (5, {sum})"), 1, "SELECT v FROM s WHERE k = 5"),
        (
            &swap,
            format!("INSERT INTO s VALUES (1, 0) ON DUPLICATE KEY UPDATE v = {sum}"),
            2,
            "SELECT v FROM s WHERE k = 1",
        ),
        (
            &swap,
            format!("UPDATE s SET v = {sum_locked} WHERE k = 1"),
            1,
            "SELECT v FROM s WHERE k = 1",
        ),
        (&move_key, "UPDATE t SET v = 3 WHERE k <> 1".to_owned(), 1, "SELECT v FROM t WHERE k = 2"),
    ];
    for (other, sql, count, check) in cases {
        let other = txn(2, [15, 20], &[(*other).clone()]);
        let steps = [affected(&sql, [10, 25], count), rows(check, [30, 31], json!([[3]]))];
        let level = AuditLevel::StrongReadCommitted;
        let word = judged("mariadb", level, false, schema, &[txn(1, [90, 100], &steps), other]);
        assert!(!word.starts_with("reject"), "{word}\n{steps:#?}");
    }
}

#[test]
fn single_rows_are_judged_in_mariadb_although_they_were_waited_for() {
    let add = |count: i64, at: [i64; 2]| {
        affected(&format!("UPDATE t SET v = v + {count} WHERE k = 1"), at, 1)
    };
    let (first, second) =
        (txn(1, [20, 30], &[add(1, [1, 2])]), txn(2, [40, 50], &[add(10, [10, 25])]));
    for (seen, expected) in [(11, "accept"), (10, "reject"), (1, "reject")] {
        let third = rows("SELECT v FROM t WHERE k = 1", [60, 61], json!([[seen]]));
        let txns = [first.clone(), second.clone(), txn(3, [70, 80], &[third])];
        let word = judged("mariadb", AuditLevel::StrongReadCommitted, false, ACCOUNTS, &txns);
        assert!(word.starts_with(expected), "{seen}: {word}");
    }
}

#[test]
fn a_locking_read_may_have_been_before_a_commit_that_overlaps_it() {
    let read =
        |seen: i64| rows("SELECT v FROM t WHERE k = 1 FOR UPDATE", [10, 40], json!([[seen]]));
    let add = txn(1, [30, 50], &[affected("UPDATE t SET v = v + 1 WHERE k = 1", [1, 20], 1)]);
    let level = AuditLevel::StrongReadCommitted;
    for dialect in ["postgresql", "mariadb"] {
        for (seen, expected) in [(0, "accept"), (1, "accept"), (2, "reject")] {
            let txns = [add.clone(), txn(2, [45, 60], &[read(seen)])];
            let word = judged(dialect, level, false, ACCOUNTS, &txns);
            assert!(word.starts_with(expected), "{dialect}, {seen}: {word}");
        }
    }
}

#[test]
fn mariadb_may_pass_over_rows_at_different_moments() {
    // While the second transaction looks for rows, the first one moves both into its way.
    let first = txn(1, [20, 30], &[affected("UPDATE t SET v = 5", [1, 2], 2)]);
    let level = AuditLevel::StrongReadCommitted;
    for (count, expected) in [(0, "accept"), (1, "accept"), (2, "accept"), (3, "reject")] {
        let second = affected("UPDATE t SET v = 6 WHERE v = 5", [10, 25], count);
        let txns = [first.clone(), txn(2, [40, 50], &[second])];
        let word = judged("mariadb", level, false, ACCOUNTS, &txns);
        assert!(word.starts_with(expected), "{count}: {word}");
    }
    // Before the statement was sent, it was over.
    for (count, expected) in [(1, "reject"), (2, "accept")] {
        let second = affected("UPDATE t SET v = 6 WHERE v = 5", [35, 36], count);
        let txns = [first.clone(), txn(2, [40, 50], &[second])];
        let word = judged("mariadb", level, false, ACCOUNTS, &txns);
        assert!(word.starts_with(expected), "{count}: {word}");
    }
}

#[test]
fn rows_stay_in_the_order_in_which_postgresql_found_them() {
    let schema = "CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 9), (2, 5)";
    let first = txn(1, [20, 30], &[affected("UPDATE t SET v = 1 WHERE k = 1", [1, 2], 1)]);
    let query = "SELECT k, v FROM t ORDER BY v DESC FOR UPDATE";
    for (answer, expected) in [
        (json!([[1, 1], [2, 5]]), "accept"),
        (json!([[2, 5], [1, 1]]), "accept"),
        (json!([[1, 9], [2, 5]]), "accept"),
        (json!([[2, 5], [1, 9]]), "reject"),
    ] {
        let second = txn(2, [50, 60], &[rows(query, [10, 25], answer.clone())]);
        let word = word(AuditLevel::StrongReadCommitted, false, schema, &[first.clone(), second]);
        assert!(word.starts_with(expected), "{answer}: {word}");
    }
}

#[test]
fn a_statement_that_turns_out_not_to_be_supported_is_not_judged() {
    let reads = [
        rows("SELECT power(0.01, k) FROM t", [1, 2], json!([["0.01"], ["0.0001"]])),
        rows("SELECT v FROM t WHERE k = 1", [3, 4], json!([[0]])),
    ];
    let accepted = word(AuditLevel::Serializable, false, ACCOUNTS, &[txn(1, [5, 6], &reads)]);
    assert_eq!(accepted, "accept");
    let wrong = [reads[0].clone(), rows("SELECT v FROM t WHERE k = 1", [3, 4], json!([[1]]))];
    let rejected = word(AuditLevel::Serializable, false, ACCOUNTS, &[txn(1, [5, 6], &wrong)]);
    assert!(rejected.starts_with("reject"), "{rejected}");
}

#[test]
fn a_key_may_be_taken_by_a_row_that_the_snapshot_does_not_have() {
    let first = txn(1, [5, 6], &[affected("INSERT INTO t VALUES (3, 0)", [3, 4], 1)]);
    let second = [
        rows("SELECT v FROM t WHERE k = 1", [1, 2], json!([[0]])),
        done("SAVEPOINT s", [7, 8]),
        failed("INSERT INTO t VALUES (3, 1)", [9, 10], "23505"),
        done("ROLLBACK TO SAVEPOINT s", [11, 12]),
    ];
    is_accepted(&NOT_SERIAL, false, ACCOUNTS, &[txn(2, [20, 30], &second), first]);
}

#[test]
fn only_what_was_done_since_a_savepoint_is_undone() {
    let lost = [
        rows("UPDATE t SET v = v + 1 WHERE k = 1 RETURNING v", [3, 4], json!([[1]])),
        done("SAVEPOINT s", [5, 6]),
        done("ROLLBACK TO SAVEPOINT s", [7, 8]),
    ];
    let other = rows("UPDATE t SET v = v + 1 WHERE k = 1 RETURNING v", [11, 12], json!([[1]]));
    let txns = [txn(1, [90, 100], &lost), txn(2, [15, 20], &[other])];
    let word = word(AuditLevel::StrongReadCommitted, false, ACCOUNTS, &txns);
    assert!(word.starts_with("reject"), "{word}");
}

/// Tags of articles, one of each, and a table that connects them.
const TAGGED: &str = "CREATE TABLE p (id INT PRIMARY KEY, v INT); INSERT INTO p VALUES (1, 0), (2, 0); \
     CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id))";

/// The verdicts on a log of MariaDB at all levels of that server, each in a word.
fn on_mariadb(txns: &[Json]) -> Vec<String> {
    let levels = [
        AuditLevel::Serializable,
        AuditLevel::MariaDbRepeatableRead,
        AuditLevel::StrongReadCommitted,
    ];
    levels.into_iter().map(|level| judged("mariadb", level, false, TAGGED, txns)).collect()
}

#[test]
fn insert_ignore_stores_rows_that_refer_to_others() {
    let several = "INSERT IGNORE INTO c VALUES (1, 1), (2, 2), (3, NULL), (1, 2), (4, 9)";
    for (count, expected) in [(3, "accept"), (2, "reject"), (5, "reject")] {
        let txns = [
            txn(1, [10, 20], &[affected(several, [1, 2], count)]),
            txn(
                2,
                [50, 60],
                &[rows("SELECT id FROM c WHERE id < 4", [41, 42], json!([[1], [2], [3]]))],
            ),
        ];
        let told = on_mariadb(&txns);
        assert!(told.iter().all(|word| word.starts_with(expected)), "{count}: {told:?}");
    }
}

#[test]
fn insert_ignore_may_leave_out_rows_that_refer_to_nothing() {
    let orphan = |count| affected("INSERT IGNORE INTO c VALUES (1, 7)", [1, 2], count);
    for (count, seen, expected) in [
        (0, json!([]), "accept"),
        (0, json!([[1]]), "reject"),
        // The session may not check foreign keys.
        (1, json!([[1]]), "accept"),
        (1, json!([]), "reject"),
    ] {
        let read = rows("SELECT id FROM c", [41, 42], seen);
        let told = on_mariadb(&[txn(1, [10, 20], &[orphan(count)]), txn(2, [50, 60], &[read])]);
        assert!(told.iter().all(|word| word.starts_with(expected)), "{count}: {told:?}");
    }
}

#[test]
fn insert_ignore_waits_for_what_it_refers_to() {
    // The row that is referred to goes away, comes back, or changes while the transaction is open.
    let insert = |count| {
        let ignores = affected("INSERT IGNORE INTO c VALUES (1, 1)", [20, 35], count);
        txn(1, [50, 60], &[affected("UPDATE p SET v = v + 1 WHERE id = 2", [11, 12], 1), ignores])
    };
    let before = |sql: &str| txn(2, [15, 40], &[affected(sql, [13, 14], 1)]);
    for (sql, count) in [
        ("DELETE FROM p WHERE id = 1", 0),
        ("DELETE FROM p WHERE id = 1", 1),
        ("UPDATE p SET v = 5 WHERE id = 1", 1),
        ("UPDATE p SET id = 8 WHERE id = 1", 0),
    ] {
        let told = on_mariadb(&[before(sql), insert(count)]);
        assert!(told.iter().all(|word| !word.starts_with("reject")), "{sql}, {count}: {told:?}");
    }
    // No transaction deletes this row, so it must exist.
    let told = on_mariadb(&[before("UPDATE p SET v = 5 WHERE id = 2"), insert(0)]);
    assert!(told.iter().all(|word| !word.starts_with("accept")), "{told:?}");
}

//! Comments, schemas and other things that a parser easily gets wrong.

use tristan_sql::{Dialect, Memory, ObservedValue};

fn seen(database: &mut Memory, query: &str) -> Vec<Vec<ObservedValue>> {
    let outcome = database.run(query).expect(query);
    let rows = outcome.answer.expect(query).rows.expect(query);
    let types: Vec<_> = rows.columns.iter().map(|(_, ty)| *ty).collect();
    let shown = |row: &Vec<_>| {
        row.iter().zip(&types).map(|(value, ty)| ObservedValue::of(value, *ty)).collect()
    };
    rows.rows.iter().map(shown).collect()
}

/// The number that a query shows; `None` if it shows anything else.
fn one(database: &mut Memory, query: &str) -> Option<i128> {
    match seen(database, query).as_slice() {
        [row] => match row.as_slice() {
            [ObservedValue::Int(number)] => Some(*number),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn comments_are_read_as_the_server_reads_them() {
    use Dialect::{MariaDb, MySql, PostgreSql};
    for (dialect, query, expected) in [
        (PostgreSql, "SELECT 1 /* /* */ + 1 */ + 2", 3),
        (MySql, "SELECT 1 /* /* */ + 1", 2),
        (MySql, "SELECT 1 # + 1\n + 3", 4),
        (MySql, "SELECT 5--1", 6),
        (MySql, "SELECT 1 /*!50001 + 1 */", 2),
        (MySql, "SELECT 1 /*!100100 + 1 */", 1),
        (MySql, "SELECT 1 /*M! + 1 */", 1),
        (MariaDb, "SELECT 1 /*M!100100 + 1 */ /*!50701 + 1 */", 2),
        (MariaDb, "/* a */ SELECT /*! 1 + */ 1; -- b", 2),
    ] {
        assert_eq!(one(&mut Memory::new(dialect), query), Some(expected), "{query}");
    }
    let unclear = Memory::new(MySql).run("SELECT 1 /*!80100 + 1 */").expect_err("unclear");
    assert!(unclear.to_string().contains("which versions of the server"), "{unclear}");
}

#[test]
fn a_star_of_a_changed_table_shows_its_columns() {
    let mut database = Memory::new(Dialect::PostgreSql);
    database.run("CREATE TABLE t (k INT, v INT)").expect("a table");
    database.run("INSERT INTO t VALUES (1, 2)").expect("a row");
    for statement in [
        "UPDATE t SET v = 2 RETURNING t.*",
        "UPDATE t AS a SET v = 2 FROM t AS b RETURNING a.*",
        "UPDATE t SET v = 2 RETURNING *",
        "DELETE FROM t RETURNING t.*",
    ] {
        let rows = seen(&mut database, statement);
        assert_eq!(rows, [[ObservedValue::Int(1), ObservedValue::Int(2)]], "{statement}");
    }
}

#[test]
fn a_schema_is_a_part_of_a_name() {
    let mut database = Memory::new(Dialect::PostgreSql);
    for statement in [
        "CREATE TABLE a.t (v INT)",
        "CREATE TABLE b.t (v INT)",
        "CREATE TABLE t (v INT)",
        "INSERT INTO a.t VALUES (1)",
        "INSERT INTO b.t AS x VALUES (2)",
        "INSERT INTO public.t VALUES (3)",
        "UPDATE a.t SET v = t.v + 10",
    ] {
        assert!(database.run(statement).expect(statement).answer.is_ok(), "{statement}");
    }
    for (query, expected) in [
        ("SELECT v FROM a.t", 11),
        ("SELECT t.v FROM B.T", 2),
        ("SELECT b.t.v FROM b.t", 2),
        ("SELECT v FROM t", 3),
        ("WITH t AS (SELECT 4 AS v) SELECT v FROM public.t", 3),
        ("SELECT x.v + y.v FROM a.t AS x, b.t AS y", 13),
    ] {
        assert_eq!(one(&mut database, query), Some(expected), "{query}");
    }
    let refused = database.run("SELECT a.t.v FROM a.t, b.t").expect_err("two tables t");
    assert!(refused.to_string().contains("another table t"), "{refused}");
    assert!(database.run("SELECT v FROM c.t").expect("an answer").answer.is_err());
}

#[test]
fn a_database_that_is_not_known_is_not_guessed() {
    let mut database = Memory::new(Dialect::MySql);
    database.run("CREATE TABLE t (v INT)").expect("a table");
    let refused = database.run("SELECT v FROM a.t").expect_err("is a in use?");
    assert!(refused.to_string().contains("the database in use is not known"), "{refused}");
}

#[test]
fn system_catalogs_are_named() {
    use Dialect::{MariaDb, MySql, PostgreSql};
    for (dialect, table) in [
        (PostgreSql, "pg_class"),
        (PostgreSql, "pg_catalog.pg_class"),
        (PostgreSql, "pg_temp.t"),
        (PostgreSql, "information_schema.tables"),
        (MySql, "information_schema.tables"),
        (MySql, "mysql.user"),
        (MariaDb, "performance_schema.threads"),
        (MariaDb, "sys.version"),
    ] {
        for statement in [format!("SELECT * FROM {table}"), format!("DELETE FROM {table} AS x")] {
            let refused = Memory::new(dialect).run(&statement).expect_err(&statement);
            assert!(refused.to_string().contains(table), "{refused}");
            assert!(refused.to_string().contains("system catalog"), "{refused}");
        }
    }
    let other = Memory::new(MySql).run("SELECT * FROM pg_class").expect("an answer");
    assert!(other.answer.is_err());
}

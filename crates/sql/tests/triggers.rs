//! Triggers, MERGE, functions in FROM, exceptions and computed statements.

use tristan_sql::{Dialect, Error, Memory};

use crate::routines::{database, error, rows};

const POSTGRES: Dialect = Dialect::PostgreSql;
const MARIA: Dialect = Dialect::MariaDb;

fn run(database: &mut Memory, statement: &str) {
    database.run(statement).expect(statement).answer.expect(statement);
}

fn count(database: &mut Memory, statement: &str) -> u64 {
    let answer = database.run(statement).expect(statement).answer.expect(statement);
    answer.count.expect(statement).changed
}

fn is_refused(database: &mut Memory, statement: &str) -> bool {
    matches!(database.run(statement), Err(Error::Unsupported { .. }))
}

fn function(name: &str, body: &str) -> String {
    format!("CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$")
}

#[test]
fn before_triggers_change_and_skip_rows_in_the_order_of_their_names() {
    let add = function("add", "BEGIN NEW.v := NEW.v || TG_NAME; RETURN NEW; END");
    let odd = function("odd", "BEGIN IF NEW.id % 2 = 1 THEN RETURN NULL; END IF; RETURN NEW; END");
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, v TEXT NOT NULL)",
            &add,
            &odd,
            "CREATE TRIGGER b BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION add()",
            "CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION add()",
            "CREATE TRIGGER c BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION odd()",
        ],
    );
    assert_eq!(count(&mut db, "INSERT INTO t VALUES (1, 'x'), (2, 'y')"), 1);
    assert_eq!(rows(&mut db, "SELECT * FROM t"), ["2,yab"]);
    run(&mut db, "INSERT INTO t VALUES (2, 'z') ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v");
    assert_eq!(rows(&mut db, "SELECT * FROM t"), ["2,zabb"]);
    assert_eq!(error(&mut db, "UPDATE t SET v = NULL"), "23502");
    run(&mut db, "ALTER TABLE t DISABLE TRIGGER ALL");
    run(&mut db, "UPDATE t SET v = 'plain'");
    assert_eq!(rows(&mut db, "SELECT v FROM t"), ["plain"]);
    run(&mut db, "ALTER TABLE t ENABLE TRIGGER b");
    run(&mut db, "DROP TRIGGER a ON t");
    run(&mut db, "UPDATE t SET v = 'again'");
    assert_eq!(rows(&mut db, "SELECT v FROM t"), ["againb"]);
}

#[test]
fn after_triggers_see_all_rows_and_undo_with_their_statement() {
    let total = function(
        "total",
        "BEGIN UPDATE total SET n = (SELECT count(*) FROM t);
         IF (SELECT n FROM total) > 3 THEN RAISE EXCEPTION 'too many'; END IF; RETURN NULL; END",
    );
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (id INT PRIMARY KEY)",
            "CREATE TABLE total (n INT)",
            "INSERT INTO total VALUES (0)",
            &total,
            "CREATE TRIGGER a AFTER INSERT OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION total()",
        ],
    );
    run(&mut db, "INSERT INTO t VALUES (1), (2)");
    assert_eq!(rows(&mut db, "SELECT n FROM total"), ["2"]);
    assert_eq!(error(&mut db, "INSERT INTO t VALUES (3), (4)"), "P0001");
    assert_eq!(rows(&mut db, "SELECT n, (SELECT count(*) FROM t) FROM total"), ["2,2"]);
    run(&mut db, "DELETE FROM t");
    assert_eq!(rows(&mut db, "SELECT n FROM total"), ["0"]);
}

#[test]
fn triggers_that_depend_on_the_order_of_rows_are_refused() {
    let last =
        function("last", "BEGIN UPDATE total SET n = NEW.id; RETURN COALESCE(NEW, OLD); END");
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (id INT, v INT)",
            "CREATE TABLE total (n INT)",
            "INSERT INTO total VALUES (0)",
            &last,
            "CREATE TRIGGER a AFTER INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION last()",
        ],
    );
    run(&mut db, "INSERT INTO t VALUES (1, 0), (2, 0)");
    assert_eq!(rows(&mut db, "SELECT n FROM total"), ["2"]);
    assert!(is_refused(&mut db, "UPDATE t SET v = 1"));
    run(&mut db, "UPDATE t SET v = 1 WHERE id = 1");
    assert_eq!(rows(&mut db, "SELECT n FROM total"), ["1"]);
    assert!(is_refused(&mut db, "SELECT last()"));
}

#[test]
fn statement_triggers_have_transition_tables() {
    let note = function(
        "note",
        "BEGIN INSERT INTO log SELECT TG_OP, count(*), sum(n) FROM added; RETURN NULL; END",
    );
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (n INT)",
            "CREATE TABLE log (op TEXT, k BIGINT, total BIGINT)",
            &note,
            "CREATE TRIGGER a AFTER INSERT ON t REFERENCING NEW TABLE AS added
             FOR EACH STATEMENT EXECUTE FUNCTION note()",
        ],
    );
    run(&mut db, "INSERT INTO t VALUES (1), (2)");
    run(&mut db, "INSERT INTO t SELECT n FROM t WHERE n > 9");
    assert_eq!(rows(&mut db, "SELECT * FROM log ORDER BY k"), ["INSERT,0,NULL", "INSERT,2,3"]);
}

#[test]
fn mariadb_triggers_set_columns_keep_logs_and_signal() {
    let mut db = database(
        MARIA,
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(10))",
            "CREATE TABLE log (id INT, before_n INT, after_n INT)",
            "CREATE TRIGGER b BEFORE INSERT ON t FOR EACH ROW SET NEW.s = CONCAT(NEW.s, '!'), NEW.n = NEW.n * 2",
            "CREATE TRIGGER a AFTER UPDATE ON t FOR EACH ROW INSERT INTO log VALUES (NEW.id, OLD.n, NEW.n)",
            "CREATE TRIGGER d BEFORE DELETE ON t FOR EACH ROW
             BEGIN IF OLD.n > 5 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF; END",
        ],
    );
    run(&mut db, "INSERT INTO t VALUES (1, 1, 'a'), (2, 3, 'b')");
    assert_eq!(rows(&mut db, "SELECT * FROM t ORDER BY id"), ["1,2,a!", "2,6,b!"]);
    assert_eq!(count(&mut db, "UPDATE t SET n = 6"), 1);
    assert_eq!(rows(&mut db, "SELECT * FROM log ORDER BY id"), ["1,2,6", "2,6,6"]);
    assert_eq!(error(&mut db, "DELETE FROM t"), "45000");
    assert_eq!(rows(&mut db, "SELECT COUNT(*) FROM t"), ["2"]);
    run(&mut db, "DROP TRIGGER d");
    assert_eq!(count(&mut db, "DELETE FROM t"), 2);
}

#[test]
fn merge_takes_the_first_clause_that_fits() {
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
            "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)",
        ],
    );
    let merge =
        "MERGE INTO t USING (VALUES (1, 0), (2, 20), (9, 0), (8, 8)) AS s (id, n) ON t.id = s.id
        WHEN MATCHED AND s.n = 0 THEN DELETE
        WHEN MATCHED THEN UPDATE SET n = t.n + s.n
        WHEN NOT MATCHED AND n > 0 THEN INSERT VALUES (id, n)
        WHEN NOT MATCHED THEN DO NOTHING";
    assert_eq!(count(&mut db, merge), 3);
    assert_eq!(rows(&mut db, "SELECT * FROM t ORDER BY id"), ["2,22", "3,3", "8,8"]);
    let twice = "MERGE INTO t USING (VALUES (2, 1), (2, 2)) AS s (id, n) ON t.id = s.id
        WHEN MATCHED THEN UPDATE SET n = s.n";
    assert_eq!(error(&mut db, twice), "21000");
}

#[test]
fn functions_return_rows_and_have_defaults_and_twins() {
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (id INT, name TEXT)",
            "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
            "CREATE FUNCTION from_id(lowest INT) RETURNS TABLE (id INT, name TEXT) LANGUAGE sql
             AS $$ SELECT t.id, t.name FROM t WHERE t.id >= lowest $$",
            "CREATE FUNCTION everything() RETURNS SETOF t LANGUAGE sql AS $$ SELECT * FROM t $$",
            "CREATE FUNCTION numbers() RETURNS SETOF INT LANGUAGE plpgsql AS $$ BEGIN
             RETURN QUERY SELECT id FROM t; FOR i IN 5..6 LOOP RETURN NEXT i; END LOOP; END $$",
            "CREATE FUNCTION add(a INT, b INT DEFAULT 10) RETURNS INT RETURN a - b",
            "CREATE FUNCTION what(v INT) RETURNS TEXT LANGUAGE sql AS $$ SELECT 'number' $$",
            "CREATE FUNCTION what(v TEXT) RETURNS TEXT LANGUAGE sql AS $$ SELECT 'text' $$",
        ],
    );
    assert_eq!(rows(&mut db, "SELECT * FROM from_id(2)"), ["2,b"]);
    assert_eq!(rows(&mut db, "SELECT name FROM everything() ORDER BY id DESC"), ["b", "a"]);
    assert_eq!(rows(&mut db, "SELECT n FROM numbers() AS n ORDER BY n"), ["1", "2", "5", "6"]);
    assert_eq!(rows(&mut db, "SELECT add(1, 2), add(5), add(b => 1, a => 7)"), ["-1,-5,6"]);
    assert_eq!(error(&mut db, "SELECT add()"), "42883");
    assert_eq!(rows(&mut db, "SELECT what(1), what('x'::text)"), ["number,text"]);
    assert!(is_refused(&mut db, "SELECT what('x')"));
}

#[test]
fn exceptions_take_back_what_their_block_did() {
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (id INT PRIMARY KEY)",
            "CREATE FUNCTION put(n INT) RETURNS TEXT LANGUAGE plpgsql AS $$ BEGIN
             INSERT INTO t VALUES (n + 100); INSERT INTO t VALUES (n); RETURN 'new';
             EXCEPTION WHEN unique_violation THEN RETURN 'known'; END $$",
            "CREATE FUNCTION rows_in(name TEXT, lowest INT) RETURNS BIGINT LANGUAGE plpgsql AS $$
             DECLARE n BIGINT; BEGIN
             EXECUTE format('SELECT count(*) FROM %I WHERE id >= $1', name) INTO n USING lowest;
             RETURN n; END $$",
            "CREATE FUNCTION f() RETURNS INT LANGUAGE sql AS 'SELECT 1'",
            "CREATE OR REPLACE FUNCTION f() RETURNS INT LANGUAGE sql AS 'SELECT 2'",
        ],
    );
    assert_eq!(rows(&mut db, "SELECT put(1)"), ["new"]);
    run(&mut db, "DELETE FROM t WHERE id = 101");
    assert_eq!(rows(&mut db, "SELECT put(1)"), ["known"]);
    assert_eq!(rows(&mut db, "SELECT id FROM t"), ["1"]);
    assert_eq!(rows(&mut db, "SELECT rows_in('t', 1), rows_in('t', 2)"), ["1,0"]);
    assert_eq!(rows(&mut db, "SELECT f()"), ["2"]);
    run(&mut db, "DROP FUNCTION f()");
    assert_eq!(error(&mut db, "SELECT f()"), "42883");
}

#[test]
fn views_have_triggers_instead_of_rows() {
    let put =
        function("put", "BEGIN INSERT INTO t VALUES (NEW.id, lower(NEW.name)); RETURN NEW; END");
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (id INT, name TEXT)",
            "CREATE VIEW v AS SELECT id, upper(name) AS name FROM t",
            &put,
            "CREATE TRIGGER v_put INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION put()",
        ],
    );
    assert_eq!(count(&mut db, "INSERT INTO v (name, id) VALUES ('ADA', 1), ('BOB', 2)"), 2);
    assert_eq!(rows(&mut db, "SELECT * FROM t ORDER BY id"), ["1,ada", "2,bob"]);
}

#[test]
fn views_with_triggers_are_not_written_through() {
    let put = function("put", "BEGIN INSERT INTO t VALUES (NEW.id + 100); RETURN NEW; END");
    let mut db = database(
        POSTGRES,
        &[
            "CREATE TABLE t (id INT)",
            "CREATE VIEW v AS SELECT id FROM t",
            &put,
            "CREATE TRIGGER v_put INSTEAD OF INSERT OR UPDATE OR DELETE ON v
             FOR EACH ROW EXECUTE FUNCTION put()",
            "CREATE VIEW w AS SELECT id FROM v",
            "CREATE OR REPLACE VIEW v AS SELECT id FROM t WHERE id > 0",
        ],
    );
    assert_eq!(count(&mut db, "INSERT INTO v VALUES (1)"), 1);
    assert_eq!(rows(&mut db, "SELECT id FROM t"), ["101"]);
    for statement in ["UPDATE v SET id = 2", "DELETE FROM v", "UPDATE w SET id = 2"] {
        assert!(is_refused(&mut db, statement), "{statement}");
    }
}

#[test]
fn routines_of_two_schemas_are_not_mixed_up() {
    let mut db = database(
        POSTGRES,
        &[
            "CREATE FUNCTION f() RETURNS INT LANGUAGE sql AS 'SELECT 1'",
            "CREATE OR REPLACE FUNCTION public.f() RETURNS INT LANGUAGE sql AS 'SELECT 2'",
            "CREATE FUNCTION g() RETURNS INT LANGUAGE sql AS 'SELECT 3'",
        ],
    );
    assert_eq!(rows(&mut db, "SELECT f()"), ["2"]);
    run(&mut db, "DROP FUNCTION IF EXISTS public.g()");
    assert_eq!(error(&mut db, "SELECT g()"), "42883");
    run(&mut db, "CREATE FUNCTION other.f() RETURNS INT LANGUAGE sql AS 'SELECT 4'");
    assert!(is_refused(&mut db, "SELECT f()"));
}

#[test]
fn merge_refuses_clauses_that_are_never_reached() {
    let mut db = database(POSTGRES, &["CREATE TABLE t (id INT PRIMARY KEY, n INT)"]);
    let merge = |clauses: &str| format!("MERGE INTO t USING t AS s ON t.id = s.id {clauses}");
    let hidden = merge("WHEN MATCHED THEN DELETE WHEN MATCHED AND s.n = 1 THEN DO NOTHING");
    assert_eq!(error(&mut db, &hidden), "42601");
    run(&mut db, &merge("WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN DO NOTHING"));
}

#[test]
fn mariadb_fires_the_triggers_of_a_row_before_it_looks_at_the_next() {
    let mut db = database(
        MARIA,
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, at DATETIME NOT NULL)",
            "CREATE TABLE log (id INT)",
            "CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW INSERT INTO log VALUES (NEW.id, 1)",
        ],
    );
    let insert = "INSERT INTO t VALUES (1, '2024-01-01 00:00:00'), (2, DEFAULT)";
    assert!(is_refused(&mut db, insert));
}

#[test]
fn an_error_of_merge_is_not_told_if_the_order_of_rows_decides_which_it_is() {
    let mut db = database(
        POSTGRES,
        &["CREATE TABLE t (id INT, n INT UNIQUE)", "INSERT INTO t VALUES (1, 1), (1, 2), (2, 3)"],
    );
    let merge = "MERGE INTO t USING t AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = 7";
    assert!(is_refused(&mut db, merge));
}

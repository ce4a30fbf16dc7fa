//! Functions and procedures do what their languages say.

use tristan_sql::{Dialect, Memory};

use crate::shown::rows_of;

pub(crate) fn database(dialect: Dialect, statements: &[&str]) -> Memory {
    let mut database = Memory::new(dialect);
    for statement in statements {
        database.run(statement).expect(statement).answer.expect(statement);
    }
    database
}

/// Rows as texts, with commas between values.
pub(crate) fn rows(database: &mut Memory, query: &str) -> Vec<String> {
    let answer = database.run(query).expect(query).answer.expect(query);
    let table = answer.rows.expect("rows");
    rows_of(&table, ",")
}

pub(crate) fn error(database: &mut Memory, statement: &str) -> String {
    let failure = database.run(statement).expect(statement).answer.expect_err(statement);
    failure.class.sqlstate().to_owned()
}

const ACCOUNTS: &[&str] = &[
    "CREATE TABLE accounts (acc_id INT PRIMARY KEY, balance DECIMAL(12,2))",
    "INSERT INTO accounts VALUES (1, 100), (2, 300), (3, 50)",
];

#[test]
fn mysql_procedures_call_each_other() {
    let mut bank = database(Dialect::MySql, ACCOUNTS);
    for statement in [
        "CREATE PROCEDURE Deposit (IN tgt INT, IN amt DECIMAL(12,2))
         BEGIN
             UPDATE accounts SET balance = balance + amt WHERE acc_id = tgt;
         END",
        "CREATE PROCEDURE Transfer (IN src INT, IN tgt INT, IN amt DECIMAL(12,2))
         BEGIN
             CALL Deposit(tgt, amt);
             UPDATE accounts SET balance = balance - amt WHERE acc_id = src;
         END",
        "CALL Transfer(1, 2, 10)",
    ] {
        bank.run(statement).expect(statement).answer.expect(statement);
    }
    assert_eq!(
        rows(&mut bank, "SELECT * FROM accounts ORDER BY 1"),
        ["1,90.00", "2,310.00", "3,50.00"]
    );
}

#[test]
fn mysql_loops_over_a_cursor() {
    let mut bank = database(Dialect::MariaDb, ACCOUNTS);
    for statement in [
        "CREATE PROCEDURE total (OUT result DECIMAL(12,2), INOUT counted INT)
         BEGIN
             DECLARE done, n INT DEFAULT 0;
             DECLARE one DECIMAL(12,2);
             DECLARE c CURSOR FOR SELECT balance FROM accounts;
             DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
             SET result = 0;
             OPEN c;
             again: LOOP
                 FETCH c INTO one;
                 IF done THEN LEAVE again; END IF;
                 SET result = result + one, n = n + 1;
             END LOOP;
             CLOSE c;
             WHILE n > 0 DO
                 SET counted = counted + 1, n = n - 1;
             END WHILE;
             REPEAT SET n = n + 1; UNTIL n >= 3 END REPEAT;
             SET @n = n;
         END",
        "SET @counted = 10",
        "CALL total(@total, @counted)",
    ] {
        bank.run(statement).expect(statement).answer.expect(statement);
    }
    assert_eq!(rows(&mut bank, "SELECT @total, @counted, @n"), ["450.00,13,3"]);
}

#[test]
fn mysql_functions_and_errors() {
    let mut bank = database(Dialect::MySql, ACCOUNTS);
    for statement in [
        "CREATE FUNCTION size_of (amount DECIMAL(12,2)) RETURNS VARCHAR(10) DETERMINISTIC
         BEGIN
             CASE WHEN amount < 100 THEN RETURN 'small'; ELSE RETURN 'large'; END CASE;
         END",
        "CREATE PROCEDURE withdraw (IN src INT, IN amt DECIMAL(12,2))
         BEGIN
             DECLARE have DECIMAL(12,2);
             UPDATE accounts SET balance = balance - amt WHERE acc_id = src;
             SELECT balance INTO have FROM accounts WHERE acc_id = src;
             IF have < 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF;
         END",
    ] {
        bank.run(statement).expect(statement).answer.expect(statement);
    }
    assert_eq!(
        rows(&mut bank, "SELECT acc_id, size_of(balance) FROM accounts ORDER BY acc_id"),
        ["1,large", "2,large", "3,small"]
    );
    assert_eq!(error(&mut bank, "CALL withdraw(3, 60)"), "45000");
    // What came before the error stays.
    assert_eq!(rows(&mut bank, "SELECT balance FROM accounts WHERE acc_id = 3"), ["-10.00"]);
}

#[test]
fn plpgsql_functions_have_loops_and_records() {
    let mut bank = database(Dialect::PostgreSql, ACCOUNTS);
    for statement in [
        "CREATE FUNCTION total(at_least numeric) RETURNS numeric LANGUAGE plpgsql AS $$
         DECLARE
             result numeric := 0;
             one record;
         BEGIN
             FOR one IN SELECT acc_id, balance FROM accounts WHERE balance >= at_least ORDER BY acc_id LOOP
                 IF one.acc_id = 2 THEN CONTINUE; END IF;
                 result := result + one.balance;
             END LOOP;
             FOR i IN 1..3 LOOP
                 result := result + i;
                 EXIT WHEN i = 2;
             END LOOP;
             RETURN result;
         END $$",
        "CREATE OR REPLACE PROCEDURE transfer(src int, tgt int, amt numeric) AS $$
         DECLARE have numeric;
         BEGIN
             SELECT balance INTO have FROM accounts WHERE acc_id = src;
             IF NOT FOUND THEN RAISE EXCEPTION 'no account %', src USING ERRCODE = 'BANK1';
             ELSIF have < amt THEN RAISE EXCEPTION 'too little'; END IF;
             UPDATE accounts SET balance = balance - amt WHERE acc_id = src;
             UPDATE accounts SET balance = balance + amt WHERE acc_id = tgt;
         END $$ LANGUAGE plpgsql",
        "CALL transfer(2, 3, 25.50)",
    ] {
        bank.run(statement).expect(statement).answer.expect(statement);
    }
    assert_eq!(
        rows(&mut bank, "SELECT balance FROM accounts ORDER BY acc_id"),
        ["100.00", "274.50", "75.50"]
    );
    assert_eq!(rows(&mut bank, "SELECT total(60)"), ["178.50"]);
    assert_eq!(error(&mut bank, "CALL transfer(9, 3, 1)"), "BANK1");
    assert_eq!(error(&mut bank, "CALL transfer(1, 3, 1000)"), "P0001");
}

#[test]
fn plpgsql_cursors_while_and_out() {
    let mut bank = database(Dialect::PostgreSql, ACCOUNTS);
    {
        let statement =
            "CREATE PROCEDURE middle(OUT id int, OUT amount numeric) LANGUAGE plpgsql AS $$
         DECLARE
             c CURSOR FOR SELECT acc_id, balance FROM accounts ORDER BY balance;
             n int := 0;
         BEGIN
             OPEN c;
             WHILE n < 2 LOOP
                 FETCH c INTO id, amount;
                 n := n + 1;
             END LOOP;
             CLOSE c;
         END $$";
        bank.run(statement).expect(statement).answer.expect(statement);
    }
    assert_eq!(rows(&mut bank, "CALL middle(NULL, NULL)"), ["1,100.00"]);
}

#[test]
fn what_is_not_supported_is_named() {
    for (dialect, text, feature) in [
        (
            Dialect::PostgreSql,
            "CREATE FUNCTION f() RETURNS int LANGUAGE plperl AS 'return 1'",
            "the language plperl",
        ),
        (
            Dialect::MySql,
            "CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION ROLLBACK; END",
            "HANDLER",
        ),
    ] {
        let error = tristan_sql::Statement::prepare(text, dialect).expect_err(text).to_string();
        assert!(error.contains(feature), "{error}");
    }
}

#[test]
fn expressions_of_a_routine_see_what_its_statements_did() {
    let mut mysql = database(
        Dialect::MySql,
        &[
            "CREATE TABLE t (x INT)",
            "INSERT INTO t VALUES (1), (2)",
            "CREATE PROCEDURE p ()
             BEGIN
                 DECLARE total INT DEFAULT 0;
                 UPDATE t SET x = x + 10;
                 SET total = (SELECT SUM(x) FROM t);
                 UPDATE t SET x = total;
             END",
            "CALL p()",
        ],
    );
    assert_eq!(rows(&mut mysql, "SELECT x FROM t"), ["23", "23"]);

    let mut postgres = database(
        Dialect::PostgreSql,
        &[
            "CREATE TABLE t (x INT)",
            "INSERT INTO t VALUES (1), (2)",
            "CREATE FUNCTION f() RETURNS INT LANGUAGE plpgsql AS $$
             BEGIN
                 INSERT INTO t SELECT (SELECT max(x) FROM t) + x FROM t;
                 IF (SELECT count(*) FROM t) = 4 THEN
                     RETURN (SELECT sum(x) FROM t);
                 END IF;
                 RETURN -1;
             END $$",
        ],
    );
    assert_eq!(rows(&mut postgres, "SELECT f()"), ["10"]);
}

//! What statements are about.

use tristan_sqltext::{Control, Dialect, SearchPath, Subject, subject, tokens};

fn of(text: &str, dialect: Dialect) -> Subject {
    subject(&tokens(text, dialect), dialect)
}

#[test]
fn statements_that_touch_no_row_are_told_apart() {
    use Dialect::{MariaDb, MySql, PostgreSql};
    for (text, dialect, expected) in [
        ("/* nothing */", PostgreSql, Subject::Nothing),
        ("-- x\nsavepoint a", PostgreSql, Subject::Transaction(Control::Savepoint("a".into()))),
        ("set extra_float_digits = 3", PostgreSql, Subject::Session),
        ("set time zone 'UTC'", PostgreSql, Subject::Session),
        ("set names utf8mb4", MySql, Subject::Session),
        ("set names utf8mb4, sql_mode = ''", MySql, Subject::Setting("sql_mode".into())),
        ("set autocommit = 1, sql_mode = ''", MySql, Subject::Setting("sql_mode".into())),
        ("select @@session.autocommit, @@sql_mode", MySql, Subject::Session),
        (
            "set autocommit=1, sql_mode=concat(@@sql_mode,',STRICT_TRANS_TABLES')",
            MariaDb,
            Subject::Transaction(Control::Autocommit(true)),
        ),
        (
            "SET NAMES utf8mb4, @@SESSION.sql_mode = CONCAT(CONCAT(@@sql_mode, ',STRICT_ALL_TABLES'), ',NO_AUTO_VALUE_ON_ZERO'), @@SESSION.sql_auto_is_null = 0, @@SESSION.wait_timeout = 2147483",
            MySql,
            Subject::Session,
        ),
        (
            "set sql_mode = concat(@@sql_mode, ',ANSI_QUOTES')",
            MySql,
            Subject::Setting("sql_mode".into()),
        ),
        ("set sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES'", MySql, Subject::Session),
        (
            "set sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES'",
            MariaDb,
            Subject::Setting("sql_mode".into()),
        ),
        ("set \"DateStyle\" = German", PostgreSql, Subject::Setting("DateStyle".into())),
        (
            "select set_config('transaction_isolation', 'serializable', true)",
            PostgreSql,
            Subject::Data,
        ),
        (
            "select set_config('datestyle', $1, false)",
            PostgreSql,
            Subject::Setting("datestyle".into()),
        ),
        ("set sql_mode = '', @a = 1", MySql, Subject::Setting("sql_mode".into())),
        (
            "set @@session.sql_mode = 'ANSI_QUOTES,TRADITIONAL'",
            MariaDb,
            Subject::Setting("@@session.sql_mode".into()),
        ),
        (
            "set sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO'",
            MySql,
            Subject::Session,
        ),
        ("set time_zone = '+02:00'", MySql, Subject::Setting("time_zone".into())),
        (
            "set standard_conforming_strings to off",
            PostgreSql,
            Subject::Setting("standard_conforming_strings".into()),
        ),
        ("set datestyle to 'ISO'", PostgreSql, Subject::Session),
        ("select set_config('TimeZone', 'UTC', false)", PostgreSql, Subject::Session),
        ("SELECT pg_catalog.set_config('a.b', $1, true)", PostgreSql, Subject::Session),
        ("select set_config('search_path', 'a', false)", PostgreSql, Subject::Data),
        ("select set_config('x', f(), false)", PostgreSql, Subject::Data),
        ("select set_config('x', 'y', false) from t", PostgreSql, Subject::Data),
        ("set @a = 1", MySql, Subject::Data),
        ("vacuum t", PostgreSql, Subject::Session),
        ("analyze t", PostgreSql, Subject::Session),
        ("analyze table t", MariaDb, Subject::Session),
        ("describe t", MariaDb, Subject::Session),
        ("truncate t", MySql, Subject::Data),
        ("/* app */ delete from t", PostgreSql, Subject::Data),
        ("show tables /*!80100 x */", MySql, Subject::Data),
    ] {
        assert_eq!(of(text, dialect), expected, "{text}");
    }
}

#[test]
fn explanations_say_whether_the_statement_is_executed() {
    use Dialect::{MariaDb, MySql, PostgreSql};
    for (text, dialect, executed, rest) in [
        ("explain select 1", PostgreSql, false, "select 1"),
        ("EXPLAIN /* x */ ANALYZE update t", PostgreSql, true, "update t"),
        ("explain (buffers, analyze) delete from t", PostgreSql, true, "delete from t"),
        ("explain (analyze off) delete from t", PostgreSql, false, "delete from t"),
        ("explain (analyze true, format json) (select 1)", PostgreSql, true, "(select 1)"),
        ("explain analyze verbose select 1", PostgreSql, true, "select 1"),
        ("explain format=tree select 1", MySql, false, "select 1"),
        ("analyze format=json update t set a = 1", MariaDb, true, "update t set a = 1"),
        ("analyze update t set a = 1", MariaDb, true, "update t set a = 1"),
    ] {
        let at = text.find(rest).expect(text);
        assert_eq!(of(text, dialect), Subject::Explanation { runs: executed, at }, "{text}");
    }
}

#[test]
fn paths_say_where_names_are_looked_up() {
    use Dialect::{MySql, PostgreSql};
    let within = |schemas: &[&str]| SearchPath::In(schemas.iter().map(|&one| one.into()).collect());
    for (text, dialect, expected) in [
        ("use `A`", MySql, within(&["A"])),
        ("set search_path to a, \"B\"", PostgreSql, within(&["a", "B"])),
        ("set search_path = \"$user\", public", PostgreSql, SearchPath::Usual),
        ("set schema 'a'", PostgreSql, within(&["a"])),
        ("set local search_path = a", PostgreSql, SearchPath::Unclear),
        ("set search_path = ''", PostgreSql, within(&[""])),
        ("reset search_path", PostgreSql, SearchPath::Usual),
        ("discard all", PostgreSql, SearchPath::Usual),
    ] {
        assert_eq!(of(text, dialect), Subject::Path(expected), "{text}");
    }
}

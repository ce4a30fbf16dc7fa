//! What statements do to transactions.

use tristan_sqltext::{Control, Dialect, Scope, control, tokens};

fn of(text: &str, dialect: Dialect) -> Control {
    control(&tokens(text, dialect), dialect)
}

#[test]
fn transactions_begin_and_end() {
    let postgres = [
        ("BEGIN", Control::Begin(None)),
        (
            "begin isolation level Repeatable Read, read only",
            Control::Begin(Some("repeatable-read".into())),
        ),
        (
            "START /* x */ TRANSACTION ISOLATION\nLEVEL SERIALIZABLE",
            Control::Begin(Some("serializable".into())),
        ),
        ("-- x\nend", Control::Commit { chain: false }),
        ("COMMIT AND CHAIN", Control::Commit { chain: true }),
        ("commit work and no chain", Control::Commit { chain: false }),
        ("abort", Control::Rollback { chain: false }),
        ("rollback to s1", Control::RollbackTo("s1".into())),
        ("ROLLBACK WORK TO SAVEPOINT \"S1\"", Control::RollbackTo("S1".into())),
        ("savepoint A", Control::Savepoint("a".into())),
        ("release a", Control::Release("a".into())),
        ("prepare transaction 'x'", Control::Prepare),
        ("commit prepared 'x'", Control::EndPrepared),
        ("create table t (x int)", Control::Nothing),
        ("select 1 -- begin", Control::Nothing),
        ("discard all", Control::Forget),
        ("reset all", Control::Forget),
        ("reset search_path", Control::Nothing),
    ];
    for (text, expected) in postgres {
        assert_eq!(of(text, Dialect::PostgreSql), expected, "{text}");
    }
    let mysql = [
        ("start transaction with consistent snapshot", Control::Begin(None)),
        ("begin not atomic select 1; end", Control::Nothing),
        ("# tag\nROLLBACK TO `A`", Control::RollbackTo("a".into())),
        ("/*!50001 rollback */", Control::Rollback { chain: false }),
        ("/* rollback */", Control::Nothing),
        ("set autocommit=0", Control::Autocommit(false)),
        ("set names utf8mb4, autocommit=0", Control::Autocommit(false)),
        ("set sql_mode = '', AutoCommit=off", Control::Autocommit(false)),
        ("SET @@session.autocommit := 1", Control::Autocommit(true)),
        ("truncate t", Control::Implicit),
        ("create temporary table t (x int)", Control::Nothing),
    ];
    for (text, expected) in mysql {
        assert_eq!(of(text, Dialect::MySql), expected, "{text}");
    }
}

#[test]
fn levels_are_chosen() {
    use Dialect::{MySql, PostgreSql};
    let level = |scope, name: &str| Control::Level(scope, name.to_owned());
    for (text, dialect, expected) in [
        (
            "set transaction isolation level serializable",
            PostgreSql,
            level(Scope::This, "serializable"),
        ),
        ("set transaction isolation level serializable", MySql, level(Scope::Next, "serializable")),
        (
            "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",
            PostgreSql,
            level(Scope::Session, "read-committed"),
        ),
        (
            "set session transaction isolation level read uncommitted",
            MySql,
            level(Scope::Session, "read-uncommitted"),
        ),
        (
            "set default_transaction_isolation to 'repeatable read'",
            PostgreSql,
            level(Scope::Session, "repeatable-read"),
        ),
        ("set tx_isolation = 'REPEATABLE-READ'", MySql, level(Scope::Session, "repeatable-read")),
        ("set @@transaction_isolation = 'SERIALIZABLE'", MySql, level(Scope::Next, "serializable")),
        ("set search_path = public", PostgreSql, Control::Nothing),
    ] {
        assert_eq!(of(text, dialect), expected, "{text}");
    }
}

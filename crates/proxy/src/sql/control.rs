//! Statements that begin and end transactions, and those that choose isolation levels.

use super::words::has_word;
use super::{Token, Words};
use crate::protocol::Protocol;

/// What a statement does to transactions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Control {
    /// It begins one, maybe at a level of its own.
    Begin(Option<String>),
    /// It commits; with `chain`, the next transaction begins at once.
    Commit {
        /// Whether the next transaction begins at once.
        chain: bool,
    },
    /// It rolls back.
    Rollback {
        /// Whether the next transaction begins at once.
        chain: bool,
    },
    /// It leaves the transaction to a later `COMMIT PREPARED`.
    Prepare,
    /// It marks a place.
    Savepoint(String),
    /// It goes back to a marked place.
    RollbackTo(String),
    /// It chooses a level.
    Level(Scope, String),
    /// The level that was chosen for all that follow does not count any more.
    Forget,
    /// From now on statements are transactions of their own, or are not.
    Autocommit(bool),
    /// It commits what was open, without being asked to.
    Implicit,
    /// Nothing.
    #[default]
    Nothing,
}

/// For which transactions a level is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The one that is open.
    This,
    /// The one that comes next.
    Next,
    /// All that follow.
    Session,
}

/// What a statement does to transactions.
pub(crate) fn control(tokens: &[Token<'_>], protocol: Protocol) -> Control {
    let mut words = Words::new(tokens);
    let mysql = protocol == Protocol::MySql;
    if words.eat("begin not atomic") {
        Control::Nothing
    } else if words.eat("begin") || words.eat("start transaction") {
        Control::Begin(level_among(words))
    } else if words.eat("commit prepared") || words.eat("rollback prepared") {
        Control::Nothing
    } else if words.eat("commit") || (!mysql && words.eat("end")) {
        Control::Commit { chain: chains(tokens) }
    } else if words.eat("rollback") || (!mysql && words.eat("abort")) {
        rollback(words, tokens)
    } else if words.eat("prepare transaction") {
        Control::Prepare
    } else if words.eat("savepoint") {
        words.name().map_or(Control::Nothing, Control::Savepoint)
    } else if words.eat("set") {
        set(words, mysql)
    } else if !mysql && (words.eat("discard all") || words.eat("reset")) {
        forget(words)
    } else if mysql && commits(words, tokens) {
        Control::Implicit
    } else {
        Control::Nothing
    }
}

fn chains(tokens: &[Token<'_>]) -> bool {
    has_word(tokens, "chain") && !has_word(tokens, "no")
}

fn rollback(mut words: Words<'_, '_>, tokens: &[Token<'_>]) -> Control {
    let _ = words.eat("work") || words.eat("transaction");
    if words.eat("to") {
        words.eat("savepoint");
        return words.name().map_or(Control::Nothing, Control::RollbackTo);
    }
    Control::Rollback { chain: chains(tokens) }
}

/// `RESET ALL`, `RESET default_transaction_isolation`, or nothing after `DISCARD ALL`.
fn forget(mut words: Words<'_, '_>) -> Control {
    match words.name().as_deref() {
        None | Some("all" | "default_transaction_isolation") => Control::Forget,
        Some(_) => Control::Nothing,
    }
}

fn set(mut words: Words<'_, '_>, mysql: bool) -> Control {
    if words.eat("session characteristics as transaction") || words.eat("session transaction") {
        return leveled(Scope::Session, level_among(words));
    }
    if words.eat("transaction") {
        let scope = if mysql { Scope::Next } else { Scope::This };
        return leveled(scope, level_among(words));
    }
    let local = words.eat("local");
    let _ = words.eat("session");
    let Some(name) = full_name(&mut words) else { return Control::Nothing };
    let _ = words.symbol(":");
    if !(words.symbol("=") || words.eat("to")) {
        return Control::Nothing;
    }
    let value = words.setting();
    match name.trim_start_matches("@@").trim_start_matches("session.").trim_start_matches("local.")
    {
        "autocommit" => match value.as_deref() {
            Some("0" | "off" | "OFF" | "false" | "FALSE") => Control::Autocommit(false),
            Some(_) => Control::Autocommit(true),
            None => Control::Nothing,
        },
        "default_transaction_isolation" => leveled(Scope::Session, value),
        "transaction_isolation" if !mysql || local => leveled(Scope::This, value),
        "transaction_isolation" | "tx_isolation"
            if name.starts_with("@@tr") || name.starts_with("@@tx") =>
        {
            leveled(Scope::Next, value)
        }
        "transaction_isolation" | "tx_isolation" => leveled(Scope::Session, value),
        _ => Control::Nothing,
    }
}

fn full_name(words: &mut Words<'_, '_>) -> Option<String> {
    let mut name = words.name()?;
    while words.symbol(".") {
        name = format!("{name}.{}", words.name()?);
    }
    Some(name)
}

fn leveled(scope: Scope, level: Option<String>) -> Control {
    level.map_or(Control::Nothing, |level| Control::Level(scope, shown(&level)))
}

/// `Repeatable Read` and `REPEATABLE-READ` → `repeatable-read`.
fn shown(level: &str) -> String {
    level.trim().to_lowercase().replace([' ', '_'], "-")
}

/// The level behind `ISOLATION LEVEL`.
fn level_among(mut words: Words<'_, '_>) -> Option<String> {
    while !words.is_empty() {
        if words.eat("isolation level") {
            let first = words.name()?;
            let two = matches!(first.as_str(), "read" | "repeatable");
            let second = if two { words.name() } else { None };
            return Some(
                second.map_or_else(|| first.clone(), |second| format!("{first}-{second}")),
            );
        }
        words.next();
    }
    None
}

/// Whether MySQL commits what is open before it does this.
fn commits(mut words: Words<'_, '_>, tokens: &[Token<'_>]) -> bool {
    let first = [
        "create", "alter", "drop", "truncate", "rename", "lock", "unlock", "analyze", "grant",
        "revoke",
    ];
    first.iter().any(|first| words.eat(first)) && !has_word(tokens, "temporary")
}

#[cfg(test)]
mod tests {
    use super::super::tokens;
    use super::*;

    fn of(text: &str, protocol: Protocol) -> Control {
        control(&tokens(text, protocol), protocol)
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
                "START TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                Control::Begin(Some("serializable".into())),
            ),
            ("end", Control::Commit { chain: false }),
            ("COMMIT AND CHAIN", Control::Commit { chain: true }),
            ("commit work and no chain", Control::Commit { chain: false }),
            ("abort", Control::Rollback { chain: false }),
            ("rollback to s1", Control::RollbackTo("s1".into())),
            ("ROLLBACK WORK TO SAVEPOINT \"S1\"", Control::RollbackTo("S1".into())),
            ("savepoint A", Control::Savepoint("a".into())),
            ("prepare transaction 'x'", Control::Prepare),
            ("commit prepared 'x'", Control::Nothing),
            ("create table t (x int)", Control::Nothing),
            ("select 1 -- begin", Control::Nothing),
            ("discard all", Control::Forget),
            ("reset all", Control::Forget),
            ("reset search_path", Control::Nothing),
        ];
        for (text, expected) in postgres {
            assert_eq!(of(text, Protocol::Postgres), expected, "{text}");
        }
        let mysql = [
            ("start transaction with consistent snapshot", Control::Begin(None)),
            ("begin not atomic select 1; end", Control::Nothing),
            ("set autocommit=0", Control::Autocommit(false)),
            ("SET @@session.autocommit := 1", Control::Autocommit(true)),
            ("truncate t", Control::Implicit),
            ("create temporary table t (x int)", Control::Nothing),
        ];
        for (text, expected) in mysql {
            assert_eq!(of(text, Protocol::MySql), expected, "{text}");
        }
    }

    #[test]
    fn levels_are_chosen() {
        let level = |scope, name: &str| Control::Level(scope, name.to_owned());
        for (text, protocol, expected) in [
            (
                "set transaction isolation level serializable",
                Protocol::Postgres,
                level(Scope::This, "serializable"),
            ),
            (
                "set transaction isolation level serializable",
                Protocol::MySql,
                level(Scope::Next, "serializable"),
            ),
            (
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",
                Protocol::Postgres,
                level(Scope::Session, "read-committed"),
            ),
            (
                "set session transaction isolation level read uncommitted",
                Protocol::MySql,
                level(Scope::Session, "read-uncommitted"),
            ),
            (
                "set default_transaction_isolation to 'repeatable read'",
                Protocol::Postgres,
                level(Scope::Session, "repeatable-read"),
            ),
            (
                "set tx_isolation = 'REPEATABLE-READ'",
                Protocol::MySql,
                level(Scope::Session, "repeatable-read"),
            ),
            (
                "set @@transaction_isolation = 'SERIALIZABLE'",
                Protocol::MySql,
                level(Scope::Next, "serializable"),
            ),
            ("set search_path = public", Protocol::Postgres, Control::Nothing),
        ] {
            assert_eq!(of(text, protocol), expected, "{text}");
        }
    }
}

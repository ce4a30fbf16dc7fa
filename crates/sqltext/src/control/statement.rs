//! What a statement does to transactions, from its words.

use super::{Control, level_among, set};
use crate::dialect::Dialect;
use crate::token::Token;
use crate::words::{Words, has_word};

/// What a statement does to transactions.
pub fn control(tokens: &[Token<'_>], dialect: Dialect) -> Control {
    let mut words = Words::new(tokens);
    let mysql = dialect.is_mysql();
    if words.eat("begin not atomic") {
        Control::Nothing
    } else if words.eat("begin") || words.eat("start transaction") {
        Control::Begin(level_among(words))
    } else if words.eat("commit prepared") || words.eat("rollback prepared") {
        Control::EndPrepared
    } else if words.eat("commit") || (!mysql && words.eat("end")) {
        Control::Commit { chain: chains(tokens) }
    } else if words.eat("rollback") || (!mysql && words.eat("abort")) {
        rollback(words, tokens, dialect)
    } else if words.eat("prepare transaction") {
        Control::Prepare
    } else if words.eat("savepoint") {
        savepoint(words, dialect).map_or(Control::Nothing, Control::Savepoint)
    } else if words.eat("release savepoint") || words.eat("release") {
        savepoint(words, dialect).map_or(Control::Nothing, Control::Release)
    } else if words.eat("set") {
        set::control(words, dialect)
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

fn rollback(mut words: Words<'_, '_>, tokens: &[Token<'_>], dialect: Dialect) -> Control {
    words.eat_any(&["work", "transaction"]);
    if words.eat("to") {
        words.eat("savepoint");
        return savepoint(words, dialect).map_or(Control::Nothing, Control::RollbackTo);
    }
    Control::Rollback { chain: chains(tokens) }
}

/// The name of a savepoint, so that equal names mean the same one.
fn savepoint(mut words: Words<'_, '_>, dialect: Dialect) -> Option<String> {
    let name = words.name()?;
    Some(if dialect.keeps_case_in_quotes() { name } else { name.to_lowercase() })
}

/// `RESET ALL`, `RESET default_transaction_isolation`, or nothing after `DISCARD ALL`.
fn forget(mut words: Words<'_, '_>) -> Control {
    match words.name().as_deref() {
        None | Some("all" | "default_transaction_isolation") => Control::Forget,
        Some(_) => Control::Nothing,
    }
}

/// Whether MySQL commits what is open before it does this.
fn commits(mut words: Words<'_, '_>, tokens: &[Token<'_>]) -> bool {
    let first = [
        "create",
        "alter",
        "drop",
        "truncate",
        "rename",
        "lock",
        "unlock",
        "analyze table",
        "analyze local table",
        "grant",
        "revoke",
    ];
    words.eat_any(&first) && !has_word(tokens, "temporary")
}

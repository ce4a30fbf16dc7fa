//! Statements on declared tables that are operations on keys.
//!
//! ```text
//!   SELECT balance FROM accounts WHERE id = 7 FOR UPDATE     Get
//!   SELECT id, balance FROM accounts WHERE id >= 3           Scan
//!   UPDATE accounts SET balance = 5 WHERE id = 7             Update
//!   UPDATE accounts SET balance = balance + 5 WHERE id = 7   Update, of a computed value
//!   UPDATE accounts SET balance = balance + 5 WHERE id = 7 RETURNING balance   Derived
//!   INSERT INTO accounts (id, balance) VALUES (7, 5)         Insert
//!   DELETE FROM accounts WHERE id = 7                        Delete
//! ```

use super::change;
use super::clauses::{Conditions, Operand, Picks, Unclear, conditions, picks, same};
use super::table::Table;
use crate::sql::{Token, TokenKind, Words, has_word};

/// An operation on keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Reads keys. `more` says that the row had to fulfil other conditions too.
    Get { keys: Vec<Operand>, picks: Picks, lock: bool, more: bool, limit: Option<Operand> },
    /// Reads a range.
    Scan { found: Conditions, picks: Picks, lock: bool },
    /// Writes a key that is there.
    Update { key: Operand, value: Operand, more: bool },
    /// Writes a key that is there, with a value that only the answer shows; with `delta`, it is the
    /// old value plus (or minus, if `minus`) that much.
    Derived { key: Operand, delta: Option<(Operand, bool)>, picks: Picks, more: bool },
    /// Writes keys.
    Insert { rows: Vec<(Operand, Operand)>, mode: Mode },
    /// Deletes a key.
    Delete { key: Operand, more: bool },
    /// Neither keys nor values are touched.
    Harmless,
}

/// What an `INSERT` does about keys that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// It fails.
    Fail,
    /// It leaves them alone.
    Leave,
    /// It replaces the value.
    Replace,
}

/// The declared table that a statement names, if any.
pub(super) fn named_table<'t>(tokens: &[Token<'_>], tables: &'t [Table]) -> Option<&'t Table> {
    // The statement that is prepared may be in a text.
    let words = Words::new(tokens);
    let prepares = words.is("prepare") || words.is("execute");
    let names = |table: &&Table| {
        tokens.iter().any(|token| match &token.kind {
            TokenKind::Text(text) if prepares => {
                text.to_lowercase().contains(&table.name.to_lowercase())
            }
            TokenKind::Word(name) => same(name, &table.name),
            TokenKind::Quoted(name) => same(name, &table.name),
            _ => false,
        })
    };
    tables.iter().find(names)
}

/// The operation that a statement on a table is, or why it is none.
pub(super) fn recognise(tokens: &[Token<'_>], table: &Table) -> Result<Pattern, Unclear> {
    let mut words = Words::new(tokens);
    if words.eat("select") {
        return select(words, table);
    }
    if words.eat("update") {
        return change::update(words, table);
    }
    if words.eat("insert") {
        return change::insert(words, table, Mode::Fail);
    }
    if words.eat("replace") {
        return change::insert(words, table, Mode::Replace);
    }
    if words.eat("delete from") {
        return change::delete(words, table);
    }
    let harmless =
        ["create", "analyze", "vacuum", "lock", "grant", "revoke", "comment", "show", "describe"];
    let reads = has_word(tokens, "select") || has_word(tokens, "replace") || has_word(tokens, "as");
    match harmless.iter().any(|first| words.eat(first)) && !reads {
        true => Ok(Pattern::Harmless),
        false => Err("it is not an operation on single keys"),
    }
}

/// Moves over the table and what it is called in this statement.
pub(super) fn this_table(
    words: &mut Words<'_, '_>,
    table: &Table,
    stops: &[&str],
) -> Result<(), Unclear> {
    words.eat("only");
    let name = super::clauses::column(words).ok_or("its table is not understood")?;
    if !same(&name, &table.name) {
        return Err("it is about another table");
    }
    let ends = |words: &Words<'_, '_>| {
        let word = matches!(words.peek(), Some(TokenKind::Word(_) | TokenKind::Quoted(_)));
        !word || stops.iter().any(|stop| words.is(stop))
    };
    if words.eat("as") || !ends(words) {
        words.name();
    }
    Ok(())
}

fn select(mut words: Words<'_, '_>, table: &Table) -> Result<Pattern, Unclear> {
    if words.is("distinct") || words.is("all") {
        return Err("it does not return rows as they are");
    }
    let picks = picks(&mut words, table, &["from"])?;
    if !words.eat("from") {
        return Err("it returns something that is not understood");
    }
    this_table(&mut words, table, &["where", "order", "for", "limit", "lock"])?;
    let found = match words.eat("where") {
        true => conditions(&mut words, table)?,
        false => Conditions::default(),
    };
    if words.eat("order by") {
        words.skip_expression(&["for", "limit", "lock", "offset"]);
    }
    let limit = match words.eat("limit") {
        true => Some(super::clauses::operand(&mut words).ok_or("its limit is not understood")?),
        false => None,
    };
    let lock = locks(&mut words)?;
    if !words.is_empty() {
        return Err("it is more than a simple query");
    }
    if picks.value.is_none() {
        return Err("it does not return the value as it is");
    }
    reading(found, picks, lock, limit)
}

fn reading(
    found: Conditions,
    picks: Picks,
    lock: bool,
    limit: Option<Operand>,
) -> Result<Pattern, Unclear> {
    let ranged = found.lo.is_some() || found.hi.is_some();
    match found.keys {
        Some(keys) => {
            let several = keys.len() > 1;
            if several && (limit.is_some() || picks.key.is_none()) {
                return Err("it does not say which key a value belongs to");
            }
            Ok(Pattern::Get { keys, picks, lock, more: found.more || ranged, limit })
        }
        None if found.more => Err("its condition is not about the key alone"),
        None if limit.is_some() => Err("it returns a part of a range"),
        None if picks.key.is_none() => Err("it does not say which key a value belongs to"),
        None => Ok(Pattern::Scan { found, picks, lock }),
    }
}

/// Whether the rows are locked.
fn locks(words: &mut Words<'_, '_>) -> Result<bool, Unclear> {
    if words.eat("lock in share mode") {
        return Ok(true);
    }
    if !words.eat("for") {
        return Ok(false);
    }
    let known = words.eat("update")
        || words.eat("no key update")
        || words.eat("share")
        || words.eat("key share");
    words.eat("nowait");
    match known {
        true => Ok(true),
        false => Err("its locks are not understood"),
    }
}

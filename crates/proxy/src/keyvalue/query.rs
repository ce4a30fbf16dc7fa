//! `SELECT` as an operation on keys.

use tristan_sqltext::Words;

use super::clauses::{
    Conditions, Operand, Picks, StatementError, conditions, operand, picks, this_table,
};
use super::pattern::Pattern;
use super::table::Table;

pub(super) fn select(mut words: Words<'_, '_>, table: &Table) -> Result<Pattern, StatementError> {
    if words.is("distinct") || words.is("all") {
        return Err("it does not return plain rows");
    }
    let picks = picks(&mut words, table, &["from"])?;
    if !words.eat("from") {
        return Err("it returns something that is not supported");
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
        true => Some(operand(&mut words).ok_or("its LIMIT is not supported")?),
        false => None,
    };
    let lock = locks(&mut words)?;
    if !words.is_empty() {
        return Err("it is more than a simple query");
    }
    if picks.value.is_none() {
        return Err("it does not return the plain value");
    }
    reading(found, picks, lock, limit)
}

fn reading(
    found: Conditions,
    picks: Picks,
    lock: bool,
    limit: Option<Operand>,
) -> Result<Pattern, StatementError> {
    let ranged = found.lo.is_some() || found.hi.is_some();
    match found.keys {
        Some(keys) => {
            let several = keys.len() > 1;
            if several && (limit.is_some() || picks.key.is_none()) {
                return Err("its result does not show which key a value belongs to");
            }
            Ok(Pattern::Get { keys, picks, lock, more: found.more || ranged, limit })
        }
        None if found.more => Err("its condition does not select by key alone"),
        None if limit.is_some() => Err("it returns a part of a range"),
        None if picks.key.is_none() => Err("its result does not show which key a value belongs to"),
        None => Ok(Pattern::Scan { found, picks, lock }),
    }
}

/// Whether the rows are locked.
fn locks(words: &mut Words<'_, '_>) -> Result<bool, StatementError> {
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
        false => Err("its locking clause is not supported"),
    }
}

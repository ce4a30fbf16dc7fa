//! From a statement to the operation on keys that it is.

use super::change;
use super::clauses::{StatementError, same};
use super::pattern::{Mode, Pattern};
use super::query;
use super::table::Table;
use crate::sql::{Token, TokenKind, Words, has_word};

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
pub(super) fn recognise(tokens: &[Token<'_>], table: &Table) -> Result<Pattern, StatementError> {
    let mut words = Words::new(tokens);
    if words.eat("select") {
        return query::select(words, table);
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

//! From a statement to the operation on keys that it is.

use tristan_sqltext::{Dialect, Subject, Token, TokenKind, Words, has_word, subject};

use super::change;
use super::clauses::{StatementError, same};
use super::pattern::{Mode, Pattern};
use super::query;
use super::table::Table;

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
pub(super) fn recognise(
    tokens: &[Token<'_>],
    table: &Table,
    dialect: Dialect,
) -> Result<Pattern, StatementError> {
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
    match is_harmless(tokens, dialect) {
        true => Ok(Pattern::Harmless),
        false => Err("it is not an operation on single keys"),
    }
}

/// Whether a statement changes no row, now or when its name is called later.
fn is_harmless(tokens: &[Token<'_>], dialect: Dialect) -> bool {
    let mut words = Words::new(tokens);
    match subject(tokens, dialect) {
        Subject::Session => !words.is("prepare"),
        Subject::Nothing | Subject::Path(_) | Subject::Explanation { runs: false, .. } => true,
        _ => {
            let defines = ["create", "grant", "revoke"].iter().any(|first| words.eat(first));
            defines && !["select", "replace", "as"].iter().any(|word| has_word(tokens, word))
        }
    }
}

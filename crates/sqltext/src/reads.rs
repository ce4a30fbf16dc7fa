//! What a statement does to rows, as far as its words tell without a plan.

use crate::token::{Token, TokenKind};
use crate::words::{Words, has_word};

/// Whether a statement writes nothing, as far as its text tells: functions that it calls may write.
pub fn only_reads(tokens: &[Token<'_>]) -> bool {
    let mut words = Words::new(tokens);
    while words.symbol("(") {}
    let queries = ["select", "with", "table", "values", "declare"];
    queries.iter().any(|query| words.is(query)) && !writes(tokens)
}

/// Whether a word among tokens writes. `FOR UPDATE` only locks.
fn writes(tokens: &[Token<'_>]) -> bool {
    ["insert", "delete", "merge", "into", "replace"].iter().any(|word| writes_with(tokens, word))
        || (0..tokens.len()).any(|place| is_update(tokens, place))
}

/// Whether a keyword is among tokens that is not the name of a function.
fn writes_with(tokens: &[Token<'_>], keyword: &str) -> bool {
    (0..tokens.len()).any(|place| {
        has_word(&tokens[place..=place], keyword)
            && !tokens.get(place + 1).is_some_and(|next| next.kind == TokenKind::Symbol("("))
    })
}

fn is_update(tokens: &[Token<'_>], place: usize) -> bool {
    let before = |count: usize| match place.checked_sub(count).map(|at| &tokens[at].kind) {
        Some(TokenKind::Word(word)) => word.to_lowercase(),
        _ => String::new(),
    };
    let locks = before(1) == "for" || before(1) == "key" && before(2) == "no" && before(3) == "for";
    has_word(&tokens[place..=place], "update") && !locks
}

/// Whether a query locks the rows that it reads.
pub fn locks_rows(tokens: &[Token<'_>]) -> bool {
    let locks =
        ["for update", "for share", "for no key update", "for key share", "lock in share mode"];
    (0..tokens.len()).any(|place| Words::new(&tokens[place..]).eat_any(&locks))
}

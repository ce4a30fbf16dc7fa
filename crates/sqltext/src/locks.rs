//! Which queries lock rows.

use crate::token::Token;
use crate::words::Words;

/// Whether a query locks the rows that it reads.
pub fn locks_rows(tokens: &[Token<'_>]) -> bool {
    let locks =
        ["for update", "for share", "for no key update", "for key share", "lock in share mode"];
    (0..tokens.len()).any(|place| Words::new(&tokens[place..]).eat_any(&locks))
}

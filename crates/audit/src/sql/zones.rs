//! The time zones of sessions.
//!
//! The first line of a log says which time zone all sessions begin in. A session may choose another one:
//!
//! ```text
//!   SET TIME ZONE 'Europe/Berlin'      SET timezone TO 'UTC'      SET SESSION TIME ZONE LOCAL
//! ```
//!
//! If the transaction around the statement is rolled back, so is the choice.

use rustc_hash::FxHashMap;
use tristan_sql::Zone;
use tristan_sqltext::{Dialect, Token, TokenKind, tokens};

use crate::model::Call;

/// The time zones that sessions chose.
#[derive(Clone, Debug, Default)]
pub(super) struct Zones {
    /// Whether all sessions begin in UTC; nothing is known otherwise.
    known: bool,
    /// `None` if a session is in a zone whose rules are not known.
    chosen: FxHashMap<u64, Option<Zone>>,
}

impl Zones {
    pub(super) fn begin_in_utc(&mut self) {
        self.known = true;
    }

    /// Whether it is known where sessions begin.
    pub(super) fn are_known(&self) -> bool {
        self.known
    }

    /// Whether no session is in another zone than the one that it began in.
    pub(super) fn are_usual(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The zone of a session, if it is known.
    pub(super) fn of(&self, session: u64) -> Option<Zone> {
        match self.chosen.get(&session) {
            Some(zone) => *zone,
            None => self.known.then_some(Zone::UTC),
        }
    }

    /// A transaction was rolled back, and its choice with it.
    pub(super) fn restore(&mut self, session: u64, before: Option<Zone>) {
        match before {
            Some(Zone::UTC) => drop(self.chosen.remove(&session)),
            other => drop(self.chosen.insert(session, other)),
        }
    }

    /// Follows a statement that is not about rows. Returns false if it chooses a zone in a way that is not known.
    pub(super) fn choose(&mut self, session: u64, call: &Call, dialect: Dialect) -> bool {
        let tokens = tokens(&call.sql, dialect);
        let mentions = |name: &str| tokens.iter().any(|token| is(token, name));
        let sets =
            ["set", "select"].iter().any(|word| tokens.first().is_some_and(|one| is(one, word)));
        let resets =
            ["reset", "discard"].iter().any(|word| tokens.first().is_some_and(|one| is(one, word)));
        let about = mentions("zone") || mentions("timezone");
        if resets && (about || mentions("all")) {
            self.chosen.remove(&session);
            return true;
        }
        if !sets || !about {
            return true;
        }
        let utc =
            mentions("utc") || mentions("etc/utc") || call.params.iter().any(|one| *one == *"UTC");
        let zone = match named(&tokens).and_then(Zone::named) {
            Some(zone) => zone,
            // Also by a function, such as `set_config('timezone', 'UTC', true)`.
            None if utc && self.of(session) == Some(Zone::UTC) => Zone::UTC,
            None => return false,
        };
        self.restore(session, Some(zone));
        true
    }

    /// The same, but a zone that is chosen in a way that is not known is not known from now on.
    pub(super) fn choose_or_forget(&mut self, session: u64, call: &Call, dialect: Dialect) {
        if !self.choose(session, call, dialect) {
            self.chosen.insert(session, None);
        }
    }
}

fn is(token: &Token<'_>, name: &str) -> bool {
    match &token.kind {
        TokenKind::Word(word) => word.eq_ignore_ascii_case(name),
        TokenKind::Text(text) | TokenKind::Quoted(text) => text.eq_ignore_ascii_case(name),
        _ => false,
    }
}

/// The zone that `SET [SESSION] TIME ZONE 'name'` or `SET [SESSION] timezone TO 'name'` names.
fn named<'t>(tokens: &'t [Token<'_>]) -> Option<&'t str> {
    let tokens = match tokens {
        [tokens @ .., Token { kind: TokenKind::Symbol(";"), .. }] => tokens,
        tokens => tokens,
    };
    let rest = after(tokens, "set")?;
    let rest = after(rest, "session").unwrap_or(rest);
    let rest = match after(rest, "time") {
        Some(rest) => after(rest, "zone")?,
        // Behind `TO` or `=`.
        None => after(rest, "timezone")?.get(1..)?,
    };
    match rest {
        [Token { kind: TokenKind::Text(text), .. }] => Some(text),
        [Token { kind: TokenKind::Word(word), .. }] => Some(word),
        _ => None,
    }
}

/// What comes after a word at the beginning.
fn after<'t, 's>(tokens: &'t [Token<'s>], word: &str) -> Option<&'t [Token<'s>]> {
    tokens.split_first().filter(|(first, _)| is(first, word)).map(|(_, rest)| rest)
}

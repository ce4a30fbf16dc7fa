//! Cursors of PostgreSQL: a query whose rows are fetched by later statements.

use crate::locks::locks_rows;
use crate::token::{Token, TokenKind};
use crate::words::Words;

/// What a statement does with a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CursorCommand {
    /// `DECLARE name CURSOR FOR …`
    Declare {
        /// The name of the cursor.
        name: String,
        /// Whether it outlives its transaction (`WITH HOLD`).
        holds: bool,
        /// Where the text of the query begins; `None` if it locks rows, which a cursor does only when it comes
        /// to them, or if its rows are sent as bytes.
        query: Option<usize>,
    },
    /// `FETCH … FROM name`
    Fetch {
        /// The name of the cursor.
        name: String,
        /// How many rows further on, at most.
        rows: Rows,
    },
    /// `MOVE … IN name`, which shows no rows.
    Move {
        /// The name of the cursor.
        name: String,
        /// How many rows further on, at most.
        rows: Rows,
    },
    /// `CLOSE name` or, without a name, `CLOSE ALL`.
    Close {
        /// The name of the cursor.
        name: Option<String>,
    },
}

/// Which rows are fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// As many of the next ones.
    Next(u64),
    /// All that are left.
    All,
    /// Others, or none: the cursor moves in some other way.
    Elsewhere,
}

/// What a statement of PostgreSQL does with a cursor. Returns `None` if it does nothing of the kind.
pub fn cursor(tokens: &[Token<'_>]) -> Option<CursorCommand> {
    let mut words = Words::new(tokens);
    if words.eat("declare") {
        return declare(words, locks_rows(tokens));
    }
    if words.eat("close") {
        let all = words.is("all");
        let name = words.name()?;
        return Some(CursorCommand::Close { name: (!all).then_some(name) });
    }
    if words.eat("move") {
        let (name, rows) = fetch(words)?;
        return Some(CursorCommand::Move { name, rows });
    }
    if !words.eat("fetch") {
        return None;
    }
    let (name, rows) = fetch(words)?;
    Some(CursorCommand::Fetch { name, rows })
}

fn declare(mut words: Words<'_, '_>, locks: bool) -> Option<CursorCommand> {
    let name = words.name()?;
    let binary = words.eat("binary");
    words.eat_any(&["asensitive", "insensitive"]);
    words.eat_any(&["no scroll", "scroll"]);
    words.eat_any(&["asensitive", "insensitive"]);
    if !words.eat("cursor") {
        return None;
    }
    let holds = words.eat("with hold");
    words.eat("without hold");
    if !words.eat("for") {
        return None;
    }
    let query = words.rest().first()?.start;
    Some(CursorCommand::Declare { name, holds, query: Some(query).filter(|_| !locks && !binary) })
}

/// The name of the cursor, and which rows.
fn fetch(mut words: Words<'_, '_>) -> Option<(String, Rows)> {
    if let [_] = words.rest() {
        return Some((words.name()?, Rows::Next(1)));
    }
    let rows = if words.eat("next") {
        Rows::Next(1)
    } else if words.eat("all") || words.eat("forward all") {
        Rows::All
    } else {
        words.eat("forward");
        number(&mut words)
    };
    if rows == Rows::Elsewhere {
        // The name comes last.
        let last = words.rest().len().checked_sub(1)?;
        return Some((Words::new(&words.rest()[last..]).name()?, rows));
    }
    words.eat_any(&["from", "in"]);
    Some((words.name()?, rows)).filter(|_| words.is_empty())
}

/// How many rows; one if there is no number.
fn number(words: &mut Words<'_, '_>) -> Rows {
    match words.peek() {
        Some(TokenKind::Number(digits)) => {
            words.next();
            digits.parse().ok().filter(|count| *count > 0).map_or(Rows::Elsewhere, Rows::Next)
        }
        Some(TokenKind::Word(word)) if is_elsewhere(word) => Rows::Elsewhere,
        Some(TokenKind::Symbol(_)) => Rows::Elsewhere,
        _ => Rows::Next(1),
    }
}

fn is_elsewhere(word: &str) -> bool {
    let ways = ["prior", "first", "last", "absolute", "relative", "backward"];
    ways.iter().any(|way| word.eq_ignore_ascii_case(way))
}

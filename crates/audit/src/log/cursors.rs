//! What is fetched from a cursor was read where the cursor was declared.
//!
//! ```text
//!   DECLARE c CURSOR FOR SELECT …   FETCH 2 FROM c   FETCH 2 FROM c   CLOSE c
//!   └── SELECT … => r1 r2 r3 ◄────── r1 r2 ◄───────── r3
//! ```
//!
//! PostgreSQL chooses the state that a cursor shows when it is declared, own changes of its transaction
//! included, and later changes do not matter. So a cursor is a query that is answered late: its rows are
//! collected, and `FETCH` and `CLOSE` are no statements any more. If it was not read to its end, its rows are
//! those of the query with a `LIMIT`, and `MOVE` before the first of them is an `OFFSET`. A cursor that went backward stays a `DECLARE`, which is not judged.
//!
//! A cursor `WITH HOLD` outlives its transaction, which is then kept until the cursor is done, but not longer
//! than [`PATIENCE`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use tristan_sqltext::{
    CursorCommand, CursorRows, Dialect, Effects, TokenKind, Words, cursor, effects, split, tokens,
};

use crate::model::{Call, Control, Observed, Outcome, Time, Txn};

/// How long, in the time of the log, a transaction is kept for the sake of its cursors.
const PATIENCE: Time = 60_000_000_000;

/// The connection and the name of a cursor.
type Name = (u64, String);

/// Cursors that are open, and the transactions that wait for their rows.
#[derive(Debug, Default)]
pub(super) struct Cursors {
    open: FxHashMap<Name, Cursor>,
    /// Transactions by their numbers.
    held: BTreeMap<u64, Txn>,
    begins: BTreeSet<(Time, u64)>,
}

/// A cursor of which rows may still be fetched.
#[derive(Debug)]
struct Cursor {
    /// The transaction that declared it, and the place of the call in it; `None` if that has all rows.
    declared: Option<(u64, usize)>,
    /// The text that declares it.
    text: Arc<str>,
    holds: bool,
    rows: Vec<Vec<Json>>,
    /// How many rows were passed over before the first one that was fetched.
    skipped: u64,
    /// Whether all rows so far are known.
    known: bool,
}

impl Cursors {
    /// The first line of those that wait.
    pub(super) fn first_line(&self) -> Option<u64> {
        self.held.values().map(|txn| txn.line).min()
    }

    /// When the oldest transaction began that waits.
    pub(super) fn oldest(&self) -> Option<Time> {
        self.begins.first().map(|&(begin, _)| begin)
    }

    /// Takes a transaction that is over, and gives those that need not wait any longer.
    pub(super) fn take(&mut self, txn: Txn, dialect: Dialect) -> Vec<Txn> {
        if dialect != Dialect::PostgreSql || self.open.is_empty() && !declares(&txn) {
            return vec![txn];
        }
        let (number, session, now) = (txn.number, txn.session, txn.begin);
        let aborted = txn.outcome == Outcome::Aborted;
        if self.held.contains_key(&number) {
            return vec![txn];
        }
        self.begins.insert((txn.begin, number));
        let places = 0..txn.calls.len();
        self.held.insert(number, txn);
        for place in places {
            self.step(number, place, dialect);
        }
        self.drop_where(|name, cursor| {
            let own = cursor.declared.is_some_and(|(declared, _)| declared == number);
            name.0 == session && (!cursor.holds || aborted && own)
        });
        let held = &self.held;
        let late: BTreeSet<u64> = held
            .values()
            .filter(|txn| txn.begin.saturating_add(PATIENCE) < now)
            .map(|txn| txn.number)
            .collect();
        self.drop_where(|_, cursor| cursor.declared.is_some_and(|(txn, _)| late.contains(&txn)));
        self.release()
    }

    /// The log is over.
    pub(super) fn finish(&mut self) -> Vec<Txn> {
        self.drop_where(|_, _| true);
        self.release()
    }

    /// Looks at one call of a transaction.
    fn step(&mut self, number: u64, place: usize, dialect: Dialect) {
        let Some(txn) = self.held.get_mut(&number) else { return };
        let session = txn.session;
        let call = &mut txn.calls[place];
        match command(call, dialect) {
            Some(CursorCommand::Declare { name, holds, query }) if succeeded(call) => {
                let name = (session, name);
                let cursor =
                    query.and_then(|query| query_of(&call.sql, query, dialect)).map(|query| {
                        let text = std::mem::replace(&mut call.sql, query);
                        call.control = Control::Statement;
                        let declared = Some((number, place));
                        Cursor { declared, text, holds, rows: Vec::new(), skipped: 0, known: true }
                    });
                // Another one with this name is gone by now.
                self.drop_where(|other, _| *other == name);
                self.open.extend(cursor.map(|cursor| (name, cursor)));
            }
            Some(CursorCommand::Fetch { name, rows }) => {
                let name = (session, name);
                let Some(cursor) = self.open.get_mut(&name) else { return };
                call.control = Control::Other;
                if cursor.fetched(&call.observed, rows) {
                    self.complete(&name);
                }
            }
            Some(CursorCommand::Move { name, rows }) => {
                let Some(cursor) = self.open.get_mut(&(session, name)) else { return };
                call.control = Control::Other;
                match succeeded(call) {
                    true => cursor.moved(rows),
                    false => cursor.known = false,
                }
            }
            Some(CursorCommand::Close { name }) => {
                let closed = |other: &Name| {
                    other.0 == session && name.as_ref().is_none_or(|name| *name == other.1)
                };
                if self.open.keys().any(closed) {
                    call.control = Control::Other;
                }
                self.drop_where(|other, _| closed(other));
            }
            // What was declared since the savepoint is gone, and so is everything when all is discarded.
            _ if matches!(call.control, Control::RollbackTo(_)) || discards(&call.sql) => {
                self.drop_where(|other, _| other.0 == session);
            }
            _ => {}
        }
    }

    /// All rows of a cursor were fetched. Its name stays known, so that fetching nothing more is no statement
    /// either.
    fn complete(&mut self, name: &Name) {
        let Some(cursor) = self.open.get_mut(name) else { return };
        let Some((number, place)) = cursor.declared.take() else { return };
        if let Some(txn) = self.held.get_mut(&number) {
            cursor.pass_over(&mut txn.calls[place]);
            cursor.answer(&mut txn.calls[place]);
        }
    }

    /// Forgets cursors, of which no more rows will come.
    fn drop_where(&mut self, gone: impl Fn(&Name, &Cursor) -> bool) {
        for (_, mut cursor) in self.open.extract_if(|name, cursor| gone(name, cursor)) {
            let Some((number, place)) = cursor.declared else { continue };
            let Some(txn) = self.held.get_mut(&number) else { continue };
            let call = &mut txn.calls[place];
            match limited(&call.sql, cursor.rows.len()) {
                Some(first) => call.sql = first,
                None => cursor.known = false,
            }
            if cursor.skipped > 0 {
                call.sql = format!("{} OFFSET {}", call.sql, cursor.skipped).into();
            }
            cursor.answer(call);
        }
    }

    /// The transactions that no open cursor belongs to.
    fn release(&mut self) -> Vec<Txn> {
        let declared = self.open.values().filter_map(|cursor| cursor.declared);
        let waits: BTreeSet<u64> = declared.map(|(number, _)| number).collect();
        let done = self.held.extract_if(.., |number, _| !waits.contains(number));
        let done: Vec<Txn> = done.map(|(_, txn)| txn).collect();
        for txn in &done {
            self.begins.remove(&(txn.begin, txn.number));
        }
        done
    }
}

impl Cursor {
    /// Makes its rows the answer to its query. If not all of them are known, the cursor is not judged.
    fn answer(&mut self, declared: &mut Call) {
        match self.known {
            true => {
                let rows = std::mem::take(&mut self.rows);
                declared.observed = Observed::Rows { rows, cut: 0 };
            }
            false => declared.sql = Arc::clone(&self.text),
        }
    }

    /// Rows are passed over. Behind rows that were fetched, that leaves a gap.
    fn moved(&mut self, rows: CursorRows) {
        match rows {
            CursorRows::Next(count) if self.rows.is_empty() => self.skipped += count,
            _ => self.known = false,
        }
    }

    /// Leaves rows out of the query that were passed over.
    fn pass_over(&mut self, declared: &mut Call) {
        if self.skipped == 0 {
            return;
        }
        match limited(&declared.sql, 0) {
            Some(_) => declared.sql = format!("{} OFFSET {}", declared.sql, self.skipped).into(),
            None => self.known = false,
        }
    }

    /// Notes what was fetched. Returns whether that was the end of it.
    fn fetched(&mut self, observed: &Observed, wanted: CursorRows) -> bool {
        let Observed::Rows { rows, cut: 0 } = observed else {
            self.known = false;
            return false;
        };
        self.rows.extend(rows.iter().cloned());
        match wanted {
            CursorRows::Next(most) => (rows.len() as u64) < most,
            CursorRows::All => true,
            CursorRows::Elsewhere => {
                self.known = false;
                false
            }
        }
    }
}

/// Whether a transaction may declare a cursor; quick, as it is asked of nearly everything.
fn declares(txn: &Txn) -> bool {
    let declares =
        |text: &str| text.as_bytes().windows(7).any(|word| word.eq_ignore_ascii_case(b"declare"));
    txn.calls.iter().any(|call| declares(&call.sql))
}

/// What a call does with a cursor.
fn command(call: &Call, dialect: Dialect) -> Option<CursorCommand> {
    if call.control == Control::Unclear {
        return None;
    }
    match split(&call.sql, dialect).as_slice() {
        [part] => cursor(&part.tokens),
        _ => None,
    }
}

fn succeeded(call: &Call) -> bool {
    !matches!(call.observed, Observed::Error(_) | Observed::Nothing | Observed::Skipped)
}

/// Whether a statement gives back everything that a session has.
fn discards(text: &str) -> bool {
    let tokens = tokens(text, Dialect::PostgreSql);
    Words::new(&tokens).eat("discard")
}

/// The text of a query that begins somewhere in a text. Returns `None` if it calls a function that may look at rows
/// when it is fetched.
fn query_of(text: &str, start: usize, dialect: Dialect) -> Option<Arc<str>> {
    let parts = split(&text[start..], dialect);
    let part = parts.first()?;
    (effects(&part.tokens, dialect) == Effects::Nothing).then(|| part.text.into())
}

/// The query for the first rows of another one. Returns `None` if that has a limit of its own.
fn limited(query: &str, rows: usize) -> Option<Arc<str>> {
    let tokens = tokens(query, Dialect::PostgreSql);
    let mut depth = 0i32;
    for token in &tokens {
        match token.kind {
            TokenKind::Symbol("(") => depth += 1,
            TokenKind::Symbol(")") => depth -= 1,
            TokenKind::Word(word) if depth == 0 => {
                let ends = ["limit", "offset", "fetch"];
                if ends.iter().any(|end| word.eq_ignore_ascii_case(end)) {
                    return None;
                }
            }
            _ => {}
        }
    }
    Some(format!("{query} LIMIT {rows}").into())
}

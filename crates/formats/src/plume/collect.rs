//! Brings the operations of each transaction together.
//!
//! ```text
//!   w(1,1,A,5)                       session A: transaction 5: w(1,1) r(2,0), transaction 7: …
//!   w(2,1,B,6)     ── collect ──►    session B: transaction 6: w(2,1) …
//!   r(2,0,A,5)
//! ```

use rustc_hash::FxHashMap;

use super::line::Line;
use crate::error::{ContentError, short};
use tristan_history::{
    Datum, History, HistoryBuilder, Observed, Op, OpKind, OpStatus, Outcome, SessionId, Txn,
};

/// Operations by transaction.
#[derive(Default)]
pub(super) struct Collected {
    builder: HistoryBuilder,
    txns: Vec<Pieces>,
    /// Places in `txns`.
    by_name: FxHashMap<Datum, usize>,
    /// The transaction that each session is at: a place in `txns`.
    current: FxHashMap<SessionId, usize>,
    /// How many operations did not commit.
    uncommitted: usize,
    /// The first line on which a session goes back to an earlier transaction.
    pub(super) back: Option<(u32, Datum)>,
}

/// A transaction, still in pieces.
struct Pieces {
    session: SessionId,
    name: Datum,
    outcome: Outcome,
    lines: (u32, u32),
    ops: Vec<Op>,
}

impl Collected {
    /// Adds the operation on a line.
    pub(super) fn line(&mut self, number: u32, line: Line) -> Result<(), ContentError> {
        let place = match line.txn {
            Some(name) => self.committed(number, name, line.session)?,
            None => self.uncommitted(number),
        };
        let key = self.builder.key(line.key);
        let value = line.value.map(|value| self.builder.value(value));
        let kind = match (line.write, value) {
            (true, Some(value)) => OpKind::Put { key, value },
            (_, value) => {
                let seen = value.map_or(Observed::Absent, Observed::Value);
                OpKind::Get { key, seen, locking: false }
            }
        };
        let pieces = &mut self.txns[place];
        pieces.ops.push(Op { kind, status: OpStatus::Done, line: number });
        pieces.lines.1 = number;
        Ok(())
    }

    /// The place of a transaction, which is new or goes on.
    fn committed(
        &mut self,
        number: u32,
        name: Datum,
        session: Datum,
    ) -> Result<usize, ContentError> {
        let session = self.builder.session(session);
        let Some(&place) = self.by_name.get(&name) else {
            let place = self.add(number, name.clone(), session, Outcome::Committed);
            self.by_name.insert(name, place);
            self.current.insert(session, place);
            return Ok(place);
        };
        let known = &self.txns[place];
        if known.session != session {
            let sessions = &self.builder.history_mut().sessions;
            let [here, there] =
                [session, known.session].map(|id| short(&sessions[id.index()].name));
            let found = format!("transaction {} in session {here}", short(&name));
            return Err(ContentError::new(
                found,
                format!("session {there}, as on line {}", known.lines.0),
            ));
        }
        if self.current.get(&session) != Some(&place) && self.back.is_none() {
            self.back = Some((number, name));
        }
        Ok(place)
    }

    /// The place of a new transaction that did not commit, in a session of its own.
    fn uncommitted(&mut self, number: u32) -> usize {
        self.uncommitted += 1;
        let name = Datum::Text(format!("aborted {}", self.uncommitted).into());
        let session = self.builder.session(name.clone());
        self.add(number, name, session, Outcome::Aborted)
    }

    fn add(&mut self, number: u32, name: Datum, session: SessionId, outcome: Outcome) -> usize {
        self.txns.push(Pieces { session, name, outcome, lines: (number, number), ops: Vec::new() });
        self.txns.len() - 1
    }

    /// The history with every transaction in one piece.
    pub(super) fn finish(mut self) -> History {
        for pieces in self.txns {
            self.builder.add_txn(Txn {
                name: Some(Box::new(pieces.name)),
                lines: pieces.lines,
                ..Txn::new(pieces.session, pieces.outcome)
            });
            pieces.ops.into_iter().for_each(|op| self.builder.push_op(op));
        }
        self.builder.finish()
    }
}

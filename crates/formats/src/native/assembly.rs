//! Puts transactions together from lines that interleave.
//!
//! ```text
//!   lines:   a₁ b₁ a₂ b₂ commit(a) …          as they happened
//!   History: a₁ a₂ │ b₁ b₂ │ …                grouped, in order of first appearance
//! ```
//!
//! Operations are kept in call order with their place in their transaction, and sorted by that
//! when the trace ends.

use rustc_hash::FxHashMap;

use super::hints::LooseHints;
use crate::error::{ContentError, short};
use crate::savepoints;
use tristan_history::{
    Datum, History, HistoryBuilder, Op, OpKind, OpRef, OpStatus, Outcome, SessionId, Txn, TxnId,
};

/// Transactions under construction.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    pub(super) builder: HistoryBuilder,
    pub(super) hints: LooseHints,
    drafts: Vec<Draft>,
    by_name: FxHashMap<Datum, usize>,
    ops: Vec<(OpRef, Op)>,
    /// Per session, the transaction that has not asked to end yet.
    running: Vec<Option<usize>>,
}

/// A transaction under construction.
#[derive(Debug)]
struct Draft {
    txn: Txn,
    /// Where and how it asked to end.
    ended: Option<(u32, &'static str)>,
}

impl Assembly {
    /// The transaction `name`, about to do something on `line`; a new one if the name is new.
    pub(super) fn enter(
        &mut self,
        session: Datum,
        name: Datum,
        line: u32,
    ) -> Result<Entered, ContentError> {
        let session_id = self.builder.session(session);
        self.running.resize(self.builder.history_mut().sessions.len(), None);
        if let Some(&txn) = self.by_name.get(&name) {
            let draft = &mut self.drafts[txn];
            draft.txn.lines.1 = line;
            if draft.txn.session != session_id {
                return Err(self.two_sessions(txn, session_id));
            }
            if let Some((since, how)) = draft.ended {
                let found = format!("transaction {} after its {how} on line {since}", short(&name));
                return Err(ContentError::new(found, "a transaction that has not ended"));
            }
            return Ok(Entered { txn, fresh: false });
        }
        if let Some(other) = self.running[session_id.index()] {
            return Err(self.still_running(&name, other));
        }
        let txn = self.drafts.len();
        self.by_name.insert(name.clone(), txn);
        self.running[session_id.index()] = Some(txn);
        self.drafts.push(Draft { txn: blank(session_id, name, line), ended: None });
        Ok(Entered { txn, fresh: true })
    }

    /// The record of a transaction.
    pub(super) fn txn(&mut self, txn: usize) -> &mut Txn {
        &mut self.drafts[txn].txn
    }

    /// The transaction asks to end; its session is free for the next one.
    pub(super) fn leave(&mut self, txn: usize, line: u32, how: &'static str) {
        let draft = &mut self.drafts[txn];
        draft.ended.get_or_insert((line, how));
        let running = &mut self.running[draft.txn.session.index()];
        if *running == Some(txn) {
            *running = None;
        }
    }

    /// Adds an operation that was called and has not returned; its number among all.
    pub(super) fn call(&mut self, txn: usize, kind: OpKind, line: u32) -> usize {
        let count = &mut self.drafts[txn].txn.op_count;
        let place = OpRef { txn: TxnId::new(txn), op: *count };
        *count += 1;
        self.ops.push((place, Op { kind, status: OpStatus::Pending, line }));
        self.ops.len() - 1
    }

    /// An operation by its number.
    pub(super) fn op(&mut self, number: usize) -> Answered<'_> {
        let (place, op) = &mut self.ops[number];
        Answered { place: *place, op, builder: &mut self.builder, hints: &mut self.hints }
    }

    /// The transaction of an operation.
    pub(super) fn txn_of(&self, number: usize) -> usize {
        self.ops[number].0.txn.index()
    }

    /// Whether no transaction was seen.
    pub(super) fn is_empty(&self) -> bool {
        self.drafts.is_empty()
    }

    /// The history, once every line was seen; or a line and what is wrong with it.
    pub(super) fn finish(mut self) -> Result<History, (u32, ContentError)> {
        let hints = self.hints.resolve(&self.by_name, &self.builder.history_mut().keys)?;
        self.builder.history_mut().hints = hints;
        let open = match self.builder.history_mut().header.open_aborted {
            true => Outcome::Aborted,
            false => Outcome::Unknown,
        };
        self.ops.sort_by_key(|(place, _)| *place);
        let mut ops = self.ops.into_iter().peekable();
        for (number, mut draft) in self.drafts.into_iter().enumerate() {
            if draft.ended.is_none() {
                draft.txn.outcome = open;
            }
            self.builder.add_txn(draft.txn);
            while let Some((_, op)) = ops.next_if(|(place, _)| place.txn.index() == number) {
                self.builder.push_op(op);
            }
        }
        let history = self.builder.finish();
        savepoints::check(&history)?;
        Ok(history)
    }

    fn two_sessions(&mut self, txn: usize, other: SessionId) -> ContentError {
        let txn = &self.drafts[txn].txn;
        let sessions = &self.builder.history_mut().sessions;
        let [owner, other] = [txn.session, other].map(|id| short(&sessions[id.index()].name));
        ContentError::new(
            format!("transaction {} in session {other}", shown(txn)),
            format!("session {owner}, where it began on line {}", txn.lines.0),
        )
    }

    fn still_running(&mut self, name: &Datum, other: usize) -> ContentError {
        let open = &self.drafts[other].txn;
        let session = &self.builder.history_mut().sessions[open.session.index()].name;
        ContentError::new(
            format!("transaction {} in session {}", short(name), short(session)),
            format!(
                "commit or abort of transaction {} first, open since line {}",
                shown(open),
                open.lines.0
            ),
        )
    }
}

/// A transaction that is about to do something.
pub(super) struct Entered {
    pub(super) txn: usize,
    /// This is the first line that speaks of it.
    pub(super) fresh: bool,
}

/// An operation that is being answered, with those who keep what it says.
pub(super) struct Answered<'a> {
    pub(super) place: OpRef,
    pub(super) op: &'a mut Op,
    pub(super) builder: &'a mut HistoryBuilder,
    pub(super) hints: &'a mut LooseHints,
}

fn blank(session: SessionId, name: Datum, line: u32) -> Txn {
    let name = Some(Box::new(name));
    Txn { name, lines: (line, line), ..Txn::new(session, Outcome::Unknown) }
}

/// How an error names a transaction.
pub(super) fn shown(txn: &Txn) -> String {
    txn.name.as_deref().map(short).unwrap_or_default()
}

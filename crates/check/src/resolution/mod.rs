//! Resolved histories: operations that may or may not have taken effect are done or failed.
//!
//! ```text
//!   History ──► indeterminate ──► unobserved: no effect ──► none left: one resolved history
//!                                                      └──► open: guessed (which of them
//!                                                           really took effect: `fates`)
//! ```
//!
//! An operation is indeterminate if it was called and never returned and would write or change the
//! transaction's writes, or if it is a conditional write whose row count is unknown. Everything
//! behind this stage sees resolved histories only. They number transactions and operations like the
//! trace, so what is said about them is said about the trace.

mod guess;
mod observations;

use std::borrow::Cow;

use tristan_history::{History, Op, OpKind, OpRef, OpStatus, TxnId};
use tristan_verdict::Fate;

/// Whether an operation may or may not have taken effect.
pub(crate) fn is_indeterminate(op: &Op) -> bool {
    match (&op.kind, op.status) {
        (_, OpStatus::Failed) => false,
        (OpKind::PutIf { rows, .. }, OpStatus::Done) => rows.is_none(),
        (_, OpStatus::Done) => false,
        (kind, OpStatus::Pending) => matches!(
            kind,
            OpKind::Put { .. }
                | OpKind::PutIf { .. }
                | OpKind::Delete { .. }
                | OpKind::ReadModifyWrite { .. }
                | OpKind::Append { .. }
                | OpKind::Savepoint { .. }
                | OpKind::RollbackTo { .. }
        ),
    }
}

/// A history and its operations whose fate matters.
#[derive(Debug)]
pub(crate) struct Resolution<'h> {
    /// The likeliest resolved history; the only one that matters if nothing is open.
    pub(crate) history: Cow<'h, History>,
    /// The operations whose fate matters, by transaction.
    pub(crate) open: Vec<OpRef>,
    /// Whether each of them took effect in the likeliest history.
    pub(crate) guess: Vec<bool>,
    /// How many indeterminate operations the trace has, whether or not their fate matters.
    pub(crate) count: usize,
}

impl<'h> Resolution<'h> {
    /// Resolves a history.
    pub(crate) fn of(history: Cow<'h, History>) -> Self {
        let indeterminate = indeterminate(&history);
        let count = indeterminate.len();
        if count == 0 {
            return Self { history, open: Vec::new(), guess: Vec::new(), count };
        }
        let (open, unobserved) = observations::divide(&history, indeterminate);
        let guess = guess::guess(&history, &open);
        let mut resolved = history.into_owned();
        unobserved.iter().for_each(|&at| settle(operation(&mut resolved, at), false));
        for (&at, &effect) in open.iter().zip(&guess) {
            settle(operation(&mut resolved, at), effect);
        }
        Self { history: Cow::Owned(resolved), open, guess, count }
    }

    /// What the likeliest history takes for granted, one line per operation; nothing if no fate
    /// matters.
    pub(crate) fn told(&self) -> Vec<String> {
        let line = |fate: Fate| {
            let verb = if fate.effect { "has" } else { "has not" };
            format!("transaction {}, operation {}: assumed that it {verb}", fate.txn, fate.op)
        };
        let lines = self.fates(&self.guess).map(line);
        let note =
            "These operations may or may not have taken effect; other fates pose other problems:";
        let heading = (!self.open.is_empty()).then(|| note.to_owned());
        heading.into_iter().chain(lines).collect()
    }

    /// The resolved history of other fates. The trace is the one that was resolved.
    pub(crate) fn resolved(&self, trace: &History, effects: &[bool]) -> History {
        let mut resolved = self.history.clone().into_owned();
        for (&at, &effect) in self.open.iter().zip(effects) {
            let op = operation(&mut resolved, at);
            *op = trace.op(at).clone();
            settle(op, effect);
        }
        resolved
    }

    /// Fates as a verdict states them, by transaction and operation.
    pub(crate) fn fates(&self, effects: &[bool]) -> impl Iterator<Item = Fate> {
        let fate =
            |(at, effect): (&OpRef, &bool)| Fate { txn: at.txn.0, op: at.op, effect: *effect };
        self.open.iter().zip(effects).map(fate)
    }
}

/// The indeterminate operations of a history, by transaction.
fn indeterminate(history: &History) -> Vec<OpRef> {
    if !history.ops.iter().any(is_indeterminate) {
        return Vec::new();
    }
    let of_txn = |txn: TxnId| {
        let ops = (0..).zip(history.ops_of(txn));
        ops.filter(|(_, op)| is_indeterminate(op)).map(move |(op, _)| OpRef { txn, op })
    };
    history.txn_ids().flat_map(of_txn).collect()
}

fn operation(history: &mut History, at: OpRef) -> &mut Op {
    let first = history.txn(at.txn).first_op;
    &mut history.ops[(first + at.op) as usize]
}

/// Makes an indeterminate operation a done one that has seen nothing, or a failed one.
pub(crate) fn settle(op: &mut Op, effect: bool) {
    op.status = if effect { OpStatus::Done } else { OpStatus::Failed };
    match &mut op.kind {
        OpKind::PutIf { key, value, .. } if effect => {
            op.kind = OpKind::Put { key: *key, value: *value };
        }
        OpKind::Delete { rows, .. } => *rows = None,
        OpKind::ReadModifyWrite { seen, .. } => *seen = tristan_history::Observed::Unknown,
        _ => {}
    }
}

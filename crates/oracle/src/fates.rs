//! Operations that may or may not have taken effect.
//!
//! ```text
//!   History ─► its indeterminate operations ─► one resolved History per choice of their fates
//! ```
//!
//! A write (or a savepoint, or a rollback) that was called and never returned is *indeterminate*,
//! and so is a conditional write that returned without its row count. Each took effect or did
//! not, independently of the others. In a resolved history the ones that took effect are done, and
//! say nothing about what they saw; the others have failed. Every choice is tried, none is ruled
//! out beforehand.

use std::borrow::Cow;

use tristan_history::{History, Op, OpKind, OpStatus};

/// How many indeterminate operations the oracle tries to resolve; twice as many histories for each.
pub(crate) const MAX_FATES: usize = 8;

/// The history once for every choice of fates; `None` if there are too many to try.
pub(crate) fn resolutions(history: &History) -> Option<impl Iterator<Item = Cow<'_, History>>> {
    let open = indeterminate(history);
    let choices = 0..1u32 << open.len().min(MAX_FATES);
    (open.len() <= MAX_FATES).then(|| choices.map(move |chosen| resolved(history, &open, chosen)))
}

/// The places of the indeterminate operations among all operations.
pub(crate) fn indeterminate(history: &History) -> Vec<usize> {
    let ops = history.ops.iter().enumerate();
    ops.filter(|(_, op)| is_indeterminate(op)).map(|(at, _)| at).collect()
}

fn is_indeterminate(op: &Op) -> bool {
    match op.kind {
        OpKind::PutIf { rows: None, .. } => op.status != OpStatus::Failed,
        OpKind::Put { .. }
        | OpKind::PutIf { .. }
        | OpKind::Delete { .. }
        | OpKind::ReadModifyWrite { .. }
        | OpKind::Append { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => op.status == OpStatus::Pending,
        OpKind::Get { .. }
        | OpKind::ReadList { .. }
        | OpKind::Scan { .. }
        | OpKind::Iterate { .. } => false,
    }
}

/// The history in which exactly the chosen ones of the open operations took effect.
fn resolved<'a>(history: &'a History, open: &[usize], chosen: u32) -> Cow<'a, History> {
    if open.is_empty() {
        return Cow::Borrowed(history);
    }
    let mut resolved = history.clone();
    for (place, &at) in open.iter().enumerate() {
        let op = &mut resolved.ops[at];
        if chosen >> place & 1 == 1 {
            op.status = OpStatus::Done;
            op.kind = effect(&op.kind);
        } else {
            op.status = OpStatus::Failed;
        }
    }
    Cow::Owned(resolved)
}

/// What an operation did that took effect unseen.
fn effect(kind: &OpKind) -> OpKind {
    match *kind {
        OpKind::PutIf { key, value, .. } | OpKind::ReadModifyWrite { key, value, .. } => {
            OpKind::Put { key, value }
        }
        OpKind::Delete { key, .. } => OpKind::Delete { key, rows: None },
        _ => kind.clone(),
    }
}

#[cfg(test)]
mod tests {
    use tristan_history::{HistoryBuilder, Outcome, Presence};

    use super::*;

    #[test]
    fn every_choice_is_made_once_and_leaves_nothing_open() {
        let mut builder = HistoryBuilder::default();
        let txn = builder.begin(1).put("x", 1).put_if("x", 2, Presence::Present, None);
        txn.delete("x").savepoint("a").end(Outcome::Committed);
        let mut history = builder.finish();
        history.ops[3].status = OpStatus::Pending;
        let all: Vec<_> = resolutions(&history).expect("few").map(Cow::into_owned).collect();
        assert_eq!(indeterminate(&history), [1, 3]);
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|resolved| indeterminate(resolved).is_empty()));
        let fates = all.iter().map(|resolved| [1, 3].map(|at| resolved.ops[at].status));
        let [done, failed] = [OpStatus::Done, OpStatus::Failed];
        let expected = [[failed, failed], [done, failed], [failed, done], [done, done]];
        assert!(fates.eq(expected));
    }
}

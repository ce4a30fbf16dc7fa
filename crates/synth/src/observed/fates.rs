//! Operations that may or may not have taken effect: every possibility as a history of its own.
//!
//! In: a history. Out: all its resolved histories, in which each such operation is done or failed. The
//! judge knows neither lists nor savepoints, so writes of registers are all that is resolved.

use tristan_history::{History, Observed, Op, OpKind, OpStatus};

use super::error::{JudgeError, MOST_UNSURE};

/// The resolved histories, those with more effects later.
pub(super) fn resolved(history: &History) -> Result<Vec<History>, JudgeError> {
    let unsure: Vec<usize> =
        (0..history.ops.len()).filter(|&at| is_unsure(&history.ops[at])).collect();
    if unsure.len() > MOST_UNSURE {
        return Err(JudgeError::UnknownEffects(unsure.len()));
    }
    let resolve = |choice: usize| {
        let mut resolved = history.clone();
        for (bit, &at) in unsure.iter().enumerate() {
            settle(&mut resolved.ops[at], choice >> bit & 1 == 1);
        }
        resolved
    };
    Ok((0..1usize << unsure.len()).map(resolve).collect())
}

/// How many operations may or may not have taken effect.
pub(super) fn count(history: &History) -> usize {
    history.ops.iter().filter(|op| is_unsure(op)).count()
}

fn is_unsure(op: &Op) -> bool {
    match (&op.kind, op.status) {
        (OpKind::PutIf { rows: None, .. }, OpStatus::Done) => true,
        (kind, OpStatus::Pending) => matches!(
            kind,
            OpKind::Put { .. }
                | OpKind::PutIf { .. }
                | OpKind::Delete { .. }
                | OpKind::ReadModifyWrite { .. }
        ),
        _ => false,
    }
}

fn settle(op: &mut Op, effect: bool) {
    if !effect {
        op.status = OpStatus::Failed;
        return;
    }
    op.status = OpStatus::Done;
    op.kind = match op.kind {
        OpKind::PutIf { key, value, .. } => OpKind::Put { key, value },
        OpKind::Delete { key, .. } => OpKind::Delete { key, rows: None },
        OpKind::ReadModifyWrite { key, value, .. } => {
            OpKind::ReadModifyWrite { key, value, seen: Observed::Unknown }
        }
        ref other => other.clone(),
    };
}

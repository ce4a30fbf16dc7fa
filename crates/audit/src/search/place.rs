//! One more transaction in a world.

use std::sync::Arc;

use super::turn::turn_of;
use crate::explain::{Context, Explained};
use crate::statement::Task;
use crate::world::{Commit, Placed, World};

/// The world after one more transaction.
pub(super) fn place(context: &Context<'_>, world: &World, task: &Task, way: Explained) -> World {
    let mut next = world.clone();
    if !way.writes.is_empty() {
        next.delta.push(Arc::new(Commit {
            serial: task.serial,
            lo: task.lo,
            hi: task.hi,
            asked: task.txn.commit,
            stamp: task.txn.stamp,
            session: task.txn.session,
            writes: way.writes.clone(),
        }));
    }
    let turn = turn_of(context.options.level, task, &way.explanation);
    if let Some(turn) = turn {
        next.moments.note(turn.begin, turn.by, turn.oldest..=turn.state);
    }
    let explanation = Arc::new(way.explanation);
    next.explained.push(Placed { serial: task.serial, turn, explanation });
    next
}

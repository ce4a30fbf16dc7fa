//! Nobody goes back: who begins after somebody has read reads no older state.
//!
//! While the search goes on, a transaction keeps all states that look the same to it. In the end
//! everybody gets the oldest one that is not older than what was read before he began.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Record;
use crate::explain::{Context, Explanation};
use crate::level::Frame;
use crate::model::Time;
use crate::store::Position;
use crate::task::Task;

/// When a transaction read which states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) begin: Time,
    /// By when it had read.
    pub(crate) by: Time,
    /// The oldest state that looks the same.
    pub(crate) oldest: Position,
    /// The state that was tried.
    pub(crate) state: Position,
    /// Whether all of its statements read there.
    pub(crate) whole: bool,
}

impl Turn {
    /// The turn of a transaction that is explained; nothing if its level lets it go back.
    pub(crate) fn of(
        context: &Context<'_>,
        task: &Task,
        explanation: &Explanation,
    ) -> Option<Self> {
        let level = context.options.level;
        let (state, oldest) = explanation.states?;
        let (begin, whole) = (task.begin, true);
        if level.is_serial() {
            let turn = Self { begin, by: task.hi, oldest, state, whole };
            return (!explanation.writes).then_some(turn);
        }
        let is_snapshot = |frame: Frame| frame == Frame::Snapshot;
        task.frames(level).any(is_snapshot).then(|| {
            let whole = task.frames(level).all(is_snapshot);
            Self { begin, by: task.snapshot_by(level), oldest, state, whole }
        })
    }
}

/// Gives everybody his state.
pub(crate) fn take_turns(records: &mut [Record]) {
    let mut order: Vec<(Time, usize)> = Vec::new();
    for (place, record) in records.iter().enumerate() {
        order.extend(record.turn.map(|turn| (turn.begin, place)));
    }
    order.sort_unstable();
    let mut reading: BinaryHeap<Reverse<(Time, Position)>> = BinaryHeap::new();
    let mut newest = 0;
    for (begin, place) in order {
        while let Some(&Reverse((by, state))) = reading.peek()
            && by < begin
        {
            newest = newest.max(state);
            reading.pop();
        }
        let Some(turn) = records[place].turn else { continue };
        let mut state = turn.state;
        if turn.whole {
            state = turn.oldest.max(newest).min(turn.state);
            records[place].read_in(state);
        }
        reading.push(Reverse((turn.by, state)));
    }
}

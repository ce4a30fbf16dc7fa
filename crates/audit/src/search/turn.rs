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
    /// Which of its statements read there, bit by bit; of more than 64, those behind have the last bit.
    pub(crate) statements: u64,
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
        let (begin, statements) = (task.begin, u64::MAX);
        if level.is_serial() {
            let turn = Self { begin, by: task.hi, oldest, state, statements };
            return (!explanation.writes).then_some(turn);
        }
        let by = task.snapshot_by(level);
        let others = task.frames(level).enumerate().filter(|(_, frame)| *frame != Frame::Snapshot);
        let statements = others.fold(u64::MAX, |bits, (place, _)| bits & !bit(place));
        let reads = task.frames(level).any(|frame| frame == Frame::Snapshot);
        reads.then_some(Self { begin, by, oldest, state, statements })
    }

    /// Whether one of its statements read there.
    pub(crate) fn has(&self, statement: usize) -> bool {
        self.statements & bit(statement) != 0
    }
}

fn bit(place: usize) -> u64 {
    1 << place.min(63)
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
        let state = turn.oldest.max(newest).min(turn.state);
        records[place].read_in(state, &turn);
        reading.push(Reverse((turn.by, state)));
    }
}

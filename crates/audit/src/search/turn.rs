//! Nobody goes back: who begins after somebody has read reads no older state.
//!
//! While the search goes on, a transaction keeps all states that look the same to it. In the end
//! everybody gets the oldest one that is not older than what was read before he began.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::level::{AuditLevel, Frame};
use crate::model::Time;
use crate::statement::Task;
use crate::world::{Explanation, Position, Record, Turn};

/// The turn of a transaction that is explained. Returns `None` if its level lets it go back.
pub(super) fn turn_of(level: AuditLevel, task: &Task, explanation: &Explanation) -> Option<Turn> {
    let (state, oldest) = explanation.states?;
    let (begin, statements) = (task.begin, u64::MAX);
    if level.is_serial() {
        let turn = Turn { begin, by: task.hi, oldest, state, statements };
        return (!explanation.writes).then_some(turn);
    }
    let by = task.snapshot_by;
    let others = task.frames(level).enumerate().filter(|(_, frame)| *frame != Frame::Snapshot);
    let statements = others.fold(u64::MAX, |bits, (place, _)| bits & !Turn::bit(place));
    let reads = task.frames(level).any(|frame| frame == Frame::Snapshot);
    reads.then_some(Turn { begin, by, oldest, state, statements })
}

/// Gives everybody his state.
pub(super) fn take_turns(records: &mut [Record], serial: bool) {
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
        records[place].read_in(state, &turn, serial);
        reading.push(Reverse((turn.by, state)));
    }
}

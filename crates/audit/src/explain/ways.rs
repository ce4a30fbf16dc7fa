//! The ways in which a transaction can take effect next.

use super::attempt::{Attempt, Explained};
use super::context::Context;
use crate::level::Frame;
use crate::statement::{Path, Task, UnsupportedError};
use crate::world::World;

/// The ways in which a transaction can take effect next in a world; for one that writes nothing, at
/// most one.
pub(crate) fn explain(
    context: &Context<'_>,
    world: &World,
    task: &Task,
) -> Result<Vec<Explained>, UnsupportedError> {
    Ok(attempt(context, world, task)?.found)
}

/// The same, with everything that is known about why there are no more.
pub(crate) fn attempt<'a, 'b>(
    context: &'b Context<'a>,
    world: &'b World,
    task: &'b Task,
) -> Result<Attempt<'a, 'b>, UnsupportedError> {
    let mut attempt = Attempt::new(context, world, task);
    let level = context.options.level;
    if level.is_serial() {
        attempt.serial()?;
    } else if task.frames(level).any(|frame| frame == Frame::Snapshot) {
        attempt.snapshots()?;
    } else {
        attempt.go(0, &mut Path::new(task.serial))?;
    }
    Ok(attempt)
}

impl Attempt<'_, '_> {
    /// In the newest state; or, if it writes nothing, in any that it can be in.
    fn serial(&mut self) -> Result<(), UnsupportedError> {
        if self.context.reads_in_turn() {
            return self.go(0, &mut Path::new(self.task.serial));
        }
        let lowest = self.context.store.first_after(self.world, self.task.begin);
        self.lowest = lowest.max(self.world.moments.lower_bound(self.task.begin));
        self.go(0, &mut Path::new(self.task.serial))?;
        while self.found.is_empty() {
            let Some(state) = self.next_lower(self.snapshot, self.lowest, &self.footprint) else {
                break;
            };
            self.snapshot = state;
            self.go(0, &mut Path::new(self.task.serial))?;
        }
        Ok(())
    }

    /// One state after the other that it can have read, the newest first.
    fn snapshots(&mut self) -> Result<(), UnsupportedError> {
        let (top, strict) = self.snapshot_window();
        if strict > top {
            return Ok(());
        }
        self.lowest = strict;
        let mut state = top;
        let mut lowest = strict;
        loop {
            self.snapshot = state;
            self.go(0, &mut Path::new(self.task.serial))?;
            if self.is_done() {
                return Ok(());
            }
            state = match self.next_lower(state, lowest, &self.footprint) {
                Some(next) => next,
                None if self.looks_further(lowest) => {
                    lowest = self.oldest();
                    match self.next_lower(state.min(strict), lowest, &self.footprint) {
                        Some(next) => next,
                        None => return Ok(()),
                    }
                }
                None => return Ok(()),
            };
        }
    }
}

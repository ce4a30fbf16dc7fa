//! How much of a log is looked at.

use std::rc::Rc;

use crate::model::Time;
use crate::statement::{Cone, Task};

/// How much of a log is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extent {
    /// Up to the begin of this transaction; zero stands for the first one.
    pub(crate) until: Option<u64>,
    /// Up to this moment.
    pub(crate) by: Option<Time>,
    /// Of those who only read, this one alone.
    pub(crate) reader: Option<u64>,
    /// Of the statements, those alone that matter to these rows.
    pub(crate) cone: Option<Rc<Cone>>,
    /// How many statements are carried out before there is too much to try.
    pub(crate) runs: Option<u64>,
    /// When everything is tried, whatever the effort is elsewhere.
    pub(crate) stretches: Stretches,
    /// How many answers that nothing explains are passed over, to see what comes after them.
    pub(crate) pardons: usize,
}

/// Stretches of time, in order and apart from each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stretches(Vec<(Time, Time)>);

impl Stretches {
    /// Adds a stretch, with both ends.
    pub(crate) fn add(&mut self, from: Time, to: Time) {
        let (mut from, mut to) = (from, to);
        self.0.retain(|&(first, last)| {
            let apart = last < from || to < first;
            if !apart {
                (from, to) = (from.min(first), to.max(last));
            }
            apart
        });
        let place = self.0.partition_point(|&(first, _)| first < from);
        self.0.insert(place, (from, to));
    }

    /// Whether a moment is in one of them.
    pub(crate) fn have(&self, moment: Time) -> bool {
        let after = self.0.partition_point(|&(first, _)| first <= moment);
        after > 0 && moment <= self.0[after - 1].1
    }
}

impl Extent {
    /// Whether a transaction began too late to matter.
    pub(crate) fn is_over(&self, task: &Task) -> bool {
        self.by.is_some_and(|by| task.begin > by)
    }

    /// What is looked at of a transaction. Returns `None` if none of it is: what leaves nothing behind
    /// explains nothing either.
    pub(crate) fn of(&self, mut task: Task) -> Option<Task> {
        if let Some(cone) = &self.cone {
            task.keep(|reach| cone.has(reach));
        }
        let left_out = self.reader.is_some_and(|reader| reader != task.txn.number)
            && task.leaves_nothing()
            || self.cone.is_some() && task.is_empty();
        (!left_out).then_some(task)
    }
}

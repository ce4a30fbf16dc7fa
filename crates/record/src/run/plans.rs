//! Plans and values, handed out to sessions.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use tristan_generate::{Draw, Planner, Rng, Step, Workload};

/// What is left to do.
pub(super) struct Plans {
    waiting: Mutex<Waiting>,
    values: Option<Draw>,
    last_value: AtomicI64,
}

struct Waiting {
    planner: Box<dyn Planner>,
    rng: Rng,
    left: usize,
    /// How many may still be given up and replaced by others.
    spare: usize,
}

impl Plans {
    pub(super) fn new(workload: &Workload) -> Self {
        let waiting = Waiting {
            planner: workload.planner(),
            rng: Rng::new(workload.seed),
            left: workload.txns,
            spare: workload.txns,
        };
        Self {
            waiting: Mutex::new(waiting),
            values: workload.values.draw(),
            last_value: AtomicI64::new(0),
        }
    }

    /// The steps of the next transaction; false if there is none.
    pub(super) fn next(&self, steps: &mut Vec<Step>) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Waiting { planner, rng, left, .. } = &mut *waiting;
        steps.clear();
        let more = *left > 0;
        if more {
            *left -= 1;
            planner.plan(rng, steps);
        }
        more
    }

    /// A transaction was given up: there is another one to do instead, unless that happens too often.
    pub(super) fn replace(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.spare > 0 {
            waiting.spare -= 1;
            waiting.left = waiting.left.saturating_add(1);
        }
    }

    /// Something to write.
    pub(super) fn value(&self, rng: &mut Rng) -> i64 {
        match &self.values {
            Some(draw) => draw.draw(rng) as i64,
            None => self.last_value.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }
}

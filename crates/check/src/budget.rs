//! Limits: how long and how much. The only place where the core looks at a clock.
//!
//! A stage asks [`Budget::check`] now and then and [`Budget::reserve`]s what it is about to
//! allocate. A limit ends in a typed [`Stop`], which becomes the verdict `unknown`.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// A limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// No time left.
    Time,
    /// Not enough memory left.
    Memory,
}

/// What may be used.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time for one check.
    pub time: Option<Duration>,
    /// Bytes, estimated from the large data structures.
    pub memory: Option<u64>,
}

/// What is left.
#[derive(Debug)]
pub struct Budget {
    started: Instant,
    limits: Limits,
    reserved: Cell<u64>,
}

impl Budget {
    /// A budget that starts now.
    pub fn start(limits: &Limits) -> Self {
        Self { started: Instant::now(), limits: limits.clone(), reserved: Cell::new(0) }
    }

    /// Whether there is time left.
    ///
    /// # Errors
    /// [`Stop::Time`] if not.
    pub fn check(&self) -> Result<(), Stop> {
        match self.limits.time {
            Some(limit) if self.started.elapsed() >= limit => Err(Stop::Time),
            _ => Ok(()),
        }
    }

    /// Announces that `bytes` are about to be allocated.
    ///
    /// # Errors
    /// [`Stop::Memory`] if that is more than is left.
    pub fn reserve(&self, bytes: u64) -> Result<(), Stop> {
        let total = self.reserved.get().saturating_add(bytes);
        if self.limits.memory.is_some_and(|limit| total > limit) {
            return Err(Stop::Memory);
        }
        self.reserved.set(total);
        Ok(())
    }
}

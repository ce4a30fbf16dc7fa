//! The clock and the memory gauge behind a budget: those of the system, or scripted ones for tests.

use std::fmt::Debug;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tells the time and how much memory is in use.
pub trait Meter: Debug + Send + Sync {
    /// The time since some fixed moment. It never goes back.
    fn now(&self) -> Duration;

    /// The resident memory of this process in bytes; `None` where the system does not tell.
    fn resident(&self) -> Option<u64>;
}

/// The clock and the memory of the machine.
#[derive(Debug)]
pub struct System {
    start: Instant,
}

impl Default for System {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Meter for System {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn resident(&self) -> Option<u64> {
        resident()
    }
}

/// The size of a page. Linux on the processors that we build for uses 4 KiB for what `statm` counts,
/// except on some ARM systems, where the number is then too small and the estimates have to do.
const PAGE: u64 = 4096;

/// The resident memory of this process in bytes, from `/proc/self/statm`; `None` where there is no
/// such file.
pub fn resident() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// A meter for tests: every look at the clock takes one millisecond and every look at the memory
/// adds `growth` bytes. So a test says after how many looks a budget ends, whatever the machine does.
#[derive(Debug, Default)]
pub struct Steps {
    looks: AtomicU64,
    resident: AtomicU64,
    growth: Option<u64>,
}

impl Steps {
    /// A meter whose memory is unknown.
    pub fn timed() -> Self {
        Self::default()
    }

    /// A meter whose memory grows by so many bytes at every look.
    pub fn growing(growth: u64) -> Self {
        Self { growth: Some(growth), ..Self::default() }
    }

    /// How often the clock was looked at.
    pub fn looks(&self) -> u64 {
        self.looks.load(Ordering::Relaxed)
    }
}

impl Meter for Steps {
    fn now(&self) -> Duration {
        Duration::from_millis(self.looks.fetch_add(1, Ordering::Relaxed))
    }

    fn resident(&self) -> Option<u64> {
        self.growth.map(|growth| self.resident.fetch_add(growth, Ordering::Relaxed))
    }
}

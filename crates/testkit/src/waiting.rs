//! Waiting for progress, not for time.

use std::time::{Duration, Instant};

/// No test waits longer for anything, on any machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until something is so; false if it takes too long.
pub fn comes_true(mut good: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + PATIENCE;
    while !good() {
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

/// Waits until something is so, and fails if it takes too long.
pub fn wait_until(what: &str, good: impl FnMut() -> bool) {
    assert!(comes_true(good), "not within {PATIENCE:?}: {what}");
}

//! Limits of a check: how long, how much. The budget is that of `tristan-ground`; the core looks at
//! a clock only through it.

pub use tristan_ground::{Budget, Limits, Stop, Stopped, Ticker};
use tristan_verdict::UnknownReason;

/// A limit that was reached, as a verdict tells it.
pub fn reason(stopped: &Stopped) -> UnknownReason {
    let Stopped { stop, limits, place } = stopped;
    let stage = place.to_string();
    match stop {
        Stop::Time | Stop::Cancelled => {
            let millis = limits.time.map_or(0, |limit| limit.as_millis());
            UnknownReason::Time { millis: u64::try_from(millis).unwrap_or(u64::MAX), stage }
        }
        Stop::Memory => UnknownReason::Memory { bytes: limits.memory.unwrap_or(0), stage },
    }
}
